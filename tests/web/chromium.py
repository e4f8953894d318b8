"""Debian's Chromium for tests of pages: headless, and with nothing but the pages of a server of this test."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PATH = os.environ.get("KONTOR_CHROMIUM") or shutil.which("chromium")
REQUIRED = bool(os.environ.get("KONTOR_REQUIRE_BROWSER"))
SHOTS = Path(os.environ["KONTOR_SCREENSHOTS"]) if "KONTOR_SCREENSHOTS" in os.environ else None
"""Where screenshots are kept; else in the test's own folder."""

COMPILING = 300_000
"""Milliseconds that a game's first table may take: its rules and agents are compiled."""

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser of Playwright's. Skips the test where there is none, unless KONTOR_REQUIRE_BROWSER is set."""
    if PATH is None:
        if REQUIRED:
            pytest.fail("KONTOR_REQUIRE_BROWSER is set, and there is no chromium")
        pytest.skip("there is no chromium here (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PATH, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The address of a server of this application, in a thread of this process."""
    from experiments.web.serving import listen, server_for

    listening = listen("127.0.0.1", 0)
    server = server_for(app)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


@contextmanager
def visited(browser: Any, size: dict[str, int] = WIDE, scheme: str = "light") -> Iterator[Any]:
    """A page in a fresh profile; fails if a script of it fails, or the browser complains about anything."""
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.set_default_timeout(60_000)
    yield page
    context.close()
    assert not complaints


def shot(page: Any, name: str, folder: Path) -> Path:
    """A screenshot of the whole page, kept as the test's artefact."""
    path = (SHOTS or folder) / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    return path


def assert_fits(page: Any) -> None:
    """The page is no wider than the window."""
    wide, window = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= window


def look(page: Any, name: str, folder: Path) -> None:
    """The page fits a desk's and a phone's width. Where screenshots are kept: of both, light and dark; else one."""
    before = page.viewport_size
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        page.wait_for_timeout(100)
        assert_fits(page)
        for scheme in ("light", "dark") if SHOTS else ():
            page.emulate_media(color_scheme=scheme)
            shot(page, f"{name}-{size['width']}-{scheme}", folder)
    page.set_viewport_size(before)
    if SHOTS:
        page.emulate_media(color_scheme="light")
    else:
        shot(page, name, folder)
