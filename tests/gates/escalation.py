"""Published ways to more rights, and what takes rights away: denials, boundaries and conditions, in several documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cutlist.policy.rules import UNKNOWN, Resource
from tests.gates.principals import ACCOUNT, EC2, INSTANCES, OWNED, ROLE_ARN, allow, deny, document, policy
from tests.gates.trick import Trick, Wanted, output, registered
from tests.unit.policy.rules import subjects as s

ROLE, USER, GROUP = "aws:iam/role:Role", "aws:iam/user:User", "aws:iam/group:Group"
ROLE_POLICY, POLICY = "aws:iam/rolePolicy:RolePolicy", "aws:iam/policy:Policy"
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
ADMINISTRATOR = "arn:aws:iam::aws:policy/AdministratorAccess"
OWN = f"arn:aws:iam::{ACCOUNT}:policy"
TRUST = document({"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"})
RIGHTS_OF_IAM = ("iam:Put*", "iam:Attach*", "iam:CreateAccessKey")

WAYS: dict[str, tuple[Any, Any]] = {
    "new code of every function": ("lambda:UpdateFunctionConfiguration", "*"),
    "code of functions by pattern": ("lambda:Update*", f"arn:aws:lambda:*:{ACCOUNT}:function:*"),
    "a Glue endpoint's key": ("glue:UpdateDevEndpoint", "*"),
    "stacks with their roles": ("cloudformation:UpdateStack", "*"),
    "change sets": (
        ["cloudformation:CreateChangeSet", "cloudformation:Exec*"],
        "arn:aws:cloudformation:*:*:stack/*",
    ),
    "every build": ("codebuild:StartBuild", "*"),
    "builds of every project": ("codebuild:Update*", "arn:aws:codebuild:*:*:project/*"),
    "a pipeline of data": ("datapipeline:PutPipelineDefinition", "*"),
    "notebooks": ("sagemaker:CreatePresignedNotebookInstanceUrl", "*"),
    "studios": ("sagemaker:CreatePresigned*", "*"),
    "a shell in tasks": ("ecs:ExecuteCommand", "*"),
    "services of App Runner": ("apprunner:UpdateService", "*"),
    "keys of SSH on machines": ("ec2-instance-connect:SendSSHPublicKey", "*"),
    "serial consoles": ("ec2-instance-connect:*", "*"),
    "associations of SSM": ("ssm:CreateAssociation", "*"),
    "sessions on machines by pattern": ("ssm:StartSession", "arn:aws:ec2:*:*:instance/*"),
    "policies of keys": ("kms:PutKeyPolicy", "*"),
    "deletion of keys": ("kms:ScheduleKeyDeletion", f"arn:aws:kms:us-west-2:{ACCOUNT}:key/*"),
    "policies of secrets": ("secretsmanager:PutResourcePolicy", "*"),
    "the root of members": ("sts:AssumeRoot", "*"),
    "roots of the organisation": ("iam:EnableOrganizationsRootSessions", "*"),
    "leaving the organisation": ("organizations:LeaveOrganization", "*"),
    "policies of the organisation": ("organizations:*", "*"),
    "permission sets": ("sso:PutInlinePolicyToPermissionSet", "*"),
    "assignments of accounts": ("sso:CreateAccountAssignment", "*"),
    "groups of the identity store": ("identitystore:CreateGroupMembership", "*"),
    "a trust anchor": ("rolesanywhere:CreateTrustAnchor", "*"),
    "a project with its own role": ("codestar:CreateProject", "*"),
    "second factors of others": ("iam:DeactivateMFADevice", "*"),
    "credentials of services": ("iam:ResetServiceSpecificCredential", "*"),
    "the administrators' role": ("sts:AssumeRole", f"arn:aws:iam::{ACCOUNT}:role/OrganizationAccountAccessRole"),
    "the role of Control Tower": ("sts:AssumeRole", "arn:aws:iam::*:role/AWSControlTowerExecution"),
    "roles of single sign-on": ("sts:AssumeRole", "arn:aws:iam::*:role/aws-reserved/*"),
    "roles of accounts by their digits": ("sts:AssumeRole", "arn:aws:iam::9*:role/*"),
    "roles in another partition": ("sts:AssumeRole", "arn:aws-cn:iam::*:role/*"),
    "roles that the request names": ("sts:AssumeRole", f"arn:aws:iam::{ACCOUNT}:role/${{aws:RequestTag/role}}"),
    "secrets that a request names": (
        "secretsmanager:GetSecretValue",
        "arn:aws:secretsmanager:*:*:secret:${aws:RequestTag/s}",
    ),
    "the cluster's entries": ("eks:AssociateAccessPolicy", f"arn:aws:eks:us-west-2:{ACCOUNT}:access-entry/demo/*"),
    "one cluster's endpoint": ("eks:UpdateClusterConfig", f"arn:aws:eks:us-west-2:{ACCOUNT}:cluster/demo"),
    "user data of other machines": ("ec2:ModifyInstanceAttribute", "*"),
    "user data by pattern": ("ec2:ModifyInstance*", f"arn:aws:ec2:us-west-2:{ACCOUNT}:instance/*"),
    "metadata of other machines": ("ec2:ModifyInstanceMetadataOptions", "*"),
    "versions of launch templates": (["ec2:CreateLaunchTemplateVersion", "ec2:ModifyLaunchTemplate"], "*"),
    "the default version of templates": ("ec2:ModifyLaunchTemplate", "arn:aws:ec2:*:*:launch-template/*"),
    "policies of buckets": ("s3:PutBucket*", "arn:aws:s3:::*"),
    "grants on buckets": ("s3:PutBucketAcl", "*"),
    "objects of every bucket": ("s3:PutObject", "arn:aws:s3:::*/*"),
    "everything of storage": ("s3:*", "*"),
    "policies of repositories": ("ecr:SetRepositoryPolicy", f"arn:aws:ecr:us-west-2:{ACCOUNT}:repository/*"),
    "policy of the registry": ("ecr:PutRegistryPolicy", "*"),
    "documents of SSM": ("ssm:UpdateDocument", f"arn:aws:ssm:*:{ACCOUNT}:document/*"),
    "sessions of others": ("ssm:ResumeSession", "arn:aws:ssm:*:*:session/*"),
    "sets of stacks": ("cloudformation:UpdateStackSet", "*"),
    "state machines": ("states:UpdateStateMachine", f"arn:aws:states:*:{ACCOUNT}:stateMachine:*"),
    "notebooks' scripts": ("sagemaker:UpdateNotebookInstance*", "*"),
    "code interpreters": ("bedrock-agentcore:*", "*"),
    "denials of groups": (["iam:DeleteGroupPolicy", "iam:RemoveUserFromGroup"], "*"),
    "everything of IAM": ("iam:*", "*"),
    "everything": ("*", "*"),
}
PASSED: dict[str, Any] = {
    name: {"StringEquals": {"iam:PassedToService": f"{name}.amazonaws.com"}}
    for name in (
        "lambda",
        "glue",
        "codebuild",
        "sagemaker",
        "datapipeline",
        "cloudformation",
        "ecs-tasks",
        "states",
        "apprunner",
    )
}


def role(name: str = "apps", /, **more: Any) -> Resource:
    """Return a role of machines under a name."""
    return registered(ROLE, name, name=name, assumeRolePolicy=TRUST, **more)


def of_role(name: str, *statements: Mapping[str, Any], role: Any = "apps") -> Resource:
    """Return a policy inside a role."""
    return registered(ROLE_POLICY, name, role=role, policy=document(*statements))


def managed(name: str, *statements: Mapping[str, Any]) -> Resource:
    """Return a managed policy under a name."""
    return registered(POLICY, name, name=name, policy=document(*statements))


def attached(policy: Any, role: Any = "apps", name: str = "a") -> Resource:
    """Return an attachment to a role."""
    return registered(ATTACHMENT, name, role=role, policyArn=policy)


DENIED = deny("iam:*")
BOUNDARY = managed("limit", allow("*"), deny(["iam:*", "sts:*", "organizations:*"]))
READING = managed("limit", allow(["s3:Get*", "s3:List*", "logs:PutLogEvents"]))
BOUNDED = role(permissionsBoundary=f"{OWN}/limit")
WIDE = managed("wide", allow(RIGHTS_OF_IAM))
ALL_BUT = {"Effect": "Deny", "NotAction": ["s3:*", "logs:*"], "Resource": "*"}
PASSES_ANY = allow("iam:PassRole", ROLE_ARN)

TAKEN_AWAY: dict[str, tuple[Resource, ...]] = {
    "a denial in another policy of the role": (role(), of_role("a", allow(RIGHTS_OF_IAM)), of_role("b", DENIED)),
    "a denial in the role": (
        role(inlinePolicies=[{"name": "b", "policy": document(DENIED)}]),
        of_role("a", allow(RIGHTS_OF_IAM)),
    ),
    "a denial in a policy that is attached": (
        role(),
        WIDE,
        managed("never", DENIED),
        attached(f"{OWN}/wide"),
        attached(f"{OWN}/never", name="b"),
    ),
    "a denial in a user's group": (
        registered(USER, "ci", name="ci"),
        registered(GROUP, "all", name="all"),
        registered("aws:iam/userPolicy:UserPolicy", user="ci", policy=document(allow(RIGHTS_OF_IAM))),
        registered("aws:iam/groupPolicy:GroupPolicy", group="all", policy=document(DENIED)),
        registered("aws:iam/userGroupMembership:UserGroupMembership", user="ci", groups=["all"]),
    ),
    "a denial of all but storage": (role(), of_role("a", allow(RIGHTS_OF_IAM)), of_role("b", ALL_BUT)),
    "a denial of the service elsewhere": (role(), of_role("a", allow("ec2:*")), of_role("b", deny("ec2:*"))),
    "a denial beside aws-native's": (
        registered("aws-native:iam:Role", "apps", roleName="apps", assumeRolePolicyDocument=json.loads(TRUST)),
        registered("aws-native:iam:RolePolicy", roleName="apps", policyDocument=json.loads(document(allow(RIGHTS_OF_IAM)))),
        registered("aws-native:iam:Policy", roles=["apps"], policyDocument=json.loads(document(DENIED))),
    ),
    "another service denied": (
        role(),
        of_role(
            "a", PASSES_ANY, deny("iam:PassRole", condition={"StringNotEquals": {"iam:PassedToService": "ec2.amazonaws.com"}})
        ),
    ),
    "machines of others denied": (
        role(),
        of_role("a", allow("ec2:TerminateInstances")),
        of_role("b", deny("ec2:TerminateInstances", condition={"StringNotEqualsIfExists": {"aws:ResourceTag/team": "shop"}})),
    ),
    "a boundary of the stack": (BOUNDARY, BOUNDED, of_role("a", allow([*RIGHTS_OF_IAM, "sts:AssumeRole"]))),
    "a boundary that reads": (READING, BOUNDED, of_role("a", allow("*"))),
    "a boundary around an administrator": (READING, BOUNDED, attached(ADMINISTRATOR)),
    "a boundary around a policy that is attached": (BOUNDARY, BOUNDED, WIDE, attached(f"{OWN}/wide")),
    "a boundary and nothing else": (BOUNDARY, BOUNDED),
    "a boundary of AWS's": (
        role(permissionsBoundary="arn:aws:iam::aws:policy/ReadOnlyAccess"),
        of_role("a", allow([*RIGHTS_OF_IAM, "ec2:*"])),
    ),
    "a boundary around aws-native's role": (
        registered("aws-native:iam:ManagedPolicy", "limit", managedPolicyName="limit", policyDocument=READING.data["policy"]),
        registered(
            "aws-native:iam:Role",
            roleName="apps",
            assumeRolePolicyDocument=json.loads(TRUST),
            permissionsBoundary=f"{OWN}/limit",
            policies=[{"policyDocument": json.loads(document(allow("*")))}],
        ),
    ),
}
_ROLE = role()
_LIMITED = output(role(permissionsBoundary=""), "permissionsBoundary", READING, 1)
BY_OUTPUT: dict[str, tuple[Resource, ...]] = {
    "a denial by outputs": (
        _ROLE,
        output(of_role("a", allow(RIGHTS_OF_IAM)), "role", _ROLE, 0),
        output(of_role("b", DENIED), "role", _ROLE, 0),
    ),
    "a boundary by outputs": (_LIMITED, READING, output(attached(ADMINISTRATOR), "role", _LIMITED, 0)),
    "a boundary alone by outputs": (_LIMITED, managed("limit", allow("*"), deny("ec2:*"))),
    "a policy of the stack by outputs": (_ROLE, READING, output(attached(""), "policyArn", READING, 1)),
}
LEFT: dict[str, tuple[tuple[Resource, ...], str]] = {
    "a denial of another role": (
        (role(), role("other"), of_role("a", allow(RIGHTS_OF_IAM)), of_role("b", DENIED, role="other")),
        "IF-21",
    ),
    "a denial that is not attached": ((role(), of_role("a", allow(RIGHTS_OF_IAM)), managed("never", DENIED)), "IF-21"),
    "a denial for one of two holders": (
        (role(), role("other"), WIDE, attached(f"{OWN}/wide"), attached(f"{OWN}/wide", "other", "b"), of_role("c", DENIED)),
        "IF-21",
    ),
    "a denial for an unknown role": ((role(), of_role("a", allow(RIGHTS_OF_IAM)), of_role("b", DENIED, role=UNKNOWN)), "IF-21"),
    "a denial with two conditions": (
        (
            role(),
            of_role(
                "a",
                PASSES_ANY,
                deny(
                    "iam:PassRole",
                    condition={
                        "StringNotEquals": {"iam:PassedToService": "ec2.amazonaws.com"},
                        "Bool": {"aws:SecureTransport": "false"},
                    },
                ),
            ),
        ),
        "IF-01",
    ),
    "a denial of all but any service": (
        (role(), of_role("a", PASSES_ANY, deny("iam:PassRole", condition={"StringNotLike": {"iam:PassedToService": "*"}}))),
        "IF-01",
    ),
    "a boundary of another stack": ((BOUNDED, of_role("a", allow(RIGHTS_OF_IAM))), "IF-21"),
    "a boundary that lets it through": (
        (managed("limit", allow("*"), deny("s3:*")), BOUNDED, of_role("a", allow(RIGHTS_OF_IAM))),
        "IF-21",
    ),
    "a boundary that is attached": ((BOUNDARY, BOUNDED, attached(f"{OWN}/limit")), "IF-02"),
    "a boundary attached elsewhere": ((BOUNDARY, BOUNDED, role("other"), attached(f"{OWN}/limit", "other")), "IF-02"),
    "a boundary attached to somebody": ((BOUNDARY, BOUNDED, attached(UNKNOWN, "other")), "IF-02"),
    "an administrator with a wide boundary": ((BOUNDARY, BOUNDED, attached(ADMINISTRATOR)), "IF-21"),
    "an administrator without the boundary": ((READING, BOUNDED, role("other"), attached(ADMINISTRATOR, "other")), "IF-21"),
    "PowerUserAccess as a boundary": (
        (role(permissionsBoundary="arn:aws:iam::aws:policy/PowerUserAccess"), of_role("a", allow("secretsmanager:*"))),
        "IF-21",
    ),
    "all but reading": (
        (role(), of_role("a", {"Effect": "Allow", "NotAction": "s3:*", "Resource": "*"})),
        "IF-21",
    ),
}
ACCOUNT_TRUSTS = document({"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, "Action": "sts:AssumeRole"})
ADMIN = registered(ROLE, "admin", name="admin", assumeRolePolicy=ACCOUNT_TRUSTS, managedPolicyArns=[ADMINISTRATOR])
MIDDLE = registered(ROLE, "middle", name="middle", assumeRolePolicy=ACCOUNT_TRUSTS)
ACCEPTED = {
    "exemptions": [
        {
            "rule": "IF-21",
            "object": "Role/admin",
            "owner": "platform",
            "reason": "people sign in",
            "until": "2026-12-31",
        }
    ]
}


def takes(name: str, target: str) -> Resource:
    """Return a policy by which a role assumes another."""
    return of_role(f"{name}-{target}", allow("sts:AssumeRole", f"arn:aws:iam::{ACCOUNT}:role/{target}"), role=name)


CHAINS: dict[str, tuple[Resource, ...]] = {
    "one step": (role(), ADMIN, takes("apps", "admin")),
    "two steps": (role(), MIDDLE, ADMIN, takes("apps", "middle"), takes("middle", "admin")),
    "a pattern": (role(), ADMIN, takes("apps", "adm*")),
}
NO_CHAINS: dict[str, tuple[Resource, ...]] = {
    "another role": (role(), MIDDLE, ADMIN, takes("apps", "middle")),
    "a role that trusts others": (role(), s.put(ADMIN, "assumeRolePolicy", TRUST), takes("apps", "admin")),
    "a denial": (role(), ADMIN, takes("apps", "admin"), of_role("b", deny("sts:*"))),
}
HARMLESS: dict[str, tuple[Mapping[str, Any], ...]] = {
    "all but deletion of one bucket": (
        {"Effect": "Allow", "NotAction": "s3:DeleteBucket", "Resource": ["arn:aws:s3:::logs", "arn:aws:s3:::logs/*"]},
    ),
    "reading all but one bucket": ({"Effect": "Allow", "Action": "s3:GetObject", "NotResource": "arn:aws:s3:::secret/*"},),
    "everything of one bucket": (allow("*", ["arn:aws:s3:::logs", "arn:aws:s3:::logs/*"]),),
    "everything of one table": (allow("*", f"arn:aws:dynamodb:us-west-2:{ACCOUNT}:table/shop"),),
    "a guard against all but reading": (allow(["ec2:Describe*"]), {"Effect": "Deny", "NotAction": "ec2:*", "Resource": "*"}),
    "a region by denial": (
        allow("ec2:Describe*"),
        {
            "Effect": "Deny",
            "NotAction": ["iam:*", "sts:*", "organizations:*"],
            "Resource": "*",
            "Condition": {"StringNotEquals": {"aws:RequestedRegion": "us-west-2"}},
        },
    ),
    "one stack": (allow("cloudformation:*", f"arn:aws:cloudformation:us-west-2:{ACCOUNT}:stack/shop/*"),),
    "one function": (allow("lambda:UpdateFunctionCode", f"arn:aws:lambda:us-west-2:{ACCOUNT}:function:shop"),),
    "one project's builds": (allow("codebuild:StartBuild", f"arn:aws:codebuild:us-west-2:{ACCOUNT}:project/shop"),),
    "sessions by tag": (allow("ssm:StartSession", condition={"StringEquals": {"ssm:resourceTag/team": "shop"}}),),
    "secrets of a prefix": (allow("secretsmanager:*", f"arn:aws:secretsmanager:us-west-2:{ACCOUNT}:secret:shop/*"),),
    "objects of one bucket": (allow(["s3:PutObject", "s3:GetObject"], "arn:aws:s3:::shop-backups/*"),),
    "objects of buckets by name": (allow("s3:Put*", ["arn:aws:s3:::loki-*", "arn:aws:s3:::loki-*/*"]),),
    "objects below a prefix": (allow("s3:PutObject", "arn:aws:s3:::*/AWSLogs/*"),),
    "one repository": (allow("ecr:*", f"arn:aws:ecr:us-west-2:{ACCOUNT}:repository/shop"),),
    "images pushed": (allow(["ecr:GetAuthorizationToken", "ecr:PutImage", "ecr:UploadLayerPart", "ecr:BatchGetImage"]),),
    "machines by tag": (
        allow(["ec2:ModifyInstanceAttribute", "ec2:ModifyInstanceMetadataOptions"], INSTANCES, OWNED),
        allow(["ec2:CreateLaunchTemplateVersion", "ec2:ModifyLaunchTemplate"], condition=OWNED),
    ),
    "one machine": (allow("ec2:ModifyInstanceAttribute", f"arn:aws:ec2:us-west-2:{ACCOUNT}:instance/i-0fedcba9876543210"),),
    "volumes of the CSI driver": (
        allow(["ec2:AttachVolume", "ec2:DetachVolume", "ec2:ModifyVolume", "ec2:DescribeInstances", "ec2:CreateSnapshot"]),
    ),
    "addresses of the CNI": (allow(["ec2:ModifyNetworkInterfaceAttribute", "ec2:AssignPrivateIpAddresses"]),),
    "own sessions": (allow(["ssm:ResumeSession", "ssm:TerminateSession"], "arn:aws:ssm:*:*:session/${aws:userid}-*"),),
    "one state machine": (allow("states:*", f"arn:aws:states:us-west-2:{ACCOUNT}:stateMachine:shop"),),
    "decryption": (allow(["kms:Decrypt", "kms:GenerateDataKey*", "kms:DescribeKey"]),),
    "a queue's consumer": (allow(["sqs:ReceiveMessage", "sqs:DeleteMessage"], f"arn:aws:sqs:us-west-2:{ACCOUNT}:shop"),),
    "spot's own role": (
        allow("iam:CreateServiceLinkedRole", condition={"StringEquals": {"iam:AWSServiceName": "spot.amazonaws.com"}}),
    ),
    "passing to EC2 of China as well": (
        allow(
            "iam:PassRole",
            ROLE_ARN,
            {"StringEquals": {"iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"]}},
        ),
    ),
    "one role of another account": (allow("sts:AssumeRole", "arn:aws:iam::444455556666:role/dns"),),
    "own second factor": (allow("iam:DeactivateMFADevice", "arn:aws:iam::*:user/${aws:username}"),),
    "tags of the principal": (
        allow("secretsmanager:GetSecretValue", "arn:aws:secretsmanager:*:*:secret:${aws:PrincipalTag/team}/*"),
    ),
}

TRICKS = (
    *(Trick(f"{name}, by a policy", policy(allow(*what)), "IF-21") for name, what in WAYS.items()),
    *(
        Trick(f"{name} in two statements", policy(allow("s3:Get*"), allow(*what)), "IF-21")
        for name, what in list(WAYS.items())[:10]
    ),
    *(Trick(f"a role for {name}", policy(allow("iam:PassRole", ROLE_ARN, test)), "IF-01") for name, test in PASSED.items()),
    Trick(
        "a role for EC2 or Lambda",
        policy(
            allow(
                "iam:PassRole",
                ROLE_ARN,
                {"StringEquals": {"iam:PassedToService": ["ec2.amazonaws.com", "lambda.amazonaws.com"]}},
            )
        ),
        "IF-01",
    ),
    *(Trick(name, resources, rule) for name, (resources, rule) in LEFT.items()),
    *(Trick(name, resources, wanted=Wanted.PASSES) for name, resources in (TAKEN_AWAY | BY_OUTPUT).items()),
    *(Trick(name, policy(*statements), wanted=Wanted.PASSES) for name, statements in HARMLESS.items()),
    *(Trick(f"an administrator by {name}", r, "IF-21", gates=ACCEPTED) for name, r in CHAINS.items()),
    *(Trick(f"no administrator by {name}", r, "IF-21", Wanted.PASSES, ACCEPTED) for name, r in NO_CHAINS.items()),
    Trick("a policy of another stack", (role(), attached(f"{OWN}/elsewhere")), "IF-21", Wanted.OPEN),
    Trick("a policy of another stack in a role's list", (role(managedPolicyArns=[f"{OWN}/elsewhere"]),), "IF-21", Wanted.OPEN),
    Trick(
        "a policy of another stack that is known",
        (role(), attached(f"{OWN}/team/elsewhere")),
        "IF-21",
        Wanted.PASSES,
        gates={"rules": {"IF-21": {"policies": ["elsewhere"]}}},
    ),
    Trick("a role for EC2", policy(allow("iam:PassRole", ROLE_ARN, EC2)), wanted=Wanted.PASSES),
)
