"""What the NodeClaim object of a placed claim says (spec: scheduling 10.3, 10.4; S-76, S-121, S-122)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist import NodeClassRef, NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.core.annotations import MIN_VALUES_RELAXED, PRICE_OVERLAID, REQUESTED_DRIVERS
from cutlist.core.identity import SameObject
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import CAPACITY_TYPE, HOSTNAME, INSTANCE_TYPE, LabelRegistry
from cutlist.core.quantity import Format, Quantity
from cutlist.core.requirement import Expression, Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.instancetypes import available, launchable
from cutlist.scheduling.nodeclaimtemplate import template_labels
from cutlist.scheduling.results import PlacedClaim

_BINARY: Final = ("memory", "ephemeral-storage")

CAPACITY_OVERLAID: Final = "karpenter.sh/capacity-overlay-applied"


@dataclass(frozen=True, slots=True)
class NodeClaim:
    """A NodeClaim as Karpenter would create it; `requests` are in nano-units and include what daemons ask for."""

    name_prefix: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    requirements: tuple[Expression, ...]
    requests: Mapping[str, int]
    taints: tuple[Taint, ...]
    startup_taints: tuple[Taint, ...]
    node_class_ref: NodeClassRef
    expire_after: str
    termination_grace_period: str | None = None

    def manifest(self) -> dict[str, Any]:
        """As an API object; what is empty is left out."""
        ref = self.node_class_ref
        spec = {
            "requirements": [e.manifest() for e in self.requirements],
            "resources": {"requests": {r: _quantity(r, a) for r, a in sorted(self.requests.items())}},
            "taints": [t.manifest() for t in self.taints],
            "startupTaints": [t.manifest() for t in self.startup_taints],
            "nodeClassRef": {"group": ref.group, "kind": ref.kind, "name": ref.name},
            "expireAfter": self.expire_after,
            "terminationGracePeriod": self.termination_grace_period,
        }
        metadata = {
            "generateName": self.name_prefix,
            "labels": dict(sorted(self.labels.items())),
            "annotations": dict(sorted(self.annotations.items())),
        }
        return {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodeClaim",
            "metadata": metadata,
            "spec": {k: v for k, v in spec.items() if v},
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Types:
    """What NodeClaims say of a list of types."""

    names: frozenset[str]
    offers: frozenset[Requirements]
    price_overlaid: bool
    capacity_overlaid: bool

    @staticmethod
    def of(candidates: InstanceTypeOptions, karpenter: Baseline) -> _Types:
        sold = launchable if karpenter.does(Behaviour.RESERVATION_FULL_IS_AVAILABLE) else available  # V15-5
        offerings = [o for t in candidates.types for o in t.offerings]
        return _Types(
            names=frozenset(t.name for t in candidates.types),
            offers=frozenset(o.requirements for o in offerings if sold(o)),
            price_overlaid=any(o.price_overlaid for o in offerings),
            capacity_overlaid=any(t.capacity_overlaid for t in candidates.types),
        )


@dataclass(slots=True)
class NodeClaims:
    """Writes the NodeClaims of a pass. `hashes` are the hashes of NodePools by name; without one the annotation is left out."""

    pools: Mapping[str, NodePool]
    registry: LabelRegistry
    hashes: Mapping[str, str] = field(default_factory=dict)
    karpenter: Baseline = DEFAULT
    _types: dict[SameObject, _Types] = field(default_factory=dict)
    _sold_as: dict[tuple[_Types, Requirements], frozenset[str]] = field(default_factory=dict)

    def of(self, claim: PlacedClaim) -> NodeClaim:
        """Return the NodeClaim of a placed claim, whose types are cut already."""
        pool = self.pools[claim.node_pool]
        return NodeClaim(
            name_prefix=f"{pool.name}-",
            labels=self._labels(pool, claim.requirements),
            annotations=self._annotations(pool, claim),
            requirements=tuple(self._narrowed(claim).expressions()),
            requests=dict(claim.requests),
            taints=tuple(pool.taints),
            startup_taints=tuple(pool.startup_taints),
            node_class_ref=pool.node_class_ref,
            expire_after=pool.expire_after,
            termination_grace_period=pool.termination_grace_period,
        )

    def _narrowed(self, claim: PlacedClaim) -> Requirements:
        """Return the claim's requirements with its types by name, and with the capacity types in which these can be had."""
        types = self._types_of(claim.candidates)
        said = claim.requirements & Requirements((Requirement(INSTANCE_TYPE, False, types.names),))
        sold_as = self._capacity_types(types, claim.requirements)
        return said & Requirements((Requirement(CAPACITY_TYPE, False, sold_as),)) if sold_as else said

    def _capacity_types(self, types: _Types, wanted: Requirements) -> frozenset[str]:
        key = (types, wanted)
        if key not in self._sold_as:
            usable = (o for o in types.offers if wanted.compatible(o, self.registry.well_known))
            self._sold_as[key] = frozenset(v for o in usable for v in o.get_or_any(CAPACITY_TYPE).values)
        return self._sold_as[key]

    def _types_of(self, candidates: InstanceTypeOptions) -> _Types:
        key = SameObject(candidates)
        cached = self._types.get(key)
        if cached is None:
            cached = self._types[key] = _Types.of(candidates, self.karpenter)
        return cached

    def _labels(self, pool: NodePool, requirements: Requirements) -> dict[str, str]:
        """Return the template's labels and one value for each custom key: the node will carry it, whichever value it is
        (S-122)."""
        labels = template_labels(pool)
        for key, r in requirements.items():
            if key not in self.registry.well_known and key != HOSTNAME:
                value = r.any_value()
                if value:
                    labels[key] = value
        return labels

    def _annotations(self, pool: NodePool, claim: PlacedClaim) -> dict[str, str]:
        annotations = {**pool.annotations, HASH_VERSION: pool.karpenter.node_pool_hash}
        if pool.name in self.hashes:
            annotations[HASH] = self.hashes[pool.name]
        annotations[MIN_VALUES_RELAXED] = "true" if claim.min_values_relaxed else "false"
        types = self._types_of(claim.candidates)
        if types.price_overlaid:
            annotations[PRICE_OVERLAID] = "true"
        if types.capacity_overlaid:
            annotations[CAPACITY_OVERLAID] = "true"
        if drivers := requested_drivers(claim):
            annotations[REQUESTED_DRIVERS] = ",".join(drivers)
        return annotations


def requested_drivers(claim: PlacedClaim) -> list[str]:
    """Return the drivers of the devices of a NodeClaim, sorted (R-61)."""
    found = {d.offered.id.driver for allocation in claim.devices for by in allocation.devices.values() for d in by}
    return sorted(found)


def _quantity(resource: str, nanos: int) -> str:
    binary = resource in _BINARY or resource.startswith("hugepages-")
    return str(Quantity(nanos, Format.BINARY_SI if binary else Format.DECIMAL_SI))
