"""The figures of a plan that gates check: money, nodes, zones, and the most that limits allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from cutlist.catalog.ranges import PriceRange
from cutlist.core.records import HIDDEN, SPARSE, After, Key, form_of
from cutlist.planning.model.spelling import ExactPrice, SortedTexts


@dataclass(frozen=True, slots=True)
class PoolMeasures:
    """What a NodePool may launch: how many types of how many families, of which categories (`c`, `m`, of Azure `D`), how old.

    `zones` are those with an offering that it allows, `spot_types` the types on offer as spot.

    `most_per_hour` is its highest cost in USD, bounded by the limit `most_by`; None if nothing bounds it, or if some of its
    types have no price. A general pool accepts pods without tolerations. `missed_min_values` are label keys of which its types
    have fewer values than it demands.

    A drain of its nodes ends after `drain_seconds`, None for never. The longest grace period of pods that may run on them is
    `grace_seconds`, of the workload `grace_of`.

    Costs are at list prices. `lowered_by` is the most that NodeOverlays lower a price, in percent. `limits` are the resources
    that it limits, `architectures` those of its types; `chooses_architecture` tells whether it asks for any. A pool is
    `accelerated` if every machine has a GPU or another accelerator. It `awaits_reservations` if it may launch reserved capacity
    of which only the account knows.
    """

    name: Annotated[str, HIDDEN]
    types: int
    families: int
    categories: tuple[str, ...]
    oldest_generation: int | None
    zones: tuple[str, ...]
    spot_types: int
    on_demand_types: int
    unpriced_types: int
    most_per_hour: ExactPrice
    most_by: str
    is_general: Annotated[bool, Key("general")]
    missed_min_values: tuple[str, ...] = ()
    drain_seconds: int | None = None
    grace_seconds: int = 0
    grace_of: str = ""
    lowered_by: float = 0.0
    limits: tuple[str, ...] = ()
    awaits_reservations: bool = False
    accelerated: bool = False
    architectures: tuple[str, ...] = ()
    chooses_architecture: bool = False


def _by_name(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _pools_by_name(pools: Iterable[PoolMeasures]) -> dict[str, PoolMeasures]:
    return {pool.name: pool for pool in pools}


@dataclass(frozen=True, slots=True)
class WorkloadMeasures:
    """What gates check of workloads.

    `closed_budgets` are PodDisruptionBudgets under which no pod is ever evicted, each with why. `without_requests` are
    workloads whose pods request neither processors nor memory, `spot_only` stateful ones that have no other nodes than spot.
    `incomplete_gangs` are gangs of which too few pods have a place, each with what happens to it.
    """

    closed_budgets: SortedTexts = field(default_factory=dict, hash=False)
    without_requests: tuple[str, ...] = ()
    spot_only: tuple[str, ...] = ()
    incomplete_gangs: SortedTexts = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Measures:
    """A plan in figures. `nodes` and `vcpus` count existing and new nodes; spot and zones only new ones.

    `zones` has the new nodes whose zone is certain, by zone. `held` are workloads that may never be moved. `before` is the
    price per hour of an earlier plan of the same environment, or None if there is no such plan. `objects` has digests of the
    specs of Karpenter's objects, by kind and name. `uncounted` are objects whose pods are missing from the plan, with what is
    known about why. `pending` are the workloads without a node, each with why; `unsettled` are those among them that only
    capacity may take of which only the account knows. Pods that are to run on other nodes than Karpenter's are in neither.
    `price_range` is the range of a price that is partly an estimate, `currency` that of all prices, only if it is not USD.
    """

    nodes: int
    vcpus: float | None
    new_nodes: int
    spot_nodes: int
    zones: Annotated[Mapping[str, int], form_of(Mapping[str, int]).through(_by_name)] = field(hash=False)
    price_per_hour: ExactPrice
    unpriced_nodes: int
    pending: SortedTexts = field(hash=False)
    pools: Annotated[tuple[PoolMeasures, ...], form_of(Mapping[str, PoolMeasures]).through(_pools_by_name)]
    held: tuple[str, ...] = ()
    before: ExactPrice = None
    objects: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    uncounted: tuple[str, ...] = ()
    unsettled: SortedTexts = field(default_factory=dict, hash=False)
    workloads: WorkloadMeasures = field(default_factory=WorkloadMeasures, hash=False)
    price_range: Annotated[PriceRange | None, After("price_per_hour"), SPARSE] = None
    currency: Annotated[str | None, After("price_range"), SPARSE] = None
