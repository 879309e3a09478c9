"""Who may assume a role: nodes and other services of AWS, or a service account by Pod Identity or the OIDC provider.

The statement on who governs an encryption key, with which every key's policy begins, is here as well (spec: aws-infrastructure
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
    """Return the trust of a service account's role with Pod Identity, for associations of this cluster alone (spec: 3.2).

    The conditions in `more` narrow these associations further.
    """
    conditions = (
        equals("aws:SourceAccount", facts.account),
        Condition(Operator.ARN_EQUALS, "aws:SourceArn", (facts.cluster_arn,)),
    )
    return service_trust("AllowPodIdentity", _POD_IDENTITY, ("sts:TagSession",), (*conditions, *more))


def one_service_account(facts: ClusterFacts) -> tuple[Condition, ...]:
    """Return conditions by which Pod Identity trusts the service account of the facts alone, even if somebody associates the
    role with another one: EKS tags each session with both names."""
    names = {"namespace": facts.namespace, "service-account": facts.service_account}
    return tuple(equals(f"aws:RequestTag/kubernetes-{key}", value) for key, value in names.items())


def web_identity_trust(facts: ClusterFacts, provider_arn: str, issuer: str) -> Document:
    """Return the trust of a role through an OIDC provider, for the service account of the facts alone (spec: 3.2).

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
    """Return the statement that the account decides through IAM who may do what with a key; without it nobody could ever change
    the key's policy."""
    account = Principal("AWS", (facts.arn("iam", "root", region=""),))
    return Statement("AccountDecidesByIAM", ("kms:*",), EVERYTHING, principals=(account,))
