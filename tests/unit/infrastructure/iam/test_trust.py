"""Who may assume the roles: nobody but EC2, and the controller of this one cluster."""

from __future__ import annotations

import pytest

from cutlist.infrastructure.iam.evaluator import Request, decide
from cutlist.infrastructure.iam.node import NodeNeed, node_document, node_policies
from cutlist.infrastructure.iam.trust import node_trust, pod_identity_trust, source_arn, web_identity_trust
from tests.unit.infrastructure.iam.clusters import REGIONS, cluster

PODS = "pods.eks.amazonaws.com"
ISSUER = "oidc.eks.us-west-2.amazonaws.com/id/ABC"
PROVIDER = f"arn:aws:iam::111122223333:oidc-provider/{ISSUER}"


@pytest.mark.parametrize(
    ("region", "service"),
    [
        ("us-west-2", "ec2.amazonaws.com"),
        ("us-gov-west-1", "ec2.amazonaws.com"),
        ("cn-north-1", "ec2.amazonaws.com.cn"),
        ("us-iso-east-1", "ec2.c2s.ic.gov"),
        ("us-isob-east-1", "ec2.sc2s.sgov.gov"),
    ],
)
def test_nodes_are_trusted_by_the_service_of_their_partition(region, service):  # I-16
    (statement,) = node_trust(cluster(region=region)).as_data()["Statement"]
    assert (statement["Effect"], statement["Action"]) == ("Allow", "sts:AssumeRole")
    assert statement["Principal"] == {"Service": service}


@pytest.mark.parametrize("region", ["us-west-2", "cn-north-1", "us-gov-west-1"])
def test_nodes_have_these_policies(region):  # I-16 I-17
    facts = cluster(region=region)
    assert node_policies({NodeNeed.CNI, NodeNeed.SESSIONS}) == (
        "AmazonEKSWorkerNodePolicy",
        "AmazonEC2ContainerRegistryPullOnly",
        "AmazonEKS_CNI_Policy",
        "AmazonSSMManagedInstanceCore",
    )
    assert node_policies(()) == ("AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly")
    assert facts.managed_policy("AmazonEKS_CNI_Policy") == f"arn:{facts.partition}:iam::aws:policy/AmazonEKS_CNI_Policy"


def test_with_ipv6_the_cni_has_statements_of_ours():
    """The policy of AWS knows IPv4 alone, so that it is not attached."""
    assert "AmazonEKS_CNI_Policy" not in node_policies({NodeNeed.CNI_IPV6})
    assert node_document(cluster(), {NodeNeed.CNI}) is None
    document = node_document(cluster(region="cn-north-1"), {NodeNeed.CNI_IPV6})
    interface = "arn:aws-cn:ec2:cn-north-1:111122223333:network-interface/eni-1"
    assert decide((document,), Request("ec2:AssignIpv6Addresses", interface)).allowed
    assert decide((document,), Request("ec2:CreateTags", interface)).allowed
    assert not decide((document,), Request("ec2:CreateTags", interface.replace("network-interface/eni", "instance/i"))).allowed


def from_pods(region: str, **context: str) -> Request:
    facts = cluster(region=region)
    tags = {
        "eks-cluster-arn": facts.cluster_arn,
        "eks-cluster-name": facts.cluster,
        "kubernetes-namespace": facts.namespace,
        "kubernetes-service-account": facts.service_account,
        "kubernetes-pod-name": "karpenter-0",
        "kubernetes-pod-uid": "0",
    }
    reported = {
        "aws:SourceAccount": facts.account,
        **{f"aws:RequestTag/{key}": value for key, value in tags.items()},
        **context,
    }
    return Request("sts:AssumeRole", principal=PODS, context=reported)


@pytest.mark.parametrize("region", REGIONS)
def test_pod_identity_trusts_this_cluster_alone(region):  # I-31
    trust = (pod_identity_trust(cluster(region=region)),)
    asked = from_pods(region)
    assert decide(trust, asked).allowed
    assert decide(trust, Request("sts:TagSession", principal=PODS, context=asked.context)).allowed
    assert not decide(trust, from_pods(region, **{"aws:SourceAccount": "999999999999"})).allowed
    other = cluster("shop-2", region)
    assert not decide(trust, from_pods(region, **{"aws:RequestTag/eks-cluster-arn": other.cluster_arn})).allowed
    assert not decide(trust, from_pods(region, **{"aws:RequestTag/kubernetes-namespace": "default"})).allowed
    assert not decide(trust, from_pods(region, **{"aws:RequestTag/kubernetes-service-account": "other"})).allowed
    assert not decide(trust, Request("sts:AssumeRole", principal=PODS, context={"aws:SourceAccount": "111122223333"})).allowed
    assert not decide(trust, Request("sts:AssumeRole", principal="ec2.amazonaws.com", context=asked.context)).allowed


def test_the_source_of_a_request_is_a_condition_on_demand():  # I-31
    """It is asked for beside the tags: the cluster's ARN, never that of an association."""
    facts = cluster()
    narrow = (pod_identity_trust(facts, source_arn(facts)),)
    own, association = facts.cluster_arn, facts.arn("eks", f"podidentityassociation/{facts.cluster}/a-1")
    assert "ArnEquals" not in pod_identity_trust(facts).as_data()["Statement"][0]["Condition"]
    assert decide(narrow, from_pods(facts.region, **{"aws:SourceArn": own})).allowed
    assert not decide(narrow, from_pods(facts.region, **{"aws:SourceArn": association})).allowed
    assert not decide(narrow, from_pods(facts.region)).allowed


@pytest.mark.parametrize("issuer", [ISSUER, f"https://{ISSUER}"])
def test_irsa_trusts_one_service_account(issuer):  # I-31
    """By exact comparison: neither another account's name nor a longer one, nor another audience."""
    facts = cluster(namespace="karpenter", service_account="controller")
    trust = web_identity_trust(facts, PROVIDER, issuer)
    (statement,) = trust.as_data()["Statement"]
    assert statement["Condition"] == {
        "StringEquals": {
            f"{ISSUER}:aud": "sts.amazonaws.com",
            f"{ISSUER}:sub": "system:serviceaccount:karpenter:controller",
        }
    }
    assert statement["Principal"] == {"Federated": PROVIDER}

    def asks(aud: str, sub: str) -> bool:
        context = {f"{ISSUER}:aud": aud, f"{ISSUER}:sub": sub}
        return decide((trust,), Request("sts:AssumeRoleWithWebIdentity", principal=PROVIDER, context=context)).allowed

    assert asks("sts.amazonaws.com", "system:serviceaccount:karpenter:controller")
    assert not asks("sts.amazonaws.com", "system:serviceaccount:karpenter:controller-2")
    assert not asks("sts.amazonaws.com", "system:serviceaccount:default:controller")
    assert not asks("other", "system:serviceaccount:karpenter:controller")
