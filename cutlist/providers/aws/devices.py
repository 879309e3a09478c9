"""The devices that Karpenter's AWS provider expects on nodes of an instance type, for dynamic resource allocation
(spec: VA15-90, VA15-92, VA15-120, R-120, R-121).

They are plain mappings in the form of the API: `resourceSliceTemplates`, each with the driver, the pool and the devices of a
slice that the node will publish, and `attributeBindings`, attributes that all devices of a group have in common, whose value is
known only on the node.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from cutlist.api.gpu_sharing import SHARING, ConsumableGpu, read_sharing
from cutlist.catalog.devices import Adapter, Gpus, adapters, gpus
from cutlist.core.karpenter.feature_gates import EFA_DEVICES, GPU_DEVICES
from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.devices.read import read_dynamic_resources
from cutlist.devices.slices import NO_DEVICES, DynamicResources

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass

GPU_DRIVER: Final = "gpu.nvidia.com"
EFA_DRIVER: Final = "dra.net"
_BOUND: Final = (f"{GPU_DRIVER}/cudaDriverVersion", f"{GPU_DRIVER}/driverVersion")
_ROOT: Final = "resource.kubernetes.io/pcieRoot"
_MEBIBYTE: Final = "1Mi"

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DeviceTerms:
    """What decides about the devices of a NodeClass' types: the provider's release, its gates, and how GPUs are shared."""

    release: KarpenterVersion
    gates: frozenset[str]
    sharing: str = ""

    @staticmethod
    def of(node_class: EC2NodeClass, gates: frozenset[str]) -> DeviceTerms | None:
        """Return the terms of a NodeClass, or None if no gate gives its types any device."""
        if not gates:
            return None
        return DeviceTerms(node_class.karpenter.aws_release, gates, node_class.annotations.get(SHARING, ""))


@lru_cache(maxsize=4096)
def devices_of(instance_type: str, terms: DeviceTerms | None) -> DynamicResources:
    """Return the devices of an instance type; types share the object if they have none."""
    if terms is None:
        return NO_DEVICES
    raw = dynamic_resources(instance_type, terms.release, terms.gates, {SHARING: terms.sharing})
    return read_dynamic_resources(raw) if raw else NO_DEVICES


def dynamic_resources(
    instance_type: str, release: KarpenterVersion, gates: Collection[str], annotations: Mapping[str, str] | None = None
) -> Plain:
    """Return the devices of an instance type as the field `dynamicResources` has them; empty for a type without any.

    `release` is that of the AWS provider, `gates` are those of its feature gates that are on, `annotations` those of the
    EC2NodeClass. A value of its annotation that the controller refuses shares nothing.
    """
    templates: list[Plain] = []
    bindings: list[Plain] = []
    found = gpus().devices(instance_type, release) if GPU_DEVICES in gates else None
    if found is not None:
        templates.append(_gpu_slice(instance_type, found, _sharing(annotations or {})))
        bindings = _gpu_bindings(templates[0])
    network = adapters().devices(instance_type, release) if EFA_DEVICES in gates else None
    if network is not None:
        devices = [{"name": f"efa-{number}", "attributes": _of_adapter(each)} for number, each in enumerate(network)]
        templates.append({"driver": EFA_DRIVER, "pool": f"network-{instance_type}", "devices": devices})
    if not templates:
        return {}
    return {"resourceSliceTemplates": templates, **({"attributeBindings": bindings} if bindings else {})}


def _sharing(annotations: Mapping[str, str]) -> ConsumableGpu | None:
    try:
        return read_sharing(annotations.get(SHARING) or "")
    except ValueError:
        return None


def _gpu_slice(instance_type: str, found: Gpus, sharing: ConsumableGpu | None) -> Plain:
    devices = []
    for number, root in enumerate(found.roots):
        device = {"name": f"gpu-{number}", "attributes": _of_gpu(found, root), "capacity": _capacity(found.memory, sharing)}
        devices.append(device | ({"allowMultipleAllocations": True} if sharing is not None else {}))
    return {"driver": GPU_DRIVER, "pool": f"gpus-{instance_type}", "devices": devices}


def _of_gpu(found: Gpus, root: str) -> Plain:
    return {
        "architecture": {"string": found.architecture},
        "brand": {"string": found.brand},
        "cudaComputeCapability": {"version": found.compute_capability},
        "productName": {"string": found.product},
        _ROOT: {"string": root},
        "type": {"string": "gpu"},
    }


def _capacity(memory: str, sharing: ConsumableGpu | None) -> Plain:
    """Return the capacities of a GPU, with the driver's policies for requests where it is shared."""
    if sharing is None:
        return {"memory": {"value": memory}}
    default, least = (memory, _MEBIBYTE) if sharing.takes_all else ("0", "0")
    capacity = {"memory": _shared(memory, default, least, _MEBIBYTE)}
    return capacity | ({"shares": _shared(str(sharing.shares), "1", "1", "1")} if sharing.shares else {})


def _shared(value: str, default: str, least: str, step: str) -> Plain:
    valid = {"min": least, "max": value, "step": step}
    return {"value": value, "requestPolicy": {"default": default, "validRange": valid}}


def _gpu_bindings(template: Plain) -> list[Plain]:
    """Return the attributes that become known only on the node, where all its GPUs have them in common."""
    named = [{"driver": GPU_DRIVER, "pool": template["pool"], "device": device["name"]} for device in template["devices"]]
    return [{"attribute": attribute, "devices": named} for attribute in _BOUND]


def _of_adapter(adapter: Adapter) -> Plain:
    attributes: Plain = {
        f"{EFA_DRIVER}/pciDevice": {"string": "Elastic Fabric Adapter (EFA)"},
        f"{EFA_DRIVER}/pciVendor": {"string": "Amazon.com, Inc."},
        f"{EFA_DRIVER}/rdma": {"bool": adapter.rdma},
    }
    if adapter.numa_node is not None:
        attributes[f"{EFA_DRIVER}/numaNode"] = {"int": adapter.numa_node}
    if adapter.subsystem:
        attributes[f"{EFA_DRIVER}/pciSubsystem"] = {"string": adapter.subsystem}
    if adapter.root:
        attributes[_ROOT] = {"string": adapter.root}
    return attributes
