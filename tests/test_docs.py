"""Everything the README and the docs show is run, page by page, as a reader would."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    """The language and the text of every fenced block of a page."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def program(page: Path, folder: Path) -> str:
    """The page's Python as one program; a block that begins `# file: NAME` is written to that file instead."""
    parts = []
    for language, code in blocks(page):
        if named := re.match(r"# file: (\S+)\n", code):
            (folder / named[1]).write_text(code, encoding="utf-8")
        elif language == "python":
            parts.append(code)
    return "\n".join(parts)


def commands(page: Path) -> list[str]:
    """The `kontor` commands in the page's `sh` blocks; `make` targets are what the tests are run with."""
    lines = [line for language, text in blocks(page) if language == "sh" for line in text.splitlines()]
    return [line for line in lines if line.startswith("kontor ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_runs_as_written(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "configs", tmp_path / "configs")
    code = program(page, tmp_path)
    if code:
        (tmp_path / "page.py").write_text(code, encoding="utf-8")
        run([sys.executable, "page.py"], tmp_path)
    for command in commands(page):
        words = command.partition("#")[0].split()
        run([str(Path(sys.executable).with_name("kontor")), *words[1:]], tmp_path)


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{' '.join(command)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert not missing
