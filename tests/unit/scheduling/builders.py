"""Small things to schedule: machines with easy numbers in three zones, NodePools, pods, and a pass over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cutlist import NodeClassRef, NodePool
from cutlist.core.labels import ARCH, CAPACITY_TYPE, CORE, INSTANCE_TYPE, OS, ZONE
from cutlist.core.quantity import amounts
from cutlist.core.requirement import Expression, Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim, Results
from cutlist.workloads.pods import FrozenDict, LabelSelector, Pod, SpreadConstraint
from tests.one_pass import schedule

ZONES = ("zone-a", "zone-b", "zone-c")
SIZE = "example.com/size"  # a label of machines that a NodePool need not define
REGISTRY = CORE.extended(well_known=(SIZE,))
NODE_CLASS = NodeClassRef(group="example.com", kind="ExampleNodeClass", name="default")


def label(key: str, *values: str) -> Requirement:
    return Requirement(key, False, frozenset(values))


def machine(
    name: str,
    cpu: int,
    *,
    price: float | None = None,
    zones: Sequence[str] = ZONES,
    capacity_types: Mapping[str, float] | None = None,
    capacity: Mapping[str, str] | None = None,
    overhead: Mapping[str, str] | None = None,
    available: bool = True,
) -> InstanceType:
    """Return a machine with 4 GiB a cpu and room for 100 pods, sold on demand in three zones at its number of cpus an hour."""
    prices = capacity_types or {"on-demand": float(cpu) if price is None else price}
    return InstanceType(
        name,
        Requirements(
            [
                label(INSTANCE_TYPE, name),
                label(ARCH, "amd64"),
                label(OS, "linux"),
                label(ZONE, *zones),
                label(CAPACITY_TYPE, *prices),
                label(SIZE, "large" if cpu >= 8 else "small"),
            ]
        ),
        amounts({"cpu": str(cpu), "memory": f"{4 * cpu}Gi", "pods": "100", **(capacity or {})}),
        amounts(overhead or {}),
        tuple(
            Offering(Requirements([label(ZONE, zone), label(CAPACITY_TYPE, kind)]), price, available)
            for kind, price in prices.items()
            for zone in zones
        ),
    )


TWO, FOUR, EIGHT = machine("two", 2), machine("four", 4), machine("eight", 8)
MACHINES = (TWO, FOUR, EIGHT)


def pool(name: str = "default", **fields: Any) -> NodePool:
    return NodePool(name=name, node_class=NODE_CLASS, **fields)


def pod(cpu: str = "1", memory: str = "1Gi", *, more: Mapping[str, str] | None = None, **fields: Any) -> Pod:
    for name in ("labels", "node_selector"):
        fields[name] = FrozenDict(fields.get(name, {}))
    return Pod(requests=FrozenDict(amounts({"cpu": cpu, "memory": memory, "pods": "1", **(more or {})})), **fields)


def term(key: str, operator: str, *values: str) -> tuple[Expression, ...]:
    return (Expression(key, operator, values),)


def selecting(**labels: str) -> LabelSelector:
    return LabelSelector(tuple(labels.items()))


def spread(key: str = ZONE, max_skew: int = 1, **fields: Any) -> SpreadConstraint:
    return SpreadConstraint(key, max_skew, **{"selector": selecting(app="web"), **fields})


def run(
    *pods: Pod | tuple[Pod, int],
    pools: Sequence[NodePool] | None = None,
    types: Sequence[InstanceType] = MACHINES,
    daemons: Sequence[Pod] = (),
    **options: Any,
) -> Results:
    """Return a pass over pods, each alone or with a count; where sizes are equal, in the order given."""
    counted = [p if isinstance(p, tuple) else (p, 1) for p in pods]
    node_pools = pools or [pool()]
    return schedule(
        SchedulerInputs(
            pools=node_pools,
            types={p.name: types for p in node_pools},
            batches=[PodBatch(f"b{n}", each, count, uid=f"{n:04d}") for n, (each, count) in enumerate(counted)],
            daemons=daemons,
            registry=REGISTRY,
            options=SchedulerOptions(**options),
        )
    )


def only(result: Results) -> PlacedClaim:
    """Return the one claim of a pass that left no pod over."""
    (claim,) = result.claims
    assert not result.unplaced
    return claim


def names(claim: PlacedClaim) -> list[str]:
    """Return the instance types of a claim, cheapest first."""
    return [t.name for t in claim.candidates.types]


def counts(result: Results) -> list[int]:
    """Return pods on each claim, in the order of opening."""
    return [sum(claim.pods.values()) for claim in result.claims]


def by_zone(result: Results) -> dict[str, int]:
    """Return pods by zone; every claim has to be in one."""
    zones: dict[str, int] = {}
    for claim in result.claims:
        (zone,) = claim.requirements[ZONE].values
        zones[zone] = zones.get(zone, 0) + sum(claim.pods.values())
    return zones


def pending(result: Results) -> int:
    """Return pods without a place."""
    return sum(unplaced.count for unplaced in result.unplaced)


def said(result: Results) -> str:
    """Return what the NodePools said of the one batch that has no place."""
    (unplaced,) = result.unplaced
    return "; ".join(str(refusal) for _, refusal in unplaced.refusals)
