"""Changes of waiting pods that may give them a node of a NodePool: what they tolerate, require and request."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.bits import bits
from cutlist.core.errors import nearest
from cutlist.core.labels import domain
from cutlist.core.quantity import NANO
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint, Toleration
from cutlist.infrastructure.system_capacity import SYSTEM_TAINT
from cutlist.planning.remedies.changes import Drop, Loosen, MoveVolume, Remedy, RequestDevices, RequestOther, Shrink, Tolerate
from cutlist.planning.remedies.trial import Trial
from cutlist.providers.aws.capacity import GAUDI, NEURON
from cutlist.providers.instance_types import AMD_GPU, NVIDIA_GPU
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.refusals import NoType
from cutlist.state.volumes import NO_VOLUMES
from cutlist.workloads.pods import FrozenDict, Pod

_DEVICES: Final = (NVIDIA_GPU, AMD_GPU, NEURON, GAUDI)
_ALIKE: Final = 6  # letters at the beginning that the names of resources of one vendor share


@dataclass(frozen=True, slots=True)
class PodChanges:
    """Tries changes of the pods of one batch, each for one NodePool."""

    trial: Trial
    template: NodeClaimTemplate

    def tolerating(self, taints: tuple[Taint, ...]) -> Iterator[Remedy]:
        """Yield the pods with a toleration for taints, unless one of these keeps workloads off the nodes of add-ons."""
        if any(taint.key == SYSTEM_TAINT for taint in taints):
            return
        granted = tuple(Toleration(t.key, "Equal", t.value, t.effect) for t in taints)
        if self._helps(replace(self._pod, tolerations=(*self._pod.tolerations, *granted))):
            yield Tolerate(self._pool, taints)

    def dropping(self, keys: list[str]) -> Iterator[Remedy]:
        """Yield the pods without their requirements on one label."""
        for key in keys:
            if self._helps(_without(self._pod, key)):
                yield Drop(self._pool, key)

    def requesting_other(self, refusal: NoType) -> Iterator[Remedy]:
        """Yield the pods with a resource of a similar name in place of one that no type has at all."""
        for resource in (r for r in sorted(refusal.shortfall) if not refusal.largest.get(r) and "/" in r):
            others = tuple(other for other in self._similar(resource) if self._helps(_renamed(self._pod, resource, other)))
            if others:
                yield RequestOther(self._pool, resource, others)

    def requesting_devices(self) -> Iterator[Remedy]:
        """Yield the pods with a request for one device in place of their resource claims, which Karpenter ignores."""
        for resource in (r for r in _DEVICES if r in self._extended()):
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
        """Yield the pods without topology rules, if they have any."""
        pod = self._pod
        is_spread = pod.spread or self.trial.left.inputs.options.default_spread
        if not (is_spread or pod.affinity or pod.anti_affinity):
            return
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

    def _helps(self, pod: Pod) -> bool:
        return self.trial.places(self.trial.with_pod(pod), self._pool)

    def _extended(self) -> list[str]:
        """Return the resources with a domain that the NodePool's types have."""
        types = self.template.instance_types.types
        held = {r for number in bits(self.template.mask) for r, amount in types[number].capacity.items() if amount}
        return sorted(r for r in held if "/" in r)

    def _similar(self, resource: str) -> list[str]:
        known = self._extended()
        of_vendor = [r for r in known if domain(r) == domain(resource) and _begin(r) == _begin(resource)]
        close = nearest(resource, known)
        return of_vendor or ([close] if close else [])


def required_keys(pod: Pod) -> list[str]:
    """Return the labels that a pod requires something of."""
    terms = pod.required or ()
    return sorted({*pod.node_selector, *(e.key for term in terms for e in term)})


def _begin(resource: str) -> str:
    return resource.partition("/")[2][:_ALIKE]


def _renamed(pod: Pod, resource: str, other: str) -> Pod:
    kept = {r: amount for r, amount in pod.requests.items() if r != resource}
    return replace(pod, requests=FrozenDict({**kept, other: pod.requests[resource]}))


def _without(pod: Pod, key: str) -> Pod:
    def kept(term: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(e for e in term if e.key != key)

    return replace(
        pod,
        node_selector=FrozenDict({k: v for k, v in pod.node_selector.items() if k != key}),
        required=None if pod.required is None else tuple(map(kept, pod.required)),
    )
