"""`cutlist diff`: two sides in, their differences out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.records import json_of
from cutlist.settings.answers import EXIT_CODE
from cutlist.settings.cluster import AT
from cutlist.settings.diff import CLUSTER, GIT
from cutlist.settings.environments import ALL, ENVIRONMENT
from cutlist.settings.planning import FILES
from cutlist.settings.stack import TIME_LIMIT
from cutlist.verbs.diff.replicas import SharedReplicas
from cutlist.verbs.diff.text import render_diff
from cutlist_cli.command import Command
from cutlist_cli.diff_sides import Call, RunStack, difference_of, require_compared
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.notes import notes_shown, show_services
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option, setting_options

if TYPE_CHECKING:
    from cutlist.documents.revisions import RevisionCopy
    from cutlist.verbs.diff.answer import Difference

_FORMATS: Final[OutputFormats[Difference]] = OutputFormats(
    text=render_diff,
    others={
        "markdown": later("cutlist.verbs.diff.markdown", "diff_markdown"),
        "html": later("cutlist.verbs.diff.html", "diff_html"),
        "json": json_of,
        "csv": later("cutlist.verbs.diff.csv", "diff_csv"),
    },
)

DIFFERENT: Final = 1


@click.command("diff", cls=Command)
@click.argument("sides", nargs=-1, metavar="[[OLD] NEW]", type=click.Path(allow_dash=True))
@setting_option(replace(FILES, help="File or folder for both sides, such as the workloads.", aside=""))
@setting_options((ENVIRONMENT, ALL))
@setting_option(GIT)
@setting_option(CLUSTER)
@input_options_without_files
@setting_option(AT)
@setting_option(TIME_LIMIT)
@setting_option(EXIT_CODE)
@renderer_options(_FORMATS, can_watch=True)
@click.pass_context
def command(
    ctx: click.Context,
    sides: tuple[str, ...],
    options: InputOptions,
    revision: str | None,
    environment: str | None,
    all_environments: bool,
    cluster: tuple[str, ...],
    instant: float | None,
    time_limit: float | None,
    exit_code: bool,
    renderer: Renderer[Difference],
) -> None:
    """Show what changes between two sets of manifests, why, and which nodes are replaced.

    Without OLD and NEW, compares the working tree with the point where the branch left the default one: the files that
    cutlist.yaml names, else all of a repository in whose root it runs.

    OLD and NEW are files, folders, stacks of this project, or stored plans; OLD may be the word last, for the last plan of the
    same files at a terminal. Two names of stacks are stacks even where there are folders of these names, which are ./dev and
    ./prod. If OLD is a cluster (a snapshot) and NEW a proposal, the running nodes are compared with those that all pods would
    get. With nodes, in OLD or by --cluster, shows which of them drift because of the edit and by which rule, in which order the
    disruption budgets allow their replacement, and how long that takes at least.

    Exits with 0 if both could be read; with --strict, 1 if anything differs: nodes, price, pending pods or their reasons,
    nodes that are replaced; 2 for bad input.

    \b
    Examples:
      cutlist diff
      cutlist diff pools.yaml next/pools.yaml --region us-west-2
      cutlist diff pools.yaml next/pools.yaml -f workloads.yaml --region us-west-2 --strict
      cutlist diff --git main
      cutlist diff --all
      cutlist diff --git main pools.yaml -f workloads.yaml --region us-west-2
      cutlist diff pools.yaml next/pools.yaml --cluster snapshot.yaml --region us-west-2
      cutlist diff pools.yaml next/pools.yaml -f workloads.yaml --region us-west-2 -o json
      cutlist diff pools.yaml next/pools.yaml --cluster snapshot.yaml --region us-west-2 -o html > change.html
      cutlist diff --git main pools.yaml -f workloads.yaml --region us-west-2 --watch
      cutlist diff snapshot.yaml workloads.yaml -f pools.yaml --region us-west-2
      cutlist diff before.json after.json
      cutlist diff last pools.yaml -f workloads.yaml --region us-west-2
      cutlist diff --git main pools.yaml -f workloads.yaml --cluster snapshot.yaml --region us-west-2 -o markdown
      cutlist diff dev staging
    """
    call = Call(sides, options, revision, cluster, instant, time_limit, environment)
    if all_environments:
        from cutlist_cli.diff_all import show_all  # brings the views of other answers

        if not show_all(ctx, call, renderer).is_none and exit_code:
            raise click.exceptions.Exit(DIFFERENT)
        return
    if renderer.watch:
        call.refuse_stacks()
    difference = renderer.show(lambda: _diff(call))
    show_services(difference.services)
    if exit_code and not difference.is_none:
        raise click.exceptions.Exit(DIFFERENT)


def difference_since(
    copy: RevisionCopy,
    stack: str | None,
    options: InputOptions,
    environment: str | None,
    time_limit: float | None,
    run: RunStack | None = None,
) -> Difference:
    """Return what changes since a revision of git, of which there is a copy, in a stack or, without one, in the files of the
    options. `run` runs the program of a stack.

    Raises InputError as `cutlist diff` does.
    """
    call = Call((stack,) if stack else (), options, copy.revision, (), None, time_limit, environment, copy=copy, run=run)
    return _diff(call)


def _diff(call: Call) -> Difference:
    replicas = SharedReplicas()
    with notes_shown() as notes, progress_line("comparing the plans"):
        difference = difference_of(call, notes, replicas)
        replicas.raise_if_nowhere()
    require_compared(difference, call)
    return difference
