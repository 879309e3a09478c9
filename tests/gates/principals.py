"""What principals may do, however it is written and whatever gives it to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from cutlist.policy.rules import Resource
from tests.gates.trick import Trick, Wanted, registered

ACCOUNT = "111122223333"
ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/KarpenterNodeRole-demo"
EC2 = {"StringEquals": {"iam:PassedToService": "ec2.amazonaws.com"}}
INSTANCES = "arn:aws:ec2:*:*:instance/*"
OWNED = {"StringEquals": {"aws:ResourceTag/kubernetes.io/cluster/demo": "owned"}}
POLICY = "aws:iam/policy:Policy"
KINDS = {
    "a role's policy": ("aws:iam/rolePolicy:RolePolicy", "policy"),
    "a user's policy": ("aws:iam/userPolicy:UserPolicy", "policy"),
    "a group's policy": ("aws:iam/groupPolicy:GroupPolicy", "policy"),
    "a permission set": ("aws:ssoadmin/permissionSetInlinePolicy:PermissionSetInlinePolicy", "inlinePolicy"),
    "aws-native's policy": ("aws-native:iam:Policy", "policyDocument"),
    "aws-native's managed policy": ("aws-native:iam:ManagedPolicy", "policyDocument"),
    "aws-native's role policy": ("aws-native:iam:RolePolicy", "policyDocument"),
    "aws-native's user policy": ("aws-native:iam:UserPolicy", "policyDocument"),
    "aws-native's group policy": ("aws-native:iam:GroupPolicy", "policyDocument"),
}
ATTACHMENTS = {
    "a role": ("aws:iam/rolePolicyAttachment:RolePolicyAttachment", "policyArn", False),
    "a user": ("aws:iam/userPolicyAttachment:UserPolicyAttachment", "policyArn", False),
    "a group": ("aws:iam/groupPolicyAttachment:GroupPolicyAttachment", "policyArn", False),
    "several": ("aws:iam/policyAttachment:PolicyAttachment", "policyArn", False),
    "a role, and nothing else": ("aws:iam/rolePolicyAttachmentsExclusive:RolePolicyAttachmentsExclusive", "policyArns", True),
    "a permission set": ("aws:ssoadmin/managedPolicyAttachment:ManagedPolicyAttachment", "managedPolicyArn", False),
    "a role's own list": ("aws:iam/role:Role", "managedPolicyArns", True),
    "aws-native's role": ("aws-native:iam:Role", "managedPolicyArns", True),
    "aws-native's user": ("aws-native:iam:User", "managedPolicyArns", True),
    "aws-native's group": ("aws-native:iam:Group", "managedPolicyArns", True),
}


def document(*statements: Mapping[str, Any]) -> str:
    """Return a document as JSON."""
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def allow(action: Any, resource: Any = "*", condition: Any = None, **members: Any) -> dict[str, Any]:
    """Return a statement that allows."""
    conditions = {} if condition is None else {"Condition": condition}
    return {"Effect": "Allow", "Action": action, "Resource": resource, **conditions, **members}


def deny(action: Any, resource: Any = "*", condition: Any = None, **members: Any) -> dict[str, Any]:
    """Return a statement that denies."""
    return {**allow(action, resource, condition, **members), "Effect": "Deny"}


def policy(*statements: Mapping[str, Any]) -> tuple[Resource, ...]:
    """Return a managed policy with these statements."""
    return (registered(POLICY, policy=document(*statements)),)


PASS = allow("iam:PassRole", ROLE_ARN, EC2)
SAYS_NOTHING: dict[str, Any] = {
    "any text": {"StringLike": {"iam:PassedToService": "*"}},
    "one character or more": {"StringLike": {"iam:PassedToService": "?*"}},
    "two stars": {"StringLike": {"iam:PassedToService": "**"}},
    "if it exists": {"StringEqualsIfExists": {"iam:PassedToService": "ec2.amazonaws.com"}},
    "all of none": {"ForAllValues:StringEquals": {"iam:PassedToService": "ec2.amazonaws.com"}},
    "absent": {"Null": {"iam:PassedToService": "true"}},
    "there": {"Null": {"iam:PassedToService": "false"}},
    "not one service": {"StringNotEquals": {"iam:PassedToService": "lambda.amazonaws.com"}},
    "a variable": {"StringEquals": {"iam:PassedToService": "${iam:PassedToService}"}},
    "a variable in a pattern": {"StringLike": {"iam:PassedToService": "*${aws:username}*"}},
    "no TLS": {"Bool": {"aws:SecureTransport": "false"}},
    "another key": {"StringEquals": {"aws:RequestedRegion": "us-west-2"}},
    "an operator of nobody": {"StringMatches": {"iam:PassedToService": "ec2.amazonaws.com"}},
    "a number": {"NumericLessThan": {"iam:PassedToService": "1"}},
    "every service": {"StringLike": {"iam:PassedToService": "*.amazonaws.com"}},
    "another service": {"StringEquals": {"iam:PassedToService": "lambda.amazonaws.com"}},
    "EC2 and another": {"StringEquals": {"iam:PassedToService": ["ec2.amazonaws.com", "glue.amazonaws.com"]}},
    "services that begin with e": {"StringLike": {"iam:PassedToService": "e*"}},
    "nothing": {},
}
LEAVES: dict[str, Any] = {
    "without a tag": {"Null": {"aws:PrincipalTag/admin": "true"}},
    "with a tag": {"Null": {"aws:PrincipalTag/admin": "false"}},
    "without a key that is never there": {"Null": {"aws:RequestTag/none": "false"}},
    "without a second factor": {"BoolIfExists": {"aws:MultiFactorAuthPresent": "false"}},
    "without TLS": {"Bool": {"aws:SecureTransport": "false"}},
    "by a service": {"Bool": {"aws:ViaAWSService": "true"}},
}
LETS_TERMINATE: dict[str, Any] = {
    "any value": {"StringLike": {"aws:ResourceTag/Name": "*"}},
    "a tag that is there": {"Null": {"aws:ResourceTag/Name": "false"}},
    "a tag if it exists": {"StringLikeIfExists": {"aws:ResourceTag/Name": "demo-*"}},
    "its own tag": {"StringEquals": {"aws:ResourceTag/Name": "${aws:ResourceTag/Name}"}},
    "not protected": {"StringNotEquals": {"aws:ResourceTag/Name": "database"}},
    "an old date": {"DateGreaterThan": {"aws:CurrentTime": "2020-01-01T00:00:00Z"}},
    "an address": {"IpAddress": {"aws:SourceIp": "0.0.0.0/0"}},
}
TWICE = (
    '{"Statement":[{"Effect":"Allow","Action":"iam:PassRole","Resource":"FIRST","Resource":"LAST",'
    '"Condition":{"StringEquals":{"iam:PassedToService":"ec2.amazonaws.com"}}}]}'
)
FORMS: dict[str, str] = {
    "small letters": '{"statement":[{"effect":"Allow","action":"iam:PassRole","resource":"*"}]}',
    "capitals": '{"STATEMENT":[{"EFFECT":"Allow","ACTION":"iam:PassRole","RESOURCE":"*"}]}',
    "one statement": '{"Statement":{"Effect":"Allow","Action":"iam:PassRole","Resource":"*"}}',
    "the resource twice": TWICE.replace("FIRST", "*").replace("LAST", ROLE_ARN),
    "the resource twice, the other way": TWICE.replace("FIRST", ROLE_ARN).replace("LAST", "*"),
    "the action in two cases": '{"Statement":[{"Effect":"Allow","Action":"iam:PassRole","action":"s3:Get*","Resource":"*"}]}',
    "statements twice": '{"Statement":[{"Effect":"Allow","Action":"iam:PassRole","Resource":"*"}],"Statement":[]}',
    "a hyphen in the Sid": '{"Statement":[{"Sid":"a-b c","Effect":"Allow","Action":"iam:PassRole","Resource":"*"}]}',
    "escapes": '{"Statement":[{"Effect":"Allow","Action":"iam:Pass\\u0052ole","Resource":"\\u002a"}]}',
    "a wildcard within": '{"Statement":[{"Effect":"Allow","Action":"i?m:*sRole","Resource":"*"}]}',
    "the effect in small letters": '{"Statement":[{"Effect":"allow","Action":"iam:PassRole","Resource":"*"}]}',
    "no JSON": "{'Statement': []}",
}
ABILITIES = (
    *("iam:PutRolePolicy", "iam:AttachRolePolicy", "iam:CreatePolicyVersion", "iam:SetDefaultPolicyVersion"),
    *("iam:UpdateAssumeRolePolicy", "iam:DeleteRolePermissionsBoundary", "iam:PutUserPolicy", "iam:AddUserToGroup"),
    *("iam:CreateAccessKey", "iam:CreateLoginProfile", "iam:UpdateLoginProfile", "iam:CreateOpenIDConnectProvider"),
    *("iam:UpdateSAMLProvider", "iam:Put*", "IAM:ATTACH*", "eks:CreateAccessEntry", "eks:AssociateAccessPolicy"),
    *("eks:CreatePodIdentityAssociation", "eks:UpdateClusterConfig", "eks:Associate*", "sts:AssumeRole", "sts:*"),
    *("secretsmanager:GetSecretValue", "secretsmanager:*", "secretsmanager:Batch*", "ssm:GetParameter", "ssm:GetParameters*"),
    *("ssm:StartSession", "cloudtrail:StopLogging", "cloudtrail:*", "guardduty:DeleteDetector", "config:Stop*"),
    *("logs:DeleteLogGroup", "ec2:DeleteFlowLogs", "lambda:UpdateFunctionCode"),
)
MANAGED = (
    *("AdministratorAccess", "PowerUserAccess", "IAMFullAccess", "AmazonEC2FullAccess", "AmazonSSMFullAccess"),
    *(
        "AmazonS3FullAccess",
        "AmazonEC2ContainerRegistryFullAccess",
        "SecretsManagerReadWrite",
        "AWSCloudTrail_FullAccess",
        "job-function/SystemAdministrator",
    ),
)
HARMLESS = (
    *("AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly", "AmazonEKSClusterPolicy"),
    *("AmazonSSMManagedInstanceCore", "service-role/AmazonEBSCSIDriverPolicy", "CloudWatchAgentServerPolicy"),
    *("AmazonEKSVPCResourceController", "AmazonEKSComputePolicy", "AmazonEC2ReadOnlyAccess", "AmazonEKSLoadBalancingPolicy"),
)
CONTROLLER_OF_BALANCERS = (
    allow(
        "iam:CreateServiceLinkedRole",
        condition={"StringEquals": {"iam:AWSServiceName": "elasticloadbalancing.amazonaws.com"}},
    ),
    allow(["ec2:DescribeVpcs", "ec2:DescribeSubnets", "elasticloadbalancing:DescribeLoadBalancers", "ec2:CreateSecurityGroup"]),
    allow(
        "ec2:CreateTags",
        "arn:aws:ec2:*:*:security-group/*",
        {
            "StringEquals": {"ec2:CreateAction": "CreateSecurityGroup"},
            "Null": {"aws:RequestTag/elbv2.k8s.aws/cluster": "false"},
        },
    ),
    allow(
        ["ec2:CreateTags", "ec2:DeleteTags"],
        "arn:aws:ec2:*:*:security-group/*",
        {"Null": {"aws:RequestTag/elbv2.k8s.aws/cluster": "true", "aws:ResourceTag/elbv2.k8s.aws/cluster": "false"}},
    ),
    allow("ec2:DeleteSecurityGroup", condition={"Null": {"aws:ResourceTag/elbv2.k8s.aws/cluster": "false"}}),
)
DISKS = ["arn:aws:ec2:*:*:volume/*", "arn:aws:ec2:*:*:snapshot/*"]
OTHER_TAGS = {"Null": {"aws:TagKeys": "false"}, "ForAllValues:StringNotEquals": {"aws:TagKeys": ["ebs.csi.aws.com/cluster"]}}
_OF_PRINCIPAL = {"ec2:ResourceTag/ebs.csi.aws.com/cluster-name": "${aws:PrincipalTag/eks-cluster-name}"}
DISKS_OF_OTHERS: dict[str, Any] = {
    "without a condition": None,
    "with other keys alone": OTHER_TAGS,
    "with any value": {"StringLike": {"ec2:ResourceTag/ebs.csi.aws.com/cluster": "*"}},
    "with a tag of the request": {"StringEquals": {"ec2:ResourceTag/team": "${aws:RequestTag/team}"}},
    "with a default for the principal's tag": {"StringEquals": {"ec2:ResourceTag/team": "${aws:PrincipalTag/team, ''}"}},
    "with the principal's tag inside a pattern": {"StringLike": {"ec2:ResourceTag/team": "*${aws:PrincipalTag/team}*"}},
}
ORDINARY: dict[str, tuple[Mapping[str, Any], ...]] = {
    "the load balancers' controller": CONTROLLER_OF_BALANCERS,
    "external-dns": (allow("route53:ChangeResourceRecordSets", "arn:aws:route53:::hostedzone/*"), allow("route53:List*")),
    "the cluster autoscaler": (
        allow(["autoscaling:Describe*", "ec2:DescribeInstanceTypes", "eks:DescribeNodegroup"]),
        allow(
            ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
            condition={"StringEquals": {"aws:ResourceTag/k8s.io/cluster-autoscaler/demo": "owned"}},
        ),
    ),
    "the driver of disks": (
        allow(
            "ec2:CreateTags", DISKS, {"StringEquals": {"ec2:CreateAction": ["CreateVolume", "CreateSnapshot", "CopyVolumes"]}}
        ),
        allow("ec2:DeleteTags", DISKS),
    ),
    "the driver of disks by its tag": (
        allow(
            ["ec2:CreateTags", "ec2:DeleteTags"],
            DISKS[0],
            {"StringEquals": {"ec2:ResourceTag/ebs.csi.aws.com/cluster": "true"}, **OTHER_TAGS},
        ),
    ),
    "the driver of disks by its principal's tag": (
        allow(["ec2:CreateTags", "ec2:DeleteTags"], DISKS[0], {"StringEquals": _OF_PRINCIPAL, **OTHER_TAGS}),
    ),
    "machines by the principal's tag": (
        allow("ec2:TerminateInstances", INSTANCES, {"StringEquals": {"aws:ResourceTag/team": "${aws:PrincipalTag/team}"}}),
    ),
    "a bucket": (allow("s3:*", ["arn:aws:s3:::logs", "arn:aws:s3:::logs/*"]),),
    "one secret": (
        allow("secretsmanager:GetSecretValue", f"arn:aws:secretsmanager:us-west-2:{ACCOUNT}:secret:shop/db-??????"),
    ),
    "secrets by tag": (allow("secretsmanager:GetSecretValue", condition={"StringEquals": {"aws:ResourceTag/team": "shop"}}),),
    "a path of parameters": (allow("ssm:GetParameter*", f"arn:aws:ssm:us-west-2:{ACCOUNT}:parameter/shop/*"),),
    "images' parameters": (allow("ssm:GetParameter", "arn:aws:ssm:us-west-2::parameter/aws/service/*"),),
    "named roles": (allow("sts:AssumeRole", [f"arn:aws:iam::{ACCOUNT}:role/dns", "arn:aws:iam::444455556666:role/dns"]),),
    "roles of CDK": (allow("sts:AssumeRole", f"arn:aws:iam::{ACCOUNT}:role/cdk-*"),),
    "own keys": (allow(["iam:CreateAccessKey", "iam:DeleteAccessKey"], f"arn:aws:iam::{ACCOUNT}:user/${{aws:username}}"),),
    "own queue": (allow("sqs:*", f"arn:aws:sqs:us-west-2:{ACCOUNT}:shop"),),
    "own key": (allow("kms:*", f"arn:aws:kms:us-west-2:{ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab"),),
    "logs": (allow(["logs:CreateLogGroup", "logs:PutLogEvents", "logs:PutRetentionPolicy"]),),
    "EC2 by pattern": (allow("iam:PassRole", ROLE_ARN, {"StringLike": {"iam:PassedToService": "ec2.amazonaws.com*"}}),),
    "termination of its own": (allow("ec2:TerminateInstances", INSTANCES, OWNED),),
    "all but what is denied": (allow("iam:P*"), deny("iam:P*")),
    "denied by what is not named": (allow("iam:CreateAccessKey"), deny("x", NotAction="s3:*") | {"Action": "iam:*"}),
    "reading": (allow(["ec2:Describe*", "eks:Describe*", "eks:List*", "iam:Get*", "iam:List*"]),),
    "a hyphen in the Sid": (allow("ec2:DescribeSubnets", Sid="read-only"),),
    "an operator that matters not": (
        allow("s3:GetObject", condition={"DateLessThan": {"aws:CurrentTime": "2030-01-01T00:00:00Z"}}),
    ),
}


def _attached(name: str) -> Iterator[tuple[str, Resource]]:
    arn = f"arn:aws:iam::aws:policy/{name}"
    for holder, (type_, member, is_list) in ATTACHMENTS.items():
        yield holder, registered(type_, **{member: [arn] if is_list else arn, "role": "apps"})


def _dangers() -> Iterator[Trick]:
    for name, condition in SAYS_NOTHING.items():
        yield Trick(f"a role passed under {name}", policy({**PASS, "Condition": condition}), "IF-01")
    for name, condition in LETS_TERMINATE.items():
        statement = allow("ec2:TerminateInstances", INSTANCES, condition)
        yield Trick(f"machines terminated under {name}", policy(statement), "IF-02")
    for name, text in FORMS.items():
        yield Trick(f"a document with {name}", (registered(POLICY, policy=text),), "IF-01")
    for action in ABILITIES:
        yield Trick(f"{action} on everything", policy(allow(action)), "IF-02" if action == "ssm:*" else "IF-21")
    for name, (type_, member) in KINDS.items():
        text = document(allow("iam:PassRole"))
        yield Trick(f"a role passed by {name}", (registered(type_, **{member: text}),), "IF-01")
        yield Trick(
            f"keys made by {name}", (registered(type_, **{member: json.loads(document(allow("iam:Create*")))}),), "IF-21"
        )
    for holder, resource in _attached("AdministratorAccess"):
        yield Trick(f"AdministratorAccess for {holder}", (resource,), "IF-21")
    for name in MANAGED[1:]:
        yield Trick(f"{name} for a role", (next(r for _, r in _attached(name)),), "IF-21")


TRICKS = (
    *_dangers(),
    Trick(
        "a policy of a role's own",
        (registered("aws:iam/role:Role", inlinePolicies=[{"name": "a", "policy": document(allow("iam:PassRole"))}]),),
        "IF-01",
    ),
    Trick(
        "a policy of aws-native's user",
        (registered("aws-native:iam:User", policies=[{"policyDocument": json.loads(document(allow("iam:*")))}]),),
        "IF-02",
    ),
    Trick("resources that are not named", policy({"Effect": "Allow", "Action": "iam:PassRole", "NotResource": "x"}), "IF-01"),
    *(
        Trick(f"a denial to callers {name}", policy(allow("iam:Put*"), deny("iam:*", condition=condition)), "IF-21")
        for name, condition in LEAVES.items()
    ),
    *(
        Trick(f"tags of disks {name}", policy(allow("ec2:CreateTags", DISKS, condition)), "IF-02")
        for name, condition in DISKS_OF_OTHERS.items()
    ),
    Trick("tags of disks and machines", policy(allow("ec2:DeleteTags", [*DISKS, INSTANCES])), "IF-02"),
    Trick("tags of machines by their own tags", policy(allow("ec2:CreateTags", [*DISKS, INSTANCES], OWNED)), "IF-02"),
    Trick("a denial with a condition", policy(allow("iam:Put*"), deny("iam:*", condition=OWNED)), "IF-21"),
    Trick("a denial of one resource", policy(allow("iam:Put*"), deny("iam:*", ROLE_ARN)), "IF-21"),
    Trick("a denial of another action", policy(allow("iam:Put*"), deny("iam:Get*")), "IF-21"),
    Trick("machines by i-*", policy(allow("ec2:RunInstances", "arn:aws:ec2:*:*:instance/i-*")), "IF-02"),
    Trick("ARNs that begin with arn:*", policy(allow("secretsmanager:GetSecretValue", "arn:*")), "IF-21"),
    Trick(
        "a role with a variable", policy(allow("iam:PassRole", f"arn:aws:iam::{ACCOUNT}:role/${{aws:username}}", EC2)), "IF-01"
    ),
    Trick(
        "the tags of ownership",
        policy(allow("ec2:CreateTags", "*", {"ForAllValues:StringEquals": {"aws:TagKeys": ["kubernetes.io/cluster/other"]}})),
        "IF-02",
    ),
    Trick(
        "one of several tags",
        policy(allow("ec2:CreateTags", "*", {"ForAnyValue:StringEquals": {"aws:TagKeys": ["Name"]}})),
        "IF-02",
    ),
    Trick(
        "a policy of AWS's that nobody knows",
        (registered("aws:iam/rolePolicyAttachment:RolePolicyAttachment", policyArn="arn:aws:iam::aws:policy/NewestOfAll"),),
        "IF-21",
        Wanted.OPEN,
    ),
    *(Trick(f"{name}, an ordinary policy", policy(*statements), wanted=Wanted.PASSES) for name, statements in ORDINARY.items()),
    *(Trick(f"{name} for nodes", (next(r for _, r in _attached(name)),), wanted=Wanted.PASSES) for name in HARMLESS),
    Trick(
        "an administrator with a boundary",
        (
            registered(
                "aws-native:iam:Role",
                assumeRolePolicyDocument={"Statement": []},
                managedPolicyArns=["arn:aws:iam::aws:policy/AdministratorAccess"],
                permissionsBoundary="arn:aws:iam::aws:policy/ReadOnlyAccess",
            ),
        ),
        "IF-21",
        Wanted.PASSES,
    ),
)
