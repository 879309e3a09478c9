"""Hours of machines by day: those that a plan or a simulation expects, and those of a bill, in one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any, Final, NamedTuple

from cutlist.catalog.bills import Bill, Charge, Kind
from cutlist.catalog.bills.charges import Reason
from cutlist.core.errors import Place, Problems
from cutlist.core.instants import instant
from cutlist.core.labels import ON_DEMAND, SPOT
from cutlist.planning.model import Plan

_DAY: Final = timedelta(days=1)
_SECONDS: Final = 3600
DAILY: Final = 24


class Machines(NamedTuple):
    """Machines that are alike: their NodePool, type, and whether they are spot."""

    pool: str
    instance_type: str
    capacity_type: str


@dataclass(slots=True)
class Use:
    """Hours of machines, and what they cost."""

    hours: Fraction = Fraction(0)
    cost: Fraction = Fraction(0)

    def add(self, hours: Fraction, cost: Fraction) -> None:
        """Add further hours."""
        self.hours += hours
        self.cost += cost


Days = dict[str, dict[Machines, Use]]
"""Hours of machines by day (ISO)."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The hours that were expected by day. `disks` is what the disks of each NodePool's nodes cost an hour, None if unknown.

    In a simulation the price of a machine has its disks in it (`holds_disks`).
    """

    region: str
    days: Days
    disks: Mapping[str, Fraction | None]
    what: str
    holds_disks: bool = False


def hours_of_plan(plan: Plan, days: Sequence[str]) -> Expected:
    """Return the hours of a plan's nodes, which run all of each day. Nodes without a price count as free of charge."""
    every: Days = {}
    for day in days:
        uses = every.setdefault(day, {})
        for node in plan.nodes:
            hours = Fraction(DAILY * node.count)
            price = Fraction(0) if node.price is None else Fraction(str(node.price.usd_per_hour))
            key = Machines(node.node_pool, node.instance_type, node.capacity_type)
            uses.setdefault(key, Use()).add(hours, hours * price)
    disks: dict[str, Fraction | None] = {}
    for node in plan.nodes:
        known, disk = disks.get(node.node_pool, Fraction(0)), node.disk_price
        of_node = None if disk is None else Fraction(str(disk.usd_per_hour)) * node.count
        disks[node.node_pool] = None if known is None or of_node is None else known + of_node
    return Expected(plan.region, every, disks, "plan")


def hours_of_run(data: Any, place: Place, problems: Problems) -> Expected | None:
    """Return the hours of a simulated cluster by day, from the JSON of `cutlist simulate`; mistakes are added to `problems`."""
    try:
        nodes, region, end = data["nodes"], str(data["region"]), _instant(data["end"])
        lives = [_Life.of(node, end) for node in nodes]
    except (KeyError, TypeError, ValueError):
        problems.add(place, "is not a simulated cluster", "what `cutlist simulate -o json` wrote, of one run")
        return None
    every: Days = {}
    for life in lives:
        for day, hours in life.days():
            uses = every.setdefault(day, {})
            uses.setdefault(life.machines, Use()).add(hours, hours * life.price)
    return Expected(region, every, {}, "simulation", holds_disks=True)


def _instant(text: Any) -> float:
    at = instant(text)
    if at is None:
        raise ValueError(f"{text!r} is not an instant")
    return at


@dataclass(frozen=True, slots=True)
class _Life:
    """A simulated node: seconds since 1970, and its price an hour."""

    machines: Machines
    price: Fraction
    started: float
    ended: float

    @staticmethod
    def of(node: Mapping[str, Any], end: float) -> _Life:
        machines = Machines(str(node["nodePool"]), str(node["instanceType"]), str(node["capacityType"]))
        ended = end if node["ended"] is None else _instant(node["ended"])
        return _Life(machines, Fraction(str(node["pricePerHour"])), _instant(node["started"]), ended)

    def days(self) -> Iterable[tuple[str, Fraction]]:
        """Yield each day on which it ran, with its hours of that day."""
        at = self.started
        while at < self.ended:
            day = datetime.fromtimestamp(at, UTC).date()
            midnight = datetime.combine(day + _DAY, datetime.min.time(), UTC).timestamp()
            until = min(self.ended, midnight)
            yield day.isoformat(), (Fraction(until) - Fraction(at)) / _SECONDS
            at = until


@dataclass(frozen=True, slots=True)
class Aside:
    """What of a bill is not compared: its cost, and the hours of machines among it."""

    what: str
    cost: Fraction
    hours: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Billed:
    """The hours of a bill by day, of machines with a NodePool; disks by NodePool; and what is set aside, with its reason."""

    days: Days
    disks: Mapping[str, Fraction]
    aside: tuple[Aside, ...]


def hours_of_bill(bill: Bill) -> Billed:
    """Return the hours of a bill that was read by day."""
    days: Days = {day: {} for day in days_between(*_ends(bill))}
    disks: dict[str, Fraction] = {}
    aside: dict[str, Use] = {}
    for charge in bill.charges:
        if charge.is_used and charge.pool:
            capacity = SPOT if charge.kind is Kind.SPOT else ON_DEMAND
            key = Machines(charge.pool, charge.instance_types[0], capacity)
            each = days_between(charge.day, charge.until)  # an export by the month has one row for all its days
            for day in each:
                uses = days.setdefault(day, {})
                uses.setdefault(key, Use()).add(Fraction(charge.hours) / len(each), Fraction(charge.cost) / len(each))
        elif charge.reason is Reason.DISKS and charge.pool:
            disks[charge.pool] = disks.get(charge.pool, Fraction(0)) + Fraction(charge.cost)
        else:
            aside.setdefault(_why_aside(charge), Use()).add(Fraction(charge.hours), Fraction(charge.cost))
    rest = (Aside(what, use.cost, use.hours) for what, use in aside.items())
    return Billed(days, disks, tuple(sorted(rest, key=lambda part: (-abs(part.cost), part.what))))


def with_disks(billed: Billed) -> Billed:
    """Return the bill with the disks of each NodePool in the costs of its machines, spread over their hours."""
    hours: dict[str, Fraction] = {}
    for uses in billed.days.values():
        for key, use in uses.items():
            hours[key.pool] = hours.get(key.pool, Fraction(0)) + use.hours
    per_hour = {pool: cost / hours[pool] for pool, cost in billed.disks.items() if hours.get(pool)}
    days = {
        day: {key: Use(use.hours, use.cost + use.hours * per_hour.get(key.pool, 0)) for key, use in uses.items()}
        for day, uses in billed.days.items()
    }
    return Billed(days, {pool: cost for pool, cost in billed.disks.items() if pool not in per_hour}, billed.aside)


def within(billed: Billed, days: Sequence[str]) -> Billed:
    """Return what is on the bill on some days; machines of other days are set aside."""
    outside = Use()
    for day, uses in billed.days.items():
        for use in uses.values() if day not in days else ():
            outside.add(use.hours, use.cost)
    if not outside.hours:
        return billed
    aside = (Aside("machines on other days", outside.cost, outside.hours), *billed.aside)
    return Billed({day: uses for day, uses in billed.days.items() if day in days}, billed.disks, aside)


def _why_aside(charge: Charge) -> str:
    if charge.is_used:
        return "machines without a NodePool"
    return str(charge.reason) if charge.reason is not None else "unused commitments and reservations"


def _ends(bill: Bill) -> tuple[str, str]:
    """Return the first and the last day of rows that have hours of machines."""
    return min(charge.day for charge in bill.used), max(charge.until for charge in bill.used)


def days_between(first: str, last: str) -> list[str]:
    """Return the days (ISO) from one to another."""
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    return [(start + _DAY * number).isoformat() for number in range((end - start).days + 1)]
