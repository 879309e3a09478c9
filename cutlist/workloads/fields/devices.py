"""The fields of `resource.k8s.io`: classes of devices, claims to them, and what drivers publish. Notation and source are those
of `cutlist.workloads.fields.pods`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NAMED: Final = "apiVersion text, kind text, metadata! NamedMeta"
_ASKED: Final = (
    "deviceClassName text, selectors [DeviceSelector], allocationMode text, count int64, tolerations [DeviceToleration],"
    " capacity CapacityRequirements, derivedAttributes [DeviceDerivedAttribute] 1.37+"
)
_NODES: Final = "nodeName text, nodeSelector NodeSelector, allNodes bool"
_OF_SLICE: Final = (
    f"driver text, pool ResourcePool, {_NODES}, perDeviceNodeSelection bool, sharedCounters [CounterSet],"
    " partitionTypeAttribute text 1.37+, skipNodeOperations [text] 1.37+"
)
_OF_DEVICE: Final = (
    f"attributes {{DeviceAttribute}}, capacity {{DeviceCapacity}}, consumesCounters [DeviceCounterConsumption], {_NODES},"
    " taints [DeviceTaint], bindsToNode bool 1.34+, bindingConditions [text] 1.34+, bindingFailureConditions [text] 1.34+,"
    " allowMultipleAllocations bool 1.34+, nodeAllocatableResources {NodeAllocatableResource} 1.36+"
)

DEVICE_TYPES: Final[Mapping[str, str]] = {
    "DeviceClass": f"{_NAMED}, spec DeviceClassSpec",
    "DeviceClassSpec": "selectors [DeviceSelector], config [DeviceClassConfiguration], extendedResourceName text 1.34+",
    "DeviceClassConfiguration": "opaque OpaqueDeviceConfiguration",
    "ResourceClaim": f"{_NAMED}, spec ResourceClaimSpec, status ResourceClaimStatus",
    "ResourceClaimTemplate": f"{_NAMED}, spec ResourceClaimTemplateSpec",
    "ResourceClaimTemplateSpec": "metadata ObjectMeta, spec ResourceClaimSpec",
    "ResourceClaimSpec": "devices DeviceClaim",
    "ResourceClaimStatus": "allocation AllocationResult, reservedFor [ResourceClaimConsumer], devices [any]",
    "AllocationResult": "devices DeviceAllocationResult, nodeSelector NodeSelector, allocationTimestamp time 1.34+",
    "DeviceAllocationResult": "results [DeviceResult], config [any]",
    "DeviceResult": (
        "request text, driver text, pool text, device text, adminAccess bool, tolerations [DeviceToleration],"
        " bindingConditions [text] 1.34+, bindingFailureConditions [text] 1.34+, shareID text 1.34+,"
        " consumedCapacity {quantity} 1.34+"
    ),
    "ResourceClaimConsumer": "apiGroup text, resource text, name text, uid text",
    "DeviceClaim": "requests [DeviceRequest], constraints [DeviceConstraint], config [DeviceClaimConfiguration]",
    "DeviceRequest": "name text, exactly ExactDeviceRequest, firstAvailable [DeviceSubRequest]",
    "ExactDeviceRequest": f"{_ASKED}, adminAccess bool",
    "DeviceSubRequest": f"name text, {_ASKED}",
    "CapacityRequirements": "requests {quantity}",
    "DeviceSelector": "cel CELDeviceSelector",
    "CELDeviceSelector": "expression text",
    "DeviceDerivedAttribute": "name text, expression text",
    "DeviceToleration": "key text, operator text, value text, effect text, tolerationSeconds int64",
    "DeviceConstraint": "requests [text], matchAttribute text, distinctAttribute text 1.34+",
    "DeviceClaimConfiguration": "requests [text], opaque OpaqueDeviceConfiguration",
    "OpaqueDeviceConfiguration": "driver text, parameters any",
    "ResourceSlice": f"{_NAMED}, spec ResourceSliceSpec",
    "ResourceSliceSpec": f"{_OF_SLICE}, devices [Device]",
    "ResourceClaimV1Beta1": f"{_NAMED}, spec ResourceClaimSpecV1Beta1, status ResourceClaimStatus",
    "ResourceClaimTemplateV1Beta1": f"{_NAMED}, spec ResourceClaimTemplateSpecV1Beta1",
    "ResourceClaimTemplateSpecV1Beta1": "metadata ObjectMeta, spec ResourceClaimSpecV1Beta1",
    "ResourceClaimSpecV1Beta1": "devices DeviceClaimV1Beta1",
    "DeviceClaimV1Beta1": (
        "requests [DeviceRequestV1Beta1], constraints [DeviceConstraint], config [DeviceClaimConfiguration]"
    ),
    "DeviceRequestV1Beta1": f"name text, {_ASKED}, adminAccess bool, firstAvailable [DeviceSubRequest]",
    "ResourceSliceV1Beta1": f"{_NAMED}, spec ResourceSliceSpecV1Beta1",
    "ResourceSliceSpecV1Beta1": f"{_OF_SLICE}, devices [DeviceV1Beta1]",
    "DeviceV1Beta1": "name text, basic BasicDevice",
    "BasicDevice": _OF_DEVICE,
    "ResourcePool": "name text, generation int64, resourceSliceCount int64",
    "CounterSet": "name text, counters {Counter}",
    "Counter": "value quantity",
    "Device": f"name text, {_OF_DEVICE}",
    "DeviceAttribute": (
        "int int64, bool bool, string text, version text, ints [int64] 1.36+, bools [bool] 1.36+, strings [text] 1.36+,"
        " versions [text] 1.36+"
    ),
    "DeviceCapacity": "value quantity, requestPolicy CapacityRequestPolicy 1.34+",
    "CapacityRequestPolicy": "default quantity, validValues [quantity], validRange CapacityRequestPolicyRange",
    "CapacityRequestPolicyRange": "min quantity, max quantity, step quantity",
    "DeviceCounterConsumption": "counterSet text, counters {Counter}, compatibilityGroups [text] 1.37+",
    "DeviceTaint": "key text, value text, effect text, timeAdded time",
    "NodeAllocatableResource": "mapping NodeAllocatableMapping, overhead NodeAllocatableOverhead",
    "NodeAllocatableMapping": "capacityKey text, capacityMultiplier quantity, deviceMultiplier quantity",
    "NodeAllocatableOverhead": "perPod quantity, perContainer quantity",
}
