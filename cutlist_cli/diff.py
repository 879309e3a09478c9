"""`cutlist diff`: two sides in, what is different out."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, as_yaml, writer
from cutlist_cli.options import Given, at_option, debug_option, given_options
from cutlist_cli.progress import telling
from cutlist_cli.renderer import ExitOption, Renderer, answer_options
from cutlist_cli.stacks import is_stack, plan_of_stack

if TYPE_CHECKING:
    from cutlist.answers.diff import Difference, Side

_JSON: Final = writer("cutlist.report.diff.json:difference_json")
_FORMS: Final[OutputFormats[Difference]] = OutputFormats(
    text=writer("cutlist.report.diff.text:render_difference"),
    others={
        "markdown": writer("cutlist.report.diff.markdown:difference_markdown"),
        "html": writer("cutlist.report.diff.html:difference_html"),
        "json": _JSON,
        "yaml": as_yaml(_JSON),
        "csv": writer("cutlist.report.diff.csv:difference_csv"),
    },
)
DIFFERENT: Final = 1
Paths = tuple[str, ...]

_SIDES: Final = "OLD and NEW are needed: files, folders, stacks, or plans that `cutlist plan -o json` wrote"
_SINCE: Final = "with --git one side is needed, or -f: the files of now, whose content at the revision is OLD"


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
@given_options
@at_option
@click.option("--exit-code", cls=ExitOption, is_flag=True, help="Exit with 1 when anything is different, notes aside.")
@answer_options(_FORMS)
@debug_option
def command(
    sides: tuple[str, ...],
    given: Given,
    revision: str | None,
    cluster: tuple[str, ...],
    instant: float | None,
    exit_code: bool,
    showing: Renderer[Difference],
) -> None:
    """Show what changes between two sets of manifests, and which nodes are replaced.

    OLD and NEW are files, folders, stacks of the project here, or plans that were written down. When OLD is a cluster (a
    snapshot) and NEW a proposal, what runs is held against what all its pods would get. With nodes, be it in OLD or by --nodes,
    it says which of them drift by the edit and by which rule, in which order the disruption budgets let them go, and how long
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
    if showing.watch:
        _refuse_stacks(sides)
    made = showing.show(lambda: _compared(revision, sides, given, cluster, instant))
    if exit_code and not made.is_none:
        raise click.exceptions.Exit(DIFFERENT)


def _compared(revision: str | None, sides: Paths, given: Given, cluster: Paths, instant: float | None) -> Difference:
    with telling("comparing the plans"):
        return _since(revision, sides, given, cluster, instant) if revision else _between(sides, given, cluster, instant)


def _refuse_stacks(sides: Paths) -> None:
    stack = next(filter(is_stack, sides), None)
    if stack is not None:
        raise click.UsageError(f"--watch follows files, and {stack} is a stack: its program makes the plan")


def _between(sides: Paths, given: Given, cluster: Paths, instant: float | None) -> Difference:
    """OLD and NEW."""
    from cutlist.answers.diff import compare, diff_sides, own_pools, read_side

    if len(sides) != 2:
        raise click.UsageError(_SIDES)
    old, new = sides
    if not cluster:
        return compare(old, new, given.files, given.read_files, instant, plan_of_stack)
    before = read_side(old, given.files, cluster, given.read_files, stacks=plan_of_stack)
    after = read_side(new, given.files, cluster, given.read_files, own_pools(before, cluster), plan_of_stack)
    return diff_sides(before, after, instant)


def _since(revision: str, sides: Paths, given: Given, cluster: Paths, instant: float | None) -> Difference:
    """What NEW was at a revision, and what it is."""
    from cutlist.answers.diff import diff_sides, own_pools
    from cutlist.documents.revisions import at_revision

    if len(sides) > 1 or not (sides or given.files):
        raise click.UsageError(_SINCE)
    # Cluster and catalogue are the same for both, wherever they are.
    there = tuple(map(os.path.abspath, cluster))
    given = replace(given, catalog=os.path.abspath(given.catalog) if given.catalog else None)
    with at_revision(revision):
        before = _one(sides, given, there)
    labelled = replace(before, label=f"{before.label} at {revision}")
    return diff_sides(labelled, _one(sides, given, there, own_pools(before, there)), instant)


def _one(sides: Paths, given: Given, cluster: Paths, removed: frozenset[str] = frozenset()) -> Side:
    from cutlist.answers.diff import read_side, side_of

    if sides:
        return read_side(sides[0], given.files, cluster, given.read_files, removed, plan_of_stack)
    return side_of(given.files[0], given.read_files(given.files, cluster, removed))
