"""Why a bill differs from what was expected: hours, the share of spot, types and prices, which add up to the difference.

For each NodePool and day, the expected cost becomes the billed one in four steps, each of which changes one thing: the number
of hours, at the expected average price; the parts of spot and on demand among them; the types within these; and the price of
each type. What a step adds is what that thing costs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from cutlist.core.labels import SPOT
from cutlist.core.wording import counted
from cutlist.verification.bills.hours import Billed, Days, Expected, Machines, Use

ListPrice = Callable[[str, str], Fraction | None]
"""Returns the list price per hour of a type bought in a way, or None."""
_ZERO: Final = Fraction(0)
_NAMED: Final = 3
_NOISE: Final = Fraction(1, 100_000)  # exports round each of their rows


class Why(StrEnum):
    """What a part of a difference is due to."""

    UNPLANNED = "unplanned NodePool"
    ABSENT = "NodePool without nodes"
    HOURS = "hours"
    SPOT_SHARE = "share of spot"
    TYPES = "instance types"
    PRICE = "price"
    DISKS = "disks"


@dataclass(frozen=True, slots=True)
class Finding:
    """A part of the difference: its NodePool and reason, for a price the machines, its amount, and the evidence."""

    pool: str
    why: Why
    what: str
    amount: Fraction
    evidence: str
    days: tuple[str, ...]


@dataclass(slots=True)
class _Part:
    """What is summed over the days of a finding."""

    amount: Fraction = _ZERO
    days: list[str] = field(default_factory=list)

    def add(self, amount: Fraction, day: str) -> None:
        self.amount += amount
        if abs(amount) >= _NOISE:
            self.days.append(day)


Key = tuple[str, Why, str]


def findings(expected: Expected, billed: Billed, list_price: ListPrice) -> tuple[Finding, ...]:
    """Return the parts of the difference on the days of the bill, the largest first. Equal parts are in order of names."""
    parts: defaultdict[Key, _Part] = defaultdict(_Part)
    prices = _Prices(expected.days, billed.days, list_price)
    planned_pools, billed_pools = _pools(expected.days), _pools(billed.days)
    for day, uses in billed.days.items():
        before = expected.days.get(day, {})
        for pool in sorted(planned_pools | billed_pools):
            old, new = _of_pool(before, pool), _of_pool(uses, pool)
            if pool not in planned_pools:
                parts[pool, Why.UNPLANNED, ""].add(_cost(new), day)
            elif pool not in billed_pools:
                parts[pool, Why.ABSENT, ""].add(-_cost(old), day)
            else:
                for key, amount in _steps(pool, old, new, prices):
                    parts[key].add(amount, day)
    for pool, amount in _disks(expected, billed):
        parts[pool, Why.DISKS, ""].add(amount, "")
    words = _Words(expected, billed)
    rows = [Finding(*key, part.amount, words.of(key, part), tuple(filter(None, part.days))) for key, part in parts.items()]
    return tuple(sorted((row for row in rows if row.amount), key=lambda row: (-abs(row.amount), row.pool, row.why, row.what)))


def _steps(
    pool: str, old: Mapping[Machines, Use], new: Mapping[Machines, Use], prices: _Prices
) -> Iterator[tuple[Key, Fraction]]:
    """Yield what each step adds to the cost of a NodePool on a day. Together they are the difference."""
    hours = {key: use.hours for key, use in new.items() if use.hours}
    at_old_prices = {key: count * prices.expected(key) for key, count in hours.items()}
    total, before = sum(hours.values(), _ZERO), sum((use.hours for use in old.values()), _ZERO)
    if before and total:
        level = total * _cost(old) / before
        by_capacity = sum((part * prices.average(old, hours, kind) for kind, part in _by_capacity(hours).items()), _ZERO)
    else:
        level = by_capacity = sum(at_old_prices.values(), _ZERO)
    yield (pool, Why.HOURS, ""), level - _cost(old)
    yield (pool, Why.SPOT_SHARE, ""), by_capacity - level
    yield (pool, Why.TYPES, ""), sum(at_old_prices.values(), _ZERO) - by_capacity
    for key, use in new.items():
        yield (pool, Why.PRICE, f"{key.instance_type} {key.capacity_type}"), use.cost - at_old_prices.get(key, _ZERO)


@dataclass(frozen=True, slots=True)
class _Prices:
    """The expected price of machines: of the NodePool, else of others, else the list price; else what they cost."""

    old: Days
    new: Days
    list_price: ListPrice
    _known: dict[Machines, Fraction] = field(default_factory=dict)

    def expected(self, key: Machines) -> Fraction:
        """Return the price of an hour."""
        if key not in self._known:
            self._known[key] = self._expected(key)
        return self._known[key]

    def _expected(self, key: Machines) -> Fraction:
        for same in (lambda one: one == key, lambda one: one[1:] == key[1:]):
            price = _mean(self.old, same)
            if price is not None:
                return price
        listed = self.list_price(key.instance_type, key.capacity_type)
        if listed is not None:
            return listed
        return _mean(self.new, lambda one: one == key) or _ZERO

    def average(self, old: Mapping[Machines, Use], hours: Mapping[Machines, Fraction], capacity: str) -> Fraction:
        """Return the expected price of an hour of a capacity type: on average of what was expected, else of what ran."""
        expected = {key: use for key, use in old.items() if key.capacity_type == capacity and use.hours}
        if expected:
            return _cost(expected) / sum((use.hours for use in expected.values()), _ZERO)
        ran = {key: count for key, count in hours.items() if key.capacity_type == capacity}
        return sum((count * self.expected(key) for key, count in ran.items()), _ZERO) / sum(ran.values(), _ZERO)


def _mean(days: Days, matches: Callable[[Machines], bool]) -> Fraction | None:
    uses = [use for uses in days.values() for key, use in uses.items() if matches(key)]
    hours = sum((use.hours for use in uses), _ZERO)
    return sum((use.cost for use in uses), _ZERO) / hours if hours else None


def _by_capacity(hours: Mapping[Machines, Fraction]) -> dict[str, Fraction]:
    parts: dict[str, Fraction] = {}
    for key, count in hours.items():
        parts[key.capacity_type] = parts.get(key.capacity_type, _ZERO) + count
    return parts


def _disks(expected: Expected, billed: Billed) -> Iterator[tuple[str, Fraction]]:
    """Yield what the disks of each NodePool cost more, where the expected price of all of them is known."""
    for pool, per_hour in expected.disks.items():
        if per_hour is not None and (pool in billed.disks or per_hour):
            yield pool, billed.disks.get(pool, _ZERO) - per_hour * 24 * len(billed.days)


def _pools(days: Days) -> set[str]:
    return {key.pool for uses in days.values() for key in uses}


def _of_pool(uses: Mapping[Machines, Use], pool: str) -> dict[Machines, Use]:
    return {key: use for key, use in uses.items() if key.pool == pool}


def _cost(uses: Mapping[Machines, Use]) -> Fraction:
    return sum((use.cost for use in uses.values()), _ZERO)


@dataclass(frozen=True, slots=True)
class _Words:
    """The evidence of findings in words, over the days on which they were found."""

    expected: Expected
    billed: Billed

    def of(self, key: Key, part: _Part) -> str:
        """Return what was expected and what is on the bill."""
        pool, why, what = key
        old, new = (self._uses(days, pool, part.days) for days in (self.expected.days, self.billed.days))
        when = self._when(part.days)
        match why:
            case Why.UNPLANNED:
                return f"{_hours(new)} of a NodePool that is not in the {self.expected.what}{when}"
            case Why.ABSENT:
                return f"{_hours(old)} were expected, and no machine has its name{when}"
            case Why.HOURS:
                return f"{_hours(new)} instead of {_hours(old)}{when}"
            case Why.SPOT_SHARE:
                return f"{_spot(new)} of the hours were spot instead of {_spot(old)}{when}"
            case Why.TYPES:
                return f"{_types(new)} instead of {_types(old)}{when}"
            case Why.PRICE:
                name, _, capacity = what.partition(" ")
                paid, planned = (_price_of(uses, name, capacity) for uses in (new, old))
                before = f"instead of ${planned}" if planned else "by the list price"
                with_disks = " with disks" if self.expected.holds_disks else ""
                return f"${paid} an hour{with_disks} {before} for {_hours_of(new, name, capacity)}{when}"
        expected = self.expected.disks.get(pool) or _ZERO
        planned_cost = float(expected * 24 * len(self.billed.days))
        return f"${float(self.billed.disks.get(pool, _ZERO)):,.2f} instead of ${planned_cost:,.2f}"

    def _uses(self, days: Days, pool: str, on: list[str]) -> dict[Machines, Use]:
        total: dict[Machines, Use] = {}
        for day in on:
            for key, use in days.get(day, {}).items():
                if key.pool == pool:
                    total.setdefault(key, Use()).add(use.hours, use.cost)
        return total

    def _when(self, days: list[str]) -> str:
        every = len(self.billed.days)
        if not days or len(set(days)) == every:
            return ""
        if len(days) == 1:
            return f", on {days[0]}"
        return f", on {counted(len(set(days)), 'day')} from {min(days)} to {max(days)}"


def _hours(uses: Mapping[Machines, Use]) -> str:
    return f"{float(sum((use.hours for use in uses.values()), _ZERO)):,.0f} hours"


def _hours_of(uses: Mapping[Machines, Use], name: str, capacity: str) -> str:
    return _hours({key: use for key, use in uses.items() if key[1:] == (name, capacity)})


def _spot(uses: Mapping[Machines, Use]) -> str:
    total = sum((use.hours for use in uses.values()), _ZERO)
    spot = sum((use.hours for key, use in uses.items() if key.capacity_type == SPOT), _ZERO)
    return f"{float(spot / total):.0%}" if total else "none"


def _types(uses: Mapping[Machines, Use]) -> str:
    """Return the types with the most hours, each with its part of them."""
    total = sum((use.hours for use in uses.values()), _ZERO)
    by_type: dict[str, Fraction] = {}
    for key, use in uses.items():
        by_type[key.instance_type] = by_type.get(key.instance_type, _ZERO) + use.hours
    most = sorted(by_type.items(), key=lambda item: (-item[1], item[0]))
    named = ", ".join(f"{name} {float(hours / total):.0%}" for name, hours in most[:_NAMED] if total)
    return named + (f" and {len(most) - _NAMED:,} more" if len(most) > _NAMED else "")


def _price_of(uses: Mapping[Machines, Use], name: str, capacity: str) -> str:
    chosen = [use for key, use in uses.items() if key[1:] == (name, capacity)]
    hours = sum((use.hours for use in chosen), _ZERO)
    return f"{float(sum((use.cost for use in chosen), _ZERO) / hours):.4f}" if hours else ""
