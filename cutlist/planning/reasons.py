"""Say why pods stay pending, in words for their owners.

Karpenter's own messages are in `cutlist.scheduling.refusals`; here the same data becomes one sentence on what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cutlist.core.labels import HOSTNAME
from cutlist.core.quantity import amount_text
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Undefined
from cutlist.planning.model import PendingPods
from cutlist.planning.passes import PassesOutcome
from cutlist.scheduling.nodeclaimtemplate import PLACEHOLDER
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import (
    Incompatible,
    InvalidClaim,
    LimitsExceeded,
    NodesExhausted,
    NoDynamicResources,
    NoReservation,
    NoTopology,
    NotTolerated,
    NoType,
    OnlyFullReservations,
    Refusal,
    TooManyVolumes,
    UnresolvedVolumes,
    VolumePin,
)
from cutlist.scheduling.remedies import Drop, Loosen, MoveVolume, RaiseLimit, Remedy, Shrink, Tolerate
from cutlist.scheduling.topologygroup import TopologyType
from cutlist.settings.planning import EXTERNAL_CLASSES
from cutlist.state.scheduling_node import NODES
from cutlist.workloads.pods import FrozenDict

PODS: Final = "pods"
EPHEMERAL_STORAGE: Final = "ephemeral-storage"
NOTHING_ASSUMED: Final[Mapping[str, str]] = FrozenDict()
# The refusal that came closest to acceptance explains most: a pool that only lacks room says more than one that was never
# meant.
_NEAREST_FIRST: Final = (
    InvalidClaim,
    LimitsExceeded,
    NodesExhausted,
    NoReservation,
    NoTopology,
    TooManyVolumes,
    NoType,
    OnlyFullReservations,
    NotTolerated,
    Incompatible,
    NoDynamicResources,
    UnresolvedVolumes,
)


def main_reason(refusals: Sequence[tuple[str, Refusal]], assumed_disks: Mapping[str, str] = NOTHING_ASSUMED) -> str:
    """Return the most important sentence for pods that every NodePool refused; `assumed_disks` as `pool_sentence` has them."""
    if not refusals:
        return "no NodePool can launch any node"
    pool, refusal = min(refusals, key=lambda r: _distance(r[1]))
    is_of_pool = pool and not (isinstance(refusal, Incompatible) and refusal.with_pod)
    text = pool_sentence(pool, refusal, assumed_disks)
    return f"NodePool {pool}: {text}" if is_of_pool else text


def pool_sentence(pool: str, refusal: Refusal, assumed_disks: Mapping[str, str]) -> str:
    """Return what a NodePool lacks for a pod. `assumed_disks` has the NodePools whose disk is assumed, with a sentence that
    says so: it comes first where the pod needs more than that disk."""
    text = sentence(refusal)
    return f"{assumed_disks[pool]}: {text}" if pool in assumed_disks and _lacks_disk(refusal) else text


def _lacks_disk(refusal: Refusal) -> bool:
    match refusal:
        case NodesExhausted(besides) | LimitsExceeded(besides=besides) | NoType(besides=besides) if besides is not None:
            return _lacks_disk(besides)
        case NoType(shortfall=shortfall):
            return EPHEMERAL_STORAGE in shortfall
    return False


def sentence(refusal: Refusal) -> str:
    """Return what a NodePool lacks for a pod, without the pool's name."""
    match refusal:
        case NodesExhausted(besides) | LimitsExceeded(besides=besides) | NoType(besides=besides) if besides is not None:
            return sentence(besides)
        case NodesExhausted():
            return "its limit on nodes is used up"
        case LimitsExceeded(remaining) if NODES in remaining:
            return "it has more nodes than its limit on nodes allows"
        case LimitsExceeded(remaining):
            return f"every instance type is larger than what its limits still allow ({_left(remaining)})"
        case NotTolerated(taints):
            return f"the pod does not tolerate {_list([str(t) for t in taints])}"
        case Incompatible(Undefined(key, hint)):
            meant = f"; did you mean {hint}?" if hint else ""
            return f"its nodes have no label {key}, which the pod requires{meant}"
        case Incompatible(_, VolumePin() as pin):
            return _incompatible_volumes(refusal, pin)
        case Incompatible(conflicts):
            return f"the pod wants {_list([_conflict(c.incoming, c.existing) for c in conflicts])}"  # type: ignore[union-attr]
        case NoTopology():
            return _no_topology(refusal)
        case NoType():
            return _no_type(refusal)
        case TooManyVolumes():
            return _too_many_volumes(refusal)
    return _invalid_claim(refusal) if isinstance(refusal, InvalidClaim) else _PLAIN[type(refusal)]


_PLAIN: Final[Mapping[type[Refusal], str]] = {
    NoDynamicResources: "the pod claims devices by dynamic resource allocation, which Karpenter ignores by default",
    NoReservation: "only reserved capacity fits, but it is used up",
    OnlyFullReservations: "only reserved capacity fits, but its reservations are full",
    UnresolvedVolumes: "a volume of the pod cannot be found",
}


def pool_advice(remedy: Remedy, assumed_disks: Mapping[str, str]) -> str:
    """Return a single change that was found to help. What an assumed disk refuses is no reason to request less."""
    match remedy:
        case Shrink(pool, resource, _) if resource == EPHEMERAL_STORAGE and pool in assumed_disks:
            return f"name the class together with its disk, as in {EXTERNAL_CLASSES.flag} NAME:disk=200Gi"
    return advice(remedy)


def advice(remedy: Remedy) -> str:
    """Return a single change that was found to help, as a sentence."""
    match remedy:
        case RaiseLimit(pool, "nodes", _):
            return f"raise the limit on nodes of NodePool {pool}"
        case RaiseLimit(pool, resource, by):
            return f"raise the {resource} limit of NodePool {pool} by {amount_text(resource, by)}"
        case Tolerate(pool, taints):
            return f"with a toleration for {_list([str(t) for t in taints])} it fits NodePool {pool}"
        case Drop(pool, key):
            return f"without its requirement on {key} it fits NodePool {pool}"
        case Shrink(pool, resource, to):
            return f"with a {resource} request of at most {amount_text(resource, to)} it fits NodePool {pool}"
        case Loosen(pool):
            return f"without its topology rules it fits NodePool {pool}"
        case MoveVolume(pool, claims):
            return f"with {_list(list(claims))} in another place it fits NodePool {pool}"


def _no_topology(refusal: NoTopology) -> str:
    text = f"no domain of {refusal.key} satisfies the {refusal.kind} rule"
    if refusal.missing_domains is not None:
        known, wanted = refusal.missing_domains
        text += f": minDomains asks for {wanted}, and the pod may use {known}"
    where = _pods_by_domain(refusal)
    return text + (f" ({where})" if where else "") + _kept(refusal.volumes)


def _incompatible_volumes(refusal: Incompatible, pin: VolumePin) -> str:
    """Return what a pod's volumes require but the pod or the NodePool does not allow."""
    place = f"{_volumes(pin)} can be used where {' or '.join(pin.places)}"
    if isinstance(refusal.cause, Undefined):
        return f"{place}, and its nodes have no label {refusal.cause.key}"
    by_name = [str(c.incoming) for c in refusal.cause if PLACEHOLDER in c.existing.values]
    if by_name:
        return f"{_volumes(pin)} can be used where {_list(by_name)}, and each new node has its own name"
    other = [c.existing for c in refusal.cause]
    if refusal.with_pod:
        return f"{place}, and the pod wants {_list([str(r) for r in other])}"
    return f"{place}, and the NodePool has {_list([str(r) for r in other])}"


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
    return f"its volume{'s' * (len(pin.claims) > 1)} {_list(list(pin.claims))}"


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
        return f"too few different values are left for {_list(list(refusal.min_values))} (minValues){left}"
    if refusal.limits and not (refusal.compatible and refusal.offered and refusal.shortfall):
        return f"every instance type that suits the pod is larger than what its limits still allow ({_left(refusal.limits)})"
    if not refusal.compatible:
        if refusal.blocking:
            return f"no instance type that it allows satisfies the pod's {_list(list(refusal.blocking))}"
        return "no instance type satisfies its requirements and the pod's together"
    if not refusal.offered:
        return "no instance type that satisfies the requirements is on offer in an allowed zone and capacity type"
    short = refusal.shortfall
    if short:
        return f"the pod needs {_list([_need(r, refusal) for r in sorted(short)])}"
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
        return f"pods on {nodes:,} node{'' if nodes == 1 else 's'}" if nodes else ""
    is_spread = refusal.kind == TopologyType.SPREAD
    counts = ", ".join(f"{domain}: {count}" for domain, count in refusal.domains if count or is_spread)
    return f"pods there: {counts}" if counts else ""


def _conflict(wanted: Requirement, of_pool: Requirement) -> str:
    return f"{wanted} where the NodePool has {str(of_pool).removeprefix(of_pool.key).strip()}"


def _invalid_claim(refusal: InvalidClaim) -> str:
    left = f"{refusal.values:,} value{'' if refusal.values == 1 else 's'}"
    return f"the API server refuses its NodeClaim: minValues of {refusal.key} is {refusal.min_values} and the pods leave {left}"


def _list(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _distance(refusal: Refusal) -> int:
    if isinstance(refusal, (NodesExhausted, LimitsExceeded, NoType)) and refusal.besides is not None:
        return _distance(refusal.besides)
    rank = _NEAREST_FIRST.index(type(refusal))
    # A type that exists but is too small comes before one that no requirement allows.
    return rank * 2 + int(isinstance(refusal, NoType) and not refusal.compatible)


def pending_pods(
    outcome: PassesOutcome, batches: Sequence[PodBatch], assumed_disks: Mapping[str, str] = NOTHING_ASSUMED
) -> tuple[PendingPods, ...]:
    """Return the pending pods, those with the same reason next to each other; `assumed_disks` as `pool_sentence` has them."""
    pending: list[PendingPods] = []
    for unplaced in outcome.result.unplaced:
        reason = main_reason(unplaced.refusals, assumed_disks)
        if unplaced.dropped:
            reason = "Karpenter drops its node: after the cut to 600 instance types, minValues no longer holds"
        by_pool = tuple((pool, pool_sentence(pool, refusal, assumed_disks)) for pool, refusal in unplaced.refusals)
        helps = next(iter(outcome.remedies.get(unplaced.batch, ())), None)
        remedy = "" if helps is None else pool_advice(helps, assumed_disks)
        pending.append(PendingPods(batches[unplaced.batch].name, unplaced.count, reason, by_pool, remedy))
    for number, why in outcome.result.ignored.items():
        if not batches[number].count:
            continue
        pending.append(PendingPods(batches[number].name, batches[number].count, f"Karpenter skips it: {why}"))
    return tuple(sorted(pending, key=lambda p: (p.reason, p.workload, p.count)))
