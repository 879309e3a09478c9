"""Patterns of names and paths, as Go, git and Argo CD read them."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Final

_BRACES: Final = re.compile(r"\{([^{}]*)\}")


def path_pattern(pattern: str, *, crosses: bool = False) -> re.Pattern[str] | None:
    """Return a pattern of Go's `path.Match` as a regular expression, or None for an invalid one.

    With `crosses`, `*` and `?` match slashes too.
    """
    any_character = "." if crosses else "[^/]"
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "[":
            end = pattern.find("]", at + 2)
            if end < 0:
                return None
            pieces.append(f"[{pattern[at + 1 : end]}]")
            at = end
        elif character == "\\":
            at += 1
            if at == len(pattern):
                return None
            pieces.append(re.escape(pattern[at]))
        else:
            pieces.append({"*": f"{any_character}*", "?": any_character}.get(character, re.escape(character)))
        at += 1
    try:
        return re.compile("".join(pieces), re.DOTALL)
    except re.error:
        return None


def matches_glob(path: str, pattern: str) -> bool:
    """Tell whether a path is as a glob says: `*` crosses folders, and braces hold choices."""
    braces = _BRACES.search(pattern)
    if braces is None:
        return fnmatchcase(path, pattern)
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return any(matches_glob(path, f"{before}{choice}{after}") for choice in braces[1].split(","))


def matches_pathspec(path: str, pattern: str) -> bool:
    """Tell whether git takes a file for a path: a folder means all below it, and `*` crosses folders."""
    plain = pattern.removeprefix("./").strip("/")
    return path == plain or path.startswith(f"{plain}/") or fnmatchcase(path, plain)
