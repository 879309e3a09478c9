"""Who may take on a role: nodes, the controller by way of Pod Identity, or by way of the cluster's OIDC provider."""

from __future__ import annotations

from typing import Final

from cutlist.infrastructure.iam.documents import Condition, Document, Operator, Principal, Statement
from cutlist.infrastructure.iam.table import equals
from cutlist.infrastructure.names import ClusterFacts

_POD_IDENTITY: Final = "pods.eks.amazonaws.com"  # in every partition
_AUDIENCE: Final = "sts.amazonaws.com"


def node_trust(facts: ClusterFacts) -> Document:
    """Trust of the role of nodes: the service EC2 of the partition (spec: aws-infrastructure 2.1)."""
    return _trust(Statement("EKSNodeAssumeRole", ("sts:AssumeRole",), principals=(_service(facts.node_principal),)))


def pod_identity_trust(facts: ClusterFacts) -> Document:
    """Trust of the controller's role with Pod Identity, for associations of this cluster alone (spec: 3.2)."""
    conditions = (
        equals("aws:SourceAccount", facts.account),
        Condition(Operator.ARN_EQUALS, "aws:SourceArn", (facts.cluster_arn,)),
    )
    actions = ("sts:AssumeRole", "sts:TagSession")
    return _trust(Statement("AllowPodIdentity", actions, conditions=conditions, principals=(_service(_POD_IDENTITY),)))


def web_identity_trust(facts: ClusterFacts, provider_arn: str, issuer: str) -> Document:
    """Trust of the controller's role by way of an OIDC provider, for its service account alone (spec: 3.2).

    `issuer` is the cluster's issuer, with or without `https://`, which condition keys do not have.
    """
    host = issuer.removeprefix("https://")
    conditions = (
        equals(f"{host}:aud", _AUDIENCE),
        equals(f"{host}:sub", f"system:serviceaccount:{facts.namespace}:{facts.service_account}"),
    )
    federated = (Principal("Federated", (provider_arn,)),)
    action = ("sts:AssumeRoleWithWebIdentity",)
    return _trust(Statement("AllowServiceAccount", action, conditions=conditions, principals=federated))


def _service(name: str) -> Principal:
    return Principal("Service", (name,))


def _trust(statement: Statement) -> Document:
    return Document((statement,))
