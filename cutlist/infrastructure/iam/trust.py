"""Who may assume a role: nodes and other services of AWS, or a service account by Pod Identity or the OIDC provider.

The statement on who governs an encryption key, with which every key's policy begins, is also here (spec: aws-infrastructure
1.3, 4.1).
"""

from __future__ import annotations

from typing import Final

from cutlist.infrastructure.iam.documents import EVERYTHING, Condition, Document, Operator, Principal, Statement
from cutlist.infrastructure.iam.table import equals
from cutlist.infrastructure.names import ClusterFacts

_POD_IDENTITY: Final = "pods.eks.amazonaws.com"  # the same in every partition
_AUDIENCE: Final = "sts.amazonaws.com"


def node_trust(facts: ClusterFacts) -> Document:
    """Return the trust of the role of nodes: the service EC2 of the partition (spec: aws-infrastructure 2.1)."""
    return service_trust("EKSNodeAssumeRole", facts.node_principal)


def pod_identity_trust(facts: ClusterFacts, *more: Condition) -> Document:
    """Return the trust of a role with Pod Identity, for this service account in this cluster only (spec: 3.2). EKS tags each
    session with the cluster, the namespace and the service account, so nobody else gets the role, even if it is associated with
    another service account or in another cluster. The conditions in `more` narrow this further.
    """
    tags = {
        "eks-cluster-arn": facts.cluster_arn,
        "kubernetes-namespace": facts.namespace,
        "kubernetes-service-account": facts.service_account,
    }
    conditions = (
        equals("aws:SourceAccount", facts.account),
        *(equals(f"aws:RequestTag/{key}", value) for key, value in tags.items()),
    )
    return service_trust("AllowPodIdentity", _POD_IDENTITY, ("sts:TagSession",), (*conditions, *more))


def source_arn(facts: ClusterFacts) -> Condition:
    """Return the condition that a request comes from this cluster. With Pod Identity, it reportedly holds on a live cluster,
    but AWS's page on the role only describes tags (spec: 3.2)."""
    return Condition(Operator.ARN_EQUALS, "aws:SourceArn", (facts.cluster_arn,))


def web_identity_trust(facts: ClusterFacts, provider_arn: str, issuer: str) -> Document:
    """Return the trust of a role through an OIDC provider, for this service account only (spec: 3.2).

    `issuer` is the cluster's issuer, with or without `https://`, which condition keys do not have.
    """
    host = issuer.removeprefix("https://")
    conditions = (
        equals(f"{host}:aud", _AUDIENCE),
        equals(f"{host}:sub", f"system:serviceaccount:{facts.namespace}:{facts.service_account}"),
    )
    federated = (Principal("Federated", (provider_arn,)),)
    action = ("sts:AssumeRoleWithWebIdentity",)
    return Document((Statement("AllowServiceAccount", action, conditions=conditions, principals=federated),))


def service_trust(
    sid: str, service: str, more_actions: tuple[str, ...] = (), conditions: tuple[Condition, ...] = ()
) -> Document:
    """Return the trust of a role that a service of AWS assumes, such as `eks.amazonaws.com`."""
    principals = (Principal("Service", (service,)),)
    return Document((Statement(sid, ("sts:AssumeRole", *more_actions), conditions=conditions, principals=principals),))


def account_decides(facts: ClusterFacts) -> Statement:
    """Return the statement that the account decides through IAM who may do what with a key; without it, nobody could ever
    change the key's policy."""
    account = Principal("AWS", (facts.arn("iam", "root", region=""),))
    return Statement("AccountDecidesByIAM", ("kms:*",), EVERYTHING, principals=(account,))
