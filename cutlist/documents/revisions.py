"""Read files as they were at a revision of git, without touching the checked-out files; and what git knows of a branch."""

from __future__ import annotations

import contextlib
import filecmp
import io
import os
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cutlist.core.errors import InputError, Place, Problem
from cutlist.core.setting import Advice
from cutlist.settings.diff import GIT

_ORIGINS: Final = "refs/remotes/origin/HEAD"
"""Where git keeps the name of the remote's default branch."""
_BRANCHES: Final = ("main", "master", "origin/main", "origin/master")
"""The default branch where the remote does not name one."""
_SHORT: Final = 8  # characters of a commit that are shown
_COMMIT: Final = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class MergeBase:
    """The commit at which the checked-out branch left the default one; the checked-out commit on the default branch itself."""

    commit: str
    branch: str

    @property
    def short(self) -> str:
        """Return the beginning of the commit's name."""
        return self.commit[:_SHORT]


def merge_base() -> MergeBase:
    """Return the merge base of what is checked out here and the default branch: that of `origin`, else `main` or `master`.

    Raises InputError outside of a repository, for one without a commit, and where the two have no commit in common.
    """
    here = Place(os.curdir)
    try:
        git_output("rev-parse", "--show-toplevel")
    except InputError as error:
        text = f"there is nothing to compare the folder with: {error.problems[0].message}"
        raise InputError.one(here, text, "OLD and NEW, or a folder in a repository of git") from None
    branch = _default_branch()
    if branch is None:
        text = "there is nothing to compare the repository with: it has no commit on origin/HEAD, main or master"
        raise InputError.one(here, text, Advice.of((GIT, " with a branch, tag or commit")))
    try:
        commit = git_output("merge-base", "HEAD", branch).decode().strip()
    except InputError:
        text = f"what is checked out has no commit in common with {branch}"
        allowed = (GIT, " with a branch, tag or commit; of a shallow clone, git fetch --unshallow brings the rest")
        raise InputError.one(here, text, Advice.of(allowed)) from None
    return MergeBase(commit, branch)


def _default_branch() -> str | None:
    """Return the name of the default branch, or None if no branch of these names has a commit."""
    with contextlib.suppress(InputError):
        return git_output("symbolic-ref", "--quiet", "--short", _ORIGINS).decode().strip()
    for branch in _BRANCHES:
        with contextlib.suppress(InputError):
            git_output("rev-parse", "--verify", "--quiet", "--end-of-options", f"{branch}^{{commit}}")
            return branch
    return None


def ignored_paths() -> frozenset[str]:
    """Return the real paths of the files and folders of this repository that its `.gitignore` files leave out."""
    root = os.path.realpath(git_output("rev-parse", "--show-toplevel").decode().strip())
    listed = git_output("-C", root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    names = os.fsdecode(listed).split("\0")
    return frozenset(os.path.join(root, name.rstrip("/")) for name in names if name)


@dataclass(frozen=True, slots=True)
class RevisionCopy:
    """A copy of a repository as it was at a revision: its root, and the folder in it that was worked in.

    A folder with the files as they were is one as well; `separator` stands between its name and that of a file.
    """

    revision: str
    root: str
    here: str
    separator: str = ":"

    @classmethod
    def of_folder(cls, folder: str) -> RevisionCopy:
        """Return a folder as what the working directory was."""
        root = os.path.realpath(folder)
        return cls(folder.rstrip(os.sep), root, root, os.sep)

    def below(self, folder: str | os.PathLike[str]) -> RevisionCopy:
        """Return the copy for a folder of the working directory."""
        return replace(self, here=os.path.normpath(os.path.join(self.here, folder)))

    @contextlib.contextmanager
    def working(self) -> Iterator[str]:
        """Work in the copy, and give its root.

        Relative paths then mean the files of the revision; problems with files read meanwhile name the revision before the
        file, as in `main:pools.yaml`.
        """
        with contextlib.chdir(self.here), _named(self.revision, self.separator):
            yield self.root

    def at(self, path: str | os.PathLike[str]) -> str:
        """Return where a path of the working directory is in the copy; empty for one outside, or that was not there."""
        there = os.path.normpath(os.path.join(self.here, os.path.relpath(os.path.realpath(path))))
        return there if self.holds(there) and os.path.exists(there) else ""

    def holds(self, path: str) -> bool:
        """Tell whether an absolute path is in the copy, be there a file or not."""
        return os.path.commonpath((path, self.root)) == self.root

    def is_edited(self, path: str | os.PathLike[str]) -> bool:
        """Tell whether a file comes with the change: git tracks it, and it was another one or none."""
        there = self.at(path)
        return not (there and same_contents(there, path)) and _is_tracked(path)


def same_contents(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Tell whether two files, or all files below two folders, have equal contents."""
    if not (os.path.isdir(one) and os.path.isdir(other)):
        return os.path.isfile(one) and os.path.isfile(other) and filecmp.cmp(one, other, shallow=False)
    names = [sorted(str(p.relative_to(folder)) for p in Path(folder).rglob("*") if p.is_file()) for folder in (one, other)]
    return names[0] == names[1] and not any(filecmp.cmpfiles(one, other, names[0], shallow=False)[1:])


def _is_tracked(path: str | os.PathLike[str]) -> bool:
    """Tell whether git tracks a file; where there is no git, every file may come with a change."""
    folder, name = os.path.split(os.path.realpath(path))
    try:
        return bool(git_output("-C", folder, "ls-files", "--", name))
    except InputError:
        return True


@contextlib.contextmanager
def at_revision(revision: str) -> Iterator[str]:
    """Work in a copy of the surrounding repository as it was at a revision, in the same folder of it, and give its root.

    Raises InputError as `copied` does.
    """
    with copied(revision) as copy, copy.working() as root:
        yield root


@contextlib.contextmanager
def copied(revision: str) -> Iterator[RevisionCopy]:
    """Give a copy of the surrounding repository as it was at a revision, until the end.

    Raises InputError when there is no git, no repository or no such revision.
    """
    prefix = git_output("rev-parse", "--show-prefix").decode().strip()
    root = git_output("rev-parse", "--show-toplevel").decode().strip()
    tree = _tree(revision)
    with tempfile.TemporaryDirectory(prefix="cutlist-") as folder:
        _unpack(git_output("-C", root, "archive", "--format=tar", tree), folder)
        _mark_checkout(folder)
        here = Path(folder, prefix)
        here.mkdir(parents=True, exist_ok=True)  # a folder that was added later: its files are reported as missing, one by one
        yield RevisionCopy(revision, os.path.realpath(folder), os.path.realpath(here))


def _unpack(packed: bytes, folder: str) -> None:
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
    except tarfile.TarError as error:  # for example because of a link that leads out of the repository
        raise InputError.one(Place.of(GIT), f"the revision cannot be unpacked: {error}") from None


def _mark_checkout(folder: str) -> None:
    """Write into a copy what says of which repository it is: Flux and Argo CD name that, and a path from its root.

    It is no repository for git itself, so that nothing changes the real one from the copy.
    """
    remotes = ""
    with contextlib.suppress(InputError):  # a repository without a remote, for which git fails
        remotes = git_output("config", "--get-regexp", r"^remote\..*\.url$").decode(errors="replace")
    urls = [line.partition(" ")[2] for line in remotes.splitlines()]
    head = ""
    with contextlib.suppress(InputError):  # no branch is checked out
        head = git_output("symbolic-ref", "--quiet", "HEAD").decode().strip()
    own = Path(folder, ".git")
    own.mkdir(exist_ok=True)
    own.joinpath("config").write_text("".join(f'[remote "{n}"]\n\turl = {url}\n' for n, url in enumerate(urls)))
    own.joinpath("HEAD").write_text(f"ref: {head}\n" if head else "")


@contextlib.contextmanager
def _named(revision: str, separator: str) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError([_at(f"{_shown(revision)}{separator}", problem) for problem in error.problems]) from None


def _shown(revision: str) -> str:
    return revision[:_SHORT] if _COMMIT.fullmatch(revision) else revision


def _at(before: str, problem: Problem) -> Problem:
    """Return a problem whose file has the name of a revision before its own."""
    place = problem.place
    if not place.source or Path(place.source).is_absolute():
        return problem
    at_revision = Place(f"{before}{place.source}", place.document, place.line, place.path)
    return replace(problem, place=at_revision)


def _tree(revision: str) -> str:
    try:
        return git_output("rev-parse", "--verify", "--end-of-options", f"{revision}^{{tree}}").decode().strip()
    except InputError:
        problem = f"this repository has no revision {revision!r}"
        raise InputError.one(Place.of(GIT), problem, "a branch, tag or commit") from None


def git_output(*arguments: str) -> bytes:
    """Return what git writes when it is called with these arguments. Raises InputError with its first line where it fails."""
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, check=False)  # noqa: S603, S607 - git of whoever calls
    except FileNotFoundError:
        raise InputError.one(Place.of(GIT), "git is not installed") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ").splitlines()
        raise InputError.one(Place.of(GIT), lines[0] if lines else "git failed")
    return done.stdout
