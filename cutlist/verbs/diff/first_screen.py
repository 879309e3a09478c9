"""What the page of a difference says first: what nodes cost before and now, which edits that is from, and what it risks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cutlist.core.wording import counted, listed
from cutlist.report.html.deltas import Delta
from cutlist.report.html.first import MOST_CAUSES, Driver, Sum
from cutlist.report.plain import instant, span
from cutlist.verbs.diff import headline, price_words
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.edit_words import edit_sentence
from cutlist.verbs.diff.shown_prices import ShownPrices, signed
from cutlist.verbs.diff.words import more_or_fewer


@dataclass(frozen=True, slots=True)
class DiffFirst:
    """The first screen of a difference: its title, sums, the edits with most of the difference, and what happens to nodes and
    pods."""

    title: str
    sums: tuple[Sum, ...]
    drivers: tuple[Driver, ...]
    more_drivers: int
    risks: tuple[tuple[str, str], ...]

    @staticmethod
    def of(difference: Difference, deltas: Mapping[str, Delta]) -> DiffFirst:
        """Return the first screen of a difference; `deltas` are those of the plans by their names."""
        has_plan = headline.has_plan(difference)
        drivers = list(_drivers(difference))
        return DiffFirst(
            _title(difference),
            tuple(_sums(difference, deltas)) if has_plan and not difference.comparison.is_same else (),
            tuple(drivers[:MOST_CAUSES]),
            len(drivers) - MOST_CAUSES,
            tuple(_risks(difference)),
        )


def _title(difference: Difference) -> str:
    """Return what changes, without what stands below: which nodes are replaced, and how many more or fewer there are."""
    blast, has_plan = difference.blast, headline.has_plan(difference)
    replaced = "" if blast is None else headline.happens_to_nodes(blast)
    if not (difference.comparison.is_same or not has_plan):
        return "; ".join(filter(None, (replaced, _planned(difference))))
    if not replaced:
        return headline.difference_sentence(difference)
    return f"{replaced}; {'the plan is the same' if has_plan else 'there is no plan to compare'}"


def _planned(difference: Difference) -> str:
    comparison = difference.comparison
    before, after = comparison.before.totals, comparison.after.totals
    counts = (more_or_fewer(after.nodes - before.nodes, "node"), more_or_fewer(after.pending - before.pending, "pending pod"))
    said = ", ".join(filter(None, counts))
    if not said and difference.month.difference is None:
        said = "other nodes, at a price that is not known"
    elif not said:
        said = "as many nodes, at another price" if difference.month.difference else "other nodes at the same price"
    return f"{said}, without disks, whose prices one side lacks" if comparison.is_without_disks else said


def _sums(difference: Difference, deltas: Mapping[str, Delta]) -> Iterator[Sum]:
    month, (before, after) = ShownPrices.of(difference.month), difference.comparison.sides
    change = difference.month.difference
    delta = None
    if change is None:
        delta = Delta("the difference is not known, as some nodes that change have no price", is_rise=False)
    elif change:
        delta = Delta(f"{headline.month_change(difference)} a month", change > 0, change < 0)
    mark = headline.mark_of
    yield Sum("A month, now", f"{month.after}{mark(after)}", (counted(after.totals.nodes, "node"),), delta)
    yield Sum("A month, before", f"{month.before}{mark(before)}", (counted(before.totals.nodes, "node"),))
    if before.totals.pending or after.totals.pending:
        waiting = f"{before.totals.pending:,} → {after.totals.pending:,}"
        kind = "bad" if after.totals.pending > before.totals.pending else ""
        yield Sum("Pods without a node", waiting, (), deltas.get("pending"), kind)


def _drivers(difference: Difference) -> Iterator[Driver]:
    """Yield each edit with its part of the difference, the largest first, then what edits do only together."""
    reasons = difference.because
    if reasons is None:
        return
    parts = [(abs(row.part or 0), row.part, row) for row in reasons.edits]
    others = price_words.other_parts(reasons)
    most = max((*(size for size, *_ in parts), *(abs(part) for part, _ in others)), default=0)
    currency = difference.month.currency
    for size, part, row in sorted(parts, key=lambda of: -of[0]):
        amount = price_words.part_of(row, currency)
        where = price_words.edit_effect(row)
        named = "not planned alone" if part is None else amount
        yield Driver(named, edit_sentence(row.edit), _share(size, most), where, _kind(part))
    for part, what in others:
        yield Driver(signed(part, currency), what, _share(abs(part), most), "", _kind(part))


def _share(size: int, most: int) -> float:
    return size / most if most else 0.0


def _kind(part: int | None) -> str:
    return "" if not part else "bad" if part > 0 else "good"


def _risks(difference: Difference) -> Iterator[tuple[str, str]]:
    """Yield what happens to nodes that run, each sentence with the class of its kind."""
    blast = difference.blast
    if blast is None or blast.changes_nothing:
        return
    last, budgets = blast.rollout.last_turn, headline.budget_words(blast.budgets)
    if blast.replaced:
        start = min((turn.starts for turn in blast.rollout.turns if turn.starts is not None), default=None)
        steps = [
            f"begins at {instant(start)}" if start is not None else "",
            f"takes at least {span(last - blast.now)}" if last else "",
        ]
        when = " and ".join(filter(None, steps)) or "never begins"
        yield f"The replacement {when}{f': {budgets}' if budgets else ''}.", "warn"
    if late := headline.aged_words(blast):
        yield f"Of these nodes, {late}.", "warn"
    if blast.deleted:
        yield f"Nodes of NodePool {listed(blast.deleted)} are deleted at once, regardless of budgets.", "bad"
    if blast.possible:
        yield f"{counted(len(blast.possible), 'more node')} perhaps: only your account has the answer.", "warn"
    if blast.rollout.stuck:
        yield f"Nothing replaces {counted(blast.rollout.stuck, 'node')} that drifted.", "bad"
