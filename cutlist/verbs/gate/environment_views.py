"""The gates' reports on all environments as tables: columns, text and Markdown."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.report.columns import Figure, Figures, count
from cutlist.report.environment_tables import NAME, environments_markdown, environments_text, remark_of
from cutlist.report.page import BAD, GOOD
from cutlist.settings.environments import ENVIRONMENT
from cutlist.settings.stack import STACK
from cutlist.verbs.diff.shown_prices import shown_parts
from cutlist.verbs.gate.environments import EnvironmentReport, GateReports, GateState


def _sort(title: str, name: str) -> Figure[EnvironmentReport]:
    """Return the number of outcomes of a sort."""
    return count(title, lambda row: None if row.report is None else row.counts[name])


_TABLE: Final[Figures[EnvironmentReport]] = (
    NAME,
    Figure("verdict", lambda row: row.state),
    _sort("stopping", "stopping"),
    _sort("advisory", "advisory"),
    _sort("exempt", "exempt"),
    _sort("cannot tell", "unknown"),
)
_CHANGE: Final[Figure[EnvironmentReport]] = Figure(
    "$/month", lambda row: "-" if row.month is None else shown_parts(row.month, [row.month])[0].difference, "right"
)
_REMARK: Final = remark_of("stopped by, or why there is no report")


def _table(reports: GateReports) -> Figures[EnvironmentReport]:
    """Return the columns, with the change in price if it is known for any environment."""
    return (*_TABLE, _CHANGE) if any(row.change is not None for row in reports.environments) else _TABLE


def verdict(reports: GateReports) -> str:
    """Return in one line whether the changes may proceed."""
    environments = counted(len(reports.environments), "environment")
    if reports.has_passed:
        return f"Passed: {environments}"
    counts = ((GateState.STOPPED, "stopped"), (GateState.FAILED, "failed"))
    parts = [f"{reports.count(state):,} {word}" for state, word in counts if reports.count(state)]
    return f"{' and '.join(parts).capitalize()} of {environments}"


def render_gate_environments(reports: GateReports, width: int = 100, colour: bool = False) -> str:
    """Return the reports on all environments as text of at most `width` columns, with colour if asked. Ends in a newline."""
    return environments_text(
        (verdict(reports), GOOD if reports.has_passed else BAD),
        _table(reports),
        reports.environments,
        one=("gate", "the report on one"),
        by=STACK if all(f" {STACK.flag} " in row.command for row in reports.environments) else ENVIRONMENT,
        width=width,
        colour=colour,
    )


def gate_environments_markdown(reports: GateReports) -> str:
    """Return the reports on all environments as Markdown. Ends in a newline."""
    return environments_markdown(verdict(reports), (*_table(reports), _REMARK), reports.environments)
