"""What is checked out where a command runs: the repository's name, the commit, and whether files differ from it."""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import InputError
from cutlist.documents.revisions import git_output

_SHORT: Final = 8  # characters of a commit that are shown
_LAST: Final = re.compile(r"([^/:\\]+?)(?:\.git)?[/\\]*$")


@dataclass(frozen=True, slots=True)
class Checkout:
    """A repository that is checked out: its name, the beginning of its commit, and whether tracked files differ from that."""

    repository: str
    commit: str
    is_edited: bool


def checkout() -> Checkout | None:
    """Return what is checked out in the working directory; None outside of a repository, and for one without a commit."""
    try:
        root, commit = _text("rev-parse", "--show-toplevel", f"--short={_SHORT}", "HEAD").splitlines()
        edited = _text("status", "--porcelain", "--untracked-files=no")
    except (InputError, ValueError):
        return None
    return Checkout(_name(root), commit, bool(edited))


def _name(root: str) -> str:
    """Return the name that the remote gives the repository, else that of its folder: checkouts have any name."""
    with contextlib.suppress(InputError):
        if match := _LAST.search(_text("config", "--get", "remote.origin.url")):
            return match[1]
    return os.path.basename(root)


def _text(*arguments: str) -> str:
    return git_output(*arguments).decode(errors="replace").strip()
