"""Storage classes that a managed cluster has from the start, so that its files need not contain them (VL-12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.csi import AZURE_DISK, AZURE_FILE
from cutlist.workloads.objects import WAIT_FOR_FIRST_CONSUMER, StorageClass

_DISKS_OF_AKS: Final = {
    "default": "StandardSSD_LRS",
    "managed": "StandardSSD_LRS",
    "managed-csi": "StandardSSD_LRS",
    "managed-premium": "Premium_LRS",
    "managed-csi-premium": "Premium_LRS",
}
_FILES_OF_AKS: Final = ("azurefile", "azurefile-csi", "azurefile-csi-premium", "azurefile-premium")


def _class(name: str, provisioner: str, parameters: Mapping[str, str]) -> StorageClass:
    return StorageClass(
        name, provisioner, WAIT_FOR_FIRST_CONSUMER, raw={"metadata": {"name": name}, "parameters": dict(parameters)}
    )


_OF_EKS: Final = {"gp2": _class("gp2", "kubernetes.io/aws-ebs", {"type": "gp2"})}
_OF_AKS: Final = {
    **{name: _class(name, AZURE_DISK, {"skuName": sku}) for name, sku in _DISKS_OF_AKS.items()},
    **{name: _class(name, AZURE_FILE, {}) for name in _FILES_OF_AKS},
}


def built_in_classes(region: AnyRegion) -> Mapping[str, StorageClass]:
    """Return the classes of a cluster in a region by name: of EKS or of AKS."""
    return _OF_AKS if is_azure(region) else _OF_EKS
