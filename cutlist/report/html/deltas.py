"""The differences between two plans as pages show them: a difference below each sum, and each reason for waiting once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.catalog.prices import a_month
from cutlist.core.wording import counted
from cutlist.planning.model.changes import PendingChange
from cutlist.planning.model.comparison import Comparison
from cutlist.report.estimates import Money
from cutlist.report.plain import percent, percentage

_CENT: Final = 0.005
_PERCENT: Final = 0.01


@dataclass(frozen=True, slots=True)
class Delta:
    """A difference in words: whether it is a rise, and whether that is good, None where it is neither good nor bad."""

    text: str
    is_rise: bool
    is_better: bool | None = None


def deltas(comparison: Comparison) -> Mapping[str, Delta]:
    """Return the differences of price, nodes, pending pods and fills; equal and unknown values have none."""
    before, after = comparison.before.totals, comparison.after.totals
    counts = (("nodes", after.nodes - before.nodes, None), ("pending", after.pending - before.pending, False))
    drawn = {
        name: Delta(f"{abs(change):,} {'more' if change > 0 else 'fewer'}", change > 0, good if good is None else change < 0)
        for name, change, good in counts
        if change
    }
    for name, first, now in (("cpu", before.cpu_fill, after.cpu_fill), ("memory", before.memory_fill, after.memory_fill)):
        if first is not None and now is not None and (points := percentage(now) - percentage(first)):
            drawn[name] = Delta(f"{counted(abs(points), 'point')} {'more' if points > 0 else 'less'}", points > 0, points > 0)
    price = comparison.price_change or 0.0
    if a_month(abs(price)) >= _CENT:
        part = abs(price) / before.price_per_hour if before.price_per_hour else 0.0
        share = f" ({percent(part)})" if part >= _PERCENT else ""
        money = Money(abs(price), comparison.price_range, comparison.currency)
        drawn["price"] = Delta(f"{money.month()} {'more' if price > 0 else 'less'}{share}", price > 0, price < 0)
    return drawn


@dataclass(frozen=True, slots=True)
class ReasonGroup:
    """Workloads whose pods start or stop waiting for the same reasons, and whether any of them waits now."""

    reasons: tuple[str, ...]
    changes: tuple[PendingChange, ...]

    @property
    def waits(self) -> bool:
        """Tell whether pods wait now."""
        return any(change.after.count for change in self.changes)


def by_reason(changes: Iterable[PendingChange]) -> list[ReasonGroup]:
    """Return the changes by why pods wait now, or why they waited before; in the order of the first of each."""
    groups: dict[tuple[tuple[str, ...], bool], list[PendingChange]] = {}
    for change in changes:
        reasons = change.after.reasons or change.before.reasons
        groups.setdefault((reasons, bool(change.after.count)), []).append(change)
    return [ReasonGroup(reasons, tuple(members)) for (reasons, _), members in groups.items()]
