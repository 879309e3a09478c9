"""Refusals: why a NodePool does not accept a pod, as data while scheduling, and in words for readers (spec: scheduling 5.6,
6.6)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from cutlist.core.quantity import amount_text
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Conflict, Requirements, Undefined
from cutlist.core.taints import Taint
from cutlist.scheduling.dynamicresources.claim_errors import ClaimCause
from cutlist.scheduling.dynamicresources.shortage import RequestShortage

_MEGA_CPU = 10**6 * 10**9  # a request of a million cores is a typo, `M` for `m`


@dataclass(frozen=True, slots=True)
class NodesExhausted:
    """The NodePool's limit on nodes is used up. `besides` is the obstacle that would remain without the limit, if any."""

    besides: Refusal | None = None

    def __str__(self) -> str:
        return "node limits have been exhausted"


@dataclass(frozen=True, slots=True)
class LimitsExceeded:
    """Every type is larger than what some limit still allows.

    `remaining` is the rest of the limits that rule out the types that would suit the pod; `besides` is the obstacle that would
    remain without them, if any.
    """

    remaining: Mapping[str, int]
    besides: Refusal | None = None

    def __str__(self) -> str:
        return "all available instance types exceed limits"


@dataclass(frozen=True, slots=True)
class NotTolerated:
    """Taints that the pod has no toleration for."""

    taints: tuple[Taint, ...]

    def __str__(self) -> str:
        return "; ".join(f"did not tolerate taint (taint={t})" for t in self.taints)


@dataclass(frozen=True, slots=True)
class VolumePin:
    """Where the volumes of a pod can be used, where that is what stands in the way.

    `claims` are the names of their claims, or of the volumes or templates that claims are made from; `places` the alternatives.
    """

    claims: tuple[str, ...]
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Incompatible:
    """The pod's requirements contradict the NodePool's.

    With `volumes` it is the requirements of these; `with_pod` means that they contradict the pod's own, regardless of the
    NodePool.
    """

    cause: Undefined | Sequence[Conflict]
    volumes: VolumePin | None = None
    with_pod: bool = False

    def __str__(self) -> str:
        what = str(self.cause) if isinstance(self.cause, Undefined) else ", ".join(map(str, self.cause))
        return f"incompatible {'volume ' if self.volumes else ''}requirements, {what}"


@dataclass(frozen=True, slots=True)
class NoTopology:
    """A topology rule leaves no domain.

    `domains` are the counts of some domains in order, `more` how many others there are; `pod_domains` and `node_domains` are
    which of them the pod and the node may use. `missing_domains` are how many domains the pod may use and how many `minDomains`
    asks for, where that is what stands in the way; `volumes` are those of the pod, where they are.
    """

    kind: str
    key: str
    domains: tuple[tuple[str, int], ...]
    more: int
    pod_domains: Requirement
    node_domains: Requirement
    missing_domains: tuple[int, int] | None = None
    volumes: VolumePin | None = None

    def __str__(self) -> str:
        counts = ", ".join(f"{domain}: {count}" for domain, count in self.domains)
        counts += f" and {self.more} other(s)" if self.more else ""
        allowed = f"podDomains = {self.pod_domains}, nodeDomains = {self.node_domains}"
        return (
            f"unsatisfiable topology constraint for {self.kind}, key={self.key} (counts = {counts}, {allowed}"  # never closed
        )


class ReservationShortage(StrEnum):
    """Why a claim gets no reservation, in Karpenter's words."""

    TAKEN = "one or more instance types with compatible reserved offerings are available, but could not be reserved"
    FULL = "all compatible reserved offerings are full and no on-demand or spot fallback is available"
    RELEASED = "satisfying updated nodeclaim constraints would remove all compatible reserved offering options"


@dataclass(frozen=True, slots=True)
class NoReservation:
    """Only reserved capacity would do, and it is used up; the pod is deferred to a later pass (spec 6.9; V15-7, V15-8,
    V15-10)."""

    shortage: ReservationShortage

    def __str__(self) -> str:
        return self.shortage


@dataclass(frozen=True, slots=True)
class OnlyFullReservations:
    """In a simulation of disruption, all that the NodePool could launch with is full; the next one is tried (V15-9)."""

    def __str__(self) -> str:
        return "the only compatible reserved offering is full; falling through to other NodePools"


@dataclass(frozen=True, slots=True)
class UnresolvedVolumes:
    """A volume of the pod cannot be looked up, which ends the attempt (V15-16)."""

    def __str__(self) -> str:
        return "a volume of the pod cannot be found"


@dataclass(frozen=True, slots=True)
class TooManyVolumes:
    """No type may attach the volumes of the claim with those of the pod.

    `driver` alone rules out every type, with its `count` of volumes and the highest `limit` of a type; it is empty where only
    several drivers together do (V15-13). With an `instance_type`, a node of this type is launched for the pod, and cannot
    attach all its volumes (VL-7).
    """

    driver: str = ""
    count: int = 0
    limit: int = 0
    instance_type: str = ""

    def __str__(self) -> str:
        text = "would exceed volume limit for all instance type options"
        if not self.driver:
            return text
        return f"{text} (provisioner={self.driver}, volume-count={self.count}, volume-limit={self.limit})"


@dataclass(frozen=True, slots=True)
class NoDynamicResources:
    """The pod claims devices by dynamic resource allocation, which Karpenter ignores by default (spec 11.1)."""

    def __str__(self) -> str:
        return "pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter"


@dataclass(frozen=True, slots=True)
class UnresolvedClaims:
    """A ResourceClaim of the pod does not exist, which ends the attempt (R-48)."""

    reason: str
    cause: ClaimCause

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True)
class NoDevices:
    """No instance type has devices for the pod's claims, or no node can meet them at all, with Karpenter's reason (R-10).

    `shortages` are the requests that no type of the NodePool meets by itself.
    """

    reason: str
    cause: ClaimCause
    shortages: tuple[RequestShortage, ...] = ()

    def __str__(self) -> str:
        return f"allocating dynamic resources, {self.reason}"


@dataclass(frozen=True, slots=True)
class IncompatibleDevices:
    """The devices that were chosen can only be used where the pod cannot be (R-53, R-90)."""

    cause: Undefined | Sequence[Conflict]

    def __str__(self) -> str:
        what = str(self.cause) if isinstance(self.cause, Undefined) else ", ".join(map(str, self.cause))
        return f"incompatible dynamic resource requirements, {what}"


@dataclass(frozen=True, slots=True)
class NoTypeWithDevices:
    """Some types suit the pod and others have its devices, but none does both (R-17)."""

    def __str__(self) -> str:
        return "no instance type satisfies both scheduling and dynamic resource requirements"


@dataclass(frozen=True, slots=True)
class PassEnded:
    """The search for devices of this pod or of one before it took all its time, which ends the pass (R-126).

    Karpenter says nothing of the pods that are left then. `tried` tells whether it is this pod's search.
    """

    tried: bool

    def __str__(self) -> str:
        if self.tried:
            return "allocating dynamic resources, the search takes longer than Karpenter allows, which ends the pass"
        return "the pass ended before this pod: the search for devices of a pod before it takes longer than Karpenter allows"


@dataclass(frozen=True, slots=True)
class PassesStopped:
    """No further round was made, though one may give the pod a node; Karpenter would go on."""

    def __str__(self) -> str:
        return "no further round was made"


@dataclass(frozen=True, slots=True)
class InvalidClaim:
    """The API server refuses the NodeClaim of the pod: a requirement has fewer values than its minValues (S-125)."""

    key: str
    values: int
    min_values: int

    def __str__(self) -> str:
        rule = "requirements with 'minValues' must have at least that many values specified in the 'values' field"
        return f"creating node claim, spec.requirements: Invalid value: {rule}"


@dataclass(frozen=True, slots=True)
class NoType:
    """No instance type passes; the flags say which of the three checks some type passed, and which pair of checks together.

    `needs` is what the pod and the least of the daemons request, `daemons` the daemons' part of it, `largest` the most of each
    resource that any type allowed by the requirements has, in nano-units. `blocking` are requirements of the pod without which
    some type would be compatible. `volumes` are those of the pod, where some type would do without them; `ports` means that
    DaemonSets take the pod's host ports on every type. `limits` is the rest of the NodePool's limits where these rule out every
    type that would suit the pod; `besides` is the obstacle that would remain without limits, if any.
    """

    compatible: bool
    fits: bool
    offered: bool
    compatible_and_fits: bool
    compatible_and_offered: bool
    fits_and_offered: bool
    requirements: Requirements
    needs: Mapping[str, int]
    daemons: Mapping[str, int]
    largest: Mapping[str, int]
    min_values: tuple[str, ...] = ()
    blocking: tuple[str, ...] = ()
    volumes: VolumePin | None = None
    ports: bool = False
    limits: Mapping[str, int] = field(default_factory=dict)
    besides: Refusal | None = None

    @property
    def shortfall(self) -> dict[str, int]:
        """Return how much of each resource the largest allowed type lacks."""
        return {r: n - self.largest.get(r, 0) for r, n in self.needs.items() if n > self.largest.get(r, 0)}

    def __str__(self) -> str:
        needs = json.dumps({r: amount_text(r, n) for r, n in sorted(self.needs.items())}, separators=(",", ":"))
        return f"{self._what()}, requirements={self.requirements}, resources={needs}"

    def _what(self) -> str:
        if self.min_values:
            return f"minValues requirement is not met for label(s) (label(s)=[{' '.join(self.min_values)}])"
        missing = [
            words
            for passed, words in (
                (self.compatible, "met the scheduling requirements"),
                (self.fits, "had enough resources"),
                (self.offered, "had a required offering"),
            )
            if not passed
        ]
        if len(missing) > 1:
            return f"no instance type {' or '.join(missing)}"
        if not self.compatible:
            return "no instance type met all requirements"
        if not self.fits:
            slip = " (CPU request >= 1 Million, m vs M typo?)" if self.needs.get("cpu", 0) >= _MEGA_CPU else ""
            return f"no instance type has enough resources{slip}"
        if not self.offered:
            return "no instance type has the required offering"
        if self.compatible_and_fits:
            return "no instance type which met the scheduling requirements and had enough resources, had a required offering"
        if self.fits_and_offered:
            return "no instance type which had enough resources and the required offering met the scheduling requirements"
        if self.compatible_and_offered:
            return "no instance type which met the scheduling requirements and the required offering had the required resources"
        return "no instance type met the requirements/resources/offering tuple"


@dataclass(frozen=True, slots=True)
class TooFewValues:
    """The finished NodeClaim is dropped: the types that are left have too few values of some labels for `minValues`.

    `with_devices` says that devices for claims of its pods have ruled out types; else the cut to as many as a launch may name
    has done so (spec: scheduling 10.2; R-68).
    """

    labels: tuple[str, ...]
    with_devices: bool = False

    def __str__(self) -> str:
        missed = f"minValues requirement is not met for label(s) (label(s)=[{' '.join(self.labels)}])"
        return f"pod didn’t schedule because NodePool couldn’t meet minValues requirements, validating minValues, {missed}"


Refusal = (
    NodesExhausted
    | LimitsExceeded
    | NotTolerated
    | Incompatible
    | NoTopology
    | NoReservation
    | OnlyFullReservations
    | NoDynamicResources
    | UnresolvedClaims
    | NoDevices
    | IncompatibleDevices
    | NoTypeWithDevices
    | PassEnded
    | PassesStopped
    | UnresolvedVolumes
    | TooManyVolumes
    | InvalidClaim
    | TooFewValues
    | NoType
)


def beyond_limits(refusal: Refusal) -> Refusal:
    """Return the obstacle that a higher limit would not remove, or the refusal itself if there is no such obstacle."""
    if isinstance(refusal, LimitsExceeded | NodesExhausted | NoType) and refusal.besides is not None:
        return refusal.besides
    return refusal


NOTHING_LEFT: Final = "nodepool requirements filtered out all available instance types"
"""Karpenter's words for a pod that no NodePool was asked for, since none may launch anything."""


def joined(refusals: Iterable[tuple[str, Refusal]], *, without: str = NOTHING_LEFT) -> str:
    """Return why each NodePool refuses a pod as one text, in Karpenter's words, which name the pool of a limit.

    `without` is the text where no pool was asked.
    """
    return "; ".join(_named(pool, refusal) for pool, refusal in refusals) or without


def _named(pool: str, refusal: Refusal) -> str:
    match refusal:
        case NodesExhausted() | LimitsExceeded():
            return f"{refusal} for nodepool (NodePool={pool})"
        case TooFewValues():
            return f"{refusal} (NodePool={pool})"
        case _:
            return str(refusal)
