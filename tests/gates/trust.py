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

HCP = "app.terraform.io"
BITBUCKET = "api.bitbucket.org/2.0/workspaces/shop/pipelines-config/identity/oidc"
JOBS: dict[str, tuple[str, str]] = {
    "GitLab": ("gitlab.com", "project_path:shop/infra/web:ref_type:branch:ref:main"),
    "every branch at GitLab": ("gitlab.com", "project_path:shop/web:*"),
    "HCP Terraform": (HCP, "organization:shop:project:Default Project:workspace:web:run_phase:*"),
    "Pulumi": ("api.pulumi.com/oidc", "pulumi:deploy:org:shop:project:web:stack:prod:operation:*"),
    "Buildkite": ("agent.buildkite.com", "organization:shop:pipeline:web:ref:refs/heads/main:*"),
    "Bitbucket": (BITBUCKET, "{01234567-89ab-cdef-0123-456789abcdef}:*"),
}
LOOSE_JOBS: dict[str, tuple[str, str]] = {
    "every repository": (GITHUB, "repo:*"),
    "repositories of any owner": (GITHUB, "repo:*/shop:*"),
    "repositories by pattern": (GITHUB, "repo:me/shop*"),
    "every project of GitLab": ("gitlab.com", "project_path:*"),
    "every project of a group": ("gitlab.com", "project_path:shop/*"),
    "every workspace": (HCP, "organization:shop:project:web:workspace:*:run_phase:*"),
    "every organisation": (HCP, "organization:*:workspace:web:run_phase:apply"),
    "every project of Pulumi": ("api.pulumi.com/oidc", "pulumi:deploy:org:shop:*"),
    "every organisation of Pulumi": ("api.pulumi.com/oidc", "pulumi:deploy:*"),
    "every pipeline": ("agent.buildkite.com", "organization:shop:*"),
    "every repository of Bitbucket": (BITBUCKET, "{*}:*"),
}


def job(host: str, subject: str) -> tuple[Resource, ...]:
    """Return a role that jobs of a service take."""
    provider = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{host}"
    return web({"StringLike": {f"{host}:sub": subject}}, {"StringEquals": {f"{host}:aud": "sts.amazonaws.com"}}, provider)


def denied(condition: Any, principal: Any = "*", **more: Any) -> tuple[Resource, ...]:
    """Return a role that everybody may take, but for a Deny."""
    everybody = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}
    refused = {"Effect": "Deny", "Principal": principal, "Action": "sts:AssumeRole", "Condition": condition, **more}
    return (registered("aws:iam/role:Role", assumeRolePolicy=document(everybody, refused)), s.POLICY)


COGNITO = {"Federated": "cognito-identity.amazonaws.com"}
POOL = {"cognito-identity.amazonaws.com:aud": "us-west-2:01234567-89ab-cdef-0123-456789abcdef"}
AMR = "cognito-identity.amazonaws.com:amr"
ORGANISATION = {"aws:PrincipalOrgID": "o-abcdefghij"}
TERRAFORM = {
    "Effect": "Allow",
    "Principal": PODS,
    "Action": ["sts:AssumeRole", "sts:TagSession"],
    "Condition": {"ArnEquals": {"aws:SourceArn": ARN}, "StringEquals": {"aws:SourceAccount": ACCOUNT}},
}

TRICKS = (
    *(Trick(f"jobs of {name}", job(*reported), "IF-03", Wanted.PASSES) for name, reported in JOBS.items()),
    *(Trick(f"jobs of {name}", job(*reported), "IF-03") for name, reported in LOOSE_JOBS.items()),
    Trick("a job's subject at the cluster's own provider", job(HOST, "repo:me/shop:*"), "IF-03"),
    Trick("Cognito's guests", role(COGNITO, {"StringEquals": {**POOL, AMR: "unauthenticated"}}), "IF-03"),
    Trick("Cognito's users and guests", role(COGNITO, {"StringEquals": POOL}), "IF-03"),
    Trick("any pool of Cognito", role(COGNITO, {"ForAnyValue:StringLike": {AMR: "authenticated"}}), "IF-03"),
    Trick("callers by a tag", role("*", {"StringEquals": {"aws:PrincipalTag/team": "shop"}}), "IF-03"),
    Trick("everybody with a secret", role({"AWS": "*"}, {"StringEquals": {"sts:ExternalId": "7"}}), "IF-03"),
    Trick("a denial of nobody", denied({"StringNotLike": {"aws:PrincipalOrgID": "*"}}), "IF-03"),
    Trick("a denial of one", denied({"StringNotEquals": ORGANISATION}, {"AWS": f"{OTHER}:root"}), "IF-03"),
    Trick("a denial of TLS", denied({"Bool": {"aws:SecureTransport": "false"}}), "IF-03"),
    Trick("a denial of tags alone", denied({"StringNotEquals": ORGANISATION}, Action="sts:TagSession"), "IF-03"),
    Trick("a denial of outsiders", denied({"StringNotEquals": ORGANISATION}), wanted=Wanted.PASSES),
    Trick("a denial of outsiders of AWS", denied({"StringNotEquals": ORGANISATION}, {"AWS": "*"}), wanted=Wanted.PASSES),
    Trick("a denial of all", denied({}), wanted=Wanted.PASSES),
    Trick(
        "Cognito's users",
        role(COGNITO, {"StringEquals": POOL, "ForAnyValue:StringLike": {AMR: "authenticated"}}),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "Pod Identity as terraform-aws-eks-pod-identity writes it",
        (registered("aws:iam/role:Role", assumeRolePolicy=document(TERRAFORM)), s.POLICY),
        wanted=Wanted.PASSES,
    ),
    Trick("Pod Identity by the cluster's ARN", pods(ArnEquals={"aws:SourceArn": ARN}), wanted=Wanted.PASSES),
    Trick(
        "Pod Identity by the tag of the cluster's ARN",
        pods(StringEquals={"aws:RequestTag/eks-cluster-arn": ARN}),
        wanted=Wanted.PASSES,
    ),
    Trick("Pod Identity by a name in any account", pods(StringEquals={"aws:RequestTag/eks-cluster-name": "demo"}), "IF-03"),
    Trick("Pod Identity of any account", pods(ArnLike={"aws:SourceArn": "arn:aws:eks:us-west-2:*:cluster/demo"}), "IF-03"),
    Trick("Pod Identity without conditions", role(PODS), "IF-03"),
    Trick("Pod Identity of one namespace", pods(StringEquals={"aws:RequestTag/kubernetes-namespace": "kube-system"}), "IF-03"),
    Trick(
        "a service-linked role",
        (registered("aws:iam/serviceLinkedRole:ServiceLinkedRole", awsServiceName="spot.amazonaws.com"),),
        wanted=Wanted.PASSES,
    ),
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
    *(Trick(f"trust in {name}", role(*reported), "IF-03") for name, reported in STRANGERS.items()),
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
