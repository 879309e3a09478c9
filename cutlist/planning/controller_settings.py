"""The settings of an installed Karpenter that change plans and forecasts: feature gates, and policies of the scheduler.

They are under `controller` in a document of kind Figures, with the names that the chart has for them below `settings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.feature_gates import DEVICE_GATES, LEGACY_NODE_REPAIR, FeatureGate, gate_spelled
from cutlist.core.services import Service
from cutlist.disruption.feature_gates import FeatureGates

_SECTIONS: Final = ("featureGates", "awsFeatureGates")
IGNORE: Final = "Ignore"
BEST_EFFORT: Final = "BestEffort"
GATES_OF_DISRUPTION: Final = {
    "SpotToSpotConsolidation": "spot_to_spot",
    "StaticCapacity": "static_capacity",
    "NodeRepair": "node_repair",
    "TerminateFirstDrift": "terminate_first_drift",
    "TerminateFirstRepair": "terminate_first_repair",
    "PodDeletionCostManagement": "pod_deletion_cost_management",
    "RebootForRepair": "reboot_for_repair",
}
"""The feature gates that disruption depends on, and their members of `FeatureGates`."""


@dataclass(frozen=True, slots=True)
class ControllerSettings:
    """The feature gates that are set explicitly, by name, and other settings with Karpenter's defaults.

    A gate that a Karpenter does not have has no effect there: Karpenter itself ignores it. `ignores_claims` is its flag
    `--ignore-dra-requests`, None if nobody set it. `service` is the one that sets them;
    None where the user does.
    """

    feature_gates: Mapping[str, bool] = field(default_factory=dict)
    has_legacy_node_repair: bool = False
    respects_preferences: bool = True
    has_strict_min_values: bool = True
    ignores_claims: bool | None = None
    service: Service | None = None

    @staticmethod
    def of(data: Mapping[str, Any]) -> ControllerSettings:
        """Return the settings under `controller` in a document of kind Figures."""
        gates = {gate.name: on for section in _SECTIONS for gate, on in _gates(data.get(section) or {})}
        settings = ControllerSettings(
            gates,
            data.get("legacyNodeRepair") is True,
            data.get("preferencePolicy") != IGNORE,
            data.get("minValuesPolicy") != BEST_EFFORT,
            data.get("ignoreDRARequests"),
        )
        return settings.with_aws_gates(frozenset(DEVICE_GATES)).planning_claims() if data.get("enableDRA") is True else settings

    def of_service(self, service: Service) -> ControllerSettings:
        """Return the settings with the feature gates of a service in place of the user's."""
        gates = {state.gate: state.is_on for state in service.gates}
        kept = {name: on for name, on in self.feature_gates.items() if name in service.unknown_gates}
        return replace(
            self,
            feature_gates={**kept, **gates},
            has_legacy_node_repair=service.has_legacy_node_repair,
            ignores_claims=True,
            service=service,
        )

    def is_off(self, gate: str) -> bool:
        """Tell whether a gate is explicitly turned off."""
        return self.feature_gates.get(gate) is False

    def why_off(self, gate: str) -> str:
        """Return in words who turned a gate off."""
        state = None if self.service is None else self.service.gate_states.get(gate)
        if self.service is None or state is None:
            return f"the feature gate {gate} is turned off"
        return f"{self.service.name} runs without the feature gate {gate} ({state.source})"

    def is_on(self, gate: str) -> bool:
        """Tell whether a gate is explicitly turned on."""
        return self.feature_gates.get(gate) is True

    def aws_gates(self, karpenter: Baseline) -> frozenset[str]:
        """Return the gates of the AWS provider that are on in this Karpenter."""
        return frozenset(name for name in karpenter.aws_feature_gates if self.is_on(name))

    def with_aws_gates(self, names: frozenset[str]) -> ControllerSettings:
        """Return the settings with these gates on as well."""
        return replace(self, feature_gates={**self.feature_gates, **dict.fromkeys(names, True)})

    def planning_claims(self) -> ControllerSettings:
        """Return the settings with `--ignore-dra-requests=false`."""
        return replace(self, ignores_claims=False)

    def plans_claims(self, karpenter: Baseline) -> bool:
        """Tell whether this Karpenter plans pods with ResourceClaims. A gate for devices alone turns that on, as the chart does
        (VA15-112)."""
        if not karpenter.does(Behaviour.DEVICES_ARE_ALLOCATED):
            return False
        return any(map(self.is_on, DEVICE_GATES)) if self.ignores_claims is None else not self.ignores_claims

    def with_gates_of_disruption(self, gates: FeatureGates, karpenter: Baseline) -> FeatureGates:
        """Return the disruption gates, together with those that are turned on in this Karpenter."""
        known = karpenter.feature_gates | karpenter.aws_feature_gates
        on = [member for gate, member in GATES_OF_DISRUPTION.items() if gate in known and self.is_on(gate)]
        on += ["legacy_node_repair"] if self.has_legacy_node_repair and LEGACY_NODE_REPAIR.name in karpenter.flags else []
        return replace(gates, **dict.fromkeys(on, True))

    def unknown_to(self, karpenter: Baseline) -> tuple[str, ...]:
        """Return the gates that are turned on but that this Karpenter does not have, sorted."""
        known = karpenter.feature_gates | karpenter.aws_feature_gates
        return tuple(sorted(gate for gate, is_on in self.feature_gates.items() if is_on and gate not in known))


def _gates(section: Mapping[str, Any]) -> list[tuple[FeatureGate, bool]]:
    return [(gate, on) for written, on in section.items() if (gate := gate_spelled(written)) is not None]
