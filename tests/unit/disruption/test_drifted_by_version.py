"""Nodes of AKS that are replaced after an upgrade of the control plane, forecast from what their kubelets tell."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from cutlist.disruption.drifted_by_cloud import drifted_by_version
from cutlist.disruption.drifted_nodes import in_words
from cutlist.planning.read_inputs import read_inputs
from cutlist.state.cluster import Origin
from cutlist.state.statenode import all_state_nodes, newest_time
from cutlist.verbs.diff.nodes import BlastRadius, blast_radius
from tests.seeds.aks import running
from tests.unit.disruption.test_edits import POOL, changed
from tests.unit.disruption.test_edits import read as read_object
from tests.unit.planning.azure_manifests import CLASS, D8, figures, pool

REFERENCE = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}
ON_AKS = read_object(changed(POOL, "spec.template.spec.nodeClassRef", REFERENCE))
CAPACITY = {"cpu": "8", "memory": "28Gi", "pods": "110"}
LABELS = {
    "karpenter.sh/nodepool": "general",
    "karpenter.sh/registered": "true",
    "karpenter.sh/initialized": "true",
    "karpenter.sh/capacity-type": "on-demand",
    "karpenter.azure.com/sku-name": "Standard_D8_v4",
    "node.kubernetes.io/instance-type": "Standard_D8_v4",
    "topology.kubernetes.io/zone": "japaneast-1",
}


def node(kubelet: str, name: str = "aks-a", conditions: tuple[dict[str, Any], ...] = ()) -> Origin:
    """A node that runs a version, with its claim."""
    there, claim = copy.deepcopy(running(name, "general", dict(LABELS), CAPACITY))
    there["status"]["nodeInfo"] = {"kubeletVersion": kubelet}
    claim["status"]["conditions"] = [*claim["status"]["conditions"], *conditions]
    return there, claim


def reported(version: str, *origins: Origin) -> list[str]:
    return [one.claim for one in drifted_by_version([ON_AKS], origins, version)]


def test_nodes_follow_the_control_plane():
    """Those that already exist stay, and nothing is said while the version is not given."""
    origins = (node("v1.33.5", "aks-b"), node("v1.33.2", "aks-a"), node("v1.34.0", "aks-c"))
    assert reported("1.34", *origins) == ["a", "b"]
    assert reported("1.33.5", *origins) == ["a"]
    assert reported("", *origins) == []


def test_a_claim_without_a_node_has_no_version():
    _, claim = node("v1.33.5")
    assert reported("1.34", (None, claim)) == []


def test_nodes_of_another_cloud_do_not_drift_by_it():
    """On EKS a new version comes with new images."""
    assert drifted_by_version([read_object(POOL)], [node("v1.33.5")], "1.34") == []


def test_the_sentence_says_where_the_version_is_reported():
    drifted = drifted_by_version([ON_AKS], [node("v1.33.5")], "1.34")
    assert in_words("general", drifted) == "NodePool general: 1 node drifts by aks.kubernetesVersion (K8sVersionDrift): a"


def blast(before: str, after: str, *origins: Origin, edited: str = CLASS) -> BlastRadius:
    """What an upgrade does to a cluster with these nodes; `edited` is the class as it is then."""
    there = [thing for origin in origins for thing in origin if thing is not None]
    old, new = (
        read_inputs(
            ["-"],
            region="japaneast",
            stdin="\n---\n".join((one, pool(D8))),
            manifests=[figures(**({"kubernetesVersion": version} if version else {})), *there],
        )
        for one, version in ((CLASS, before), (edited, after))
    )
    return blast_radius(old, new, newest_time(all_state_nodes(new.cluster)))


def test_an_upgrade_replaces_nodes_though_no_object_changed():
    answer = blast("1.33", "1.34", node("v1.33.5", "aks-a"), node("v1.34.1", "aks-b"))
    assert [(one.claim, one.reason, one.certain) for one in answer.replaced] == [("a", "K8sVersionDrift", True)]
    assert [turn.node for turn in answer.rollout.turns] == ["aks-a"]
    assert answer.edits == ()
    assert not answer.changes_nothing


@pytest.mark.parametrize("version", ["", "1.33"])
def test_without_an_upgrade_nothing_is_replaced(version):
    assert blast(version, version, node("v1.33.5")).changes_nothing


def test_nodes_that_were_behind_before_are_no_news():
    answer = blast("1.34", "1.34", node("v1.33.5"))
    assert answer.replaced == ()
    assert [one.claim for one in answer.before] == ["a"]


def test_what_the_controller_has_found_already_is_no_news_either():
    """Its condition stands, whether the figures tell the version or not."""
    drifted = {"type": "Drifted", "status": "True", "reason": "K8sVersionDrift", "lastTransitionTime": "2026-01-05T12:00:00Z"}
    for version in ("", "1.34"):
        answer = blast(version, version, node("v1.33.5", conditions=(drifted,)))
        assert ([one.claim for one in answer.before], answer.replaced) == (["a"], ())
