"""`cutlist diff`: two sides in, their differences out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import InputError, MissingExtraError, Place, Problems
from cutlist.core.records import json_of
from cutlist.documents.revisions import at_revision
from cutlist.planning import absences
from cutlist.settings.answers import EXIT_CODE
from cutlist.settings.cluster import AT
from cutlist.settings.diff import GIT, NODES
from cutlist.settings.planning import FILES
from cutlist.settings.stack import TIME_LIMIT
from cutlist.verbs.diff.answer import diff_paths, diff_sides, own_pools, read_side, side_of
from cutlist.verbs.diff.csv import diff_csv
from cutlist.verbs.diff.markdown import diff_markdown
from cutlist.verbs.diff.replicas import SharedReplicas
from cutlist.verbs.diff.text import render_diff
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.notes import notes_shown
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option

if TYPE_CHECKING:
    from cutlist.core.notes import Notes
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan
    from cutlist.verbs.diff.answer import Difference, Reader, Side


_FORMATS: Final[OutputFormats[Difference]] = OutputFormats(
    text=render_diff,
    others={
        "markdown": diff_markdown,
        "html": later("cutlist.verbs.diff.html", "diff_html"),
        "json": json_of,
        "csv": diff_csv,
    },
)

DIFFERENT: Final = 1
Paths = tuple[str, ...]

_SIDES_NEEDED: Final = "OLD and NEW are needed: files, folders, stacks, or plans that `cutlist plan -o json` wrote"
_SIDE_NEEDED: Final = "--git takes one side, or -f: the current files; OLD is their content at the revision"
_PROJECT_FILE: Final = "Pulumi.yaml"
_STACK_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(?<!\.yaml)(?<!\.yml)(?<!\.json)")


@click.command("diff")
@click.argument("sides", nargs=-1, metavar="[OLD] NEW", type=click.Path(allow_dash=True))
@setting_option(replace(FILES, help="File or folder for both sides, such as the workloads.", aside=""))
@setting_option(GIT)
@setting_option(NODES)
@input_options_without_files
@setting_option(AT)
@setting_option(TIME_LIMIT)
@setting_option(EXIT_CODE)
@renderer_options(_FORMATS, can_watch=True)
def command(
    sides: tuple[str, ...],
    options: InputOptions,
    revision: str | None,
    cluster: tuple[str, ...],
    instant: float | None,
    time_limit: float | None,
    exit_code: bool,
    renderer: Renderer[Difference],
) -> None:
    """Show what changes between two sets of manifests, and which nodes are replaced.

    OLD and NEW are files, folders, stacks of this project, or stored plans. If OLD is a cluster (a snapshot) and NEW a
    proposal, the running nodes are compared with those that all pods would get. With nodes, in OLD or by --nodes, shows which
    of them drift because of the edit and by which rule, in which order the disruption budgets allow their replacement, and how
    long that takes at least.

    Exits with 0 if both could be read; with --exit-code, 1 if anything differs: nodes, price, pending pods or their reasons,
    nodes that are replaced; 2 for bad input.

    \b
    Examples:
      cutlist diff pools.yaml next/pools.yaml --region us-west-2
      cutlist diff pools.yaml next/pools.yaml -f workloads.yaml --region us-west-2 --exit-code
      cutlist diff --git main pools.yaml -f workloads.yaml --region us-west-2
      cutlist diff pools.yaml next/pools.yaml --nodes snapshot.yaml --region us-west-2
      cutlist diff pools.yaml next/pools.yaml -f workloads.yaml --region us-west-2 -o json
      cutlist diff pools.yaml next/pools.yaml --nodes snapshot.yaml --region us-west-2 -o html > change.html
      cutlist diff --git main pools.yaml -f workloads.yaml --region us-west-2 --watch
      cutlist diff snapshot.yaml workloads.yaml -f pools.yaml --region us-west-2
      cutlist diff before.json after.json
      cutlist diff --git main pools.yaml -f workloads.yaml --nodes snapshot.yaml --region us-west-2 -o markdown
      cutlist diff dev staging
    """
    if renderer.watch:
        _refuse_stacks(sides)
    comparison = _Comparison(sides, options, revision, cluster, instant, time_limit)
    difference = renderer.show(lambda: _diff(comparison))
    if exit_code and not difference.is_none:
        raise click.exceptions.Exit(DIFFERENT)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The two sides to compare, as the command line names them."""

    sides: Paths
    options: InputOptions
    revision: str | None
    cluster: Paths
    instant: float | None
    time_limit: float | None

    @property
    def stacks(self) -> Callable[[str], tuple[Plan, PlanInputs] | None]:
        """Return a function that makes the plan of a side that is a stack."""
        return partial(_plan_of_stack, time_limit=self.time_limit)

    @property
    def replicas(self) -> SharedReplicas:
        """Return the replicas that are chosen for both sides."""
        return SharedReplicas(tuple(self.options.settings.get("replicas", ())))

    def reader(self, notes: Notes, replicas: SharedReplicas) -> Reader:
        """Return a function that reads a side, and adds files that were not read to `notes`."""

        def read(files: Paths, cluster: Paths = (), removed: frozenset[str] = frozenset()) -> PlanInputs:
            inputs = replicas.read(lambda chosen: self.options.using(replicas=chosen).read_files(files, cluster, removed))
            for note in inputs.workloads.notes:
                notes.add(note.code, note.text)
            return inputs

        return read


def difference_since(revision: str, sides: Paths, options: InputOptions, time_limit: float | None) -> Difference:
    """Return what changes since a revision of git in a stack or, without sides, in the files of the options.

    Raises InputError as `cutlist diff` does.
    """
    return _diff(_Comparison(sides, options, revision, (), None, time_limit))


def _diff(comparison: _Comparison) -> Difference:
    replicas = comparison.replicas
    with notes_shown() as notes, progress_line("comparing the plans"):
        if comparison.revision:
            difference = _diff_since(comparison.revision, comparison, notes, replicas)
        else:
            difference = _diff_between(comparison, notes, replicas)
        replicas.raise_if_nowhere()
    problems = Problems(allow_empty=comparison.options.allow_empty)
    if comparison.cluster and difference.blast is None:
        problems.add_absence(Place(", ".join(comparison.cluster)), "no node of Karpenter is in the input", absences.NODES)
    if difference.objects is None and not any(scope.workloads for scope in difference.scopes):
        problems.add_absence(Place(", ".join(comparison.sides)), "neither plan has any pods", "plans of workloads")
    problems.raise_if_any()
    return difference


def _refuse_stacks(sides: Paths) -> None:
    stack = next(filter(_is_stack, sides), None)
    if stack is not None:
        raise click.UsageError(f"--watch follows files, and {stack} is a stack: its program makes the plan")


def _diff_between(comparison: _Comparison, notes: Notes, replicas: SharedReplicas) -> Difference:
    """Return the changes from OLD to NEW."""
    if len(comparison.sides) != 2:
        raise click.UsageError(_SIDES_NEEDED)
    (old, new), read, stacks = comparison.sides, comparison.reader(notes, replicas), comparison.stacks
    files, cluster = comparison.options.files, comparison.cluster
    if not cluster:
        return diff_paths(old, new, files, read, comparison.instant, stacks, comparison.options.reading)
    before = read_side(old, files, cluster, read, stacks=stacks)
    after = read_side(new, files, cluster, read, own_pools(before, cluster), stacks)
    return diff_sides(before, after, comparison.instant)


def _diff_since(revision: str, comparison: _Comparison, notes: Notes, replicas: SharedReplicas) -> Difference:
    """Return the changes from NEW at a revision to the present NEW."""
    if len(comparison.sides) > 1 or not (comparison.sides or comparison.options.files):
        raise click.UsageError(_SIDE_NEEDED)
    # Both sides share the cluster and the catalogue, which need not be under version control.
    cluster = tuple(map(os.path.abspath, comparison.cluster))
    catalog = comparison.options.catalog
    options = comparison.options.using(catalog=os.path.abspath(catalog)) if catalog else comparison.options
    comparison = replace(comparison, options=options, cluster=cluster)
    read = comparison.reader(notes, replicas)
    with at_revision(revision):
        before = _read_only_side(comparison, read)
    labelled = replace(before, label=f"{before.label} at {revision}")
    return diff_sides(labelled, _read_only_side(comparison, read, own_pools(before, cluster)), comparison.instant)


def _read_only_side(comparison: _Comparison, read: Reader, removed: frozenset[str] = frozenset()) -> Side:
    """Return the named side, with its files as they are now; that of `-f` if none is named."""
    files, cluster = comparison.options.files, comparison.cluster
    if comparison.sides:
        return read_side(comparison.sides[0], files, cluster, read, removed, comparison.stacks)
    return side_of(files[0], read(files, cluster, removed))


def _is_stack(name: str) -> bool:
    """Tell whether a name that is not a path may be a stack of the project in the working directory."""
    return not os.path.exists(name) and _STACK_NAME.fullmatch(name) is not None and os.path.exists(_PROJECT_FILE)


def _plan_of_stack(name: str, time_limit: float | None) -> tuple[Plan, PlanInputs] | None:
    """Return the plan that a stack's program makes, offline, with its inputs; None if the name cannot be a stack's.

    The project is the working directory. Raises InputError when the stack cannot be read or makes no plan or several,
    MissingExtraError when the extra that runs it is not installed.
    """
    if not _is_stack(name):
        return None
    try:
        from pulumi_cutlist.stack.preview import planned  # needs Pulumi's SDK, an extra
    except ModuleNotFoundError as error:
        raise MissingExtraError("comparing stacks", "kubernetes") from error
    plans = planned(Path(), name, time_limit)
    if len(plans) != 1:
        text = f"the program of stack {name} makes {len(plans)} plans"
        raise InputError.one(Place(name), text, "one plan; compare the manifests of several one by one")
    return plans[0]
