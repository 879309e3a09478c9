"""What the preview of an engine says of nodes that an edit replaces, from what its state has of the cluster's objects."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from pulumi_cutlist.aws import KarpenterCluster
from pulumi_cutlist.kubernetes import EC2NodeClass, NodePool

from tests.engine.engine import ROOT, Engine
from tests.infrastructure.joined_program import NEW, OBJECTS
from tests.infrastructure.test_cluster_workloads import DEPLOYMENT

pytestmark = pytest.mark.xdist_group("engine-replaced")

Inputs: TypeAlias = dict[str, Any]
Preview: TypeAlias = Callable[[Callable[[Inputs], object]], str]
SPREAD = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule"}


def spread_workload() -> dict[str, Any]:
    """Return a workload whose four pods need four nodes."""
    made = copy.deepcopy(DEPLOYMENT)
    made["spec"]["template"]["spec"]["topologySpreadConstraints"] = [
        {**SPREAD, "labelSelector": {"matchLabels": {"app": "web"}}}
    ]
    return made


@pytest.fixture(scope="module")
def shown(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    """What a preview shows after an edit of the inputs of a cluster that is up, in one line."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    inputs: Inputs = copy.deepcopy({**NEW, **OBJECTS, "kubernetes_version": "1.34", "workloads": [spread_workload()]})
    stack = engine.stack("replaced", folder, lambda: KarpenterCluster("shop", copy.deepcopy(inputs)) and None)
    stack.up(color="never")

    def preview(edit: Callable[[Inputs], object]) -> str:
        edited = copy.deepcopy(inputs)
        edit(edited)
        text = stack.preview(color="never", program=lambda: KarpenterCluster("shop", edited) and None).stdout
        return re.sub(r"\s+", " ", text)

    yield preview
    stack.destroy(color="never")


def replaced(text: str) -> str:
    """Return what is said of replaced nodes among the diagnostics, which come last."""
    _, found, rest = text.rpartition("This replaces nodes: ")
    return rest if found else ""


def class_spec(inputs: Inputs) -> dict[str, Any]:
    return inputs["node_classes"][0]["spec"]


def template(inputs: Inputs) -> dict[str, Any]:
    return inputs["node_pools"][0]["spec"]["template"]["spec"]


def test_another_image_replaces_all_planned_nodes(shown: Preview):
    """How many of them, under which budgets, and by what."""
    said = replaced(shown(lambda inputs: class_spec(inputs).update(amiSelectorTerms=[{"alias": "al2023@v20260714"}])))
    assert said.startswith(
        "4 of 4 planned nodes are replaced for at least 4m20s: the budget of NodePool general allows 10% at a time"
    )
    assert "all nodes of EC2NodeClass default drift (NodePool general): spec.amiSelectorTerms" in said


def test_a_field_of_the_class_and_one_that_changes_no_node(shown: Preview):
    """The hash of a class decides; tags of instances are changed in place, and consolidation replaces nothing by itself."""
    said = replaced(shown(lambda inputs: class_spec(inputs).update(detailedMonitoring=True)))
    assert said.startswith("4 of 4 planned nodes are replaced")
    assert "spec.detailedMonitoring" in said
    quiet = shown(lambda inputs: inputs["node_pools"][0]["spec"].update(disruption={"consolidateAfter": "5m"}))
    assert replaced(quiet) == ""
    assert "these differ: NodePool general spec.disruption.consolidateAfter" in quiet


def test_a_narrower_requirement_replaces_the_nodes_outside_it(shown: Preview):
    narrow = {"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": ["x"]}
    said = replaced(shown(lambda inputs: template(inputs).update(requirements=[narrow])))
    assert said.startswith("4 of 4 planned nodes are replaced")
    assert "the nodes outside the new requirements of NodePool general drift: spec.template.spec.requirements" in said


def test_another_kubernetes_replaces_nodes_of_an_alias(shown: Preview):
    said = replaced(shown(lambda inputs: inputs.update(kubernetes_version="1.35")))
    assert said.startswith("4 of 4 planned nodes are replaced")
    assert "Kubernetes 1.34 becomes 1.35: all nodes of EC2NodeClass default drift" in said


def test_without_workloads_nodes_are_not_counted(shown: Preview):
    """All nodes of the class, and what the budgets allow."""

    def edit(inputs: Inputs) -> None:
        class_spec(inputs).update(amiSelectorTerms=[{"alias": "al2023@v20260714"}])
        del inputs["workloads"]

    said = replaced(shown(edit))
    assert said.startswith("all nodes of EC2NodeClass default drift (NodePool general): spec.amiSelectorTerms")
    assert "the budget of NodePool general allows 10% at a time" in said


def test_nodes_of_a_snapshot_are_those_that_run(shown: Preview):
    """With how long it takes at least, from the instant of the snapshot."""

    def edit(inputs: Inputs) -> None:
        class_spec(inputs).update(amiSelectorTerms=[{"alias": "al2023@v20260714"}])
        inputs["workloads"] = [str(ROOT / "examples" / "shop" / "snapshot.yaml")]

    said = replaced(shown(edit))
    assert re.match(r"4 of 4 nodes are replaced, from 2026-01-05 11:40:00Z on for at least \d+", said)


def test_an_edit_of_nothing_says_nothing(shown: Preview):
    assert replaced(shown(lambda inputs: None)) == ""


def test_an_update_of_a_pool_that_waits_for_its_class(engine: Engine, tmp_path: Path):
    """The name of its class is an output of the class's component, in updates as well."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")

    def program(arch: str) -> Callable[[], None]:
        def build() -> None:
            [node_class], [pool] = OBJECTS["node_classes"], copy.deepcopy(OBJECTS["node_pools"])
            pool["spec"]["template"]["spec"]["requirements"] = [
                {"key": "kubernetes.io/arch", "operator": "In", "values": [arch]}
            ]
            made = EC2NodeClass("machines", {"manifest": node_class})
            NodePool("general", {"manifest": pool, "node_class_name": made.object_name})

        return build

    stack = engine.stack("waiting", tmp_path, program("amd64"))
    stack.up(color="never")
    shown = stack.up(color="never", program=program("arm64"))
    assert replaced(re.sub(r"\s+", " ", shown.stdout)).startswith("the nodes outside the new requirements of NodePool general")
    stack.destroy(color="never")
