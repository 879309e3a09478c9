"""Say why claims for devices are not met, in words for their owners."""

from __future__ import annotations

import re
from typing import Final

from cutlist.core.requirements import Undefined
from cutlist.core.wording import counted, listed
from cutlist.scheduling.dynamicresources.shortage import RequestShortage
from cutlist.scheduling.refusals import IncompatibleDevices, NoDevices, PassEnded, UnresolvedClaims

_NO_CLAIM: Final = re.compile(r'resourceclaim "(.*)" not found')
_NO_CLASS: Final = re.compile(r'claim ".*?" request "(.*?)": DeviceClass "(.*?)" not found')
_IN_FLIGHT: Final = re.compile(r"claim is bound to a different in-flight NodeClaim \(ResourceClaim=(.*)\)")
_DISTINCT: Final = re.compile(r'claim "(.*?)": DistinctAttribute constraints not done yet')
_VALIDATING: Final = re.compile(r'^validating claim ".*?": ')
_NONE_LEFT: Final = "no instance type can satisfy the allocation"


def devices_sentence(refusal: UnresolvedClaims | NoDevices | IncompatibleDevices | PassEnded) -> str:
    """Return why a pod gets no devices on nodes of a NodePool."""
    if isinstance(refusal, PassEnded):
        return str(refusal).removeprefix("allocating dynamic resources, ")
    if isinstance(refusal, IncompatibleDevices):
        return f"the devices that Karpenter picks for its claims are elsewhere: {_cause(refusal)}"
    if isinstance(refusal, UnresolvedClaims):
        missing = _NO_CLAIM.fullmatch(refusal.reason)
        return f"its ResourceClaim {missing[1]} is not in the input" if missing else refusal.reason
    if refusal.shortages and refusal.reason == _NONE_LEFT:
        return "; ".join(map(_short, refusal.shortages))
    return _without_shortage(refusal.reason)


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


def _without_shortage(reason: str) -> str:
    if reason == _NONE_LEFT:
        return "each request of its claims can be met, but no instance type meets all of them together"
    if found := _NO_CLASS.search(reason):
        return f"request {found[1]} of its claims names the DeviceClass {found[2]}, which is not in the input"
    if found := _IN_FLIGHT.fullmatch(reason):
        return f"its claim {found[1]} got devices of another new node, which all pods of the claim have to share"
    if found := _DISTINCT.search(reason):
        return f"claim {found[1]} has a constraint of the kind distinctAttribute, which Karpenter does not know yet"
    return _VALIDATING.sub("", reason)


def _cause(refusal: IncompatibleDevices) -> str:
    if isinstance(refusal.cause, Undefined):
        return f"nodes that reach them have the label {refusal.cause.key}, which the pod's may lack"
    return listed(f"{c.incoming}, and the pod wants {c.existing}" for c in refusal.cause)
