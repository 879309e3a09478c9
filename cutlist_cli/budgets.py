"""`cutlist budgets`: NodePools in, a week of their disruption budgets out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, as_yaml, writer
from cutlist_cli.instants import Instant
from cutlist_cli.options import debug_option, files_option, stdin_of
from cutlist_cli.renderer import Renderer, answer_options

if TYPE_CHECKING:
    from cutlist.disruption.budget_calendar import BudgetCalendar

_JSON: Final = writer("cutlist.report.disrupt.json:calendars_json")
_FORMS: Final[OutputFormats[Sequence[BudgetCalendar]]] = OutputFormats(
    text=writer("cutlist.report.budgets.text:render_calendars"),
    others={
        "html": writer("cutlist.report.budgets.html:calendars_html"),
        "json": _JSON,
        "yaml": as_yaml(_JSON),
    },
)


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
@answer_options(_FORMS)
@debug_option
def command(
    files: tuple[str, ...], nodes: int | None, start: float | None, showing: Renderer[Sequence[BudgetCalendar]]
) -> None:
    """Show how many nodes may go at each hour of a week, and odd budgets.

    For each NodePool and reason, in UTC as Karpenter reads schedules. Needs no cluster and no account.

    \b
    Examples:
      cutlist budgets -f pools.yaml --nodes 20
      cutlist budgets -f pools.yaml -f cluster.yaml --from 2026-01-05T00:00:00Z -o json
    """
    showing.show(lambda: _weeks(files, nodes, start))


def _weeks(files: tuple[str, ...], nodes: int | None, start: float | None) -> Sequence[BudgetCalendar]:
    from cutlist.answers.disrupt import calendars

    return calendars(files, _last_monday() if start is None else start, nodes, stdin_of(files))


def _last_monday() -> float:
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (today - timedelta(days=today.weekday())).timestamp()
