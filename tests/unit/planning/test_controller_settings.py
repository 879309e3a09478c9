"""The settings of an installed Karpenter among the figures: feature gates and policies, in plans and in forecasts."""

from __future__ import annotations

import pytest

from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import BASELINES, DEFAULT
from cutlist.core.karpenter.feature_gates import FEATURE_GATES, gate_spelled
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.infrastructure.charts.keys import gate_key
from cutlist.planning.controller_settings import ControllerSettings
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.notes import assumptions
from cutlist.providers.node_repair import AWS_DISRUPTION_REPAIR_POLICIES, AWS_REPAIR_POLICIES, AZURE_REPAIR_POLICIES
from cutlist.verbs.cluster_state import cluster_state_of
from tests.unit.planning.azure_manifests import CLASS
from tests.unit.planning.azure_manifests import inputs_of as azure_inputs
from tests.unit.planning.azure_manifests import pool as azure_pool
from tests.unit.planning.manifests import NODE_CLASS, TYPES, inputs_of, overlay, pool

ONE_TYPE = pool(requirements=f"[{TYPES.format('m6i.large')}]")
CHEAPER = overlay('{requirements: [], priceAdjustment: "-10%"}', "cheaper")


def inputs(controller: str, kubelet: str = "{}", karpenter: str = "1.15") -> PlanInputs:
    """Inputs with an overlay and these settings of the controller among their figures."""
    figures = f"apiVersion: cutlist/v1\nkind: Figures\ncontroller: {controller}\n"
    return inputs_of(ONE_TYPE, CHEAPER, figures, node_class=f"{NODE_CLASS}  kubelet: {kubelet}\n", karpenter=karpenter)


def codes(given: PlanInputs) -> list[str]:
    return [note.code for note in given.warnings]


@pytest.mark.parametrize("gate", FEATURE_GATES, ids=lambda gate: gate.name)
def test_a_gate_has_one_meaning_in_each_spelling(gate):
    """As Karpenter's flag has it, as the chart has it, and as inputs of components have it."""
    assert {gate_spelled(name) for name in (gate.name, gate_key(gate.name), gate.name.lower())} == {gate}
    assert gate_spelled("node_class_cel") == gate_spelled("NodeClassCEL")
    assert gate_spelled("Karpenter") is None


# VA15-9
def test_expressions_are_read_where_the_figures_turn_their_gate_on():
    """As `--feature-gate` does."""
    kubelet = "{maxPods: vcpus * 10}"
    assert inputs("{awsFeatureGates: {nodeClassCEL: true}}", kubelet).figures.settings.feature_gates == {"NodeClassCEL"}
    for off in ("{}", "{awsFeatureGates: {nodeClassCEL: false}}"):
        with pytest.raises(InputError, match="NodeClassCEL feature gate is disabled"):
            inputs(off, kubelet)


# VA15-110
def test_a_gate_that_the_chosen_karpenter_lacks_is_without_effect_and_says_so():
    """Karpenter passes over names that it does not know."""
    given = inputs("{awsFeatureGates: {draEFA: true}, featureGates: {terminateFirstDrift: true}}", karpenter="1.14")
    assert given.figures.settings.feature_gates == frozenset()
    assert codes(given) == ["feature-gate-unknown"] * 2
    assert given.warnings[0].text == "Karpenter 1.14 has no feature gate DRAEFA, which is turned on without effect"


def test_an_unknown_gate_is_a_mistake():
    with pytest.raises(InputError, match=r"controller\.awsFeatureGates\.nodeClassCell: is not a field here"):
        inputs("{awsFeatureGates: {nodeClassCell: true}}")


def test_what_needs_a_gate_that_is_off_has_no_effect():
    """The overlay would change prices."""
    assert len(inputs("{}").overlays) == 1
    off = inputs("{featureGates: {nodeOverlay: false}}")
    assert (off.overlays, codes(off)) == ((), ["feature-gate-off"])
    assert off.warnings[0].text == "the feature gate NodeOverlay is turned off: without effect is NodeOverlay cheaper"


def test_a_gate_that_is_on_need_not_be_assumed():
    noted = [[n.code for n in assumptions(inputs(text), ())] for text in ("{}", "{featureGates: {nodeOverlay: true}}")]
    assert ["feature-gates" in notes for notes in noted] == [True, False]


def test_policies_of_the_scheduler_are_those_of_the_controller():
    options = inputs("{preferencePolicy: Ignore, minValuesPolicy: BestEffort, featureGates: {reservedCapacity: false}}").options
    assert (options.respect_preferences, options.strict_min_values, options.reserved_capacity) == (False, False, False)
    usual = inputs("{}").options
    assert (usual.respect_preferences, usual.strict_min_values, usual.reserved_capacity) == (True, True, True)


def test_a_forecast_runs_with_the_gates_of_the_figures():
    """Beside those of the call."""
    given = inputs("{featureGates: {nodeRepair: true}, awsFeatureGates: {rebootForRepair: true}}")
    gates = cluster_state_of(given, 0, FeatureGates(spot_to_spot=True), allow_empty=True).feature_gates
    assert gates == FeatureGates(spot_to_spot=True, node_repair=True, reboot_for_repair=True)
    legacy = inputs("{featureGates: {nodeRepair: true}, legacyNodeRepair: true}")
    assert cluster_state_of(legacy, 0, FeatureGates(), allow_empty=True).feature_gates.legacy_node_repair


# D-77, V15-57
@pytest.mark.parametrize(
    ("karpenter", "legacy", "policies"),
    [("1.14", "false", AWS_REPAIR_POLICIES), ("1.15", "true", AWS_DISRUPTION_REPAIR_POLICIES)],
)
def test_nodes_are_repaired_by_the_policies_of_the_provider_that_the_controller_has(karpenter, legacy, policies):
    of = inputs(f"{{featureGates: {{nodeRepair: true}}, legacyNodeRepair: {legacy}}}", karpenter=karpenter)
    cluster = cluster_state_of(of, 0, FeatureGates(), allow_empty=True)
    assert not cluster.repairs
    assert cluster.repair_policies == policies


def test_on_aks_nodes_are_repaired_by_its_own_policies():
    of = azure_inputs(CLASS, azure_pool(), karpenter="1.14")
    cluster = cluster_state_of(of, 0, FeatureGates(node_repair=True), allow_empty=True)
    assert cluster.repair_policies == AZURE_REPAIR_POLICIES


@pytest.mark.parametrize("karpenter", BASELINES, ids=str)
def test_only_gates_that_a_karpenter_has_are_on(karpenter):
    """Those of AWS and those that disruption depends on."""
    settings = ControllerSettings({gate.name: True for gate in FEATURE_GATES}, has_legacy_node_repair=True)
    assert settings.aws_gates(karpenter) == karpenter.aws_feature_gates
    gates = settings.with_gates_of_disruption(FeatureGates(), karpenter)
    assert gates.node_repair
    assert gates.terminate_first_drift is ("TerminateFirstDrift" in karpenter.feature_gates)
    assert gates.legacy_node_repair is (karpenter.minor == DEFAULT.minor)
