"""What a change is compared with and judged by: the repository as it was, at a revision of git or in a folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

from cutlist.core.errors import InputError, Place
from cutlist.core.setting import Setting
from cutlist.documents.revisions import RevisionCopy, copied, merge_base
from cutlist.settings import preview
from cutlist.settings.diff import GIT
from cutlist.settings.gate import BASE, BEFORE, GATES_FROM


@dataclass(frozen=True, slots=True)
class Bases:
    """Copies of the repository as it was: the one that a change is `compared` with, and the one that it is judged `by`."""

    compared: RevisionCopy | None = None
    by: RevisionCopy | None = None

    def below(self, folder: str | os.PathLike[str]) -> Bases:
        """Return the copies for a folder of the working directory."""
        return Bases(*(copy and copy.below(folder) for copy in (self.compared, self.by)))


@contextlib.contextmanager
def bases(base: str | None, gates_from: str | None, before: str | None, project_dir: Path) -> Iterator[Bases]:
    """Give the copies of a project's folder that options name, until the end: `before` may be a folder in place of a revision.

    Raises InputError for a revision that does not exist, and UsageError for a folder beside a revision.
    """
    with contextlib.ExitStack() as copies:
        compared = by = None
        if before is not None and os.path.isdir(before):
            if base is not None:
                raise click.UsageError(f"{BEFORE.flag} with a folder is a base, as {BASE.flag} is: leave one of them out")
            compared = _project_in(RevisionCopy.of_folder(before), project_dir)
        elif base is not None:
            with named_by(BASE, instead_of=GIT), contextlib.chdir(project_dir):
                compared = copies.enter_context(copied(base))
        if gates_from is not None:
            with named_by(GATES_FROM, instead_of=GIT), contextlib.chdir(project_dir):
                by = copies.enter_context(copied(gates_from))
        yield Bases(compared, by or compared)


@dataclass(frozen=True, slots=True)
class NamedBase:
    """A copy of a project's folder as it was, and how messages call it."""

    copy: RevisionCopy
    name: str


@contextlib.contextmanager
def base_of_stacks(base: str | None, project_dir: Path) -> Iterator[NamedBase | None]:
    """Give the copy of a project's folder that `preview` compares its stacks with, until the end; None without one.

    Raises InputError for a revision that does not exist, and for the merge base of branches that share no commit.
    """
    if base is None:
        yield None
        return
    with contextlib.ExitStack() as copies:
        with named_by(preview.BASE, instead_of=GIT), contextlib.chdir(project_dir):
            began = merge_base() if base == preview.MERGE_BASE else None
            copy = copies.enter_context(copied(base if began is None else began.commit))
        if began is None:
            yield NamedBase(copy, base)
        else:
            yield NamedBase(replace(copy, revision=began.short), f"{began.short}, the merge base with {began.branch}")


def _project_in(folder: RevisionCopy, project_dir: Path) -> RevisionCopy:
    """Return the copy for the folder of a project; a folder that is no copy of a whole repository may be the project itself."""
    there = folder.below(os.path.relpath(project_dir))
    return there if folder.holds(there.here) and os.path.isdir(there.here) else folder


@contextlib.contextmanager
def named_by(setting: Setting, *, instead_of: Setting) -> Iterator[None]:
    """Name a setting in mistakes about another one, which the command does not have."""
    try:
        yield
    except InputError as error:
        own, other = Place.of(setting), (instead_of,)
        if all(problem.place.settings != other for problem in error.problems):
            raise
        raise InputError([replace(p, place=own) if p.place.settings == other else p for p in error.problems]) from None
