"""Changes of waiting pods that may give them a node of a NodePool: what they tolerate, require and request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.errors import nearest
from cutlist.core.labels import NODEPOOL, domain
from cutlist.core.quantity import NANO
from cutlist.core.requirement import Expression, Operator
from cutlist.core.taints import Taint, Toleration
from cutlist.infrastructure.system_capacity import SYSTEM_TAINT
from cutlist.planning.remedies.changes import (
    Allow,
    Drop,
    Loosen,
    MoveVolume,
    Remedy,
    RequestDevices,
    RequestOther,
    RequireOther,
    Shrink,
    Tolerate,
)
from cutlist.planning.remedies.known_types import KnownTypes
from cutlist.planning.remedies.pool_changes import PoolChanges
from cutlist.planning.remedies.spelling import meant, same_name
from cutlist.planning.remedies.trial import Trial
from cutlist.providers.aws.capacity import GAUDI, NEURON
from cutlist.providers.instance_types import AMD_GPU, NVIDIA_GPU
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.refusals import NoType
from cutlist.state.volumes import NO_VOLUMES
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import FrozenDict, Pod

_DEVICES: Final = (NVIDIA_GPU, AMD_GPU, NEURON, GAUDI)
_ALIKE: Final = 6  # letters at the beginning that the names of resources of one vendor share


@dataclass(frozen=True, slots=True)
class PodChanges:
    """Tries changes of the pods of one batch, each for one NodePool."""

    trial: Trial
    template: NodeClaimTemplate
    types: KnownTypes

    def tolerating(self, taints: tuple[Taint, ...]) -> Iterator[Remedy]:
        """Yield the pods with a toleration for taints, unless one of these keeps workloads off the nodes of add-ons."""
        if any(taint.key == SYSTEM_TAINT for taint in taints):
            return
        granted = tuple(Toleration(t.key, "Equal", t.value, t.effect) for t in taints)
        if self._helps(replace(self._pod, tolerations=(*self._pod.tolerations, *granted))):
            yield Tolerate(self._pool, taints)

    def correcting(self, keys: Sequence[str]) -> Iterator[Remedy]:
        """Yield the pods with a label or a value in place of one that the NodePool's nodes cannot have, and that is spelled
        nearly like it."""
        own, registry = self._own_values(), self.trial.left.inputs.registry
        wanted, labels = strict_requirements(self._pod, registry), {*own, *registry.well_known}
        for key in (key for key in keys if wanted.single_value(key)):
            value = wanted.single_value(key)
            alike = same_name(key, labels) if key not in labels else ()
            real = self.types.values(key) | own.get(key, frozenset())
            near = "" if value in real else meant(value, own.get(key, real))
            spelled = [(key, near)] if near else []
            for other_key, other in (*((of, value) for of in alike), *spelled):
                if self._helps(_requiring(_without(self._pod, key), other_key, other)):
                    yield RequireOther(self._pool, key, value, other_key, other)

    def dropping(self, keys: Sequence[str], pools: PoolChanges) -> Iterator[Remedy]:
        """Yield the pods without their requirements on one label. Where the NodePool names values of it, it may help as well
        that it allows what they require."""
        named = {r.key for r in self.template.pool.requirements if r.operator == Operator.IN}
        for key in keys:
            if self._helps(_without(self._pod, key)):
                allowing = pools.allowing([key]) if key in named else ()
                allowed = next((of.values for of in allowing if isinstance(of, Allow) and not of.managed), ())
                yield Drop(self._pool, key, allowed)

    def requesting_other(self, refusal: NoType) -> Iterator[Remedy]:
        """Yield the pods with a resource of a similar name in place of one that no type has at all."""
        for resource in (r for r in sorted(refusal.shortfall) if not refusal.largest.get(r) and "/" in r):
            others = tuple(other for other in self._similar(resource) if self._helps(_renamed(self._pod, resource, other)))
            if others:
                yield RequestOther(self._pool, resource, others)

    def requesting_devices(self) -> Iterator[Remedy]:
        """Yield the pods with a request for one device in place of their resource claims, which Karpenter ignores."""
        for resource in (r for r in _DEVICES if r in self.types.extended):
            asked = FrozenDict({**self._pod.requests, resource: NANO})
            if self._helps(replace(self._pod, uses_dynamic_resources=False, requests=asked)):
                yield RequestDevices(self._pool, resource)

    def shrinking(self, refusal: NoType) -> Iterator[Shrink]:
        """Yield the pods with a request cut to what the largest type has besides daemons, where one resource is too much."""
        if len(refusal.shortfall) != 1:
            return
        ((resource, by),) = refusal.shortfall.items()
        to = self._pod.requests.get(resource, 0) - by
        if to > 0 and self._helps(replace(self._pod, requests=FrozenDict({**self._pod.requests, resource: to}))):
            yield Shrink(self._pool, resource, to)

    def loosening(self) -> Iterator[Remedy]:
        """Yield the pods without their topology rules of one kind, then without any, if they have some."""
        pod = self._pod
        rules: list[tuple[str, Pod]] = []
        if pod.affinity:
            rules.append(("pod affinity", replace(pod, affinity=())))
        if pod.anti_affinity:
            rules.append(("pod anti-affinity", replace(pod, anti_affinity=())))
        if pod.spread:
            rules.append(("topologySpreadConstraints", replace(pod, spread=())))
        for kind, without in rules:
            if self._helps(without):
                yield Loosen(self._pool, (kind,))
        if len(rules) > 1 or self.trial.left.inputs.options.default_spread:
            loose = replace(pod, spread=(), affinity=(), anti_affinity=())
            if self.trial.places(self.trial.with_pod(loose, without_default_spread=True), self._pool):
                yield Loosen(self._pool)

    def moving_volumes(self) -> Iterator[Remedy]:
        """Yield the pods with volumes that can be used anywhere, if theirs cannot."""
        if self.trial.volumes.alternatives and self.trial.places(self.trial.with_pod(self._pod, NO_VOLUMES), self._pool):
            yield MoveVolume(self._pool, tuple(volume.claim for volume in self._pod.volumes))

    @property
    def _pod(self) -> Pod:
        return self.trial.batch.pod

    @property
    def _pool(self) -> str:
        return self.template.name

    def _own_values(self) -> Mapping[str, frozenset[str]]:
        """Return the values of the labels that the NodePool itself names."""
        pool = self.template.pool
        labels = {NODEPOOL: pool.name, **pool.pool_labels}
        named = {r.key: frozenset(r.values) for r in pool.requirements if r.operator == Operator.IN}
        return {**named, **{key: frozenset((value,)) for key, value in labels.items()}}

    def _helps(self, pod: Pod) -> bool:
        return self.trial.places(self.trial.with_pod(pod), self._pool)

    def _similar(self, resource: str) -> list[str]:
        known = self.types.extended
        of_vendor = [r for r in known if domain(r) == domain(resource) and _begin(r) == _begin(resource)]
        return of_vendor or ([] if resource in _DEVICES else _slips(resource, known))  # another device is no slip


def required_keys(pod: Pod) -> list[str]:
    """Return the labels that a pod requires something of."""
    terms = pod.required or ()
    return sorted({*pod.node_selector, *(e.key for term in terms for e in term)})


def _slips(resource: str, known: Sequence[str]) -> list[str]:
    """Return the resource of which a name or a domain, but not both, is spelled nearly like that of another one. What another
    vendor has, or another thing of the same vendor, does not count."""
    name, of = resource.rpartition("/")[2], domain(resource)
    names = {other.rpartition("/")[2]: other for other in known if domain(other) == of}
    domains = {domain(other): other for other in known if other.rpartition("/")[2] == name}
    close = names.get(nearest(name, names)) or domains.get(nearest(of, domains))
    return [close] if close else []


def _begin(resource: str) -> str:
    return resource.partition("/")[2][:_ALIKE]


def _renamed(pod: Pod, resource: str, other: str) -> Pod:
    kept = {r: amount for r, amount in pod.requests.items() if r != resource}
    return replace(pod, requests=FrozenDict({**kept, other: pod.requests[resource]}))


def _requiring(pod: Pod, key: str, value: str) -> Pod:
    return replace(pod, node_selector=FrozenDict({**pod.node_selector, key: value}))


def _without(pod: Pod, key: str) -> Pod:
    def kept(term: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(e for e in term if e.key != key)

    return replace(
        pod,
        node_selector=FrozenDict({k: v for k, v in pod.node_selector.items() if k != key}),
        required=None if pod.required is None else tuple(map(kept, pod.required)),
    )
