"""What Karpenter's packing costs at least with any option that a search may find, where all of them can be gone through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import inf, isfinite
from typing import Final

from cutlist.core.labels import ON_DEMAND, SPOT
from cutlist.optimization.bound import bound_of, rounded_down
from cutlist.optimization.candidates import PoolChoices
from cutlist.optimization.dual_ascent import quick_bound
from cutlist.optimization.every_choice import PassPrices, every_outcome
from cutlist.optimization.first_pools import first_name
from cutlist.optimization.judging import Choice
from cutlist.optimization.pass_runs import Outcome, PassRuns
from cutlist.optimization.plain_passes import asks_only_for_room
from cutlist.optimization.pool_supply import placed_market
from cutlist.optimization.pool_terms import FirstPool, PoolTerms
from cutlist.optimization.scenarios import Scenario
from cutlist.planning.pass_inputs import PassInputs
from cutlist.verbs.suggest.variants import Variants

_WORK: Final = 25_000
_WORK_ELSEWHERE: Final = 3_000
_OF_A_PASS: Final = 12
"""How many batches of pods all passes may place together now, and in another scenario unless it asks the same: a few seconds,
and less than one. A pass counts as so many batches at least."""
_FEW_POOLS: Final = 8
"""A pass counts again for each further set of this many NodePools: a pod is tried on each that it does not fit."""
_BATCHES: Final = 100
"""The most batches of pods: with more, a pass takes too long."""


@dataclass(slots=True)
class LeastByTypes:
    """The least prices of options in scenarios. `choices` are what a search may vary, `spot_types` how many types that are sold
    as spot each NodePool keeps. Scenarios in which passes ask the same share their outcomes."""

    variants: Variants
    choices: Sequence[PoolChoices]
    spot_types: Mapping[str, int]
    _known: dict[object, tuple[Outcome, ...] | None] = field(default_factory=dict)

    def in_scenario(self, scenario: Scenario, pending: Mapping[str, int], may_go_on: Callable[[], bool]) -> float | None:
        """Return the USD/hour that every option costs at least which leaves no more pods of a workload pending than given; None
        where not all choices were gone through."""
        least, work = inf, _WORK if scenario.is_now else _WORK_ELSEWHERE
        for choice in self._with_copies():
            part = self._only_part(choice, scenario)
            if part is None or not asks_only_for_room(part) or len(part.passes.batches) > _BATCHES:
                return None
            runs = PassRuns(part)
            batches = max(_OF_A_PASS, len(part.passes.batches)) * (1 + len(runs.templates) // _FEW_POOLS)
            outcomes = self._outcomes(runs, pending, work // batches, may_go_on)
            if outcomes is None:
                return None
            work -= len(outcomes) * batches
            market = placed_market([part], pending, in_zones=False)
            prices = PassPrices(runs, market, quick_bound(market)[1], pending)
            least = min(least, *map(prices.least, outcomes), inf)
        least = min(least, *(self._on_demand(name, scenario, pending) for name in self._sold_both_ways()), inf)
        return rounded_down(least) if isfinite(least) else None

    def _with_copies(self) -> Iterator[Choice]:
        """Yield the NodePools with each combination of copies that a search may add, on all their types."""
        parts = [(None, *of.firsts.parts) for of in self.choices]
        for percents in product(*parts):
            each = zip(self.choices, percents, strict=True)
            yield tuple((of.pool, PoolTerms(first=FirstPool(part, PoolTerms()))) for of, part in each if part is not None)

    def _only_part(self, choice: Choice, scenario: Scenario) -> PassInputs | None:
        parts = [ready for _, ready in self.variants.parts_in(choice, scenario).values()]
        return parts[0] if len(parts) == 1 else None

    def _outcomes(
        self, runs: PassRuns, pending: Mapping[str, int], most: int, may_go_on: Callable[[], bool]
    ) -> tuple[Outcome, ...] | None:
        batches = [(of.name, of.count, tuple(sorted(of.pod.requests.items()))) for of in runs.part.passes.batches]
        types = [template.instance_types.types.sold.names for template in runs.templates]
        limits = [tuple(sorted(of.items())) for of in runs.limits]
        names = tuple(template.name for template in runs.templates)
        key = (names, tuple(types), runs.every, tuple(limits), tuple(batches), tuple(sorted(pending.items())))
        if key not in self._known:
            of_copies = {first_name(name): few for name, few in self.spot_types.items()}
            least = [({**of_copies, **self.spot_types}).get(name, 0) for name in names]
            self._known[key] = every_outcome(runs, least, pending, most, may_go_on)
        return self._known[key]

    def _sold_both_ways(self) -> list[str]:
        """Return the NodePools of which an option may buy on-demand nodes alone: it need not keep as many types then."""
        return [of.pool for of in self.choices if {ON_DEMAND, SPOT} <= of.kinds and self.spot_types.get(of.pool, 0) > 1]

    def _on_demand(self, pool: str, scenario: Scenario, pending: Mapping[str, int]) -> float:
        part = self._only_part(((pool, PoolTerms(capacity_types=frozenset({ON_DEMAND}))),), scenario)
        return 0.0 if part is None else bound_of(placed_market([part], pending, in_zones=False)).price
