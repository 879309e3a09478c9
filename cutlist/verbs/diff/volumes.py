"""What the volumes that pods claim cost a month before and after: beside the nodes, whose price they are not part of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.catalog.prices import a_month
from cutlist.core.money import whole_cents
from cutlist.core.records import Key, TextOrNull, about, computed
from cutlist.core.wording import counted, listed
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.volumes import ClaimedVolume
from cutlist.verbs.diff.money import Cents
from cutlist.verbs.diff.shown_prices import signed

_NAMED: Final = 3
_STATEFUL: Final = "statefulset/"


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """The volumes of one claim of a workload before and after, in words; empty where there are none."""

    workload: str
    claim: str
    before: TextOrNull
    after: TextOrNull

    @property
    def is_of_template(self) -> bool:
        """Tell whether a claim template of a StatefulSet changes, which the API server refuses."""
        return bool(self.before and self.after) and _STATEFUL in self.workload and _each(self.before) != _each(self.after)


@dataclass(frozen=True, slots=True)
class VolumePrices:
    """What all volumes of known price cost a month before and after, and the claims that differ."""

    before: Cents
    after: Cents
    changes: Annotated[tuple[ClaimChange, ...], Key("claims")] = ()

    @property
    @computed(after="after")
    def difference(self) -> Annotated[Cents, about("Not part of `perMonth`, which is about nodes.")]:
        """Return how much more they cost."""
        return None if self.before is None or self.after is None else self.after - self.before


def volume_prices(comparison: Comparison) -> VolumePrices | None:
    """Return what volumes cost in both plans; None if neither has any."""
    plans = (comparison.before, comparison.after)
    if not any(plan.volumes for plan in plans):
        return None
    before, after = (_month_of(plan) for plan in plans)
    return VolumePrices(before, after, tuple(_changes(*(_by_claim(plan.volumes) for plan in plans))))


def volume_sentence(prices: VolumePrices | None, currency: str) -> str:
    """Return how much more the volumes cost, which claims differ, and what changing them takes; empty if none does."""
    if prices is None or not prices.changes:
        return ""
    named = [_change_in_words(change) for change in prices.changes[:_NAMED]]
    more = [f"{len(prices.changes) - _NAMED:,} more"] if len(prices.changes) > _NAMED else []
    cost = "at a price that is not known"
    if prices.difference is not None:
        cost = f"{signed(prices.difference, currency)} a month, which is not in the sum"
    text = f"{cost}: {listed([*named, *more])}"
    if any(change.is_of_template for change in prices.changes):
        text += "; the API server refuses other claim templates of a StatefulSet that exists, and its claims keep their size"
    return text


def _change_in_words(change: ClaimChange) -> str:
    of = f"{change.workload} {change.claim}"
    if not change.before:
        return f"{of} {change.after} added"
    return f"{of} {change.before} removed" if not change.after else f"{of} {change.before} to {change.after}"


def _each(text: str) -> str:
    return text.partition(" × ")[2]


def _month_of(plan: Plan) -> int | None:
    totals = plan.volume_totals
    return (None if totals.volumes else 0) if totals.price_per_hour is None else whole_cents(a_month(totals.price_per_hour))


def _by_claim(volumes: Iterable[ClaimedVolume]) -> Mapping[tuple[str, str], str]:
    texts: dict[tuple[str, str], list[str]] = {}
    for volume in volumes:
        texts.setdefault((volume.workload, volume.claim), []).append(_in_words(volume))
    return {key: listed(of) for key, of in texts.items()}


def _in_words(volume: ClaimedVolume) -> str:
    with_more = [counted(volume.iops, "IOPS", "IOPS")] if volume.iops is not None else []
    with_more += [f"{volume.throughput:,} MiB/s"] if volume.throughput is not None else []
    size = "of unknown size" if volume.gib is None else f"{volume.gib:,} GiB"
    kind = volume.type or volume.storage_class
    return " ".join(part for part in (f"{volume.count:,} ×", size, kind, *with_more) if part)


def _changes(before: Mapping[tuple[str, str], str], after: Mapping[tuple[str, str], str]) -> Iterable[ClaimChange]:
    for key in sorted({*before, *after}):
        if before.get(key) != after.get(key):
            yield ClaimChange(*key, before.get(key, ""), after.get(key, ""))
