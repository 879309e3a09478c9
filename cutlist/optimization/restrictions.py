"""The restrictions of workloads and NodePools, removed one at a time: the price of each is what the plan saves without it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Generic, NamedTuple, TypeVar

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import ARCH, CAPACITY_TYPE, HOSTNAME, ZONE
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.pool_terms import labels_of, widened, without_limits, without_requirements
from cutlist.planning.inputs import PlanInputs
from cutlist.workloads.pods import FrozenDict, Pod

T = TypeVar("T")
_SHORT: Final = {ZONE: "zone", HOSTNAME: "host", ARCH: "architecture", CAPACITY_TYPE: "capacity type"}


@dataclass(frozen=True, slots=True)
class Restriction:
    """A restriction in words, and the inputs without it. `workload` is the workload that has it; empty for one of a NodePool,
    or of several workloads.

    `objects` are those that have it, and `field` is where: in the spec of pods, or in that of a NodePool's template.
    """

    what: str
    workload: str
    without: PlanInputs
    objects: tuple[str, ...] = ()
    field: str = ""


class _Loose(NamedTuple, Generic[T]):
    """A restriction of a pod or NodePool in words, the field that has it, and the pod or NodePool without it."""

    what: str
    field: str
    without: T


def restrictions(inputs: PlanInputs) -> Iterator[Restriction]:
    """Yield every restriction of the workloads, then of the NodePools, with the inputs that lack only it."""
    for number, group in enumerate(inputs.workloads.groups):
        for loose in _of_pod(group.pod):
            without = _with_pods(inputs, {number: loose.without})
            what = f"{loose.what} of {group.workload}"
            yield Restriction(what, group.workload, without, (group.workload,), loose.field)
    yield from restrictions_of_pools(inputs)


def restrictions_of_pools(inputs: PlanInputs, names: Container[str] | None = None) -> Iterator[Restriction]:
    """Yield every restriction of the NodePools, or of those with these names, with the inputs that lack only it."""
    for pool in inputs.node_pools if names is None else [pool for pool in inputs.node_pools if pool.name in names]:
        for loose in _of_pool(pool):
            pools = tuple(loose.without if p.name == pool.name else p for p in inputs.node_pools)
            what, name = f"{loose.what} in NodePool {pool.name}", f"NodePool {pool.name}"
            yield Restriction(what, "", replace(inputs, node_pools=pools), (name,), loose.field)


def shared_restrictions(inputs: PlanInputs) -> Iterator[Restriction]:
    """Yield every restriction that workloads have in common, with the inputs in which none of them has it: together they may
    cost much more than each alone. One that only a single workload has is among them."""
    shared: dict[tuple[str, str], dict[int, Pod]] = {}
    for number, group in enumerate(inputs.workloads.groups):
        for loose in _of_pod(group.pod):
            shared.setdefault((loose.what, loose.field), {})[number] = loose.without
    for (what, field), pods in shared.items():
        workloads = tuple(dict.fromkeys(inputs.workloads.groups[number].workload for number in pods))
        alone = workloads[0] if len(workloads) == 1 else ""
        whose = alone or f"{len(workloads):,} workloads"
        yield Restriction(f"{what} of {whose}", alone, _with_pods(inputs, pods), workloads, field)


def _of_pod(pod: Pod) -> Iterator[_Loose[Pod]]:
    # All constraints of a key at once: one of them alone would go on restricting the pods.
    for key in sorted({c.topology_key for c in pod.spread}):
        kept = tuple(c for c in pod.spread if c.topology_key != key)
        yield _Loose(f"{_name(key)} spread", f"topologySpreadConstraints[{key}]", replace(pod, spread=kept))
    for key in sorted({t.topology_key for t in pod.anti_affinity}):
        kept_terms = tuple(t for t in pod.anti_affinity if t.topology_key != key)
        loose = replace(pod, anti_affinity=kept_terms)
        yield _Loose(f"{_name(key)} anti-affinity", f"affinity.podAntiAffinity[{key}]", loose)
    if pod.affinity:
        yield _Loose("pod affinity", "affinity.podAffinity", replace(pod, affinity=()))
    for key, value in sorted(pod.node_selector.items()):
        selector = FrozenDict({k: v for k, v in pod.node_selector.items() if k != key})
        yield _Loose(f"{_name(key)} {value}", f"nodeSelector[{key}]", replace(pod, node_selector=selector))
    if pod.required:
        keys = sorted({_name(e.key) for term in pod.required for e in term})
        what = f"required node affinity ({', '.join(keys)})"
        yield _Loose(what, "affinity.nodeAffinity", replace(pod, required=None))


def _of_pool(pool: NodePool) -> Iterator[_Loose[NodePool]]:
    keys = list(dict.fromkeys(e.key for e in pool.requirements))
    for allowances, key, what in (
        (Allowances(arm64=True), ARCH, "amd64 only"),
        (Allowances(spot=True), CAPACITY_TYPE, "on-demand only"),
    ):
        changed = widened(pool, allowances)
        # A pool without the key is not restricted by it, even if widening would add one.
        if key in keys and changed != pool:
            yield _Loose(what, f"requirements[{key}]", changed)
    for key in keys:
        if key in labels_of(pool).all or key == ZONE:
            yield _Loose(_name(key), f"requirements[{key}]", without_requirements(pool, key))
    if pool.limits and not pool.is_static:
        yield _Loose(f"limits ({', '.join(sorted(pool.limits))})", "limits", without_limits(pool))


def _name(key: str) -> str:
    return _SHORT.get(key, key.rsplit("/", 1)[-1])


def _with_pods(inputs: PlanInputs, pods: Mapping[int, Pod]) -> PlanInputs:
    """Return the inputs with other pods in some groups, by their numbers."""
    groups = tuple(replace(g, pod=pods[n]) if n in pods else g for n, g in enumerate(inputs.workloads.groups))
    return replace(inputs, workloads=replace(inputs.workloads, groups=groups))
