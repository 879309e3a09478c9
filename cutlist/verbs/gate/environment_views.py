"""The gates' reports on all environments as tables: columns, text and Markdown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cutlist.core.wording import counted
from cutlist.report.columns import Figure, Figures
from cutlist.report.environment_tables import environments_markdown, environments_text
from cutlist.report.markup import words
from cutlist.verbs.gate.environments import EnvironmentReport, GateReports, GateState

_Figure = Figure[EnvironmentReport]


def _sort(title: str, name: str) -> _Figure:
    """Return the number of outcomes of a sort; a dash without a report."""

    def show(row: EnvironmentReport) -> str:
        return "-" if row.report is None else f"{row.counts[name]:,}"

    def count(row: EnvironmentReport) -> int | None:
        return None if row.report is None else row.counts[name]

    return Figure(title, show, "right", 0, "", name, count)


def _text(value: Callable[[EnvironmentReport], str], title: str, least: int = 0) -> _Figure:
    return Figure(title, value, "left", least, "", title)


_NAME: Final[_Figure] = Figure("environment", lambda row: row.name, "left", 8, "", "environment", is_name=True)
_TABLE: Final[Figures[EnvironmentReport]] = (
    _NAME,
    _text(lambda row: row.state, "verdict"),
    _sort("stopping", "stopping"),
    _sort("advisory", "advisory"),
    _sort("exempt", "exempt"),
    _sort("cannot tell", "unknown"),
)
_REMARK: Final[_Figure] = Figure(
    "stopped by, or why there is no report", lambda row: row.remark, markdown=lambda row: words(row.remark)
)


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
        verdict(reports),
        is_good=reports.has_passed,
        figures=_TABLE,
        rows=reports.environments,
        remark=lambda row: row.remark,
        one=("gate", "the report on one"),
        width=width,
        colour=colour,
    )


def gate_environments_markdown(reports: GateReports) -> str:
    """Return the reports on all environments as Markdown. Ends in a newline."""
    return environments_markdown(verdict(reports), (*_TABLE, _REMARK), reports.environments)
