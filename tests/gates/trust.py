"""Whom roles trust."""

from __future__ import annotations

import json
from typing import Any

from cutlist.policy.rules import Resource
from tests.gates.principals import ACCOUNT, allow, document
from tests.gates.trick import Trick, Wanted, registered
from tests.unit.policy.rules import subjects as s

HOST = "oidc.eks.us-west-2.amazonaws.com/id/ABC"
PROVIDER = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{HOST}"
GITHUB = "token.actions.githubusercontent.com"
SUB, AUD = f"{HOST}:sub", f"{HOST}:aud"
SUBJECT = "system:serviceaccount:kube-system:karpenter"
OTHER = "arn:aws:iam::999988887777"
ARN = f"arn:aws:eks:us-west-2:{ACCOUNT}:cluster/demo"
PODS = {"Service": "pods.eks.amazonaws.com"}
SAML = f"arn:aws:iam::{ACCOUNT}:saml-provider/sso"


def role(principal: Any, condition: Any = None, member: str = "Principal") -> tuple[Resource, ...]:
    """Return a role with this trust, beside a policy that names the stack's account."""
    statement = {"Effect": "Allow", member: principal, "Action": "sts:AssumeRole", "Condition": condition or {}}
    return (registered("aws:iam/role:Role", assumeRolePolicy=document(statement)), s.POLICY)


def web(sub: Any, aud: Any = None, provider: str = PROVIDER) -> tuple[Resource, ...]:
    """Return a role that a web identity takes, under a condition on each key."""
    conditions: dict[str, dict[str, Any]] = {}
    for operator, tests in (*sub.items(), *(aud or {"StringEquals": {AUD: "sts.amazonaws.com"}}).items()):
        conditions.setdefault(operator, {}).update(tests)
    return role({"Federated": provider}, conditions)


def pods(**tests: Any) -> tuple[Resource, ...]:
    """Return a role for Pod Identity under a condition."""
    return role(PODS, tests)


EXACT = {"StringEquals": {SUB: SUBJECT}}
LOOSE: dict[str, Any] = {
    "every service account": {"StringLike": {SUB: "system:serviceaccount:*"}},
    "every account of a namespace": {"StringLike": {SUB: "system:serviceaccount:kube-system:*"}},
    "a question mark": {"StringLike": {SUB: "system:serviceaccount:kube-system:karpente?"}},
    "any namespace": {"StringLike": {SUB: "system:serviceaccount:*:karpenter"}},
    "anything": {"StringLike": {SUB: "?*"}},
    "not one": {"StringNotEquals": {SUB: "system:serviceaccount:default:default"}},
    "if it exists": {"StringEqualsIfExists": {SUB: SUBJECT}},
    "all of none": {"ForAllValues:StringEquals": {SUB: SUBJECT}},
    "a variable": {"StringEquals": {SUB: f"${{{SUB}}}"}},
    "another provider's key": {"StringEquals": {"oidc.eks.us-west-2.amazonaws.com/id/XYZ:sub": SUBJECT}},
    "one exact and one loose value": {"StringLike": {SUB: [SUBJECT, "*"]}},
    "a null": {"Null": {SUB: "false"}},
}
CLUSTERS: dict[str, Any] = {
    "no condition": {},
    "any account": {"StringLike": {"aws:SourceAccount": "*"}, "ArnEquals": {"aws:SourceArn": ARN}},
    "accounts by question marks": {"StringLike": {"aws:SourceAccount": "????????????"}, "ArnEquals": {"aws:SourceArn": ARN}},
    "accounts by their first digit": {"StringLike": {"aws:SourceAccount": "1*"}, "ArnEquals": {"aws:SourceArn": ARN}},
    "an account if it exists": {"StringEqualsIfExists": {"aws:SourceAccount": ACCOUNT}, "ArnEquals": {"aws:SourceArn": ARN}},
    "another account than one": {"StringNotEquals": {"aws:SourceAccount": "1"}, "ArnEquals": {"aws:SourceArn": ARN}},
    "every cluster": {
        "StringEquals": {"aws:SourceAccount": ACCOUNT},
        "ArnLike": {"aws:SourceArn": "arn:aws:eks:*:*:cluster/*"},
    },
    "every ARN": {"StringEquals": {"aws:SourceAccount": ACCOUNT}, "ArnLike": {"aws:SourceArn": "arn:*"}},
    "a source if it exists": {"StringEquals": {"aws:SourceAccount": ACCOUNT}, "ArnEqualsIfExists": {"aws:SourceArn": ARN}},
    "any name": {"StringEquals": {"aws:SourceAccount": ACCOUNT}, "StringLike": {"aws:RequestTag/eks-cluster-name": "*"}},
}
STRANGERS: dict[str, tuple[Any, Any]] = {
    "everybody": ("*", None),
    "everybody of AWS": ({"AWS": "*"}, None),
    "everybody in a list": ({"AWS": [f"arn:aws:iam::{ACCOUNT}:role/ci", "*"]}, None),
    "roles by pattern": ({"AWS": "arn:aws:iam::*:role/ci"}, None),
    "everybody whose name is anything": ("*", {"StringLike": {"aws:PrincipalArn": "*"}}),
    "everybody with TLS": ("*", {"Bool": {"aws:SecureTransport": "true"}}),
    "another account": ({"AWS": f"{OTHER}:root"}, None),
    "another account by number": ({"AWS": "999988887777"}, None),
    "another account's role": ({"AWS": f"{OTHER}:role/ci"}, None),
    "another account beside the own": ({"AWS": [f"arn:aws:iam::{ACCOUNT}:root", f"{OTHER}:root"]}, None),
    "another account with any secret": ({"AWS": f"{OTHER}:root"}, {"StringLike": {"sts:ExternalId": "*"}}),
    "every service": ({"Service": "*"}, None),
    "every federation": ({"Federated": "*"}, None),
    "a federation without conditions": ({"Federated": "cognito-identity.amazonaws.com"}, None),
    "SAML without an audience": ({"Federated": SAML}, None),
}

TRICKS = (
    *(Trick(f"a service account by {name}", web(test), "IF-03") for name, test in LOOSE.items()),
    Trick("an audience by pattern", web(EXACT, {"StringLike": {AUD: "*"}}), "IF-03"),
    Trick("no audience", role({"Federated": PROVIDER}, EXACT), "IF-03"),
    Trick(
        "every repository of an owner",
        web(
            {"StringLike": {f"{GITHUB}:sub": "repo:me/*"}},
            {"StringEquals": {f"{GITHUB}:aud": "sts.amazonaws.com"}},
            f"arn:aws:iam::{ACCOUNT}:oidc-provider/{GITHUB}",
        ),
        "IF-03",
    ),
    *(Trick(f"Pod Identity under {name}", role(PODS, condition), "IF-03") for name, condition in CLUSTERS.items()),
    *(Trick(f"trust in {name}", role(*told), "IF-03") for name, told in STRANGERS.items()),
    Trick("everybody but some", role({"AWS": f"{OTHER}:root"}, None, "NotPrincipal"), "IF-03"),
    Trick(
        "everybody, in aws-native",
        (
            registered(
                "aws-native:iam:Role", assumeRolePolicyDocument=json.loads(document(allow("sts:AssumeRole", Principal="*")))
            ),
        ),
        "IF-03",
    ),
    Trick(
        "everybody, in small letters",
        (
            registered(
                "aws:iam/role:Role",
                assumeRolePolicy='{"statement":{"effect":"Allow","principal":"*","action":"sts:AssumeRole"}}',
            ),
        ),
        "IF-03",
    ),
    Trick(
        "the principal twice",
        (
            registered(
                "aws:iam/role:Role",
                assumeRolePolicy='{"Statement":[{"Effect":"Allow","Principal":"*","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}',
            ),
        ),
        "IF-03",
    ),
    Trick("EC2", role({"Service": "ec2.amazonaws.com"}), wanted=Wanted.PASSES),
    Trick("EC2 of China and Lambda", role({"Service": ["ec2.amazonaws.com.cn", "lambda.amazonaws.com"]}), wanted=Wanted.PASSES),
    Trick("one service account", web(EXACT), wanted=Wanted.PASSES),
    Trick("two service accounts", web({"StringEquals": {SUB: [SUBJECT, "system:serviceaccount:a:b"]}}), wanted=Wanted.PASSES),
    Trick("a service account by a pattern without wildcards", web({"StringLike": {SUB: SUBJECT}}), wanted=Wanted.PASSES),
    Trick(
        "a repository",
        web(
            {"StringLike": {f"{GITHUB}:sub": "repo:me/shop:*"}},
            {"StringEquals": {f"{GITHUB}:aud": "sts.amazonaws.com"}},
            f"arn:aws:iam::{ACCOUNT}:oidc-provider/{GITHUB}",
        ),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "single sign-on",
        role({"Federated": SAML}, {"StringEquals": {"SAML:aud": "https://signin.aws.amazon.com/saml"}}),
        wanted=Wanted.PASSES,
    ),
    Trick("the own account", role({"AWS": f"arn:aws:iam::{ACCOUNT}:root"}), wanted=Wanted.PASSES),
    Trick("a role of the own account", role({"AWS": f"arn:aws:iam::{ACCOUNT}:role/ci"}), wanted=Wanted.PASSES),
    Trick("the organisation", role("*", {"StringEquals": {"aws:PrincipalOrgID": "o-abcdefghij"}}), wanted=Wanted.PASSES),
    Trick(
        "another account with a secret",
        role({"AWS": f"{OTHER}:root"}, {"StringEquals": {"sts:ExternalId": "7"}}),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "another account that is named",
        role({"AWS": f"{OTHER}:root"}),
        wanted=Wanted.PASSES,
        gates={"rules": {"IF-03": {"accounts": ["999988887777"]}}},
    ),
    Trick(
        "Pod Identity by tags",
        pods(StringEquals={"aws:SourceAccount": ACCOUNT, "aws:RequestTag/eks-cluster-arn": ARN}),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "Pod Identity by source",
        pods(StringEquals={"aws:SourceAccount": ACCOUNT}, ArnLike={"aws:SourceArn": f"arn:aws:eks:*:{ACCOUNT}:cluster/demo"}),
        wanted=Wanted.PASSES,
    ),
    Trick("an account that may be any", (role({"AWS": f"{OTHER}:root"})[0],), "IF-03", Wanted.OPEN),
)
