"""Large plans, made by hand so that they are there at once."""

from __future__ import annotations

from dataclasses import replace

from cutlist.catalog.prices import Price
from cutlist.core.quantity import amounts
from cutlist.planning.model import CandidateType, PendingPods, Plan, PlannedNode, PodShare, PodSize
from tests.unit.report.samples import ON_DEMAND, PRICE_LIST, SPOT, SPOT_ESTIMATE, ZONES

_TYPES = tuple(f"{family}{generation}.{size}" for family in "cmr" for generation in (5, 6, 7) for size in ("large", "xlarge"))
_LISTS = tuple(
    tuple(CandidateType(name, Price(0.04 + 0.001 * (shift + place), ""), "spot", ZONES) for place, name in enumerate(_TYPES))
    for shift in range(20)
)


def large_plan(nodes: int = 5000, pods_each: int = 20, node_pools: int = 20) -> Plan:
    """So many nodes of which no two are alike, their NodePools, 400 workloads in 40 namespaces, and 50 that wait."""
    sizes = tuple(PodSize(_workload(n), amounts({"cpu": f"{100 + n % 7 * 50}m", "memory": "256Mi"})) for n in range(400))
    return Plan(
        "us-west-2",
        tuple(_node(number, pods_each, node_pools) for number in range(nodes)),
        tuple(PendingPods(_workload(n), 3, f"the pod needs {n} cpu", (("pool-1", "too small"),)) for n in range(50)),
        pod_sizes=tuple(sorted(sizes, key=lambda size: size.workload)),
    )


def _workload(number: int) -> str:
    return f"team-{number % 40}/deployment/service-{number % 400}"


def _node(number: int, pods: int, node_pools: int) -> PlannedNode:
    base = SPOT if number % 3 else ON_DEMAND
    return replace(
        base,
        node_pool=f"pool-{number % node_pools}",
        count=1,
        instance_type=_TYPES[number % len(_TYPES)],
        zones=(ZONES[number % 3],),
        price=Price(0.04 + number * 1e-5, SPOT_ESTIMATE if number % 3 else PRICE_LIST, estimated=number % 3 > 0),
        requests=amounts({"cpu": f"{500 + number % 1400}m", "memory": f"{1000 + number % 5800}Mi", "pods": str(pods)}),
        pods=tuple(PodShare(_workload(number * 7 + n), pods // 4) for n in range(4)),
        candidates=_LISTS[number % len(_LISTS)],
    )
