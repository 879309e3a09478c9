"""Which nodes an edit replaces, in the sentences of a preview."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any

import pytest

from cutlist import EC2NodeClass, NodePool, read_inputs
from cutlist.api.read import NodeClass
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.diff.replaced import Upgrade, replaced

SHOP = "examples/shop"
NOW = 1_767_571_200.0


def inputs(*files: str) -> PlanInputs:
    return read_inputs([f"{SHOP}/pools.yaml", *(f"{SHOP}/{file}" for file in files)], region="us-west-2", allow_empty=True)


def old_class(after: PlanInputs, **spec: Any) -> EC2NodeClass:
    manifest = copy.deepcopy(after.node_classes[0].manifest())
    manifest["spec"].update(spec)
    return EC2NodeClass.from_manifest(manifest)


def old_pool(after: PlanInputs, **spec: Any) -> NodePool:
    manifest = copy.deepcopy(after.node_pools[0].manifest())
    manifest["spec"].update(spec)
    return NodePool.from_manifest(manifest)


OTHER_IMAGE = {"amiSelectorTerms": [{"alias": "al2023@v20250601"}]}


def test_nodes_that_run_are_counted_from_their_instant():  # D-67
    after = inputs("snapshot.yaml")
    first, *causes = replaced([old_class(after, **OTHER_IMAGE)], after, NOW)
    assert first.startswith("4 of 4 nodes are replaced, from 2026-01-05 11:40:00Z on for at least")
    assert causes == ["all nodes of EC2NodeClass default drift (NodePool general): spec.amiSelectorTerms"]


def test_nodes_that_are_only_planned_have_no_instant():
    after = inputs("workloads.yaml")
    first, *_ = replaced([old_class(after, detailedMonitoring=True)], after, NOW)
    assert first == "1 of 1 planned node is replaced for at least 1m05s: the budget of NodePool general allows 10% at a time."


def test_without_workloads_the_objects_say_which_nodes():
    after = inputs()
    assert replaced([old_class(after, **OTHER_IMAGE)], after, NOW) == [
        "all nodes of EC2NodeClass default drift (NodePool general): spec.amiSelectorTerms",
        "the budget of NodePool general allows 10% at a time",
    ]
    latest = {"amiSelectorTerms": [{"alias": "al2023@latest"}]}
    assert replaced([old_class(after, **latest)], after, NOW)[0].startswith("some nodes of EC2NodeClass default drift")


def test_what_replaces_no_node_says_nothing():
    """Nor does an object that is as it was."""
    after = inputs("snapshot.yaml")
    assert replaced([old_pool(after, disruption={"consolidateAfter": "5m"})], after, NOW) == []
    assert replaced([old_class(after)], after, NOW) == []


def test_another_version_replaces_the_nodes_of_aliases_alone():  # D-70
    after, upgrade = inputs("snapshot.yaml"), Upgrade("1.34", "1.35")
    first, cause = replaced([], after, NOW, upgrade)
    assert first.startswith("4 of 4 nodes are replaced")
    assert cause == (
        "Kubernetes 1.34 becomes 1.35: all nodes of EC2NodeClass default drift, since their images are those of the version"
    )
    by_id = old_class(after, amiFamily="AL2023", amiSelectorTerms=[{"id": "ami-0123456789abcdef0"}])
    fixed = replace(after, node_classes=(by_id,))
    assert replaced([], fixed, NOW, upgrade)[-1] == (
        "Kubernetes 1.34 becomes 1.35: no node drifts, since the node classes name their images by themselves"
    )


@dataclass(frozen=True)
class Objects:
    node_pools: tuple[NodePool, ...]
    node_classes: tuple[NodeClass, ...] = ()


@pytest.mark.parametrize(("group", "kind"), [("eks.amazonaws.com", "NodeClass"), ("karpenter.azure.com", "AKSNodeClass")])
def test_nodes_of_a_class_that_the_cloud_makes_follow_the_version(group: str, kind: str):  # D-70
    """The class `default` of EKS Auto Mode and of AKS is in no input."""
    reference = {"group": group, "kind": kind, "name": "default"}
    spec = {"template": {"spec": {"nodeClassRef": reference, "requirements": []}}}
    pool = NodePool.from_manifest(
        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "own"}, "spec": spec}
    )
    said = f"Kubernetes 1.35 becomes 1.36: all nodes of {kind} default drift, since their images are those of the version"
    assert replaced([], Objects((pool,)), NOW, Upgrade("1.35", "1.36"))[0] == said
