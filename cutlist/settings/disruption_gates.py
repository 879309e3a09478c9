"""Karpenter's feature gates and flags that disruption depends on: of `disrupt`, `simulate` and `upgrade`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

SPOT_TO_SPOT: Final = Setting("spot_to_spot", "The feature gate SpotToSpotConsolidation is on.", Kind.FLAG)
NODE_REPAIR: Final = Setting(
    "node_repair", "Turn on the feature gate NodeRepair: show which unhealthy nodes are replaced.", Kind.FLAG
)
LEGACY_NODE_REPAIR: Final = Setting(
    "legacy_node_repair", "Repair nodes as in 1.14, not as a disruption method.  [1.15]", Kind.FLAG
)
TERMINATE_FIRST_DRIFT: Final = Setting(
    "terminate_first_drift", "The feature gate TerminateFirstDrift is on.  [1.15]", Kind.FLAG
)
TERMINATE_FIRST_REPAIR: Final = Setting(
    "terminate_first_repair", "The feature gate TerminateFirstRepair is on.  [1.15]", Kind.FLAG
)
POD_DELETION_COST_MANAGEMENT: Final = Setting(
    "pod_deletion_cost_management", "The feature gate of this name is on.  [1.15]", Kind.FLAG
)
REBOOT_FOR_REPAIR: Final = Setting(
    "reboot_for_repair", "The AWS provider's feature gate RebootForRepair is on.  [1.15]", Kind.FLAG
)

SETTINGS: Final = (
    *(SPOT_TO_SPOT, NODE_REPAIR, LEGACY_NODE_REPAIR, TERMINATE_FIRST_DRIFT, TERMINATE_FIRST_REPAIR),
    *(POD_DELETION_COST_MANAGEMENT, REBOOT_FOR_REPAIR),
)
"""The members of `FeatureGates` that a command sets, in the order in which help lists them."""
