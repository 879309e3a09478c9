"""The savings plan or the reserved instances that cost least for the use of each hour, exactly.

Money is in whole millionths of a USD, discounts in whole millionths of the on-demand price: sums have no rounding.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final

from cutlist.core.records import HIDDEN, After, Count, Key, Usd, about, computed, form_of

MILLION: Final = 10**6


def in_usd(millionths: Fraction) -> float:
    """Return an amount in USD, of millionths of it."""
    return float(millionths) / MILLION


Millionths = Annotated[Fraction, form_of(Usd).through(in_usd)]
"""An amount in millionths of a USD; in USD in JSON."""
_HALVINGS: Final = 20
_NEARLY: Final = 1 - 1e-12
"""Comparisons of rounded sums leave as much room as these have errors."""

Hour = Mapping[str, int]
"""What on-demand nodes of each family cost in an hour, at the on-demand price; a family whose machines save
differently has a name for each discount."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """An amount that is paid in each hour, used or not, and its result over some hours.

    `hourly` is the amount; `instances` is the number of instances where these are reserved. `without` is what all hours cost
    on demand, `cost` what they cost with the commitment, `used` the part of it that was used. `enough_use` is the fraction of
    the use from which on the commitment pays: 0.8 means that it still pays when use falls by 20%. It is None if even all of
    the use is too little.
    """

    hourly: Annotated[Millionths, Key("usdPerHour")]
    cost: Annotated[Fraction, HIDDEN]
    without: Annotated[Millionths, Key("onDemandUsd")]
    used: Annotated[Fraction, form_of(float).through(float)]
    enough_use: float | None
    instances: Annotated[Count | None, about("Null for a savings plan."), After("")] = None

    @property
    @computed(after="without")
    def saved(self) -> Annotated[Millionths, Key("savedUsd")]:
        """Return what the commitment saves over all hours."""
        return self.without - self.cost


def best_savings_plan(hours: Sequence[Hour], discounts: Mapping[str, int]) -> Commitment:
    """Return the savings plan with which some hours cost least."""
    return savings_plan(hours, discounts, best_hourly(hours, discounts))


def best_hourly(hours: Sequence[Hour], discounts: Mapping[str, int]) -> Fraction:
    """Return the hourly commitment of a savings plan with which some hours cost least; of equally good ones the smallest.

    `discounts` are those of the families that the plan covers. In each hour it first covers the use on which it saves most. The
    cost is convex and has its corners where an hour's use of a family is covered completely, so the least is at one of them.
    """
    corners: list[tuple[int, Fraction]] = []
    slope = Fraction(0)
    for hour in hours:
        covered, before = 0, Fraction(0)
        for family, paid in _in_order(hour, discounts):
            saving = 1 - Fraction(MILLION, paid)
            if covered:
                # Between two corners the cost is linear in the commitment, so only the change of its slope is kept.
                corners.append((covered, saving - before))
            else:
                slope += saving
            covered, before = covered + hour[family] * paid, saving
        if covered:
            corners.append((covered, 1 - before))
        else:
            slope += 1
    amount = 0
    for corner, change in sorted(corners, key=lambda entry: entry[0]):
        if slope >= 0:
            break
        slope += change
        amount = corner
    return Fraction(amount, MILLION)


def saved_by_plan(hours: Sequence[Hour], discounts: Mapping[str, int], hourly: Fraction) -> Fraction:
    """Return what a savings plan of an hourly commitment saves over some hours; negative if the plan costs more."""
    ordered = [[(hour[family], paid) for family, paid in _in_order(hour, discounts)] for hour in hours]
    return _covered(ordered, hourly)[0] - hourly * len(hours)


def best_reservation(instances: Sequence[Fraction | int], on_demand: int, reserved: int) -> Commitment:
    """Return the reserved instances with which some hours cost least."""
    return reservation(instances, on_demand, reserved, best_number(instances, on_demand, reserved))


def best_number(instances: Sequence[Fraction | int], on_demand: int, reserved: int) -> int:
    """Return the number of reserved instances with which some hours cost least; of equally good ones the smallest.

    `instances` are those of one type that run in each hour, or units of one family's sizes; one that runs for a part of an hour
    counts as that part. Another reservation pays as long as its price for all hours is less than the on-demand price for what
    it covers of them. A further one never covers more than the one before.
    """

    scale, parts = _in_parts(instances)

    def pays(number: int) -> bool:
        least = number * scale
        covered = sum(min(scale, n - least) for n in parts if n > least)
        return reserved * len(parts) * scale < on_demand * covered

    # More instances than ever ran at once cover nothing.
    return bisect_left(range(math.ceil(max(instances))), True, key=lambda number: not pays(number))


def _in_parts(instances: Sequence[Fraction | int]) -> tuple[int, list[int]]:
    """Return numbers of instances as whole numbers of parts, and how many of these an instance is: sums of such are fast."""
    # Integers with one common denominator: sums of fractions would look for a new one each time.
    scale = math.lcm(*{n.denominator for n in instances})
    return scale, [n.numerator * (scale // n.denominator) for n in instances]


def saved_by_reservation(instances: Sequence[Fraction | int], on_demand: int, reserved: int, number: int) -> Fraction:
    """Return what a number of reserved instances saves over some hours; negative if they cost more."""
    scale, parts = _in_parts(instances)
    most = number * scale
    used = Fraction(sum(min(n, most) for n in parts), scale)
    return used * on_demand - number * len(instances) * reserved


def reservation(instances: Sequence[Fraction | int], on_demand: int, reserved: int, number: int) -> Commitment:
    """Return the commitment of a number of reserved instances, at both prices per hour."""
    scale, parts = _in_parts(instances)
    used, total = Fraction(sum(min(n, number * scale) for n in parts), scale), Fraction(sum(parts), scale)
    paid = number * len(instances)
    about, enough = [float(n) for n in instances], paid * reserved * _NEARLY
    return Commitment(
        hourly=Fraction(number * reserved),
        cost=paid * reserved + (total - used) * on_demand,
        without=total * on_demand,
        used=used / paid if paid else Fraction(1),
        enough_use=_least_share(lambda part: math.fsum(min(n * part, number) for n in about) * on_demand >= enough),
        instances=number,
    )


def _in_order(hour: Hour, discounts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the families of an hour that a plan covers, the highest discount first, with the part of their price it takes."""
    families = [family for family, cost in hour.items() if cost and discounts.get(family)]
    return [(family, MILLION - discounts[family]) for family in sorted(families, key=lambda f: (-discounts[f], f))]


def savings_plan(hours: Sequence[Hour], discounts: Mapping[str, int], hourly: Fraction) -> Commitment:
    """Return the cost of a savings plan of an hourly commitment."""
    without = Fraction(sum(sum(hour.values()) for hour in hours))
    ordered = [[(hour[family], paid) for family, paid in _in_order(hour, discounts)] for hour in hours]
    committed = hourly * len(hours)
    covered, used = _covered(ordered, hourly)
    return Commitment(
        hourly=hourly,
        cost=without - covered + committed,
        without=without,
        used=used / committed if committed else Fraction(1),
        enough_use=_least_share(lambda part: _covered_about(ordered, float(hourly), part) >= float(committed) * _NEARLY),
    )


def _covered(hours: Sequence[Sequence[tuple[int, int]]], hourly: Fraction) -> tuple[Fraction, Fraction]:
    """Return the on-demand cost that a plan covers in all hours, and how much of the plan is used for it."""
    covered = used = Fraction(0)
    for hour in hours:
        left = hourly
        for cost, paid in hour:
            discounted = Fraction(cost * paid, MILLION)
            if discounted >= left:
                # The plan ends inside this family's use: only the part that it pays for is covered.
                covered += left * MILLION / paid
                left = Fraction(0)
                break
            covered += cost
            left -= discounted
        used += hourly - left
    return covered, used


def _covered_about(hours: Sequence[Sequence[tuple[int, int]]], hourly: float, part: float) -> float:
    """Return the on-demand cost that a plan covers for a fraction of the use, rounded: that suffices to compare many
    fractions."""
    total = 0.0
    for hour in hours:
        left = hourly
        for cost, paid in hour:
            used = min(left, cost * part * paid / MILLION)
            total += used * MILLION / paid
            left -= used
    return total


def _least_share(pays: Callable[[float], bool]) -> float | None:
    """Return the smallest fraction of the use with which a commitment pays, or None if even all of it is too little.

    With more use a commitment never covers less, so halving finds it.
    """
    if not pays(1.0):
        return None
    low, high = 0.0, 1.0
    if pays(low):
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if pays(middle) else (middle, high)
    return high
