"""`cutlist diff`: two sides in, their differences out."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import InputError, MissingExtraError, Place, Problems
from cutlist_cli.cluster_input import at_option
from cutlist_cli.formats import OutputFormats, as_yaml
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.notes import notes_shown
from cutlist_cli.options import debug_option
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import ExitCodeOption, Renderer, renderer_options

if TYPE_CHECKING:
    from cutlist.answers.diff import Difference, Reader, Side
    from cutlist.core.notes import Notes
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan


def _text(answer: Difference, *, width: int, colour: bool) -> str:
    from cutlist.report.diff.text import render_diff

    return render_diff(answer, width=width, colour=colour)


def _markdown(answer: Difference) -> str:
    from cutlist.report.diff.markdown import diff_markdown

    return diff_markdown(answer)


def _html(answer: Difference) -> str:
    from cutlist.report.diff.html import diff_html

    return diff_html(answer)


def _json(answer: Difference) -> str:
    from cutlist.report.diff.json import diff_json

    return diff_json(answer)


def _csv(answer: Difference) -> str:
    from cutlist.report.diff.csv import diff_csv

    return diff_csv(answer)


_FORMATS: Final[OutputFormats[Difference]] = OutputFormats(
    text=_text,
    others={
        "markdown": _markdown,
        "html": _html,
        "json": _json,
        "yaml": as_yaml(_json),
        "csv": _csv,
    },
)

DIFFERENT: Final = 1
Paths = tuple[str, ...]

_SIDES_NEEDED: Final = "OLD and NEW are needed: files, folders, stacks, or plans that `cutlist plan -o json` wrote"
_SIDE_NEEDED: Final = "with --git one side is needed, or -f: the files of now, whose content at the revision is OLD"
_PROJECT_FILE: Final = "Pulumi.yaml"
_STACK_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(?<!\.yaml)(?<!\.yml)(?<!\.json)")


@click.command("diff")
@click.argument("sides", nargs=-1, metavar="[OLD] NEW", type=click.Path(allow_dash=True))
@click.option(
    "-f",
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    type=click.Path(allow_dash=True),
    help="File or folder that both sides have, such as the workloads. May be given several times.",
)
@click.option(
    "--git", "revision", metavar="REV", help="OLD is what NEW was at a branch, tag or commit; only NEW is given then."
)
@click.option(
    "--nodes",
    "cluster",
    multiple=True,
    metavar="PATH",
    type=click.Path(),
    help="Cluster, such as `cutlist snapshot` writes: tells which of its nodes are replaced, and when.",
)
@input_options_without_files
@at_option
@click.option("--exit-code", cls=ExitCodeOption, is_flag=True, help="Exit with 1 when anything is different, notes aside.")
@renderer_options(_FORMATS, can_watch=True)
@debug_option
def command(
    sides: tuple[str, ...],
    options: InputOptions,
    revision: str | None,
    cluster: tuple[str, ...],
    instant: float | None,
    exit_code: bool,
    renderer: Renderer[Difference],
) -> None:
    """Show what changes between two sets of manifests, and which nodes are replaced.

    OLD and NEW are files, folders, stacks of the project here, or stored plans. When OLD is a cluster (a snapshot) and NEW a
    proposal, what runs is compared with what all its pods would get. With nodes, in OLD or by --nodes, it says which of them
    drift because of the edit and by which rule, in which order the disruption budgets allow their replacement, and how long
    that takes at least.

    Exit code 0 when both could be read; with --exit-code 1 when anything is different: nodes, price, pending pods or their
    reasons, nodes that are replaced. 2 for bad input.

    \b
    Examples:
      cutlist diff old/ new/ --region us-west-2
      cutlist diff pools-old.yaml pools.yaml -f app.yaml --region us-west-2 --exit-code
      cutlist diff --git main karpenter/ -f app.yaml --region us-west-2
      cutlist diff pools-old.yaml pools.yaml --nodes cluster.yaml --region us-west-2
      cutlist diff cluster.yaml proposal/ --region us-west-2 -o json
      cutlist diff pools-old.yaml pools.yaml --nodes cluster.yaml --region us-west-2 -o html > change.html
      cutlist diff --git main karpenter/ -f app.yaml --region us-west-2 --watch
      cutlist diff before.json after.json
      cutlist diff --git main karpenter/ -f app.yaml --nodes cluster.yaml --region us-west-2 -o markdown
      cutlist diff dev staging
    """
    if renderer.watch:
        _refuse_stacks(sides)
    difference = renderer.show(lambda: _diff(revision, sides, options, cluster, instant))
    if exit_code and not difference.is_none:
        raise click.exceptions.Exit(DIFFERENT)


def _diff(revision: str | None, sides: Paths, options: InputOptions, cluster: Paths, instant: float | None) -> Difference:
    from cutlist.planning.absences import NODES

    with notes_shown() as notes, progress_line("comparing the plans"):
        if revision:
            difference = _diff_since(revision, sides, options, notes, cluster, instant)
        else:
            difference = _diff_between(sides, options, notes, cluster, instant)
    problems = Problems(allow_empty=options.allow_empty)
    if cluster and difference.blast is None:
        problems.add_absence(Place(", ".join(cluster)), "no node of Karpenter is in the input", NODES)
    if difference.objects is None and not any(scope.workloads for scope in difference.scopes):
        problems.add_absence(Place(", ".join(sides)), "neither plan has a pod", "plans of workloads")
    problems.raise_if_any()
    return difference


def _refuse_stacks(sides: Paths) -> None:
    stack = next(filter(_is_stack, sides), None)
    if stack is not None:
        raise click.UsageError(f"--watch follows files, and {stack} is a stack: its program makes the plan")


def _reader(options: InputOptions, notes: Notes) -> Reader:
    """Return what reads a side, and adds what of its files was not read to `notes`."""

    def read(files: Paths, cluster: Paths = (), removed: frozenset[str] = frozenset()) -> PlanInputs:
        inputs = options.read_files(files, cluster, removed)
        for note in inputs.workloads.notes:
            notes.add(note.code, note.text)
        return inputs

    return read


def _diff_between(sides: Paths, options: InputOptions, notes: Notes, cluster: Paths, instant: float | None) -> Difference:
    """Return the changes from OLD to NEW."""
    from cutlist.answers.diff import diff_paths, diff_sides, own_pools, read_side

    if len(sides) != 2:
        raise click.UsageError(_SIDES_NEEDED)
    (old, new), read = sides, _reader(options, notes)
    if not cluster:
        return diff_paths(old, new, options.files, read, instant, _plan_of_stack, options.reading)
    before = read_side(old, options.files, cluster, read, stacks=_plan_of_stack)
    after = read_side(new, options.files, cluster, read, own_pools(before, cluster), _plan_of_stack)
    return diff_sides(before, after, instant)


def _diff_since(
    revision: str, sides: Paths, options: InputOptions, notes: Notes, cluster: Paths, instant: float | None
) -> Difference:
    """Return the changes from NEW at a revision to the present NEW."""
    from cutlist.answers.diff import diff_sides, own_pools
    from cutlist.documents.revisions import at_revision

    if len(sides) > 1 or not (sides or options.files):
        raise click.UsageError(_SIDE_NEEDED)
    # Both sides share the cluster and the catalogue, which need not be under version control.
    cluster = tuple(map(os.path.abspath, cluster))
    options = replace(options, catalog=os.path.abspath(options.catalog) if options.catalog else None)
    read = _reader(options, notes)
    with at_revision(revision):
        before = _read_only_side(sides, options.files, read, cluster)
    labelled = replace(before, label=f"{before.label} at {revision}")
    return diff_sides(labelled, _read_only_side(sides, options.files, read, cluster, own_pools(before, cluster)), instant)


def _read_only_side(sides: Paths, files: Paths, read: Reader, cluster: Paths, removed: frozenset[str] = frozenset()) -> Side:
    """Return the named side, with its files as they are now; that of `-f` if none is named."""
    from cutlist.answers.diff import read_side, side_of

    if sides:
        return read_side(sides[0], files, cluster, read, removed, _plan_of_stack)
    return side_of(files[0], read(files, cluster, removed))


def _is_stack(name: str) -> bool:
    """Tell whether a name that is not a path may be a stack of the project in the working directory."""
    return not os.path.exists(name) and _STACK_NAME.fullmatch(name) is not None and os.path.exists(_PROJECT_FILE)


def _plan_of_stack(name: str) -> tuple[Plan, PlanInputs] | None:
    """Return the plan that a stack's program makes, offline, with its inputs; None if the name cannot be a stack's.

    The project is the working directory. Raises InputError when the stack cannot be read or makes no plan or several,
    MissingExtraError when the extra that runs it is not installed.
    """
    if not _is_stack(name):
        return None
    try:
        from pulumi_cutlist.stack_preview import planned
    except ModuleNotFoundError as error:
        raise MissingExtraError("comparing stacks", "kubernetes") from error
    plans = planned(Path(), name)
    if len(plans) != 1:
        text = f"the program of stack {name} makes {len(plans)} plans"
        raise InputError.one(Place(name), text, "one plan; compare the manifests of several one by one")
    return plans[0]
