"""AutoModeCluster: the one call for a cluster whose nodes EKS manages."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode

from cutlist.core.errors import InputError
from tests.infrastructure.graph import Graph
from tests.infrastructure.joined_program import ADMINS, ADOPTED_VPC, WHERE, joined
from tests.infrastructure.test_node_configuration import pool

POOL = "kubernetes:karpenter.sh/v1:NodePool"
AUTO: dict[str, Any] = {**WHERE, "kubernetes_version": "1.35", "admins": ADMINS}


def auto_pool(**spec: object) -> dict[str, Any]:
    node_pool = pool(**spec)
    node_pool["spec"]["template"]["spec"]["nodeClassRef"] = {
        "group": "eks.amazonaws.com",
        "kind": "NodeClass",
        "name": "default",
    }
    return node_pool


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("network", [{}, ADOPTED_VPC])
def test_it_runs_in_both_operations(mode, network):  # I-75 I-81
    """Without a controller, a queue or core add-ons: Auto Mode has them."""
    recording = joined("AutoModeCluster", {**AUTO, "network": network, "node_pools": [auto_pool()]}, mode)
    types = {one.type for one in recording.resources.values()}
    assert not types & {
        "kubernetes:helm.sh/v3:Release",
        "aws:sqs/queue:Queue",
        "aws:eks/addon:Addon",
        "aws:eks/nodeGroup:NodeGroup",
    }
    [made] = recording.of_type(POOL)
    assert made.inputs["spec"]["template"]["spec"]["nodeClassRef"]["kind"] == "NodeClass"


def test_pools_go_before_the_cluster_and_its_interfaces_before_the_network():  # I-56 I-70
    """Nodes end while there is still something that ends them."""
    recording = joined("AutoModeCluster", {**AUTO, "node_pools": [auto_pool()]}, Mode.UPDATE)
    graph = Graph.of(recording)
    [cluster] = recording.of_type("aws:eks/cluster:Cluster")
    [last] = recording.of_type("pulumi-python:dynamic/cutlist:Sweep")
    assert graph.reaches(recording.of_type(POOL), [cluster, *recording.of_type("aws:eks/accessEntry:AccessEntry")])
    assert graph.reaches(cluster, last)
    assert graph.reaches(last, recording.of_type("aws:ec2/vpc:Vpc"))


def test_mistakes_of_all_parts_are_reported_together():  # I-74 I-78
    """Those of the pools too: nodes of Auto Mode live 21 days at most."""
    given = {
        **AUTO,
        "kubernetesVersion": "1.35",
        "built_in_pools": ["sytem"],
        "auto_mode": {"ownTags": True, "regoin": "x"},
        "add_ons": {"vpc-cni": {}},
        "network": {"own": {"cidr": "10.0.0.0/99"}},
        "node_pools": [auto_pool(expireAfter="720h")],
    }
    with pytest.raises(InputError) as error:
        joined("AutoModeCluster", given)
    reported = str(error.value)
    for place in ("builtInPools", "autoMode.regoin", "addOns", "network.own.cidr", "expireAfter"):
        assert place in reported, reported
