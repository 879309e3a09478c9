"""Which conditions of a Node make the AWS provider replace it (spec: disruption 8.3)."""

from __future__ import annotations

from typing import Final

from cutlist.providers.node_repair import RepairPolicy

_HALF_AN_HOUR: Final = 30 * 60
_TEN_MINUTES: Final = 10 * 60

REPAIR_POLICIES: Final = (
    RepairPolicy("Ready", "False", _HALF_AN_HOUR),
    RepairPolicy("Ready", "Unknown", _HALF_AN_HOUR),
    RepairPolicy("AcceleratedHardwareReady", "False", _TEN_MINUTES),
    RepairPolicy("StorageReady", "False", _HALF_AN_HOUR),
    RepairPolicy("NetworkingReady", "False", _HALF_AN_HOUR),
    RepairPolicy("KernelReady", "False", _HALF_AN_HOUR),
    RepairPolicy("ContainerRuntimeReady", "False", _HALF_AN_HOUR),
)
