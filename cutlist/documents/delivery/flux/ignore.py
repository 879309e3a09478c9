"""What Flux leaves out of the copy of a repository that it builds from: `.sourceignore`, and what it never takes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.documents.patterns import path_pattern

IGNORE_FILE: Final = ".sourceignore"
_NEVER: Final = (
    *(".git/", ".gitignore", ".gitmodules", ".gitattributes"),
    *("*.jpg", "*.jpeg", "*.gif", "*.png", "*.wmv", "*.flv", "*.tar.gz", "*.zip"),
    *(".github/", ".circleci/", ".travis.yml", ".gitlab-ci.yml", "appveyor.yml", ".drone.yml", "cloudbuild.yaml"),
    *("codeship-services.yml", "codeship-steps.yml", "**/.goreleaser.yml", "**/.sops.yaml", "**/.flux.yaml"),
)
_ANY_FOLDERS: Final = "**"
_LARGEST: Final = 2**20  # characters of a file of patterns


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A line of such a file: the folder that it is about, and its parts between slashes."""

    folder: tuple[str, ...]
    parts: tuple[str, ...]
    includes: bool
    only_folders: bool

    @staticmethod
    def of(line: str, folder: tuple[str, ...] = ()) -> _Pattern:
        """Return what a line means: `!` takes files in again, and a `/` at its end leaves only folders."""
        includes = line.startswith("!")
        text = line[includes:]
        # Git drops spaces at the end unless they are escaped.
        text = text if text.endswith("\\ ") else text.rstrip(" ")
        only_folders = text.endswith("/")
        return _Pattern(folder, tuple(text[: len(text) - only_folders].split("/")), includes, only_folders)

    def matches(self, path: tuple[str, ...], *, is_folder: bool) -> bool:
        """Tell whether it is about a path, or about a folder around it."""
        depth = len(self.folder)
        if len(path) <= depth or path[:depth] != self.folder:
            return False
        below = path[depth:]
        if len(self.parts) > 1:
            return self._matches_path(below, is_folder=is_folder)
        # A pattern without a slash may match at any depth, and with a folder everything below it.
        index = next((index for index, name in enumerate(below) if _is_like(name, self.parts[0])), None)
        return index is not None and (is_folder or not self.only_folders or index < len(below) - 1)

    def _matches_path(self, path: tuple[str, ...], *, is_folder: bool) -> bool:
        rest, skips, matched = list(path), False, False
        for index, part in enumerate(self.parts):
            # An empty part is a leading slash, which only anchors the pattern.
            if not part:
                skips = False
            elif part == _ANY_FOLDERS:
                if index == len(self.parts) - 1:
                    break
                skips = True
            elif _ANY_FOLDERS in part or not rest:
                return False
            elif skips:
                skips = False
                at = next((at for at, name in enumerate(rest) if _is_like(name, part)), None)
                matched = at is not None
                rest = [] if at is None else rest[at + 1 :]
            elif not _is_like(rest.pop(0), part):
                return False
            else:
                matched = True
        return matched and (is_folder or bool(rest) or not self.only_folders)


@dataclass(frozen=True, slots=True)
class Ignored:
    """Which files of a repository Flux leaves out. Later patterns win over earlier ones."""  # GO-5

    patterns: tuple[_Pattern, ...]

    @staticmethod
    def of(root: str, text: str = "") -> Ignored:
        """Return what the files of a repository say, and after them a text with further patterns."""
        own = [pattern for folder in _folders(root, ()) for pattern in _patterns(_content(root, folder), folder)]
        return Ignored((*map(_Pattern.of, _NEVER), *own, *_patterns(text, ())))

    @property
    def is_usual(self) -> bool:
        """Tell whether no pattern is the repository's own."""
        # The fixed patterns are always first, so a longer list has others.
        return len(self.patterns) == len(_NEVER)

    def has(self, path: Sequence[str], *, is_folder: bool) -> bool:
        """Tell whether a path, from the root, is left out."""
        # From the end: the last pattern that matches decides.
        named = (p for p in reversed(self.patterns) if p.matches(tuple(path), is_folder=is_folder))
        last = next(named, None)
        return last is not None and not last.includes


def _folders(root: str, folder: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield folder
    with os.scandir(os.path.join(root, *folder)) as entries:
        names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False) and entry.name != ".git")
    for name in names:
        yield from _folders(root, (*folder, name))


def _content(root: str, folder: tuple[str, ...]) -> str:
    try:
        with open(os.path.join(root, *folder, IGNORE_FILE), encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST)
    except OSError:
        return ""


def _patterns(text: str, folder: tuple[str, ...]) -> list[_Pattern]:
    return [_Pattern.of(line, folder) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _is_like(name: str, pattern: str) -> bool:
    """Tell whether a name is as a pattern of Go's `filepath.Match` says."""
    expression = path_pattern(pattern)
    return expression is not None and expression.fullmatch(name) is not None
