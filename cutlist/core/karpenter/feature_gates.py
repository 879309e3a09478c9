"""The feature gates and later flags of Karpenter's controller, each with the release that added it: the only table of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.core.karpenter.versions import KarpenterVersion


@dataclass(frozen=True, slots=True)
class FeatureGate:
    """A feature gate by its name, with the versions since which and until which it exists, and since which it is on by default
    (None if it is off). `is_of_aws` says that it belongs to the AWS provider, which has its own flag for its gates.
    """

    name: str
    since: KarpenterVersion
    until: KarpenterVersion | None = None
    on_since: KarpenterVersion | None = None
    is_of_aws: bool = False

    def is_in(self, version: KarpenterVersion) -> bool:
        """Tell whether a version has the gate."""
        return version.is_within(self.since, self.until)


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of the controller that a version after 1.14 added, and its environment variable."""

    name: str
    variable: str
    since: KarpenterVersion


_V1_15: Final = KarpenterVersion(1, 15, 0)

GPU_DEVICES: Final = "DRANVIDIAGPU"
EFA_DEVICES: Final = "DRAEFA"
DEVICE_GATES: Final = (GPU_DEVICES, EFA_DEVICES)
"""The gates by which instance types of AWS have devices of dynamic resource allocation (VA15-90)."""
FEATURE_GATES: Final = (
    FeatureGate("Drift", KarpenterVersion(0, 32, 0), KarpenterVersion(1, 0, 0), KarpenterVersion(0, 33, 0)),
    FeatureGate("SpotToSpotConsolidation", KarpenterVersion(0, 34, 0)),
    FeatureGate("NodeRepair", KarpenterVersion(1, 1, 0)),
    FeatureGate("ReservedCapacity", KarpenterVersion(1, 3, 0), on_since=KarpenterVersion(1, 6, 0)),
    FeatureGate("NodeOverlay", KarpenterVersion(1, 7, 0)),
    FeatureGate("StaticCapacity", KarpenterVersion(1, 8, 0)),
    FeatureGate("CapacityBuffer", KarpenterVersion(1, 14, 0)),
    FeatureGate("TerminateFirstDrift", _V1_15),
    FeatureGate("TerminateFirstRepair", _V1_15),
    FeatureGate("PodDeletionCostManagement", _V1_15),
    FeatureGate("NodeClassCEL", _V1_15, is_of_aws=True),
    *(FeatureGate(name, _V1_15, is_of_aws=True) for name in DEVICE_GATES),
    FeatureGate("RebootForRepair", _V1_15, is_of_aws=True),
)
"""All gates of all versions since 0.32.0, the oldest first (V15-65, VA15-110)."""

_BY_SPELLING: Final = {gate.name.lower(): gate for gate in FEATURE_GATES}


def gate_spelled(written: str) -> FeatureGate | None:
    """Return the gate that a name means, as the flag, the chart or an input spells it: NodeClassCEL, nodeClassCEL,
    node_class_cel. None for a name of no gate."""
    return _BY_SPELLING.get(written.replace("_", "").lower())


SCHEDULER_CONFIG: Final = Flag("--scheduler-config", "SCHEDULER_CONFIG", _V1_15)
LEGACY_NODE_REPAIR: Final = Flag("--legacy-node-repair", "LEGACY_NODE_REPAIR", _V1_15)
FLAGS: Final = (
    SCHEDULER_CONFIG,
    LEGACY_NODE_REPAIR,
    Flag("--aws-feature-gates", "AWS_FEATURE_GATES", _V1_15),
    Flag("--security-group-refresh-interval", "SECURITY_GROUP_REFRESH_INTERVAL", _V1_15),
)
"""The flags that were added after 1.14 (V15-64, VA15-110)."""
