"""Which conditions of a Node make the Azure provider replace it (spec: azure 7)."""

from __future__ import annotations

from typing import Final

from cutlist.core.labels import AKS_GROUP
from cutlist.providers.node_repair import RepairPolicy

_TEN_MINUTES: Final = 10 * 60

REPAIR_POLICIES: Final = (
    RepairPolicy("Ready", "False", _TEN_MINUTES),
    RepairPolicy("Ready", "Unknown", _TEN_MINUTES),
    RepairPolicy(f"{AKS_GROUP}/NodeHealthy", "False", 0),
    RepairPolicy("PreemptionScheduled", "True", 0),  # Azure takes a spot machine back: there is no queue that would tell
)
