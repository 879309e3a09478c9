"""EC2 instance types as Karpenter's AWS provider derives them for an EC2NodeClass (spec: AWS 0 to 4)."""

from __future__ import annotations

from cutlist.providers.aws.class_terms import ClassTerms
from cutlist.providers.aws.observed import MemoryReport, Observed, PlacementGroup, Unavailable, discovered_memory
from cutlist.providers.aws.profile import AwsSettings
from cutlist.providers.aws.provider import instance_types
from cutlist.providers.aws.zones import UsableZones, ZoneSource, usable_zones

__all__ = [
    "AwsSettings",
    "ClassTerms",
    "MemoryReport",
    "Observed",
    "PlacementGroup",
    "Unavailable",
    "UsableZones",
    "ZoneSource",
    "discovered_memory",
    "instance_types",
    "usable_zones",
]
