"""Say why pods stay pending, in words for their owners.

Karpenter's own messages are in `cutlist.scheduling.refusals`; here the same data becomes one sentence on what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.labels import HOSTNAME
from cutlist.core.quantity import amount_text
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Undefined
from cutlist.core.wording import counted, listed
from cutlist.planning.device_reasons import devices_sentence
from cutlist.providers.instance_types import EPHEMERAL_STORAGE, MEMORY, PODS
from cutlist.scheduling.instancetype_options import MAX_TYPES
from cutlist.scheduling.nodeclaimtemplate import PLACEHOLDER
from cutlist.scheduling.refusals import (
    Incompatible,
    IncompatibleDevices,
    InvalidClaim,
    LimitsExceeded,
    NodesExhausted,
    NoDevices,
    NoDynamicResources,
    NoReservation,
    NoTopology,
    NotTolerated,
    NoType,
    NoTypeWithDevices,
    OnlyFullReservations,
    PassEnded,
    PassesStopped,
    Refusal,
    TooFewValues,
    TooManyVolumes,
    UnresolvedClaims,
    UnresolvedVolumes,
    VolumePin,
    beyond_limits,
)
from cutlist.scheduling.topologygroup import TopologyType
from cutlist.state.scheduling_node import NODES
from cutlist.workloads.pods import FrozenDict

NOTHING_LAUNCHES: Final = "no NodePool can launch any node"
NOTHING: Final[Mapping[str, str]] = FrozenDict()
NOTHING_LACKS: Final[Mapping[str, int]] = FrozenDict()


@dataclass(frozen=True, slots=True)
class PoolRemarks:
    """What reasons and advice add about NodePools, by name: sentences on a disk that is `assumed`, and on what huge pages take;
    and the `currency` of prices."""

    assumed_disks: Mapping[str, str] = NOTHING
    huge_pages: Mapping[str, str] = NOTHING
    currency: str = "USD"


def pool_sentence(pool: str, refusal: Refusal, remarks: PoolRemarks) -> str:
    """Return what a NodePool lacks for a pod. A remark comes first where the pod needs more than an assumed disk, and last
    where huge pages took the memory."""
    text, lacking = sentence(refusal), _lacking(refusal)
    if EPHEMERAL_STORAGE in lacking and pool in remarks.assumed_disks:
        return f"{remarks.assumed_disks[pool]}: {text}"
    return f"{text}: {remarks.huge_pages[pool]}" if MEMORY in lacking and pool in remarks.huge_pages else text


def named_reason(pool: str, refusal: Refusal, remarks: PoolRemarks) -> str:
    """Return the same with the NodePool's name, where the refusal is the pool's and not the pod's own."""
    text = pool_sentence(pool, refusal, remarks)
    return f"NodePool {pool}: {text}" if pool and not (isinstance(refusal, Incompatible) and refusal.with_pod) else text


def _lacking(refusal: Refusal) -> Mapping[str, int]:
    """Return the resources of which no type has enough, limits aside."""
    obstacle = beyond_limits(refusal)
    return obstacle.shortfall if isinstance(obstacle, NoType) else NOTHING_LACKS


def sentence(refusal: Refusal) -> str:
    """Return what a NodePool lacks for a pod, without the pool's name."""
    refusal = beyond_limits(refusal)
    match refusal:
        case NodesExhausted():
            return "its limit on nodes is used up"
        case LimitsExceeded(remaining) if NODES in remaining:
            return "it has more nodes than its limit on nodes allows"
        case LimitsExceeded(remaining):
            return f"every instance type is larger than what its limits still allow ({_left(remaining)})"
        case NotTolerated(taints):
            return f"the pod does not tolerate {listed(taints)}"
        case Incompatible(Undefined(key, hint)):
            meant = f"; did you mean {hint}?" if hint else ""
            return f"its nodes have no label {key}, which the pod requires{meant}"
        case Incompatible(_, VolumePin() as pin):
            return _incompatible_volumes(refusal, pin)
        case Incompatible(conflicts):
            return f"the pod wants {listed(_conflict(c.incoming, c.existing) for c in conflicts)}"  # type: ignore[union-attr]
        case NoTopology():
            return _no_topology(refusal)
        case NoType():
            return _no_type(refusal)
        case TooManyVolumes():
            return _too_many_volumes(refusal)
        case UnresolvedClaims() | NoDevices() | IncompatibleDevices() | PassEnded():
            return devices_sentence(refusal)
    return _min_values(refusal) if isinstance(refusal, InvalidClaim | TooFewValues) else _PLAIN[type(refusal)]


_PLAIN: Final[Mapping[type[Refusal], str]] = {
    NoDynamicResources: "the pod claims devices by dynamic resource allocation, which Karpenter ignores by default",
    NoReservation: "only reserved capacity fits, but it is used up",
    OnlyFullReservations: "only reserved capacity fits, but its reservations are full",
    PassesStopped: "a further pass may give it a node, but the plan stopped before that",
    UnresolvedVolumes: "a volume of the pod cannot be found",
    NoTypeWithDevices: "instance types that have devices for its claims do not suit the pod, and those that suit it have none",
}


def _no_topology(refusal: NoTopology) -> str:
    text = f"no domain of {refusal.key} satisfies the {refusal.kind} rule"
    if refusal.missing_domains is not None:
        known, wanted = refusal.missing_domains
        text += f": minDomains asks for {wanted}, and the pod may use {known}"
    where = _pods_by_domain(refusal)
    if refusal.kind == TopologyType.AFFINITY and not refusal.more and not any(count for _, count in refusal.domains):
        where = "no pod that it selects has a node"
    return text + (f" ({where})" if where else "") + _kept(refusal.volumes)


def _incompatible_volumes(refusal: Incompatible, pin: VolumePin) -> str:
    """Return what a pod's volumes require but the pod or the NodePool does not allow."""
    place = f"{_volumes(pin)} can be used where {' or '.join(pin.places)}"
    if isinstance(refusal.cause, Undefined):
        return f"{place}, and its nodes have no label {refusal.cause.key}"
    by_name = [str(c.incoming) for c in refusal.cause if PLACEHOLDER in c.existing.values]
    if by_name:
        return f"{_volumes(pin)} can be used where {listed(by_name)}, and each new node has its own name"
    other = listed(c.existing for c in refusal.cause)
    return f"{place}, and the pod wants {other}" if refusal.with_pod else f"{place}, and the NodePool has {other}"


def _too_many_volumes(refusal: TooManyVolumes) -> str:
    if not refusal.driver:
        return "no instance type attaches as many volumes as the pod has"
    has = f"the pod has {refusal.count} volumes of {refusal.driver}"
    if not refusal.instance_type:
        return f"{has}, and no instance type attaches more than {refusal.limit}"
    return (
        f"{has}, and {refusal.instance_type}, which Karpenter launches for it, attaches {refusal.limit}: the node stays empty"
    )


def _kept(pin: VolumePin | None) -> str:
    """Return to where volumes tie a pod, for the end of a sentence; empty if they do not matter."""
    return f"; {_volumes(pin)} can be used where {' or '.join(pin.places)}" if pin is not None else ""


def _volumes(pin: VolumePin) -> str:
    return f"its volume{'s' * (len(pin.claims) > 1)} {listed(pin.claims)}"


def _no_type(refusal: NoType) -> str:
    pin = refusal.volumes
    if pin is not None and not (refusal.compatible and refusal.offered):
        return f"no instance type that suits the pod is on offer where {_volumes(pin)} can be used: {' or '.join(pin.places)}"
    return _without_type(refusal) + _kept(pin)


def _without_type(refusal: NoType) -> str:
    if refusal.ports:
        return "the pod's host ports are taken by DaemonSets on every instance type"
    if refusal.min_values:
        left = f" within its limits ({_left(refusal.limits)})" if refusal.limits else ""
        return f"too few different values are left for {listed(refusal.min_values)} (minValues){left}"
    if refusal.limits and not (refusal.compatible and refusal.offered and refusal.shortfall):
        return f"every instance type that suits the pod is larger than what its limits still allow ({_left(refusal.limits)})"
    if not refusal.compatible:
        if refusal.blocking:
            return f"no instance type that it allows satisfies the pod's {listed(refusal.blocking)}"
        return "no instance type satisfies its requirements and the pod's together"
    if not refusal.offered:
        return "no instance type that satisfies the requirements is on offer in an allowed zone and capacity type"
    short = refusal.shortfall
    if short:
        return f"the pod needs {listed(_need(r, refusal) for r in sorted(short))}"
    if not refusal.fits:
        return "no allowed instance type has enough of every resource at once"
    return "no instance type has both room for the pod and an offering that its requirements allow"


def _need(resource: str, refusal: NoType) -> str:
    daemons = refusal.daemons.get(resource, 0)
    shared = f" ({amount_text(resource, daemons)} of it for DaemonSets)" if daemons else ""
    most, needs = _largest(resource, refusal.largest), amount_text(resource, refusal.needs[resource])
    of = "the largest allowed instance type"
    if refusal.limits:
        of = f"the largest instance type that its limits still allow ({_left(refusal.limits)})"
    if resource == PODS:
        return f"room for {needs} pod{'' if needs == '1' else 's'}{shared} and {of} takes {most}"
    return f"{needs} {resource}{shared} and {of} has {most}"


def _left(remaining: Mapping[str, int]) -> str:
    return ", ".join(f"{amount_text(r, max(0, a))} {r}" for r, a in sorted(remaining.items())) + " left"


def _largest(resource: str, largest: Mapping[str, int]) -> str:
    amount = largest.get(resource, 0)
    return amount_text(resource, amount) if amount else "none"


def _pods_by_domain(refusal: NoTopology) -> str:
    """Return how many pods a rule counts in each domain; for nodes, only the number of nodes that have any.

    Domains without pods matter only to spread: affinity needs pods, and an empty domain satisfies anti-affinity.
    """
    if refusal.key == HOSTNAME:
        nodes = sum(count > 0 for _, count in refusal.domains)
        return f"pods on {counted(nodes, 'node')}" if nodes else ""
    is_spread = refusal.kind == TopologyType.SPREAD
    counts = ", ".join(f"{domain}: {count}" for domain, count in refusal.domains if count or is_spread)
    return f"pods there: {counts}" if counts else ""


def _conflict(wanted: Requirement, of_pool: Requirement) -> str:
    return f"{wanted} where the NodePool has {str(of_pool).removeprefix(of_pool.key).strip()}"


def _min_values(refusal: InvalidClaim | TooFewValues) -> str:
    """Return why a NodeClaim that took the pod is never launched."""
    if isinstance(refusal, TooFewValues):
        types = "types with devices for its claims" if refusal.with_devices else f"{MAX_TYPES} types that a launch may name"
        return f"Karpenter drops its node: the {types} have too few values of {listed(refusal.labels)} (minValues)"
    left = counted(refusal.values, "value")
    return f"the API server refuses its NodeClaim: minValues of {refusal.key} is {refusal.min_values} and the pods leave {left}"
