"""Say why claims for devices are not met, in words for their owners."""

from __future__ import annotations

from cutlist.core.requirements import Undefined
from cutlist.core.wording import counted, listed
from cutlist.scheduling.dynamicresources.claim_errors import (
    ClaimCause,
    DistinctAttribute,
    HeldByAnother,
    MissingClaim,
    MissingClass,
    NoTypeLeft,
    OtherCause,
)
from cutlist.scheduling.dynamicresources.shortage import RequestShortage
from cutlist.scheduling.refusals import IncompatibleDevices, NoDevices, PassEnded, UnresolvedClaims


def devices_sentence(refusal: UnresolvedClaims | NoDevices | IncompatibleDevices | PassEnded) -> str:
    """Return why a pod gets no devices on nodes of a NodePool."""
    match refusal:
        case PassEnded():
            return str(refusal).removeprefix("allocating dynamic resources, ")
        case IncompatibleDevices():
            return f"the devices that Karpenter picks for its claims are elsewhere: {_elsewhere(refusal)}"
        case NoDevices(_, NoTypeLeft(), shortages) if shortages:
            return "; ".join(map(_short, shortages))
    return _of_cause(refusal.cause)


def _short(shortage: RequestShortage) -> str:
    asked = "all devices" if not shortage.wanted else counted(shortage.wanted, "device")
    request = f"request {shortage.request} of claim {shortage.claim} ({asked} of class {shortage.device_class})"
    if shortage.most:
        return f"{request}: no instance type has more than {shortage.most} such devices ({shortage.most_type})"
    if not shortage.of_class:
        return f"{request}: no instance type has any device of this class"
    types = counted(shortage.of_class, "instance type")
    if not shortage.selector:
        return f"{request}: {types} with devices of this class, and its selectors together choose none of these"
    known = f"; {shortage.attribute} there is {listed(shortage.values)}" if shortage.values else ""
    return f"{request}: {types} with devices of this class, and {shortage.selector} chooses none of these{known}"


def _of_cause(cause: ClaimCause) -> str:
    match cause:
        case MissingClaim(claim):
            return f"its ResourceClaim {claim} is not in the input"
        case MissingClass(request, name):
            return f"request {request} of its claims names the DeviceClass {name}, which is not in the input"
        case HeldByAnother(claim):
            return f"its claim {claim} got devices of another new node, which all pods of the claim have to share"
        case DistinctAttribute(claim):
            return f"claim {claim} has a constraint of the kind distinctAttribute, which Karpenter does not know yet"
        case NoTypeLeft():
            return "each request of its claims can be met, but no instance type meets all of them together"
        case OtherCause(reason):
            return reason


def _elsewhere(refusal: IncompatibleDevices) -> str:
    if isinstance(refusal.cause, Undefined):
        return f"nodes that reach them have the label {refusal.cause.key}, which the pod's may lack"
    return listed(f"{c.incoming}, and the pod wants {c.existing}" for c in refusal.cause)
