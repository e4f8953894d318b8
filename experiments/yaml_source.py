"""A YAML file with the line on which each of its keys stands, for messages that name the place."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from envs.errors import KontorError

KeyPath = tuple[str, ...]
"""The keys that lead to a value; the items of a list are numbered from "0"."""


class ConfigError(KontorError):
    """A config that is not as it should be; the message names file, line and key."""


@dataclass(frozen=True)
class YamlSource:
    """The text of a YAML file, and the line (from 1) of every key and list item in it."""

    path: Path
    text: str
    lines: dict[KeyPath, int] = field(default_factory=dict)

    @staticmethod
    def read(path: Path) -> YamlSource:
        """Read a file that holds one mapping. Errors: `ConfigError`, for a key given twice too."""
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ConfigError(f"{path}: there is no such file") from None
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: cannot be read: {error}") from None
        try:
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
            raise ConfigError(f"{path}{line}: not YAML: {error.problem or error.context}") from None
        except yaml.YAMLError as error:
            raise ConfigError(f"{path}: not YAML: {str(error).splitlines()[0]}") from None
        if root is None:
            raise ConfigError(f"{path}: the file is empty")
        if not isinstance(root, yaml.MappingNode):
            raise ConfigError(f"{path}:1: a config is a mapping of keys to values")
        source = YamlSource(path, text)
        source._walk(root, (), [])
        return source

    def place(self, path: KeyPath) -> str:
        """`file:line` of a key, or of the nearest key above it."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.path}:{self.lines[path]}" if path else str(self.path)

    def _walk(self, node: yaml.Node, path: KeyPath, above: list[yaml.Node]) -> None:
        if any(node is other for other in above):
            raise ConfigError(f"{self.place(path)}: {'.'.join(path)} refers to itself")
        above = [*above, node]
        if isinstance(node, yaml.MappingNode):
            first: dict[str, int] = {}
            merged: list[yaml.Node] = []
            for key_node, value in node.value:
                key, line = str(key_node.value), key_node.start_mark.line + 1
                if not isinstance(key_node, yaml.ScalarNode):
                    raise ConfigError(f"{self.path}:{line}: a key is a single word or number")
                if key_node.tag == "tag:yaml.org,2002:merge":
                    merged += value.value if isinstance(value, yaml.SequenceNode) else [value]
                    continue
                if key_node.tag != "tag:yaml.org,2002:str":
                    raise ConfigError(f"{self.path}:{line}: the key {key!r} is no name for YAML: put it in quotes")
                if key in first:
                    where = ".".join(path) or "the config"
                    raise ConfigError(
                        f"{self.path}:{line}: two entries named {key!r} in {where}, see line {first[key]}"
                    )
                first[key] = line
                self.lines[*path, key] = line
                self._walk(value, (*path, key), above)
            for value in merged:
                self._walk_merged(value, path, above)
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self.lines[*path, str(index)] = item.start_mark.line + 1
                self._walk(item, (*path, str(index)), above)

    def _walk_merged(self, node: yaml.Node, path: KeyPath, above: list[yaml.Node]) -> None:
        """Keys that come in by `<<`: those the mapping has itself stand where they are."""
        other = YamlSource(self.path, self.text)
        other._walk(node, path, above)
        for key, line in other.lines.items():
            self.lines.setdefault(key, line)
