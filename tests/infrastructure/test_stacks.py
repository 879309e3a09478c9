"""The stacks of the project, each run in-process in both of the engine's operations."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulumi.runtime import rpc
from pulumi_cutlist.node_plans import request as plan_request
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.planning.read_inputs import read_inputs
from tests.infrastructure.graph import Graph
from tests.infrastructure.joined_program import BY_THEMSELVES, parts_of
from tests.infrastructure.projects import ROOT, STACKS, record, recorded

pytestmark = pytest.mark.xdist_group("stacks")  # one worker records them and imports the SDKs

CLUSTERS = {"KarpenterCluster", "AutoModeCluster", "AksNodeProvisioning"}


@pytest.fixture(scope="module", params=STACKS)
def stack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def previewed(stack: str) -> Recording:
    return recorded(stack, Mode.PREVIEW)


def test_there_is_a_stack_for_each_environment():
    """From a small one to one without internet, and the nodes that a cloud manages."""
    assert {"dev", "staging", "prod", "auto", "private", "aks"} <= set(STACKS)


def test_a_stack_is_a_cluster_with_its_objects_and_a_plan(previewed):  # I-2
    """Previewed without an account: what decides objects and plan is known before anything exists."""
    top = {one.type.rpartition(":")[2] for one in previewed.resources.values() if _is_of_stack(one.parent)}
    assert "NodePlan" in top
    assert top - {"NodePlan", "Stack"} <= CLUSTERS
    objects = [one for one in previewed.resources.values() if one.type.startswith("kubernetes:karpenter")]
    assert objects
    assert [one.urn for one in objects if rpc.UNKNOWN in str(one.inputs["spec"])] == []


def _is_of_stack(parent: str) -> bool:
    return parent == "" or "pulumi:pulumi:Stack" in parent


def test_a_destroy_meets_the_protection_before_all_else(stack, previewed):
    """An engine deletes it first; while it is protected, nothing else is deleted when the destroy is refused."""
    protections = previewed.of_type("cutlist:index:Protection")
    [first] = [
        one for one in protections if one.name.startswith(("aks-protection", "eks-protection"))
    ]  # the cluster's own is another
    needs = Graph.of(previewed).needs(first.urn)
    assert [one.urn for one in previewed.resources.values() if one.request.custom and one.urn not in needs] == []
    assert {one.request.protect for one in protections} == {stack == "prod"}


def test_every_pod_has_a_node(previewed):
    """What newcomers see first works."""
    assert previewed.exports["plan"]["pending"] == {}


def test_an_update_registers_what_the_preview_shows(stack, previewed):
    """The same resources, whatever becomes known on the way."""
    updated = recorded(stack, Mode.UPDATE)
    assert sorted(updated.resources) == sorted(previewed.resources)


def test_a_stack_goes_in_the_right_order(previewed):  # I-56
    """Every edge that a destroy needs is there."""
    graph = Graph.of(previewed)
    parts = {urn: part for urn, part in parts_of(previewed).items() if part not in BY_THEMSELVES}
    assert graph.lacks(parts) == []
    for pool in previewed.of_type("kubernetes:karpenter.sh/v1:NodePool"):
        reference = pool.inputs["spec"]["template"]["spec"]["nodeClassRef"]
        group = f"kubernetes:{reference['group']}/"
        classes = [one for one in previewed.resources.values() if one.type.startswith(group)]
        own = [one for one in classes if one.inputs["metadata"]["name"] == reference["name"]]
        assert own == [] or graph.reaches(pool, own)


def test_the_files_of_a_stack_are_read_once(monkeypatch):
    """For their mistakes and for the plan together: a large environment does not take twice as long."""
    asked = []

    def counted(sources, **more):
        asked.extend(sources)
        return read_inputs(sources, **more)

    monkeypatch.setattr(plan_request, "read_inputs", counted)
    assert record(ROOT, "dev", Mode.PREVIEW).exports["plan"]["nodePools"]
    assert [Path(source).name for source in asked] == ["node-pools.yaml", "workloads"]
