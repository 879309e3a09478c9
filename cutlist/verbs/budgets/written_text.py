"""Budgets from sentences as YAML to paste into a NodePool, with everything else in comments."""

from __future__ import annotations

import textwrap
from typing import Final

from cutlist.core.records import json_of
from cutlist.verbs.budgets.week import grouped, limit_text, windows_in_words
from cutlist.verbs.budgets.writing import WrittenBudget, WrittenBudgets

_WIDEST: Final = 120
_ANY: Final = "any"


def render_written(written: WrittenBudgets, width: int = 100, colour: bool = False) -> str:
    """Return the budgets as YAML of `spec.disruption`; comments say what they are for. Ends in a newline."""
    del colour  # the text is a document
    lines = [*written.sentences, *written.notes, *_week(written), *written.week.oddities]
    lines.append("expireAfter ignores budgets: set it to Never where only drift should replace nodes")
    comments = [part for line in lines for part in _comment(line, width)]
    return "\n".join([*comments, "budgets:", *(part for budget in written.budgets for part in _yaml(budget))]) + "\n"


def written_json(written: WrittenBudgets) -> str:
    """Return the budgets as indented JSON that ends in a newline."""
    return json_of(written)


def _week(written: WrittenBudgets) -> list[str]:
    """Return for each group of reasons when how many nodes may be disrupted, in UTC."""
    lines = []
    for hours, reasons in grouped(written.week):
        windows = windows_in_words(written.week, reasons[0], _ANY)
        limit = "; ".join(windows) if windows else f"always {limit_text(hours[0].limit, _ANY)}"
        lines.append(f"{', '.join(reasons)}, UTC: {limit}")
    return lines


def _comment(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, min(width, _WIDEST), initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)


def _yaml(budget: WrittenBudget) -> list[str]:
    lines = [f'- nodes: "{budget.nodes}"']
    if budget.reasons is not None:
        lines.append(f"  reasons: [{', '.join(budget.reasons)}]")
    if budget.schedule is not None:
        lines += [f'  schedule: "{budget.schedule}"', f"  duration: {budget.duration}"]
    return lines
