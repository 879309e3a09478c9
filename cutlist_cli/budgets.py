"""`cutlist budgets`: NodePools in, a week of their disruption budgets out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.baselines import DEFAULT, chosen_baseline
from cutlist.settings.budgets import FROM, NODES, WRITE
from cutlist.settings.cluster import FROM_PLAN
from cutlist.settings.planning import ALLOW_EMPTY, FILES, KARPENTER, READING
from cutlist.verbs.budgets.answer import budgets_of_files
from cutlist.verbs.budgets.text import render_budgets
from cutlist.verbs.budgets.writing import WrittenBudgets, write_budgets
from cutlist.verbs.budgets.written_text import render_written, written_json
from cutlist_cli.command import Command
from cutlist_cli.file_options import manifests_option, require_files
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.notes import notes_shown
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import on_the_line, setting_option
from cutlist_cli.stdin import stdin_of
from cutlist_cli.stored_plan import stored_plan
from cutlist_cli.words import in_file

if TYPE_CHECKING:
    from cutlist.core.karpenter.baselines import Baseline
    from cutlist.disruption.budget_calendar import BudgetCalendar
    from cutlist.documents.folders import Reading

_JSON: Final = later("cutlist.verbs.budgets.record", "budgets_json")
_FORMATS: Final[OutputFormats[Sequence[BudgetCalendar]]] = OutputFormats(
    text=render_budgets,
    others={
        "html": later("cutlist.verbs.budgets.html", "budgets_html"),
        "json": _JSON,
    },
)
_OF_FILES: Final = (FILES, ALLOW_EMPTY, *READING, NODES, FROM_PLAN)
_WRITTEN: Final[OutputFormats[WrittenBudgets]] = OutputFormats(text=render_written, others={"json": written_json})


@click.command("budgets", cls=Command)
@manifests_option("NodePools, and nodes where there are some", required=False)
@setting_option(NODES)
@setting_option(FROM)
@setting_option(KARPENTER)
@setting_option(FROM_PLAN)
@setting_option(WRITE)
@renderer_options(_FORMATS, can_watch=True)
def command(
    files: tuple[str, ...],
    allow_empty: bool,
    reading: Reading,
    nodes: int | None,
    start: float | None,
    karpenter: str | None,
    plan_file: str | None,
    write: tuple[str, ...],
    renderer: Renderer[Sequence[BudgetCalendar]],
) -> None:
    """Show how many nodes may be disrupted at each hour of a week, and warn about odd budgets.

    Shows each NodePool and reason, in UTC, as Karpenter reads schedules. Needs no cluster and no account.

    With --propose it writes budgets instead. A sentence is WHAT only WINDOW, WHAT never [WINDOW] or WHAT at most N [WINDOW],
    each with an optional in ZONE. WHAT is drift, consolidation, empty, underutilized, repair or everything; WINDOW is days, and
    times if not the whole day counts.

    \b
    Examples:
      cutlist budgets -f pools.yaml --nodes 20
      cutlist budgets -f pools.yaml --from-plan plan.json
      cutlist budgets -f pools.yaml -f snapshot.yaml --from 2026-01-05T00:00:00Z -o json
      cutlist budgets --propose "drift only Monday 1 to 5 in Europe/Berlin"
      cutlist budgets --propose "everything never weekdays 9 to 17" --propose "everything at most 20%"
    """
    if write:
        _show_written(write, start, karpenter, renderer)
        return
    require_files(files)
    renderer.show(lambda: _calendars(files, reading, nodes, start, plan_file, karpenter, allow_empty=allow_empty))


def _show_written(
    sentences: tuple[str, ...], start: float | None, karpenter: str | None, renderer: Renderer[Sequence[BudgetCalendar]]
) -> None:
    """Write the budgets of sentences, in a form that they have."""
    ctx = click.get_current_context()
    if renderer.watch:
        raise click.UsageError(f"{WRITE.flag} reads nothing that changes: leave out --watch")
    if renderer.output_format not in _WRITTEN.names:
        raise click.UsageError(f"{WRITE.flag} has {', '.join(_WRITTEN.names)} as -o, not {renderer.output_format}")
    if others := on_the_line(ctx, _OF_FILES):
        flags = ", ".join(setting.short or setting.flag for setting in others)
        raise click.UsageError(f"{WRITE.flag} reads no files: leave out {flags}")
    begin = _last_monday() if start is None else start
    shown = Renderer(_WRITTEN, renderer.output_format, renderer.width, False, renderer.file)
    shown.show(lambda: write_budgets(sentences, begin, _baseline(karpenter)))


def _calendars(
    files: tuple[str, ...],
    reading: Reading,
    nodes: int | None,
    start: float | None,
    plan_file: str | None,
    karpenter: str | None,
    *,
    allow_empty: bool,
) -> Sequence[BudgetCalendar]:
    baseline = None if karpenter is None else _baseline(karpenter)
    begin = _last_monday() if start is None else start
    plan = stored_plan(plan_file)
    stdin = stdin_of(files)
    with notes_shown() as notes, in_file(plan_file) if plan is not None else nullcontext():
        return budgets_of_files(
            files,
            begin,
            nodes,
            stdin,
            plan=plan,
            allow_empty=allow_empty,
            reading=reading,
            notes=notes,
            karpenter=baseline,
        )


def _baseline(karpenter: str | None) -> Baseline:
    """Return the Karpenter that an option names. Raises InputError for one that is not supported."""
    if karpenter is None:
        return DEFAULT
    problems = Problems()
    baseline, _ = chosen_baseline(karpenter, Place.of(KARPENTER), problems)
    problems.raise_if_any()
    return baseline


def _last_monday() -> float:
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (today - timedelta(days=today.weekday())).timestamp()
