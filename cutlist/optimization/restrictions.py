"""The restrictions of workloads and NodePools, removed one at a time: the price of each is what the plan saves without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from cutlist.api import NodePool
from cutlist.core.labels import ARCH, CAPACITY_TYPE, HOSTNAME, ZONE
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.pool_terms import labels_of, widened, without_requirements
from cutlist.planning.inputs import PlanInputs
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import FrozenDict, Pod

_SHORT: Final = {ZONE: "zone", HOSTNAME: "host", ARCH: "architecture", CAPACITY_TYPE: "capacity type"}


@dataclass(frozen=True, slots=True)
class Restriction:
    """A restriction in words, and the inputs without it. `workload` is the workload that has it; empty for one of a
    NodePool."""

    what: str
    workload: str
    without: PlanInputs


def restrictions(inputs: PlanInputs) -> Iterator[Restriction]:
    """Yield every restriction of the workloads, then of the NodePools, with the inputs that lack only it."""
    for number, group in enumerate(inputs.workloads.groups):
        for what, pod in _of_pod(group.pod):
            without = _with_group(inputs, number, replace(group, pod=pod))
            yield Restriction(f"{what} of {group.workload}", group.workload, without)
    for pool in inputs.node_pools:
        for what, changed in _of_pool(pool):
            pools = tuple(changed if p.name == pool.name else p for p in inputs.node_pools)
            yield Restriction(f"{what} in NodePool {pool.name}", "", replace(inputs, node_pools=pools))


def _of_pod(pod: Pod) -> Iterator[tuple[str, Pod]]:
    # All constraints of a key at once: one of them alone would go on restricting the pods.
    for key in sorted({c.topology_key for c in pod.spread}):
        kept = tuple(c for c in pod.spread if c.topology_key != key)
        yield f"{_name(key)} spread", replace(pod, spread=kept)
    for key in sorted({t.topology_key for t in pod.anti_affinity}):
        kept_terms = tuple(t for t in pod.anti_affinity if t.topology_key != key)
        yield f"{_name(key)} anti-affinity", replace(pod, anti_affinity=kept_terms)
    if pod.affinity:
        yield "pod affinity", replace(pod, affinity=())
    for key, value in sorted(pod.node_selector.items()):
        selector = FrozenDict({k: v for k, v in pod.node_selector.items() if k != key})
        yield f"{_name(key)} {value}", replace(pod, node_selector=selector)
    if pod.required:
        keys = sorted({_name(e.key) for term in pod.required for e in term})
        yield f"required node affinity ({', '.join(keys)})", replace(pod, required=None)


def _of_pool(pool: NodePool) -> Iterator[tuple[str, NodePool]]:
    keys = list(dict.fromkeys(e.key for e in pool.requirements))
    for allowances, key, what in (
        (Allowances(arm64=True), ARCH, "amd64 only"),
        (Allowances(spot=True), CAPACITY_TYPE, "on-demand only"),
    ):
        changed = widened(pool, allowances)
        # A pool without the key is not restricted by it, even if widening would add one.
        if key in keys and changed != pool:
            yield what, changed
    for key in keys:
        if key in labels_of(pool).all:
            yield _name(key), without_requirements(pool, key)


def _name(key: str) -> str:
    return _SHORT.get(key, key.rsplit("/", 1)[-1])


def _with_group(inputs: PlanInputs, number: int, group: PodGroup) -> PlanInputs:
    groups = tuple(group if n == number else g for n, g in enumerate(inputs.workloads.groups))
    return replace(inputs, workloads=replace(inputs.workloads, groups=groups))
