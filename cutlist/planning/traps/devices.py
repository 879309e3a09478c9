"""Claims for devices with which Karpenter does something else than kube-scheduler will (spec: R-1, R-5, R-20, R-50, R-98 to
R-101)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.feature_gates import DEVICE_GATES
from cutlist.core.notes import Note
from cutlist.core.wording import first_of
from cutlist.devices.claims import DeviceRequest
from cutlist.planning.traps.setup import ClaimPlanning, Setup
from cutlist.settings.planning import DRA, FEATURE_GATES
from cutlist.workloads.pods import Pod

IGNORED: Final = "claims-ignored"
"""The code of the note that pods with claims wait although the chosen Karpenter could plan them."""
NO_TEMPLATE: Final = "claim-template-missing"
"""The code of the note that pods are planned without devices, since the template of their claim is not there."""
NOT_LOOKED_AT: Final = "claims-not-looked-at"
"""The code of the note on parts of claims, classes and slices that Karpenter does not look at."""
_NAMED: Final = 4  # workloads or objects


def claims_for_devices(setup: Setup) -> Iterator[Note]:
    """Yield notes on claims of pods, classes and slices, as far as some workload claims devices."""
    claiming = [group for group in setup.groups if group.pod.resource_claims]
    daemons = [daemon for daemon in setup.workloads.daemons if daemon.pod.resource_claims]
    planning = setup.claims
    if planning is None or not (claiming or daemons):
        return
    if not planning.is_on:
        if claiming and planning.karpenter.does(Behaviour.DEVICES_ARE_ALLOCATED):
            yield _ignored([group.workload for group in claiming])
        return
    without = [(group.workload, name) for group in claiming for name in _without_template(group.pod, planning)]
    for template in dict.fromkeys(name for _, name in without):
        names = first_of([workload for workload, of in without if of == template], _NAMED)
        text = f"{names}: no ResourceClaimTemplate {template} is in the input, so no claim is made for the pods, and Karpenter "
        yield Note(NO_TEMPLATE, f"{text}plans them as if they asked for no device")
    if daemons:
        names = first_of([daemon.name for daemon in daemons], _NAMED)
        text = f"DaemonSet {names} claims devices, which Karpenter does not set aside: it may plan other pods with all of them"
        yield Note(NOT_LOOKED_AT, text)
    for text in _not_looked_at(planning, [group.pod for group in claiming]):
        yield Note(NOT_LOOKED_AT, text)


def _ignored(names: Sequence[str]) -> Note:
    flag = "--ignore-dra-requests=false"
    gates = " or ".join(DEVICE_GATES)
    return Note(
        IGNORED,
        f"{first_of(names, _NAMED)} claim devices: Karpenter plans such pods with {flag} and, for devices that it expects on "
        f"instance types of AWS, its feature gate {gates}; {DRA.flag} and {FEATURE_GATES.flag} plan as it does then",
    )


def _without_template(pod: Pod, planning: ClaimPlanning) -> Iterator[str]:
    """Yield the templates that a pod names and that are not in the input, where no claim was made for it yet."""
    for asked in pod.resource_claims:
        if not asked.claim and (pod.namespace, asked.template) not in planning.devices.templates:
            yield asked.template if pod.namespace == "default" else f"{pod.namespace}/{asked.template}"


def _not_looked_at(planning: ClaimPlanning, pods: Sequence[Pod]) -> Iterator[str]:
    """Yield what claims, classes and slices have that decides for kube-scheduler, and not for Karpenter."""
    devices = planning.devices
    specs = [*devices.templates.items(), *((key, claim.spec) for key, claim in devices.claims.items())]
    admin = [key[1] for key, spec in specs if any(map(_has_admin_access, spec.requests))]
    if admin:
        text = f"claim {first_of(admin, _NAMED)} asks for admin access, which takes no device from others: Karpenter gives it "
        yield f"{text}devices of its own, and may launch a node for them"
    mapped = {c.extended_resource: c.name for c in devices.classes.values() if c.extended_resource}
    asked = sorted({resource for pod in pods for resource in pod.requests if resource in mapped})
    for resource in asked:
        text = f"pods request {resource}, which DeviceClass {mapped[resource]} maps to devices: Karpenter looks for it in what "
        yield f"{text}instance types have, and takes no device for it"
    if any(published.has_taints for published in devices.slices):
        names = first_of([s.name for s in devices.slices if s.has_taints], _NAMED)
        yield f"ResourceSlice {names} has devices with taints, which Karpenter does not look at: it may plan pods onto them"


def _has_admin_access(request: DeviceRequest) -> bool:
    return request.admin_access or any(part.admin_access for part in request.alternatives)
