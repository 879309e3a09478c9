"""Remedies: the smallest change that would give a pending pod a node, found by trial, never by guessing.

Single changes are tried against each NodePool, the least intrusive first: a higher limit, a toleration, one requirement fewer,
a smaller request, no topology rules. A change counts only when the pod alone would then be admitted to a new node of the pool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint, Toleration, untolerated
from cutlist.core.values import dataclass
from cutlist.scheduling.claim_refusals import misfit
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.refusals import NoType
from cutlist.scheduling.resource_thresholds import bits
from cutlist.scheduling.scheduler import Scheduler
from cutlist.state.scheduling_node import NODES
from cutlist.state.volumes import PodVolumes
from cutlist.workloads.pods import FrozenDict, Pod


@dataclass(frozen=True, slots=True)
class RaiseLimit:
    """The pod fits if a limit of the NodePool is raised by this much (nano-units), enough for the smallest type that fits."""

    node_pool: str
    resource: str
    by: int


@dataclass(frozen=True, slots=True)
class Tolerate:
    """The pod fits if it tolerates these taints of the NodePool."""

    node_pool: str
    taints: tuple[Taint, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """The pod fits if it drops its requirements on one label."""

    node_pool: str
    key: str


@dataclass(frozen=True, slots=True)
class Shrink:
    """The pod fits if it requests at most this much of a resource, in nano-units."""

    node_pool: str
    resource: str
    to: int


@dataclass(frozen=True, slots=True)
class Loosen:
    """The pod fits the NodePool; only its topology rules, given the pods that run already, forbid it."""

    node_pool: str


@dataclass(frozen=True, slots=True)
class MoveVolume:
    """The pod fits the NodePool; only where its volumes can be used, those of these claims, forbids it."""

    node_pool: str
    claims: tuple[str, ...]


Remedy = RaiseLimit | Tolerate | Drop | Shrink | Loosen | MoveVolume


def remedies(scheduler: Scheduler, batch: int) -> tuple[Remedy, ...]:
    """Return at most one change per NodePool for a batch that stayed pending, least intrusive first."""
    tried = (_first(scheduler, template, batch) for template in scheduler.templates)
    changes = [remedy for remedy in tried if remedy is not None]
    order = (RaiseLimit, Tolerate, Drop, Shrink, Loosen, MoveVolume)
    return tuple(sorted(changes, key=lambda r: order.index(type(r))))


def _first(scheduler: Scheduler, template: NodeClaimTemplate, batch: int) -> Remedy | None:
    return next(_tried(scheduler, template, batch), None)


def _tried(scheduler: Scheduler, template: NodeClaimTemplate, batch: int) -> Iterator[Remedy]:
    pod, volumes = scheduler.batches[batch].pod, scheduler.volumes_of(batch)
    pod_data = scheduler.cached_pod_data.of(pod, volumes)
    if misfit(scheduler.admission, template, pod_data, template.mask) is None:
        yield _limit(scheduler, template, pod_data) or Loosen(template.name)
        return
    taints = tuple(untolerated(template.pool.taints, pod.tolerations))
    if taints:
        granted = tuple(Toleration(t.key, "Equal", t.value, t.effect) for t in taints)
        tolerant = replace(pod, tolerations=(*pod.tolerations, *granted))
        if _admitted(scheduler, template, scheduler.cached_pod_data.of(tolerant, volumes)):
            yield Tolerate(template.name, taints)
        return
    for key in _keys(pod):
        if _admitted(scheduler, template, scheduler.cached_pod_data.of(_without(pod, key), volumes)):
            yield Drop(template.name, key)
    yield from _smaller(scheduler, template, pod_data, volumes)
    if volumes.alternatives and _admitted(scheduler, template, scheduler.cached_pod_data.of(pod)):
        yield MoveVolume(template.name, tuple(volume.claim for volume in pod.volumes))


def _admitted(scheduler: Scheduler, template: NodeClaimTemplate, pod_data: PodData) -> bool:
    """Tell whether a new node of the pool, within its limits, would accept the pod if topology did not matter."""
    mask = 0 if template.exhausted else template.within_limits()
    return bool(mask) and misfit(scheduler.admission, template, pod_data, mask) is None


def _limit(scheduler: Scheduler, template: NodeClaimTemplate, pod_data: PodData) -> RaiseLimit | None:
    """Return the smallest raise of one limit after which a fitting type may be opened, or None if no limit is the obstacle."""
    if template.exhausted:
        return RaiseLimit(template.name, NODES, 10**9)
    if _admitted(scheduler, template, pod_data):
        return None
    empty = scheduler.admission.new_claim(template, template.mask)
    narrowed = next(scheduler.admission.narrow(empty, pod_data))
    fitting = scheduler.admission.add(empty, pod_data, narrowed)
    if fitting is None:
        return None
    limited = [(resource, left) for resource, left in template.remaining.items() if resource != NODES]
    types = template.instance_types.types
    single = [missing[0] for i in bits(fitting.mask) if len(missing := _missing(limited, types[i].capacity)) == 1]
    if not single:
        return None
    by, resource = min(single)
    return RaiseLimit(template.name, resource, by)


def _missing(limited: Sequence[tuple[str, int]], capacity: Mapping[str, int]) -> list[tuple[int, str]]:
    """Return by how much a type's capacity is above what each limit leaves."""
    return [(capacity[resource] - left, resource) for resource, left in limited if capacity.get(resource, 0) > left]


def _smaller(scheduler: Scheduler, template: NodeClaimTemplate, pod_data: PodData, volumes: PodVolumes) -> Iterator[Shrink]:
    """Yield a request cut to what the largest allowed type has besides daemons, where a single resource is too much."""
    pod = pod_data.pod
    refusal = misfit(scheduler.admission, template, pod_data, template.within_limits())
    if not isinstance(refusal, NoType) or len(refusal.shortfall) != 1:
        return
    ((resource, by),) = refusal.shortfall.items()
    to = pod.requests.get(resource, 0) - by
    if to > 0:
        cut = replace(pod, requests=FrozenDict({**pod.requests, resource: to}))
        if _admitted(scheduler, template, scheduler.cached_pod_data.of(cut, volumes)):
            yield Shrink(template.name, resource, to)


def _keys(pod: Pod) -> list[str]:
    terms = pod.required or ()
    return sorted({*pod.node_selector, *(e.key for term in terms for e in term)})


def _without(pod: Pod, key: str) -> Pod:
    def kept(term: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(e for e in term if e.key != key)

    return replace(
        pod,
        node_selector=FrozenDict({k: v for k, v in pod.node_selector.items() if k != key}),
        required=None if pod.required is None else tuple(map(kept, pod.required)),
    )
