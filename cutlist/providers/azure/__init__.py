"""Instance types that Karpenter's Azure provider derives from Azure VM sizes for an AKSNodeClass (spec: azure 3 to 6)."""

from __future__ import annotations

from cutlist.providers.azure.built_in import built_in_class, built_in_pools
from cutlist.providers.azure.exclusions import class_refusal, name_refusal, refusal
from cutlist.providers.azure.launch import SizeChoice, choices
from cutlist.providers.azure.offerings import SPOT_QUOTA, Blocked, Observed
from cutlist.providers.azure.profile import AzureSettings, NodeProfile
from cutlist.providers.azure.provider import instance_types

__all__ = [
    "SPOT_QUOTA",
    "AzureSettings",
    "Blocked",
    "NodeProfile",
    "Observed",
    "SizeChoice",
    "built_in_class",
    "built_in_pools",
    "choices",
    "class_refusal",
    "instance_types",
    "name_refusal",
    "refusal",
]
