"""A stack whose objects are for a cluster that already exists, run in-process in both of the engine's operations."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from pulumi.errors import RunError
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording
from pulumi_cutlist.stack.gate import gate_stack

from tests.infrastructure.projects import record, without_cluster
from tests.infrastructure.unknowns import has_unknowns


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return without_cluster(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module", params=list(Mode))
def recording(root, request) -> Recording:
    return record(root, "dev", request.param)


def test_the_resources_are_under_their_components(recording):
    """Every NodePool and node class is one component with its object; URNs are the engine's."""
    urns = sorted(urn.removeprefix("urn:pulumi:dev::cutlist::") for urn in recording.resources)
    node_class = "cutlist:index:EC2NodeClass"
    node_pool = "cutlist:index:NodePool"
    assert urns == sorted(
        [
            "pulumi:pulumi:Stack::cutlist-dev",
            "cutlist:index:NodePlan::nodes",
            *(f"{node_class}::{name}" for name in ("default", "gpu")),
            *(f"{node_class}$kubernetes:karpenter.k8s.aws/v1:EC2NodeClass::{name}" for name in ("default", "gpu")),
            *(f"{node_pool}::{name}" for name in ("batch", "general", "gpu")),
            *(f"{node_pool}$kubernetes:karpenter.sh/v1:NodePool::{name}" for name in ("batch", "general", "gpu")),
        ]
    )


def test_objects_are_children_of_their_component(recording):
    """An object's parent is the component of its name, and components belong to the stack."""
    for child in recording.resources.values():
        if child.type.startswith("kubernetes:"):
            parent = recording.resources[child.parent]
            assert (parent.type.rpartition(":")[2], parent.name) == (child.type.rpartition(":")[2], child.name)
        elif child.parent:
            assert recording.resources[child.parent].type == "pulumi:pulumi:Stack"


def test_nothing_unknown_reaches_any_resource(recording):
    """What decides a plan or an object is known before anything exists."""
    assert [r.urn for r in recording.resources.values() if has_unknowns(r)] == []


def test_pools_wait_for_their_classes(recording):
    """Each NodePool's object depends on the object of the class that it names."""
    classes = {r.name: r.urn for r in recording.of_type("kubernetes:karpenter.k8s.aws/v1:EC2NodeClass")}
    for pool in recording.of_type("kubernetes:karpenter.sh/v1:NodePool"):
        reference = pool.inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"]
        assert list(pool.request.dependencies) == [classes[reference]]


def test_the_plan_is_carried_and_exported(recording):
    """The NodePlan's outputs and the stack's export are the same small data; its inputs hold what gates look at, too."""
    [plan] = recording.of_type("cutlist:index:NodePlan")
    reported = {key: value for key, value in plan.inputs.items() if key != "measures"}
    assert recording.exports["plan"] == reported == recording.outputs[plan.urn]
    assert sorted(plan.inputs) == ["measures", "nodePools", "pending", "region", "totals"]


def test_every_pod_has_a_node(recording):
    """The stack that newcomers see first works: nothing pending, and each NodePool is used."""
    plan = recording.exports["plan"]
    assert plan["pending"] == {}
    assert plan["totals"]["pods"] == 12 + 6 + 4 + 3 + 1 + 4 + 1
    assert sorted(plan["nodePools"]) == ["batch", "general", "gpu"]


def test_the_plan_is_reported_to_people(recording):
    """With an engine the plan stands among the messages of the preview."""
    [log] = recording.logs
    assert log.severity == "info"
    assert ": 5 nodes for 31 pods in us-west-2" in log.message
    assert log.urn.endswith("NodePlan::nodes")


def test_two_runs_are_equal_byte_for_byte(root):
    """Every request, output and message of two runs is the same."""
    first, second = record(root, "dev", Mode.PREVIEW), record(root, "dev", Mode.PREVIEW)
    assert _bytes(first) == _bytes(second)
    assert first.outputs == second.outputs
    assert first.logs == second.logs


def test_preview_and_update_register_the_same(root):
    """A preview shows exactly what an update will ask for."""
    assert _bytes(record(root, "dev", Mode.PREVIEW)) == _bytes(record(root, "dev", Mode.UPDATE))


def _bytes(recording: Recording) -> dict[str, bytes]:
    return {urn: r.request.SerializeToString(deterministic=True) for urn, r in recording.resources.items()}


def test_an_inline_program_needs_no_root_folder(root, monkeypatch):
    """The Automation API does not tell inline programs where Pulumi.yaml is; the stack is read from where the program runs."""
    reported = record(root, "dev", Mode.PREVIEW)
    monkeypatch.setattr("pulumi.get_root_directory", lambda: None)
    untold = record(root, "dev", Mode.PREVIEW)
    assert {urn: r.inputs for urn, r in untold.resources.items()} == {urn: r.inputs for urn, r in reported.resources.items()}


def with_karpenter(folder: Path, version: str) -> Path:
    """The project with a Karpenter of its own choice in its dev stack."""
    file = without_cluster(folder) / "stacks/Pulumi.dev.yaml"
    file.write_text(f"{file.read_text().rstrip()}\n  cutlist:karpenterVersion: {version}\n")
    return folder


def test_the_karpenter_of_the_cluster_can_be_chosen(tmp_path):
    """Its rules count in the plan."""
    [log] = record(with_karpenter(tmp_path, '"1.15"'), "dev", Mode.PREVIEW).logs
    assert "in us-west-2, Karpenter 1.15.0" in " ".join(log.message.split())


def test_a_karpenter_whose_rules_are_not_known_is_refused(tmp_path):
    """Where the stack names it."""
    with pytest.raises(RunError, match=r"cutlist:karpenterVersion: Karpenter 9\.9\.9 is not supported; allowed: 1\.14, 1\.15"):
        record(with_karpenter(tmp_path, "9.9.9"), "dev", Mode.PREVIEW)


def with_expression(folder: Path, *lines: str) -> Path:
    """The project with an expression in a class of its dev stack, and more lines in the stack's file."""
    file = without_cluster(folder) / "stacks/Pulumi.dev.yaml"
    file.write_text("\n".join([file.read_text().rstrip(), *(f"  cutlist:{line}" for line in lines), ""]))
    pools = folder / "stacks/dev/node-pools.yaml"
    head = "metadata:\n  name: default\nspec:\n"
    pools.write_text(pools.read_text().replace(head, f"{head}  kubelet: {{maxPods: vcpus * 10}}\n", 1))
    return folder


# VA15-9
def test_the_feature_gates_of_the_cluster_can_be_chosen(tmp_path):
    """The plan, the component of the class and the rules read expressions with them."""
    folder = with_expression(tmp_path, "awsFeatureGates: {nodeClassCEL: true}", "featureGates: {nodeRepair: true}")
    recording = record(folder, "dev", Mode.PREVIEW)
    assert "Karpenter 1.15.0" in recording.logs[0].message
    judged = gate_stack(folder, "dev", date(2026, 6, 1)).report
    assert judged.judged > 0
    assert [outcome.sentence for outcome in judged.outcomes if outcome.rule in ("OB-01", "GT-04", "NC-10")] == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("awsFeatureGates: {nodeClassCEL: false}", "NodeClassCEL feature gate is disabled"),
        ("awsFeatureGates: {nodeClassCell: true}", r"cutlist:awsFeatureGates\.nodeClassCell: is not a field here"),
        ("awsFeatureGates: [nodeClassCEL]", r"cutlist:awsFeatureGates: expected a mapping, found a list"),
        ("featureGates: {nodeRepair: 1}", r"cutlist:featureGates\.nodeRepair: expected true or false, found 1"),
    ],
)
def test_a_mistaken_feature_gate_is_refused_where_it_is_written(tmp_path, line, words):
    with pytest.raises(RunError, match=words):
        record(with_expression(tmp_path, line), "dev", Mode.PREVIEW)
