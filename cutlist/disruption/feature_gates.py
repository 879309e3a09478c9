"""The feature gates of Karpenter that disruption depends on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FeatureGates:
    """Karpenter's feature gates that disruption depends on, and the flag `--legacy-node-repair`.

    With that flag unhealthy nodes are replaced as by 1.14, not by a disruption method (V15-57). RebootForRepair is a gate of
    the AWS provider (VA15-110).
    """

    spot_to_spot: bool = False
    static_capacity: bool = False
    node_repair: bool = False
    terminate_first_drift: bool = False
    terminate_first_repair: bool = False
    pod_deletion_cost_management: bool = False
    legacy_node_repair: bool = False
    reboot_for_repair: bool = False
