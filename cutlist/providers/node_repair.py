"""When a node is so unhealthy that a cloud's provider replaces it (spec: disruption 8.3; azure 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.core.labels import AKS_GROUP

_HALF_AN_HOUR: Final = 30 * 60
_TEN_MINUTES: Final = 10 * 60


@dataclass(frozen=True, slots=True)
class RepairPolicy:
    """A condition of Nodes that causes a replacement after it has lasted for `toleration` seconds."""

    condition: str
    status: str
    toleration: float


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
    RepairPolicy("PreemptionScheduled", "True", 0),  # Azure takes a spot machine back: there is no queue for the warning
)
