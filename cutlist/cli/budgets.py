"""`cutlist budgets`: NodePools in, a week of their disruption budgets out."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

import click

from cutlist.cli import terminal
from cutlist.cli.instants import Instant
from cutlist.cli.options import debug_option, files_option, output_forms


@click.command("budgets")
@files_option("NodePools, and nodes where there are some")
@click.option(
    "--nodes",
    type=click.IntRange(min=0),
    metavar="N",
    help="Nodes of each NodePool, of which percentages are taken.  [default: those in the files]",
)
@click.option(
    "--from",
    "start",
    type=Instant(),
    metavar="TIME",
    help="Begin of the week, such as 2026-01-05T00:00:00Z.  [default: last Monday]",
)
@output_forms("text", "html", "json", "yaml")
@debug_option
def command(files: tuple[str, ...], nodes: int | None, start: float | None, output: str, width: int | None) -> None:
    """Show how many nodes may go at each hour of a week, and odd budgets.

    For each NodePool and reason, in UTC as Karpenter reads schedules. Needs no cluster and no account.

    \b
    Examples:
      cutlist budgets -f pools.yaml --nodes 20
      cutlist budgets -f pools.yaml -f cluster.yaml --from 2026-01-05T00:00:00Z -o json
    """
    from cutlist.disrupt import calendars

    stdin = sys.stdin.buffer.read() if "-" in files and sys.stdin else None
    made = calendars(files, _last_monday() if start is None else start, nodes, stdin)
    match output:
        case "json":
            from cutlist.report.disrupt_json import calendars_json

            terminal.write(calendars_json(made))
        case "yaml":
            from cutlist.report import yaml
            from cutlist.report.disrupt_json import calendars_json

            terminal.write(yaml.from_json(calendars_json(made)))
        case "html":
            from cutlist.report.html.budgets_page import calendars_html

            terminal.write(calendars_html(made))
        case _:
            from cutlist.report.budget_text import render_calendars

            terminal.write(render_calendars(made, terminal.width(width), colour=terminal.has_colour()))


def _last_monday() -> float:
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (today - timedelta(days=today.weekday())).timestamp()
