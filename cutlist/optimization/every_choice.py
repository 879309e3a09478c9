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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import fsum, inf

from cutlist.core.bits import bits, mask_of
from cutlist.core.labels import SPOT
from cutlist.optimization.exotic_types import NeverLaunched, asked_labels
from cutlist.optimization.pass_runs import Outcome, PassRuns
from cutlist.optimization.supply import Market, disks_price
from cutlist.planning.pass_inputs import PassInputs
from cutlist.providers.instance_types import Offering
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate, fresh_requirements


def every_outcome(
    runs: PassRuns, least: Sequence[int], pending: Mapping[str, int], most: int, may_go_on: Callable[[], bool]
) -> tuple[Outcome, ...] | None:
    """Return the outcomes of all choices of types, None if there are more than so many or time is over.

    Each NodePool keeps at least one type, and so many as `least` says that are sold as spot. Choices are left out that leave
    more pods of a workload without any type than may stay `pending`.
    """
    spot = [mask_of(n for n, sold in _sold(runs.part, t) if any(map(_is_spot, sold))) for t in runs.templates]
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
        bare_metal = NeverLaunched(asked_labels(runs.part.passes))
        self._of_types = [_cheapest_first(runs.part, template, bare_metal) for template in runs.templates]
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


def _cheapest_first(part: PassInputs, template: NodeClaimTemplate, bare_metal: NeverLaunched) -> list[tuple[float, int]]:
    """Return the least price of each type of a NodePool that has a known one, with its number, cheapest first."""
    never, found = bare_metal.of(template), []
    for number, sold in _sold(part, template):
        costs = [offering.cost for offering in sold if offering.cost is not None]
        # Bare metal is only ever launched where no plain type of its size is left, which no suggestion leaves out alone.
        if costs and number not in never:
            name = template.instance_types.types[number].name
            found.append((min(costs) + disks_price(part, template.name, name), number))
    return sorted(found)


def _is_spot(offering: Offering) -> bool:
    return offering.capacity_type == SPOT


def _sold(part: PassInputs, template: NodeClaimTemplate) -> Iterator[tuple[int, list[Offering]]]:
    """Yield each type of a NodePool with the offerings that the NodePool may buy."""
    wanted, known = fresh_requirements(template.pool, part.passes.registry), template.instance_types.well_known
    # Offerings of all types have a few zones and capacity types.
    fits = cache(lambda requirements: wanted.compatible(requirements, known))
    for number in bits(template.mask):
        offerings = template.instance_types.types[number].offerings
        yield number, [of for of in offerings if of.available and fits(of.requirements)]
