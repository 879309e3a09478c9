"""Compare a plan or a simulated month with a bill: where they differ, by how much, and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Final

from cutlist.catalog.bills import Bill
from cutlist.catalog.regions import AnyRegion
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import NODEPOOL, SPOT
from cutlist.core.money import money_sum, whole_cents
from cutlist.core.records import HIDDEN, Count, about
from cutlist.core.remainders import whole_parts
from cutlist.planning.model import Plan
from cutlist.verification.bills.differences import Finding, ListPrice, findings
from cutlist.verification.bills.hours import (
    Billed,
    Expected,
    Machines,
    Use,
    hours_of_bill,
    hours_of_plan,
    hours_of_run,
    with_disks,
    within,
)

SHOWN: Final = 10
_ZERO: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class BillDifference:
    """A part of the difference: its NodePool and reason, the machines if it is about a price, and the evidence."""

    node_pool: str
    why: Annotated[str, about("hours, share of spot, instance types, price, disks, or a NodePool that one side lacks.")]
    what: Annotated[str, about("For a price the type and the capacity type.")]
    cost: Annotated[float, about("What it adds; negative where it saves. All differences add up to that of the totals.")]
    evidence: str
    days: Count


@dataclass(frozen=True, slots=True)
class PoolOnBill:
    """A NodePool, with hours and costs of its machines as expected and on the bill."""

    node_pool: str
    expected_hours: float
    billed_hours: float
    expected_cost: float
    billed_cost: float


@dataclass(frozen=True, slots=True)
class AsideOnBill:
    """What of the bill is not compared."""

    what: str
    cost: float
    hours: float


@dataclass(frozen=True, slots=True)
class BillVerification:
    """A bill compared with what a plan or a simulation expected, on the days of both.

    `expected` and `billed` are machines with a NodePool, and their disks where both sides know them; in a simulation the hours
    of machines have them in their price. What is not compared is `aside`. `differences` are the largest first.
    """

    region: str
    of: Annotated[str, about("plan or simulation.")]
    first: str
    last: str
    currency: str
    expected: float
    billed: float
    node_pools: tuple[PoolOnBill, ...]
    differences: tuple[BillDifference, ...]
    aside: tuple[AsideOnBill, ...]
    ratios: Annotated[Mapping[str, float], HIDDEN]

    @property
    def difference(self) -> float:
        """Return how much more was billed than expected."""
        return money_sum((self.billed, -self.expected))

    @property
    def is_as_expected(self) -> bool:
        """Tell whether nothing differs by a cent."""
        return not any(difference.cost for difference in self.differences)


def verify_bill(
    paths: Sequence[str],
    *,
    plan: Plan | None = None,
    run: tuple[str, str] | None = None,
    nodes: Mapping[str, str] | None = None,
    tag: str = "",
    prices_of: Callable[[str], AnyRegion | None] = lambda _: None,
    bill: Bill | None = None,
) -> BillVerification:
    """Return how a bill differs from a plan, or from the simulation in a text (`run`: its name and the text).

    `nodes` are NodePools by the id of a machine, which count before tags; `tag` is the tag with the NodePool's name, by default
    Karpenter's; `prices_of` returns the catalogue of a region, for the list prices of machines that were not expected. `bill`
    is what `used_bill` read of the paths already.

    Raises InputError with every mistake, and if there is nothing to compare, and ModuleNotFoundError without DuckDB.
    """
    problems, place = Problems(), Place(", ".join(paths))
    bill = used_bill(paths, nodes, tag) if bill is None else bill
    if plan is None and run is None:
        raise InputError.one(place, "cannot be compared", "a bill, and a plan or a simulation")
    billed = hours_of_bill(bill)
    expected = _expected(plan, run, tuple(billed.days), problems)
    problems.raise_if_any()
    common = [day for day in billed.days if day in expected.days]
    _require_common(expected, billed, common, bill.currency, _currency(plan), place)
    compared = within(with_disks(billed) if expected.holds_disks else billed, common)
    return _answer(expected, compared, findings(expected, compared, _list_prices(prices_of(expected.region))), bill.currency)


def used_bill(paths: Sequence[str], nodes: Mapping[str, str] | None = None, tag: str = "") -> Bill:
    """Return a bill with hours of machines. Raises as `verify_bill` does for one that cannot be compared with anything."""
    from cutlist.catalog.bills.queries import Detail  # needs the extra bill, as the next
    from cutlist.catalog.bills.reading import read_bill

    problems, place = Problems(), Place(", ".join(paths))
    bill = read_bill(paths, problems, Detail(tag, nodes))
    if bill is not None and not bill.used:
        problems.add(place, "has no hour of a machine", "a bill with instances of EC2 or VMs of Azure")
    problems.raise_if_any()
    if bill is None:
        raise InputError.one(place, "cannot be compared", "a bill with hours of machines")
    return bill


def _expected(plan: Plan | None, run: tuple[str, str] | None, days: Sequence[str], problems: Problems) -> Expected:
    if run is None:
        return hours_of_plan(plan, days) if plan is not None else Expected("", {}, {}, "plan")
    name, text = run
    try:
        data: Any = json.loads(text)
    except ValueError:
        data = None
    return hours_of_run(data, Place(name), problems) or Expected("", {}, {}, "simulation")


def _currency(plan: Plan | None) -> str:
    """Return the currency of a plan; simulations are in US dollars where they do not say it."""
    prices = [node.price for node in plan.nodes if node.price is not None] if plan is not None else []
    return prices[0].currency if prices else "USD"


def _require_common(
    expected: Expected, billed: Billed, common: Sequence[str], currency: str, of_plan: str, place: Place
) -> None:
    """Raise InputError if a comparison would mean nothing: other days, another currency, no NodePool in common."""
    problems = Problems()
    if not common:
        days = f"{min(billed.days)} to {max(billed.days)}"
        known = f"{min(expected.days)} to {max(expected.days)}" if expected.days else "no day"
        problems.add(place, f"is of {days}, and the {expected.what} of {known}", "days in common")
    if currency != of_plan:
        problems.add(place, f"is in {currency}, and the {expected.what} in {of_plan}", "the same currency")
    pools = {key.pool for uses in billed.days.values() for key in uses}
    planned = {key.pool for uses in expected.days.values() for key in uses}
    if not pools:
        problems.add(place, "no machine has a NodePool", "an export with the tag karpenter.sh/nodepool, or a snapshot")
    elif not pools & planned:
        text = f"has the NodePools {', '.join(sorted(pools))}, and the {expected.what} {', '.join(sorted(planned))}"
        problems.add(place, text, "a NodePool in common")
    problems.raise_if_any()


def _list_prices(sold: AnyRegion | None) -> ListPrice:
    def list_price(instance_type: str, capacity_type: str) -> Fraction | None:
        if sold is None:
            return None
        if capacity_type == SPOT:
            prices = [sold.spot_price(instance_type, zone.name) for zone in sold.zones]
            known = [price.usd_per_hour for price in prices if price is not None]
            return Fraction(str(min(known))) if known else None
        price = sold.on_demand_price(instance_type)
        return None if price is None else Fraction(str(price.usd_per_hour))

    return list_price


def _answer(expected: Expected, billed: Billed, found: Sequence[Finding], currency: str) -> BillVerification:
    days = list(billed.days)
    old, new = ({day: of.days.get(day, {}) for day in days} for of in (expected, billed))
    disks = {pool: per_hour * 24 * len(days) for pool, per_hour in expected.disks.items() if per_hour is not None}
    compared_disks = sum((billed.disks.get(pool, _ZERO) for pool in disks), _ZERO)
    before = _total(old).cost + sum(disks.values(), _ZERO)
    after = _total(new).cost + compared_disks
    difference = whole_cents(after) - whole_cents(before)
    parts = whole_parts([finding.amount * 100 for finding in found], difference)
    rest = [(pool, cost) for pool, cost in billed.disks.items() if pool not in disks]
    aside = [AsideOnBill(part.what, whole_cents(part.cost) / 100, float(part.hours)) for part in billed.aside]
    if rest:
        aside.append(AsideOnBill("disks of NodePools", whole_cents(sum((cost for _, cost in rest), _ZERO)) / 100, 0.0))
    return BillVerification(
        region=expected.region,
        of=expected.what,
        first=days[0],
        last=days[-1],
        currency=currency,
        expected=whole_cents(before) / 100,
        billed=whole_cents(after) / 100,
        node_pools=tuple(_pools(old, new)),
        differences=tuple(
            BillDifference(f.pool, f.why.value, f.what, part / 100, f.evidence, len(f.days))
            for f, part in zip(found, parts, strict=True)
            if part
        ),
        aside=tuple(aside),
        ratios=_ratios(old, new),
    )


def _total(days: Mapping[str, Mapping[Machines, Use]], pool: str | None = None, capacity: str | None = None) -> Use:
    total = Use()
    for uses in days.values():
        for key, use in uses.items():
            if pool in (None, key.pool) and capacity in (None, key.capacity_type):
                total.add(use.hours, use.cost)
    return total


def _pools(old: Mapping[str, Mapping[Machines, Use]], new: Mapping[str, Mapping[Machines, Use]]) -> list[PoolOnBill]:
    names = sorted({key.pool for days in (old, new) for uses in days.values() for key in uses})
    rows = []
    for name in names:
        before, after = _total(old, name), _total(new, name)
        costs = whole_cents(before.cost) / 100, whole_cents(after.cost) / 100
        rows.append(PoolOnBill(name, float(before.hours), float(after.hours), *costs))
    return rows


def _ratios(old: Mapping[str, Mapping[Machines, Use]], new: Mapping[str, Mapping[Machines, Use]]) -> dict[str, float]:
    """Return what machines of both sides cost by capacity type, as a part of the expected price of the same hours."""
    prices: dict[Machines, Fraction] = {}
    for uses in old.values():
        for key, use in uses.items():
            if use.hours and use.cost:
                prices.setdefault(key, use.cost / use.hours)
    planned: dict[str, Fraction] = {}
    paid: dict[str, Fraction] = {}
    for uses in new.values():
        for key, use in uses.items():
            if key in prices:
                planned[key.capacity_type] = planned.get(key.capacity_type, _ZERO) + use.hours * prices[key]
                paid[key.capacity_type] = paid.get(key.capacity_type, _ZERO) + use.cost
    return {kind: float(paid[kind] / cost) for kind, cost in planned.items() if cost}


def pools_of_nodes(manifests: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the NodePools of a cluster's nodes by the id of their machine, the last part of its provider's id."""
    pools: dict[str, str] = {}
    for manifest in manifests:
        if manifest.get("kind") not in ("Node", "NodeClaim"):
            continue
        pool = ((manifest.get("metadata") or {}).get("labels") or {}).get(NODEPOOL)
        part = manifest.get("spec" if manifest["kind"] == "Node" else "status") or {}
        machine = str(part.get("providerID") or "").rpartition("/")[2]
        if pool and machine:
            pools[machine] = str(pool)
    return pools
