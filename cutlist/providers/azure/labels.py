"""The labels of an Azure size as requirements (spec: azure 3.1)."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from cutlist.catalog.size_names import SizeName
from cutlist.catalog.sizes import Size
from cutlist.core import labels
from cutlist.core.labels import AKS_GROUP, AZURE_GROUP
from cutlist.core.requirement import Requirement
from cutlist.providers.azure.exclusions import ARCHITECTURES
from cutlist.providers.azure.gpus import registered
from cutlist.providers.azure.os_disk import ephemeral_room
from cutlist.providers.azure.profile import NodeProfile
from cutlist.providers.azure.settings import AzureSettings
from cutlist.providers.label_terms import flag, is_in, one_of

PLACEMENT_SCOPE: Final = f"{AZURE_GROUP}/placement-scope"
PRIORITY: Final = f"{AKS_GROUP}/priority"
SCALE_SET_PRIORITY: Final = f"{AKS_GROUP}/scalesetpriority"
ULTRA_SSD: Final = f"{AZURE_GROUP}/sku-storage-ultra-ssd"
EBPF_DATAPLANE: Final = f"{AKS_GROUP}/ebpf-dataplane"
MODE: Final = f"{AKS_GROUP}/mode"
HYPERV: Final = f"{AZURE_GROUP}/sku-hyperv-generation"
USER: Final = "user"
SYSTEM: Final = "system"
_LONGEST: Final = 63

_SKU: Final = f"{AZURE_GROUP}/sku-"
SKU_NAME: Final = _SKU + "name"
SKU_FAMILY: Final = _SKU + "family"
SKU_SERIES: Final = _SKU + "series"
SKU_VERSION: Final = _SKU + "version"


@lru_cache(maxsize=8192)
def size_labels(size: Size) -> tuple[Requirement, ...]:
    """Return the labels that the size has under any class."""
    memory_mib = str(math.floor(size.memory_gib * 1024))
    gpu, cores = registered(size.name), str(size.vcpus)
    accelerator = size.parts.accelerator if gpu and size.parts else ""
    return (
        is_in(labels.INSTANCE_TYPE, size.name),
        is_in(SKU_NAME, size.name),
        is_in(labels.ARCH, ARCHITECTURES[size.architecture]),
        is_in(labels.OS, "linux"),
        *(_named(size.parts) if size.parts else ()),
        is_in(_SKU + "cpu", cores),
        is_in(f"{AKS_GROUP}/sku-cpu", cores),
        is_in(_SKU + "memory", memory_mib),
        is_in(f"{AKS_GROUP}/sku-memory", memory_mib),
        is_in(_SKU + "gpu-count", str(size.gpus if gpu else 0)),
        one_of(_SKU + "gpu-manufacturer", gpu.manufacturer if gpu else None),
        one_of(_SKU + "gpu-name", accelerator or None),
        is_in(_SKU + "networking-accelerated", flag(size.accelerated_networking)),
        is_in(_SKU + "storage-premium-capable", flag(size.premium_io)),
        one_of(_SKU + "storage-ephemeralos-maxsize", ephemeral_room(size).gb or None),
        is_in(ULTRA_SSD, "false"),
        is_in(MODE, SYSTEM, USER),
        is_in(HYPERV, *size.generations),
    )


@lru_cache(maxsize=2048)
def _named(parts: SizeName) -> tuple[Requirement, ...]:
    """Return family, series and version; a name without a version has version 1, but its series has none."""
    return (
        is_in(SKU_FAMILY, parts.family),
        is_in(SKU_SERIES, parts.series),
        is_in(SKU_VERSION, str(parts.version or 1)),
    )


def class_labels(profile: NodeProfile, settings: AzureSettings) -> tuple[Requirement, ...]:
    """Return the labels that a class and the cluster add to every size. Without a known cluster, the label with its name is
    missing."""
    fips = is_in(f"{AKS_GROUP}/fips_enabled", *(("true",) if profile.fips else ()))
    group = cluster_label(settings.node_resource_group)
    of_cluster = (is_in(f"{AKS_GROUP}/cluster", group),) if group else ()
    return (is_in(f"{AKS_GROUP}/os-sku", profile.operating_system), fips, *of_cluster)


def cluster_label(resource_group: str) -> str:
    """Return the node resource group in the form of a label's value (Z-35)."""
    text = resource_group.replace("(", "-").replace(")", "-")[:_LONGEST]
    if text.endswith(("-", "_", ".")):
        return (text[:-1] if len(text) == _LONGEST else text) + "z"
    return text
