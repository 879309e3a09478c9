"""The conditions of an unhealthy node under which a cloud's provider repairs it (spec: disruption 8.3; azure 7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from cutlist.core.labels import AKS_GROUP

_HALF_AN_HOUR: Final = 30 * 60
_TEN_MINUTES: Final = 10 * 60


class RepairAction(StrEnum):
    """The repair of an unhealthy node."""

    REPLACE = "ReplaceNode"
    REBOOT = "RebootNode"


@dataclass(frozen=True, slots=True)
class RepairPolicy:
    """A condition of Nodes that causes a repair after it has lasted for `toleration` seconds.

    Since repair is a disruption method (V15-43), a policy without `reason_regex` is the fallback of its set,
    `termination_grace_period` (seconds, None for no limit) bounds the drain, and the action of the highest `priority`, 0 to
    100, counts.
    """

    condition: str
    status: str
    toleration: float
    reason_regex: str = ""
    termination_grace_period: float | None = None
    priority: int = 0
    action: str = RepairAction.REPLACE


AWS_REPAIR_POLICIES: Final = (
    RepairPolicy("Ready", "False", _HALF_AN_HOUR),
    RepairPolicy("Ready", "Unknown", _HALF_AN_HOUR),
    RepairPolicy("AcceleratedHardwareReady", "False", _TEN_MINUTES),
    RepairPolicy("StorageReady", "False", _HALF_AN_HOUR),
    RepairPolicy("NetworkingReady", "False", _HALF_AN_HOUR),
    RepairPolicy("KernelReady", "False", _HALF_AN_HOUR),
    RepairPolicy("ContainerRuntimeReady", "False", _HALF_AN_HOUR),
)
AZURE_REPAIR_POLICIES: Final = (
    RepairPolicy("Ready", "False", _TEN_MINUTES),
    RepairPolicy("Ready", "Unknown", _TEN_MINUTES),
    RepairPolicy(f"{AKS_GROUP}/NodeHealthy", "False", 0),
    RepairPolicy("PreemptionScheduled", "True", 0),  # Azure reclaims a spot machine, and there is no queue for the warning
)
_DRAINED_FOR: Final = 10 * 60.0
_GPU_DRAINED_FOR: Final = 5 * 60.0
_ANY_REASON: Final = ".*"
_REBOOTABLE: Final = ".*XID(46|48|54|62|63|95|109|110|136|140|143|155|156|158).*"
_FATAL: Final = ".*XID(64|74|79|119|120).*"
_HARDWARE: Final = "AcceleratedHardwareReady"
AWS_DISRUPTION_REPAIR_POLICIES: Final = (
    RepairPolicy("Ready", "False", _HALF_AN_HOUR, _ANY_REASON, _DRAINED_FOR),
    RepairPolicy("Ready", "Unknown", _HALF_AN_HOUR, _ANY_REASON, _DRAINED_FOR),
    RepairPolicy(_HARDWARE, "False", _TEN_MINUTES, _REBOOTABLE, _GPU_DRAINED_FOR),
    RepairPolicy(_HARDWARE, "False", _TEN_MINUTES, _FATAL, _GPU_DRAINED_FOR),
    RepairPolicy(_HARDWARE, "False", _HALF_AN_HOUR, "", _DRAINED_FOR),
    RepairPolicy("StorageReady", "False", _HALF_AN_HOUR, _ANY_REASON, _DRAINED_FOR),
    RepairPolicy("NetworkingReady", "False", _HALF_AN_HOUR, _ANY_REASON, _DRAINED_FOR),
    RepairPolicy("KernelReady", "False", _HALF_AN_HOUR, _ANY_REASON, _DRAINED_FOR),
    RepairPolicy("ContainerRuntimeReady", "False", _HALF_AN_HOUR, _ANY_REASON, _DRAINED_FOR),
)
"""The policies of AWS since repair is a disruption method, without its gate RebootForRepair (VA15-100)."""
AWS_REBOOTING_REPAIR_POLICIES: Final = tuple(
    replace(policy, action=RepairAction.REBOOT) if policy.reason_regex == _REBOOTABLE else policy
    for policy in AWS_DISRUPTION_REPAIR_POLICIES
)
"""The same with the gate: a GPU fault that a reboot may clear reboots the node (VA15-100, VA15-102)."""
