"""AutoMode: the cluster, its roles, and who lets nodes in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError
from tests.infrastructure.aws_stand_in import ACCOUNT, run
from tests.infrastructure.graph import Graph, unguarded
from tests.infrastructure.test_cluster import ACCESS, ADD_ON, ATTACHMENT, CLUSTER, ENTRY, EVERYTHING, ROLE, control_plane, one

PROGRAM = """
from pulumi_cutlist.aws import AutoMode

cluster = AutoMode("main", args)
pulumi.export("role", cluster.node_role_name)
pulumi.export("role_arn", cluster.node_role_arn)
"""
CUSTOM = f"arn:aws:iam::{ACCOUNT}:role/Batch"


@pytest.fixture
def record(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, of_plane: dict[str, Any] | None = None, **more: Any) -> Recording:
        return run(tmp_path, PROGRAM, mode, args={"control_plane": control_plane(**(of_plane or {})), **more})

    return make


def switches(cluster: Registration) -> list[bool]:
    inputs = cluster.inputs
    return [
        inputs["computeConfig"]["enabled"],
        inputs["storageConfig"]["blockStorage"]["enabled"],
        inputs["kubernetesNetworkConfig"]["elasticLoadBalancing"]["enabled"],
    ]


def node_entries(recording: Recording) -> dict[str, Registration]:
    return {r.inputs["principalArn"]: r for r in recording.of_type(ENTRY) if r.inputs["type"] != "STANDARD"}


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("enabled", [True, False])
def test_the_three_switches_are_equal(record, mode, enabled):  # I-71
    cluster = one(record(mode, enabled=enabled), CLUSTER)
    assert switches(cluster) == [enabled] * 3
    assert cluster.inputs["bootstrapSelfManagedAddons"] is False
    assert cluster.inputs["accessConfig"]["authenticationMode"] == "API"


@pytest.mark.parametrize("pools", [["general-purpose", "system"], ["system"], []])
def test_built_in_pools_and_their_role_come_together(record, pools):  # I-71
    compute = one(record(built_in_pools=pools), CLUSTER).inputs["computeConfig"]
    assert compute["nodePools"] == pools
    assert compute.get("nodeRoleArn") == (f"arn:aws:iam::{ACCOUNT}:role/main-auto-node" if pools else None)


def test_turned_off_it_has_neither_pools_nor_their_role(record):  # I-71
    recording = record(enabled=False)
    assert one(recording, CLUSTER).inputs["computeConfig"] == {"enabled": False, "nodePools": []}
    assert node_entries(recording) == {}


@pytest.mark.parametrize(
    ("region", "partition"), [("eu-west-1", "aws"), ("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov")]
)
def test_the_roles_have_exactly_their_policies(record, region, partition):  # I-72
    admins = {"deployer": f"arn:{partition}:iam::{ACCOUNT}:role/Deployer"}
    recording = record(of_plane={"region": region, "admins": admins})
    attached: dict[str, set[str]] = {}
    for attachment in recording.of_type(ATTACHMENT):
        attached.setdefault(attachment.inputs["role"], set()).add(attachment.inputs["policyArn"])
    policies = {
        "EKSClusterRole-shop": [
            "ClusterPolicy",
            "ComputePolicy",
            "BlockStoragePolicy",
            "LoadBalancingPolicy",
            "NetworkingPolicy",
        ],
        "EKSAutoNodeRole-shop": ["WorkerNodeMinimalPolicy"],
    }
    wanted = {role: {f"arn:{partition}:iam::aws:policy/AmazonEKS{p}" for p in names} for role, names in policies.items()}
    wanted["EKSAutoNodeRole-shop"].add(f"arn:{partition}:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly")
    assert attached == wanted
    assert recording.of_type("aws:iam/rolePolicy:RolePolicy") == []
    trust = json.loads(one(recording, ROLE, "main-role").inputs["assumeRolePolicy"])["Statement"][0]
    assert trust["Action"] == ["sts:AssumeRole", "sts:TagSession"]
    nodes = json.loads(one(recording, ROLE, "main-auto-node").inputs["assumeRolePolicy"])["Statement"][0]
    assert nodes["Action"] == "sts:AssumeRole"
    assert "path" not in one(recording, ROLE, "main-auto-node").inputs


def test_the_role_of_built_in_pools_is_let_in_by_eks_alone(record):  # I-73
    assert node_entries(record()) == {}


def test_without_built_in_pools_the_role_is_let_in_here(record):  # I-73
    recording = record(built_in_pools=[])
    [(principal, entry)] = node_entries(recording).items()
    assert principal == f"arn:aws:iam::{ACCOUNT}:role/main-auto-node"
    assert entry.inputs["type"] == "EC2"
    assert not {"userName", "kubernetesGroups"} & set(entry.inputs)
    access = one(recording, ACCESS, "main-node-default")
    assert access.inputs["policyArn"] == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy"
    assert access.inputs["accessScope"] == {"type": "cluster"}
    assert Graph.of(recording).reaches(access, entry)


def test_a_custom_role_is_let_in_beside_built_in_pools(record):  # I-73
    recording = record(custom_node_roles={"batch": CUSTOM})
    assert list(node_entries(recording)) == [CUSTOM]
    assert one(recording, ACCESS, "main-node-batch").inputs["principalArn"] == CUSTOM


def test_nothing_of_a_self_managed_karpenter_is_made(record):  # I-75
    kinds = {r.type for r in record().resources.values()}
    assert not {kind for kind in kinds if "sqs" in kind or "event" in kind or "kubernetes" in kind}
    assert not {ADD_ON, "aws:eks/nodeGroup:NodeGroup", "aws:eks/podIdentityAssociation:PodIdentityAssociation"} & kinds


def test_the_cluster_outlives_no_role_and_no_role_outlives_the_cluster(record):
    recording = record()
    graph, cluster = Graph.of(recording), one(recording, CLUSTER)
    assert graph.reaches(cluster, recording.of_type(ROLE))
    assert graph.reaches(cluster, recording.of_type(ATTACHMENT))


def test_tags_of_ones_own_take_one_more_document(record):
    [policy] = record(own_tags=True).of_type("aws:iam/rolePolicy:RolePolicy")
    statements = json.loads(policy.inputs["policy"])["Statement"]
    own = {"aws:RequestTag/eks:eks-cluster-name": "${aws:PrincipalTag/eks:eks-cluster-name}"}
    assert all(s["Condition"]["StringEquals"] == own for s in statements)
    [compute] = [s for s in statements if "ec2:RunInstances" in s["Action"]]
    assert sorted(compute["Condition"]["StringLike"]) == [
        "aws:RequestTag/eks:kubernetes-node-class-name",
        "aws:RequestTag/eks:kubernetes-node-pool-name",
    ]


def test_add_ons_for_other_nodes_and_those_that_are_not_built_in_are_made(record):
    recording = record(other_nodes=True, add_ons={"vpc-cni": {}, "metrics-server": {"version": "v0.8.0-eksbuild.1"}})
    assert [r.inputs["addonName"] for r in recording.of_type(ADD_ON)] == ["metrics-server", "vpc-cni"]
    assert [r.inputs["addonName"] for r in record(add_ons={"metrics-server": {}}).of_type(ADD_ON)] == ["metrics-server"]


@pytest.mark.parametrize(
    ("of_plane", "more", "message"),
    [
        (
            {},
            {"built_in_pools": ["general-purpos"]},
            "built_in_pools: unknown value 'general-purpos'.*did you mean general-purpose",
        ),
        ({}, {"built_in_pools": ["system", "system"]}, "'system' twice"),
        ({}, {"add_ons": {"coredns": {}}}, "add_ons.coredns: add-on 'coredns' is built into the nodes"),
        (
            {},
            {"enabled": False, "custom_node_roles": {"batch": CUSTOM}},
            "custom_node_roles: roles for nodes of Auto Mode, which is off",
        ),
        ({"authentication_mode": "CONFIG_MAP"}, {}, "no access entries"),
        ({"version": "1.20"}, {}, "control_plane.version: Kubernetes '1.20'"),
        ({}, {"build_in_pools": []}, "did you mean built_in_pools"),
    ],
)
def test_what_cannot_work_is_refused(record, of_plane, more, message):
    with pytest.raises(InputError, match=message):
        record(Mode.PREVIEW, of_plane, **more)


def test_a_node_class_gets_the_roles_name_and_never_an_arn(record):
    exports = record(built_in_pools=[]).exports
    assert exports["role"] == "EKSAutoNodeRole-shop"
    assert exports["role_arn"] == f"arn:aws:iam::{ACCOUNT}:role/main-auto-node"


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("production", [True, False])
@pytest.mark.parametrize(
    "more", [{}, {"oidc_provider": True, "custom_node_roles": {"batch": CUSTOM}}, {"add_ons": {"metrics-server": {}}}]
)
def test_a_destroy_meets_the_protection_before_all_that_the_cluster_has(record, production, more):
    """An engine deletes what nothing depends on first; so while it is protected, entries and add-ons stay as well."""
    recording = record(of_plane={"production": production, **EVERYTHING}, **more)
    protection = one(recording, "cutlist:index:Protection")
    assert protection.request.protect == production
    assert unguarded(recording, protection) == []
