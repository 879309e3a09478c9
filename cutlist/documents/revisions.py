"""Read files as they were at a revision of git, without touching the checked-out files."""

from __future__ import annotations

import contextlib
import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from cutlist.core.errors import InputError, Place, Problem
from cutlist.settings.diff import GIT


@contextlib.contextmanager
def at_revision(revision: str) -> Iterator[None]:
    """Work in a copy of the surrounding repository as it was at a revision, in the same folder of it.

    Relative paths then mean the files of the revision. Raises InputError when there is no git, no repository or no such
    revision; problems with files read meanwhile name the revision before the file, as in `main:pools.yaml`.
    """
    prefix = _git("rev-parse", "--show-prefix").decode().strip()
    root = _git("rev-parse", "--show-toplevel").decode().strip()
    tree = _tree(revision)
    with tempfile.TemporaryDirectory(prefix="cutlist-") as folder:
        _unpack(_git("-C", root, "archive", "--format=tar", tree), folder)
        here = Path(folder, prefix)
        here.mkdir(parents=True, exist_ok=True)  # a folder that was added later: its files are reported as missing, one by one
        with contextlib.chdir(here), _named(revision):
            yield


def _unpack(packed: bytes, folder: str) -> None:
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
    except tarfile.TarError as error:  # for example because of a link that leads out of the repository
        raise InputError.one(Place.of(GIT), f"the revision cannot be unpacked: {error}") from None


@contextlib.contextmanager
def _named(revision: str) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError([_at(revision, problem) for problem in error.problems]) from None


def _at(revision: str, problem: Problem) -> Problem:
    place = problem.place
    if not place.source or Path(place.source).is_absolute():
        return problem
    at_revision = Place(f"{revision}:{place.source}", place.document, place.line, place.path)
    return replace(problem, place=at_revision)


def _tree(revision: str) -> str:
    try:
        return _git("rev-parse", "--verify", "--end-of-options", f"{revision}^{{tree}}").decode().strip()
    except InputError:
        problem = f"this repository has no revision {revision!r}"
        raise InputError.one(Place.of(GIT), problem, "a branch, tag or commit") from None


def _git(*arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, check=False)  # noqa: S603, S607 - git of whoever calls
    except FileNotFoundError:
        raise InputError.one(Place.of(GIT), "git is not installed") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ").splitlines()
        raise InputError.one(Place.of(GIT), lines[0] if lines else "git failed")
    return done.stdout
