"""Errors in EC2's answer: what Karpenter remembers to be missing, and how the claim fails (spec: AWS 4.5, 5.6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.karpenter.baselines import BASELINES, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import RESERVED, SPOT
from cutlist.providers.aws.labels import PLACEMENT_PARTITION
from cutlist.providers.aws.launch.claim import Claim, ClaimRequirements, Refusal
from cutlist.providers.aws.launch.fleet import FleetRequest
from cutlist.providers.aws.observed import Unavailable
from cutlist.providers.aws.offerings import Reservation

_NO_ADDRESSES: Final = "InsufficientFreeAddressesInSubnet"
_NO_SPOT_ROLE: Final = "AuthFailure.ServiceLinkedRoleCreationNotPermitted"
_CAPACITY_ERRORS: Final = frozenset(
    (
        "InsufficientInstanceCapacity",
        "MaxSpotInstanceCountExceeded",
        "VcpuLimitExceeded",
        "UnfulfillableCapacity",
        "Unsupported",
        _NO_ADDRESSES,
        "MaxFleetCountExceeded",
        "ReservationCapacityExceeded",
    )
)
_MORE_CAPACITY_ERRORS: Final = frozenset(("SpotMaxPriceTooLow", "InvalidCapacityReservationState.Unavailable"))
_RESERVATION_IS_FULL: Final = "ReservationCapacityExceeded"
_SPREAD_IS_FULL: Final = "limit of instances in this spread placement group"
_NOT_ALLOWED: Final = ("UnauthorizedOperation", "AccessDenied", "AuthFailure")

# The first row whose every text is in the errors gives the reason.
_REASONS: Final = (
    (("InvalidParameter", "belong to different networks"), "SecurityGroupSubnetVPCMismatch"),
    (("iamInstanceProfile.name is invalid",), "InstanceProfileNameInvalid"),
    (("InvalidLaunchTemplateId.NotFound",), "LaunchTemplateNotFound"),
    (("User data is limited to",), "UserDataSizeLimitExceeded"),
    (("InvalidAMIID.Malformed",), "InvalidAMIID"),
    (("InvalidAMIID.NotFound",), "AMINotFound"),
    (("RequestLimitExceeded",), "RequestLimitExceeded"),
    (("InternalError",), "InternalError"),
    (("not eligible for Free Tier",), "FreeTierIneligible"),
    (("MaxFleetCountExceeded",), "FleetQuotaExceeded"),
    (("PendingVerification",), "AccountPendingVerification"),
    (("MaxSpotInstanceCountExceeded",), "SpotQuotaExceeded"),
    (("VcpuLimitExceeded",), "VCPULimitExceeded"),
    ((_NO_ADDRESSES,), _NO_ADDRESSES),
)


@dataclass(frozen=True, slots=True)
class FleetError:
    """An error of one pool in EC2's answer; `subnet` is empty where EC2 names none."""

    code: str
    message: str
    instance_type: str
    zone: str
    subnet: str = ""
    karpenter: Baseline = BASELINES[0]

    @property
    def is_about_capacity(self) -> bool:
        """Tell whether another try later or elsewhere may work."""
        more = self.karpenter.does(Behaviour.MORE_ERRORS_ARE_MISSING_CAPACITY) and self.code in _MORE_CAPACITY_ERRORS
        return more or self.code in _CAPACITY_ERRORS


@dataclass(frozen=True, slots=True)
class Reaction:
    """What is remembered for some minutes, and which reservations count as used up until they are looked up again."""

    unavailable: tuple[Unavailable, ...]
    exhausted_reservations: tuple[str, ...]


def reaction(claim: Claim, request: FleetRequest, errors: Iterable[FleetError], karpenter: Baseline = BASELINES[0]) -> Reaction:
    """Return what Karpenter remembers of the errors, whether or not an instance was launched in spite of them (A-48)."""
    remembered: list[Unavailable] = []
    exhausted: list[str] = []
    for error in errors:
        if error.code == _NO_ADDRESSES and error.subnet:
            remembered.append(Unavailable(subnet=error.subnet))
        if request.capacity_type != RESERVED:
            remembered += _pools(claim, request, error)
        elif error.is_about_capacity and _SPREAD_IS_FULL not in error.message:
            reservations = _reservation(request, error)
            if error.code == _RESERVATION_IS_FULL or not karpenter.does(Behaviour.RESERVATIONS_FAIL_ONE_BY_ONE):
                exhausted += reservations
            else:
                where = (RESERVED, error.instance_type, error.zone)
                remembered += [Unavailable(*where, reservation=one) for one in reservations or ("",)]
    return Reaction(tuple(dict.fromkeys(remembered)), tuple(dict.fromkeys(exhausted)))


def failure(errors: Sequence[FleetError]) -> Refusal:
    """Return how the claim fails when EC2 launched nothing: for want of capacity only if all errors are about that."""
    texts = sorted({f"{e.code}: {e.message}" for e in errors})
    if all(e.is_about_capacity or e.code == _NO_SPOT_ROLE for e in errors):
        return Refusal.no_capacity(f"with fleet error(s), {'; '.join(texts)}")
    return Refusal.create("; ".join(texts), reason_of("; ".join(texts)))


def reason_of(errors: str) -> str:
    """Return the reason that the claim's condition Launched gives for the text of errors."""
    if _NO_SPOT_ROLE in errors:
        return "SpotSLRCreationFailed"
    if any(word in errors for word in _NOT_ALLOWED):
        denied_by_policy = any(
            f"with an explicit deny in a {which}" in errors for which in ("permissions boundary", "service control policy")
        )
        return "AMIAuthorizationFailure" if "Not authorized for images" in errors and not denied_by_policy else "Unauthorized"
    return next((reason for words, reason in _REASONS if all(word in errors for word in words)), "LaunchFailed")


def _pools(claim: Claim, request: FleetRequest, error: FleetError) -> list[Unavailable]:
    """Without capacity the pool is missing; in a spread group that is full, every type of the request in that zone."""
    group = request.placement_group.group_id if request.placement_group else ""
    found: list[Unavailable] = []
    if error.is_about_capacity:
        if group and _SPREAD_IS_FULL in error.message:
            names, partition = [r.type.name for r in request.types], ""
        else:
            names = [error.instance_type]
            partition = (
                min(ClaimRequirements.of(claim).requirements.get_or_any(PLACEMENT_PARTITION).values, default="")
                if group
                else ""
            )
        found = [Unavailable(request.capacity_type, name, error.zone, group, partition) for name in names]
    return [*found, Unavailable(SPOT)] if error.code == _NO_SPOT_ROLE else found


def _reservation(request: FleetRequest, error: FleetError) -> list[str]:
    return [
        Reservation.of(offering).id
        for r in request.types
        if r.type.name == error.instance_type
        for offering in r.offerings
        if offering.capacity_type == RESERVED and offering.zone == error.zone
    ][:1]
