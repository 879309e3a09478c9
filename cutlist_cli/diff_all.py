"""`cutlist diff --all`: what changes in every environment of the project or of the folders, in one table."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.notes import Notes
from cutlist.core.records import json_of
from cutlist.documents.files import is_stream
from cutlist.documents.revisions import MergeBase, RevisionCopy, copied, merge_base
from cutlist.settings.answers import WATCH
from cutlist.settings.cluster import AT
from cutlist.settings.diff import CLUSTER, GIT
from cutlist.settings.environments import ALL
from cutlist.settings.planning import FILES
from cutlist.verbs.diff.environments import (
    EnvironmentDifference,
    EnvironmentDifferences,
    csv,
    markdown,
    render_environments,
    replaced_nodes,
)
from cutlist.verbs.diff.replicas import SharedReplicas
from cutlist_cli.diff_sides import files_of_all, refuse_since, require_compared, since
from cutlist_cli.each_environment import EachEnvironment
from cutlist_cli.environments import WHOLE, CalledEnvironment, all_environments
from cutlist_cli.formats import OutputFormats

if TYPE_CHECKING:
    from cutlist.verbs.diff.answer import Difference
    from cutlist.verbs.diff.sides import Side
    from cutlist_cli.diff_sides import Call
    from cutlist_cli.renderer import Renderer

_FORMATS: Final[OutputFormats[EnvironmentDifferences]] = OutputFormats(
    text=render_environments, others={"markdown": markdown, "json": json_of, "csv": csv}
)
_OF_ONE: Final = (CLUSTER, AT, WATCH)
"""The settings of a single difference: the nodes of a cluster are those of one environment."""


def show_all(ctx: click.Context, call: Call, renderer: Renderer[Any]) -> EnvironmentDifferences:
    """Show what changes in all environments, and return it. The command ends with 2 if one of them cannot be compared."""
    if call.sides:
        raise click.UsageError(f"{ALL.flag} compares each environment with an earlier revision; leave out {call.sides[0]}")
    refuse_since(call)
    call = files_of_all(call)
    since_when = f"{GIT.flag} {quote(call.revision)}" if call.revision else ""
    with repository_as_it_was(call.revision) as then:
        together = partial(EnvironmentDifferences, then.in_words)
        each = EachEnvironment(_FORMATS, together, _OF_ONE, "difference", "comparing", "compared", since_when)
        read = call.options.files, call.options.reading
        return each.show(
            ctx, renderer, read, lambda of: [_row(of, call, then)], lambda: _environments(ctx, call, then, since_when)
        )


@dataclass(frozen=True, slots=True)
class Then:
    """The repository as it was, and the merge base if no revision is named."""

    copy: RevisionCopy
    base: MergeBase | None

    @property
    def in_words(self) -> str:
        """Return what is compared with what."""
        if self.base is None:
            return f"The working tree with {self.copy.revision}."
        return f"The working tree with commit {self.base.short}, its merge base with {self.base.branch}."


@contextlib.contextmanager
def repository_as_it_was(revision: str | None) -> Iterator[Then]:
    """Give the repository as it was at a revision, else where the branch left the default one, until the end."""
    base = None if revision else merge_base()
    with copied(base.commit if base is not None else str(revision)) as copy:
        yield Then(copy, base)


def _environments(ctx: click.Context, call: Call, then: Then, argument: str) -> Sequence[CalledEnvironment]:
    """Return the environments that there are now, and those that there were and that are no longer there."""
    options = call.options
    _require_files(options.files, then)
    now = all_environments(ctx, options.files, options.reading, argument)
    try:
        with then.copy.working():
            files = tuple(file for file in options.files if os.path.exists(file))
            before = all_environments(ctx, files, options.reading, argument)
    except InputError:  # each present environment has the mistake in its own row
        return now
    if [of.name for of in now] == [WHOLE] and [of.name for of in before] != [WHOLE]:
        return before
    known = {of.name for of in now}
    return [*now, *(of for of in before if of.name not in known and of.name != WHOLE)]


def _require_files(files: Sequence[str], then: Then) -> None:
    """Raise InputError with the files that there are not now and were not at the revision either."""
    problems, revision = Problems(), then.copy.revision if then.base is None else f"commit {then.base.short}"
    for file in files:
        if not is_stream(file) and not any(map(os.path.exists, (file, os.path.join(then.copy.here, file)))):
            problems.add(Place(file), f"does not exist, neither in the working tree nor at {revision}", "a file or folder")
    problems.raise_if_any()


def _row(of: CalledEnvironment, call: Call, then: Then) -> EnvironmentDifference:
    """Return what changes in an environment, or why it cannot be compared."""

    def compared() -> EnvironmentDifference:
        difference, before = difference_in(of, call, then)
        return EnvironmentDifference(of.name, of.command, difference, replaced_nodes(before, difference.objects or ()))

    row, problems = of.outcome(compared)
    return EnvironmentDifference(of.name, of.command, problems=problems) if row is None else row


def difference_in(of: CalledEnvironment, call: Call, then: Then) -> tuple[Difference, Side]:
    """Return what changes in an environment, and its side of then. Raises InputError with every mistake in what is read."""
    notes, replicas = Notes(), SharedReplicas()
    with contextlib.chdir(of.project if of.stack else os.curdir):
        difference, before = since(_call_of(of, call, then), notes, replicas)
    replicas.raise_if_nowhere()
    require_compared(difference, call)
    return difference, before


def _call_of(of: CalledEnvironment, call: Call, then: Then) -> Call:
    """Return the call about one environment, with the files that it has now; those that it had are found in the copy."""
    if of.stack:
        copy = replace(then.copy, here=os.path.normpath(os.path.join(then.copy.here, of.project)))
        return replace(call, sides=(of.stack,), options=replace(call.options, files=()), base=then.base, copy=copy)
    options = call.options if of.name == WHOLE else call.options.of_environment(of)
    files = tuple(file for file in options.files if os.path.exists(file))
    if len(files) < len(options.files):
        options = options.using(allow_empty=True)  # the change removes the environment, or a part of it
    own = {} if of.place.source or of.name == WHOLE else {FILES.name: of.files, **of.settings}
    name = None if of.name == WHOLE else of.name
    options = replace(options, files=files)
    return replace(call, options=options, environment=name, own=own, base=then.base, copy=then.copy)
