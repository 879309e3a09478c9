"""The edits of the recommended option in words, each with its part of what is saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.core.wording import counted
from cutlist.report.plain import per_month
from cutlist.verbs.rightsizing import UsageSavings
from cutlist.verbs.suggest.amounts import mean_of, rounded
from cutlist.verbs.suggest.edits import PoolEdit
from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions

NOTHING: Final = 1e-6
"""USD/hour below which nothing is saved."""


def part_sentences(suggestions: Suggestions) -> list[str]:
    """Return a line for measured requests, then one for each edit of the recommended option with its part of what is saved
    now."""
    best, usage = suggestions.best, suggestions.usage
    sentences = [] if usage is None or not best.requests else [_requests_part(suggestions, usage)]
    if not best.parts:
        return [*sentences, *(edit.words for edit in best.edits)]
    for part in best.parts:
        what = _unit_words(best, part.unit.node_pool, part.unit.key)
        sentences.append(f"{what}: {_saves(suggestions, part.saves)}")
    mean = suggestions.outlook.expected - best.expected
    if len(best.parts) == 1 and abs(best.parts[0].saves) < NOTHING < mean:
        sentences[-1] += f", but {mean_of(suggestions, mean)} a month on average"
    return sentences


def edits_in_short(edits: Iterable[PoolEdit]) -> str:
    """Return edits in one line, those of each NodePool together: `NodePool general: arch In arm64; weight 10. NodePool ...`."""
    by_pool: dict[str, list[str]] = {}
    for edit in edits:
        by_pool.setdefault(edit.node_pool, []).append(edit.change_in_words)
    return ". ".join(f"NodePool {pool}: {'; '.join(changes)}" for pool, changes in by_pool.items())


def short_edit(edit: PoolEdit) -> str:
    """Return an edit in few words: its label without the domain."""
    return f"NodePool {edit.node_pool}: {edit.change_in_words}"


def _unit_words(option: Suggestion, pool: str, key: str) -> str:
    edits = [edit for edit in option.edits if edit.node_pool == pool and key in ("", edit.key)]
    if key:
        return "; ".join(map(short_edit, edits))
    copied = next(iter(edits))
    changes = "; ".join(edit.change_in_words for edit in edits[1:])
    return f"NodePool {pool}, a copy of {copied.after}: {changes}"


def _requests_part(suggestions: Suggestions, usage: UsageSavings) -> str:
    of = f"{counted(len(usage.changes), 'request')} of {counted(len(suggestions.best.requests), 'workload')}, by measured use"
    if usage.before.price is None or usage.after.price is None:
        return of
    saved = usage.before.price - usage.after.price
    return f"{of}: {_saves(suggestions, saved, many=len(usage.changes) != 1)}"


def _saves(suggestions: Suggestions, per_hour: float, *, many: bool = False) -> str:
    """Return what an edit, or many requests, do to the price now."""
    s = "" if many else "s"
    if abs(per_hour) < NOTHING:
        return f"save{s} nothing with today's pods"
    return f"{'save' if per_hour > 0 else 'cost'}{s} {rounded(suggestions, abs(per_hour)).month(per_month)} a month"
