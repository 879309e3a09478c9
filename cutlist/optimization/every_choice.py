"""The least that Karpenter's packing costs with any types that NodePools may be narrowed to, found by looking at all choices.

    least price = min over outcomes of (sum over claims of the cheapest type that one may become + worth of pods that are left)

An outcome is that of all choices among some types that have one type of each of a few sets (`pass_runs`). Any other choice
among them lacks one of these sets, so going on with the types without each of the sets in turn reaches every choice. Each step
leaves out all types that hold what some claim holds, or the largest ones, so where a few nodes suffice there are few outcomes.

Pods that are left wait for a later pass and get other nodes there: claims only ever shrink, so what these refuse finds no room
on their nodes. They cost at least their worth by a linear programme.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from math import fsum, inf

from cutlist.api.nodepool_fields import NodeClassRef
from cutlist.core.bits import bits, mask_of
from cutlist.core.identity import OncePerObject, SameObject
from cutlist.core.labels import SPOT
from cutlist.core.requirements import Requirements
from cutlist.optimization.exotic_types import NeverLaunched, asked_labels
from cutlist.optimization.pass_runs import Outcome, PassRuns
from cutlist.optimization.supply import Market, disks_price
from cutlist.planning.pass_inputs import PassInputs
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate, fresh_requirements


def every_outcome(
    runs: PassRuns, least: Sequence[int], pending: Mapping[str, int], most: int, may_go_on: Callable[[], bool]
) -> tuple[Outcome, ...] | None:
    """Return the outcomes of all choices of types, None if there are more than so many or time is over.

    Each NodePool keeps at least one type, and so many as `least` says that are sold as spot. Choices are left out that leave
    more pods of a workload without any type than may stay `pending`.
    """
    sold_as_spot, sold = OncePerObject(_sold_as_spot), _Sold(runs.part)
    spot = [sold_as_spot(sold.of(template)) for template in runs.templates]
    # Types beyond the limits change nothing, so every choice may have them besides.
    needed = [
        min(few, of.bit_count()) - (of & beyond).bit_count()
        for few, of, beyond in zip(least, spot, runs.beyond_limits, strict=True)
    ]
    left, known, found = [runs.types], {runs.types}, list[Outcome]()
    while left:
        if len(known) - len(left) >= most or not may_go_on():
            return None
        choice = left.pop()
        outcome = runs.run(choice)
        if _lacks_types(runs.part, outcome, pending):
            continue
        found.append(outcome)
        for place, types in sorted(outcome.rests_on):
            kept = choice[place] & ~types
            narrower = (*choice[:place], kept, *choice[place + 1 :])
            has_enough = (kept or runs.beyond_limits[place]) and (kept & spot[place]).bit_count() >= needed[place]
            if has_enough and narrower not in known:
                known.add(narrower)
                left.append(narrower)
    return tuple(found)


def _lacks_types(part: PassInputs, outcome: Outcome, pending: Mapping[str, int]) -> bool:
    """Tell whether more pods of a workload stay pending than may, whatever the limits: with fewer types no fewer do."""
    batches = part.passes.batches
    unfit: Counter[str] = Counter()
    for batch in outcome.unfit:
        unfit[batches[batch].name] += outcome.left[batch]
    return any(count > pending.get(name, 0) for name, count in unfit.items())


class PassPrices:
    """The least prices of what passes come to in some inputs, USD/hour: those of types, and of pods that are left.

    `worth` is that of one pod of each demand of a market of the same pods.
    """

    def __init__(self, runs: PassRuns, market: Market, worth: Sequence[float], pending: Mapping[str, int]) -> None:
        self._batches, self._pending = runs.part.passes.batches, pending
        self._of_types = list(_cheapest_of_each(runs))
        self._worth: dict[tuple[tuple[str, int], ...], float] = {}
        for demand, value in zip(market.demands, worth, strict=True):
            self._worth[demand.requests] = min(value, self._worth.get(demand.requests, inf))

    def least(self, outcome: Outcome) -> float:
        """Return what nodes with these claims, and those of the pods that are left, cost at least."""
        nodes = ((self._cheapest(place, types), count) for (place, types), count in outcome.claims.items())
        # A power of two multiplies exactly, so this is the sum of all nodes one by one.
        return fsum((*(price * (1 << power) for price, count in nodes for power in bits(count)), self._left(outcome.left)))

    def _cheapest(self, place: int, types: int) -> float:
        return next((price for price, number in self._of_types[place] if types >> number & 1), inf)

    def _left(self, left: Mapping[int, int]) -> float:
        """Return the worth of pods that are left, less that of those that may stay pending: the most valuable ones."""
        may_wait = Counter(self._pending)
        worths = []
        for batch, count in left.items():
            of = self._batches[batch]
            requests = tuple(sorted((name, amount) for name, amount in of.pod.requests.items() if amount > 0))
            worths.append((self._worth.get(requests, 0.0), of.name, count))
        total = 0.0
        for worth, name, count in sorted(worths, reverse=True):
            waiting = min(count, may_wait[name])
            may_wait[name] -= waiting
            total += worth * (count - waiting)
        return total


def _cheapest_of_each(runs: PassRuns) -> Iterator[list[tuple[float, int]]]:
    """Yield the prices of types for each NodePool: one list for all that buy the same for nodes of the same class."""
    bare_metal, sold = NeverLaunched(asked_labels(runs.part.passes)), _Sold(runs.part)
    known: dict[tuple[SameObject, NodeClassRef, frozenset[int]], list[tuple[float, int]]] = {}
    for template in runs.templates:
        offerings, never = sold.of(template), bare_metal.of(template)
        key = SameObject(offerings), template.pool.node_class_ref, never
        if key not in known:
            known[key] = _cheapest_first(runs.part, offerings, template, never)
        yield known[key]


def _cheapest_first(
    part: PassInputs, sold: Iterable[tuple[int, list[Offering]]], template: NodeClaimTemplate, never: Container[int]
) -> list[tuple[float, int]]:
    """Return the least price of each type of a NodePool that has a known one, with its number, cheapest first."""
    found = []
    for number, offerings in sold:
        costs = [offering.cost for offering in offerings if offering.cost is not None]
        # Bare metal is only ever launched where no plain type of its size is left, which no suggestion leaves out alone.
        if costs and number not in never:
            name = template.instance_types.types[number].name
            found.append((min(costs) + disks_price(part, template.name, name), number))
    return sorted(found)


def _sold_as_spot(sold: Iterable[tuple[int, list[Offering]]]) -> int:
    return mask_of(number for number, offerings in sold if any(of.capacity_type == SPOT for of in offerings))


class _Sold:
    """The types of NodePools with the offerings that each NodePool may buy: one list for all that may buy the same."""

    def __init__(self, part: PassInputs) -> None:
        self._registry = part.passes.registry
        self._offered = OncePerObject(_offered)
        self._known: dict[tuple[SameObject, int, tuple[bool, ...]], list[tuple[int, list[Offering]]]] = {}

    def of(self, template: NodeClaimTemplate) -> list[tuple[int, list[Offering]]]:
        """Return each type of a NodePool by number, with the offerings that the NodePool may buy."""
        wanted, index = fresh_requirements(template.pool, self._registry), template.instance_types
        offered = self._offered(index.types)
        fits = {requirements: wanted.compatible(requirements, index.well_known) for requirements in offered}
        key = SameObject(index.types), template.mask, tuple(fits.values())
        if key not in self._known:
            of_type = ((number, index.types[number].offerings) for number in bits(template.mask))
            self._known[key] = [(n, [of for of in sold if of.available and fits[of.requirements]]) for n, sold in of_type]
        return self._known[key]


def _offered(types: Iterable[InstanceType]) -> tuple[Requirements, ...]:
    """Return the different labels of the offerings of types: those of a few zones and capacity types."""
    return tuple(dict.fromkeys(offering.requirements for t in types for offering in t.offerings))
