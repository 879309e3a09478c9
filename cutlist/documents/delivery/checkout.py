"""The checkout of git that a file is in: its root, and the addresses by which others name its repository."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_SECTION: Final = re.compile(r"\s*\[\s*(\w+)")
_URL: Final = re.compile(r"\s*url\s*=\s*(\S+)")
_ADDRESS: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://)?(?:[^@/]*@)?(?P<host>[^/:]*)(?::\d+(?=/))?[/:]*(?P<path>.*)", re.IGNORECASE
)
_BRANCH: Final = "ref: refs/heads/"


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder with a repository's files: its root as it was named, the addresses of its remotes, and its branch.

    The branch is empty where none is checked out.
    """

    root: str
    addresses: frozenset[str] = frozenset()
    branch: str = ""

    @staticmethod
    def around(path: str) -> Checkout | None:
        """Return the checkout that a file or folder is in, or None if it is in none."""
        folder = os.path.realpath(path)
        while not os.path.exists(os.path.join(folder, ".git")):
            above = os.path.dirname(folder)
            if above == folder:
                return None
            folder = above
        own, common = _git_folders(folder)
        head = _text(os.path.join(own, "HEAD")).strip()
        branch = head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""
        return Checkout(folder, frozenset(map(plain_address, _remotes(common))), branch)

    def is_of(self, address: str) -> bool:
        """Tell whether an address is that of the checkout's repository, however it is spelled."""
        return plain_address(address) in self.addresses

    def unless_here(self, revision: str) -> str:
        """Return a revision if another one is checked out; empty if it is the same, or if it is not known which one is checked
        out."""
        is_here = not self.branch or revision in ("HEAD", self.branch, f"refs/heads/{self.branch}")
        return "" if is_here else revision

    def folder(self, path: str) -> str | None:
        """Return a path from the root, relative to the working directory if it is below it; None for one that leaves the
        checkout."""
        real = os.path.realpath(os.path.join(self.root, path.lstrip("/")))
        if real != self.root and not real.startswith(self.root.rstrip(os.sep) + os.sep):
            return None
        shown = os.path.relpath(real)
        return real if shown.startswith(os.pardir) else shown


_OF_ANY_CASE: Final = frozenset(("github.com", "gitlab.com", "bitbucket.org"))
"""Hosts whose names of owners and repositories may be written in any case."""


def plain_address(address: str) -> str:
    """Return the host and the path of a repository's address, by which its spellings are compared."""
    match = _ADDRESS.fullmatch(address.strip())
    if match is None:
        return address
    host, path = match["host"].lower(), match["path"].strip("/").removesuffix(".git")
    return f"{host}/{path.lower() if host in _OF_ANY_CASE else path}"


def _git_folders(root: str) -> tuple[str, str]:
    """Return the folders in which git keeps the state of a checkout and of its repository; they differ for a work tree."""
    own = os.path.join(root, ".git")
    if os.path.isfile(own):
        own = os.path.join(root, _text(own).partition("gitdir:")[2].strip())
    common = _text(os.path.join(own, "commondir")).strip()
    return own, os.path.join(own, common) if common else own


def _remotes(folder: str) -> Iterator[str]:
    section = ""
    for line in _text(os.path.join(folder, "config")).splitlines():
        header, url = _SECTION.match(line), _URL.match(line)
        section = header[1] if header else section
        if url and section == "remote":
            yield url[1]


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(2**20)
    except OSError:
        return ""
