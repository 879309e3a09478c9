"""What the public guides to Karpenter have people make by hand, made by one call."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording, Registration

from tests.infrastructure.aws_stand_in import ACCOUNT, run
from tests.infrastructure.joined_program import ADMINS, joined
from tests.infrastructure.test_node_configuration import node_class, pool

PARTITIONS = [("ap-northeast-2", "aws"), ("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov")]


def made(region: str = "ap-northeast-2", partition: str = "aws", **more: Any) -> Recording:
    given = {
        "cluster_name": "shop",
        "region": region,
        "account_id": ACCOUNT,
        "kubernetes_version": "1.35",
        "karpenter_version": "1.15.1",
        "admins": {"deployer": ADMINS["deployer"].replace("arn:aws:", f"arn:{partition}:")},
        "network": {"own": {"zones": [f"{region}a", f"{region}b"]}},
        "node_pools": [pool()],
        "node_classes": [node_class()],
        **more,
    }
    return joined("KarpenterCluster", given, Mode.UPDATE)


def only(recording: Recording, token: str, name: str = "") -> Registration:
    [found] = [one for one in recording.of_type(token) if name in one.name]
    return found


@pytest.mark.parametrize(("region", "partition"), PARTITIONS)
def test_a_few_words_give_every_name_and_arn(region, partition):  # K-1 K-2 K-10
    """Cluster, region, account and versions, all of them given: nothing is looked up. Partitions change ARNs alone."""
    recording = made(region, partition)
    roles = {one.inputs["name"] for one in recording.of_type("aws:iam/role:Role")}
    assert {"KarpenterNodeRole-shop", "KarpenterController-shop"} <= roles
    policies = {one.inputs["name"] for one in recording.of_type("aws:iam/policy:Policy")}
    assert "KarpenterControllerNodeLifecyclePolicy-shop" in policies
    assert only(recording, "aws:sqs/queue:Queue").inputs["name"] == "shop"
    assert (
        only(recording, "aws:cloudwatch/eventTarget:EventTarget", "Spot").inputs["arn"]
        == f"arn:{partition}:sqs:{region}:{ACCOUNT}:shop"
    )
    documents = json.dumps([one.inputs["policy"] for one in recording.of_type("aws:iam/policy:Policy")])
    assert f"arn:{partition}:iam::{ACCOUNT}:role/KarpenterNodeRole-shop" in documents
    assert (partition == "aws") == ("arn:aws:" in documents)


def test_the_cluster_has_the_version_that_was_asked_for():  # K-3
    assert only(made(), "aws:eks/cluster:Cluster").inputs["version"] == "1.35"


def test_nodes_join_by_the_map_of_an_old_cluster_under_the_names_of_the_guides(tmp_path):  # K-13
    """The user name is a template that the cluster fills in, and nodes are in two groups."""
    body = """
from pulumi_cutlist.aws import NodeIdentity
where = {"cluster_name": "shop", "region": "eu-west-1", "account_id": "111122223333"}
NodeIdentity("nodes", {**where, "cluster": "shop", "authentication_mode": "CONFIG_MAP", "other_map_roles": []})
"""
    [patch] = run(tmp_path, body).of_type("kubernetes:core/v1:ConfigMapPatch")
    [line] = yaml.safe_load(patch.inputs["data"]["mapRoles"])
    assert line == {
        "rolearn": "arn:aws:iam::111122223333:role/KarpenterNodeRole-shop",
        "username": "system:node:{{EC2PrivateDNSName}}",
        "groups": ["system:bootstrappers", "system:nodes"],
    }


def test_system_nodes_are_those_of_the_guide_when_they_are_asked_for():  # K-17
    """Two m5.large on Amazon Linux 2023, up to ten; with a second type beside it, for one may be out of stock."""
    nodes = {"instance_types": ["m5.large", "m5a.large"], "ami_type": "AL2023_x86_64_STANDARD", "desired": 2, "maximum": 10}
    group = only(made(system_nodes=nodes), "aws:eks/nodeGroup:NodeGroup").inputs
    assert (group["instanceTypes"], group["amiType"]) == (["m5.large", "m5a.large"], "AL2023_x86_64_STANDARD")
    assert (group["scalingConfig"]["desiredSize"], group["scalingConfig"]["maxSize"]) == (2, 10)


def test_each_part_of_the_guides_template_has_its_counterpart():  # K-22
    """Roles, policies, the queue with its policy, and a rule with a target for each kind of event."""
    recording = made()
    counts = {kind: len(recording.of_type(kind)) for kind in ("aws:sqs/queue:Queue", "aws:sqs/queuePolicy:QueuePolicy")}
    assert set(counts.values()) == {1}
    rules = recording.of_type("aws:cloudwatch/eventRule:EventRule")
    kinds = {json.loads(one.inputs["eventPattern"])["detail-type"][0] for one in rules}
    assert kinds >= {
        "AWS Health Event",
        "EC2 Spot Instance Interruption Warning",
        "EC2 Instance Rebalance Recommendation",
        "EC2 Instance State-change Notification",
    }
    assert len(recording.of_type("aws:cloudwatch/eventTarget:EventTarget")) == len(rules)
    attached = [one.inputs for one in recording.of_type("aws:iam/rolePolicyAttachment:RolePolicyAttachment")]
    of_nodes = {one["policyArn"].rpartition("/")[2] for one in attached if one["role"] == "KarpenterNodeRole-shop"}
    assert of_nodes == {"AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonSSMManagedInstanceCore"}


def test_an_image_is_pinned_by_its_alias():  # K-25
    """What the guide looks up is written down, and reaches the object as it is."""
    spec = only(made(), "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass").inputs["spec"]
    assert spec["amiSelectorTerms"] == [{"alias": "al2023@v20260625"}]
