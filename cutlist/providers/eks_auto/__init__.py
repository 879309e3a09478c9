"""Instance types, built-in objects and prices of EKS Auto Mode (spec: api-objects 8)."""

from __future__ import annotations

from cutlist.providers.eks_auto.allowed import ALLOWED, AllowedFamilies, refusal
from cutlist.providers.eks_auto.built_in import built_in_pools, managed_class, newest_version, with_default_policies
from cutlist.providers.eks_auto.capacity import NodeShape
from cutlist.providers.eks_auto.overhead import DEFAULT_PROFILE, PROFILES, OverheadProfile, overhead_profile
from cutlist.providers.eks_auto.provider import AutoSettings, Fee, fee, instance_types, listed_fees

__all__ = [
    "ALLOWED",
    "DEFAULT_PROFILE",
    "PROFILES",
    "AllowedFamilies",
    "AutoSettings",
    "Fee",
    "NodeShape",
    "OverheadProfile",
    "built_in_pools",
    "fee",
    "instance_types",
    "listed_fees",
    "managed_class",
    "newest_version",
    "overhead_profile",
    "refusal",
    "with_default_policies",
]
