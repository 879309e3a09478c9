"""`cutlist history`: Karpenter's log in, what it did out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cutlist.cli import terminal
from cutlist.cli.options import debug_option, files_option, output_options

if TYPE_CHECKING:
    from cutlist.as_planned import Arrivals
    from cutlist.history import LaunchedNode


@click.command("history")
@files_option("Karpenter's log, or events as JSON")
@click.option(
    "--plan",
    "plan_file",
    metavar="FILE",
    type=click.Path(),
    help="Plan of before, as `-o json` wrote it: what came of its nodes.",
)
@output_options
@debug_option
def command(files: tuple[str, ...], plan_file: str | None, output: str, width: int | None) -> None:
    """Show what Karpenter did, out of its log or events: commands and their steps.

    Reads the controller's JSON log, also of releases before v1.3, and events of the cluster. Lines of other programs are
    passed over and counted. With --plan the nodes that were launched are held against a plan that was made before.

    \b
    Examples:
      cutlist history -f karpenter.log
      cutlist history -f events.json -o json
      cutlist history -f karpenter.log --plan plan.json
      kubectl logs -n kube-system -l app.kubernetes.io/name=karpenter --tail=-1 | cutlist history -f -
    """
    from cutlist.cli.texts import read_texts
    from cutlist.history import launched_nodes, read_records, tell
    from cutlist.report.history import history_json, render_history

    read = read_records("\n".join(read_texts(files)))
    stories = tell(read.records)
    beside = _beside(plan_file, launched_nodes(read.records)) if plan_file is not None else None
    if output == "json":
        terminal.write(history_json(stories, read.others, beside))
    else:
        colour = terminal.has_colour()
        terminal.write(render_history(stories, read.others, terminal.width(width), colour=colour, beside=beside))


def _beside(plan_file: str, launched: tuple[LaunchedNode, ...]) -> Arrivals:
    from cutlist.as_planned import as_planned
    from cutlist.stored_plan import read_plan

    return as_planned(read_plan(plan_file), launched)
