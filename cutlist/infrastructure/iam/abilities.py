"""What statements are checked for: actions that are safe only under a condition, and abilities that take over an account or a
cluster (spec: aws-infrastructure 3.5, IF-01, IF-02, IF-21).

The abilities are those of three public lists, as of November 2026, and the logs: "AWS IAM Privilege Escalation Methods" of
Rhino Security Labs (github.com/RhinoSecurityLabs/AWS-IAM-Privilege-Escalation), pathfinding.cloud of Datadog and Principal
Mapper of NCC Group (github.com/nccgroup/PMapper). Ways that begin with `iam:PassRole` are closed by its guard: a role is only
passed to EC2, and by name. The table adds objects of any bucket, and policies of buckets and repositories: templates, states of
stacks and images are code that others run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.infrastructure.iam.limits import TAG_KEYS

PASSING: Final = "iam:PassRole"
SERVICES: Final = ("ec2", "eks", "iam", "kms", "sqs", "ssm")
NAMED_SERVICES: Final = ("kms", "sqs")
"""Services of which all actions may be granted on one named resource."""
OWNERSHIP: Final = ("karpenter.sh/*", "karpenter.k8s.aws/*", "kubernetes.io/cluster/*", "eks:eks-cluster-name")
"""Tags by which a controller finds its own resources (spec: H6)."""
OWNERSHIP_KEYS: Final = ("aws:ResourceTag/", "ec2:ResourceTag/")
"""Keys of a condition that limits an action to resources with certain tags."""


@dataclass(frozen=True, slots=True)
class Guard:
    """An action that is safe only under a condition, on these kinds of EC2 resources; no kinds means all resources except
    harmless ones. On `owned` resources, a condition on their own tags is sufficient, too."""

    action: str
    keys: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()
    owned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ability:
    """An action that nobody around a cluster should have, except under a condition on one of `keys`. `right` says what to write
    instead. `anything` is a service, and resource names that only a wildcard would match: the action is dangerous only if it
    reaches one of them. Without it, the action is dangerous on every resource of its service.
    """

    action: str
    right: str
    keys: tuple[str, ...] = ()
    anything: tuple[str, tuple[str, ...]] | None = None


_CREATED: Final = ("fleet", "instance", "volume", "network-interface", "spot-instances-request")
_GROUPS: Final = ("security-group/",)
_DISKS: Final = ("volume/", "snapshot/")
_CREATION_KEYS: Final = ("aws:RequestTag/",)
_OF_IAM: Final = ("aws:ResourceTag/", "iam:ResourceTag/")

GUARDS: Final = (
    Guard(PASSING, ("iam:PassedToService",)),
    Guard("ec2:CreateTags", ("ec2:CreateAction", TAG_KEYS), harmless=_GROUPS, owned=_DISKS),
    Guard("ec2:DeleteTags", (*OWNERSHIP_KEYS, TAG_KEYS), harmless=(*_GROUPS, *_DISKS)),
    Guard("ec2:RunInstances", _CREATION_KEYS, _CREATED),
    Guard("ec2:CreateFleet", _CREATION_KEYS, _CREATED),
    Guard("ec2:RunInstances", (*_CREATION_KEYS, *OWNERSHIP_KEYS), ("launch-template",)),
    Guard("ec2:CreateFleet", (*_CREATION_KEYS, *OWNERSHIP_KEYS), ("launch-template",)),
    Guard("ec2:CreateLaunchTemplate", _CREATION_KEYS),
    Guard("ec2:TerminateInstances", OWNERSHIP_KEYS),
    Guard("ec2:RebootInstances", OWNERSHIP_KEYS),
    Guard("ec2:DeleteLaunchTemplate", OWNERSHIP_KEYS),
    Guard("iam:DeleteInstanceProfile", _OF_IAM),
    Guard("iam:AddRoleToInstanceProfile", _OF_IAM),
)
_ROLES: Final = (
    "iam",
    (
        *(
            "role/Administrator",
            "role/zq0",
            "role/OrganizationAccountAccessRole",
            "role/team/xy7",
            "role/AWSControlTowerExecution",
        ),
        "role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_AdministratorAccess_0123456789abcdef",
    ),
)
_SECRETS: Final = ("secretsmanager", ("secret:zq0-AbCdEf", "secret:prod/db-AbCdEf", "secret:team/xy7-AbCdEf"))
_PARAMETERS: Final = ("ssm", ("parameter/zq0", "parameter/prod/db", "parameter/team/xy7"))
_SESSIONS: Final = ("ssm", ("session/zq0-0123456789abcdef0",))
_DOCUMENTS: Final = ("ssm", ("document/zq0", "document/team-xy7"))
_FUNCTIONS: Final = ("lambda", ("function:zq0", "function:xy7"))
_LOGS: Final = ("logs", ("log-group:/aws/eks/zq0/cluster", "log-group:/aws/eks/zq0/cluster:*", "log-group:zq0"))
_MACHINES: Final = ("ec2", ("instance/i-0123456789abcdef0",))
_TEMPLATES: Final = ("ec2", ("launch-template/lt-0123456789abcdef0",))
_BUCKETS: Final = ("s3", ("zq0", "xy7-prod"))
_OBJECTS: Final = ("s3", ("zq0/team/xy7", "xy7-prod/zq0"))
_REPOSITORIES: Final = ("ecr", ("repository/zq0", "repository/team/xy7"))
_KEYS_OF_KMS: Final = ("kms", ("key/00000000-0000-0000-0000-00000000zq0a", "key/mrk-xy7"))
_STACKS: Final = ("cloudformation", ("stack/zq0/0", "stack/xy7/0"))
_BUILDS: Final = ("codebuild", ("project/zq0", "project/xy7"))
_TAGS: Final = ("aws:ResourceTag/",)
_TAGS_OF_BUCKETS: Final = (*_TAGS, "s3:BucketTag/")
_TAGS_OF_SECRETS: Final = ("aws:ResourceTag/", "secretsmanager:ResourceTag/")
_TAGS_OF_SSM: Final = ("ssm:resourceTag/", "aws:ResourceTag/")
_OTHERS: Final = "a permission boundary and separate roles for whoever needs it, under a condition on iam:PermissionsBoundary"
_POLICIES: Final = (
    *("PutRolePolicy", "AttachRolePolicy", "DeleteRolePolicy", "DetachRolePolicy", "UpdateAssumeRolePolicy"),
    *("PutUserPolicy", "AttachUserPolicy", "DeleteUserPolicy", "DetachUserPolicy"),
    *("PutGroupPolicy", "AttachGroupPolicy", "DeleteGroupPolicy", "DetachGroupPolicy", "AddUserToGroup", "RemoveUserFromGroup"),
    *("PutRolePermissionsBoundary", "DeleteRolePermissionsBoundary"),
    *("PutUserPermissionsBoundary", "DeleteUserPermissionsBoundary"),
)
_VERSIONS: Final = ("CreatePolicyVersion", "SetDefaultPolicyVersion")
_KEYS: Final = (
    *("CreateAccessKey", "CreateLoginProfile", "UpdateLoginProfile", "CreateServiceSpecificCredential"),
    *("ResetServiceSpecificCredential", "UploadSSHPublicKey", "DeactivateMFADevice"),
)
_PROVIDERS: Final = (
    *("CreateOpenIDConnectProvider", "AddClientIDToOpenIDConnectProvider", "UpdateOpenIDConnectProviderThumbprint"),
    *("CreateSAMLProvider", "UpdateSAMLProvider"),
)
_ENTRIES: Final = (
    *("CreateAccessEntry", "UpdateAccessEntry", "AssociateAccessPolicy"),
    *("CreatePodIdentityAssociation", "UpdatePodIdentityAssociation", "AssociateIdentityProviderConfig", "UpdateClusterConfig"),
)
_ORGANISATION: Final = (
    *("organizations:LeaveOrganization", "organizations:DetachPolicy", "organizations:UpdatePolicy"),
    *("organizations:DisablePolicyType", "iam:EnableOrganizationsRootSessions", "sts:AssumeRoot"),
    *("sso:CreateAccountAssignment", "sso:PutInlinePolicyToPermissionSet", "sso:AttachManagedPolicyToPermissionSet"),
    *("sso:AttachCustomerManagedPolicyReferenceToPermissionSet", "identitystore:CreateGroupMembership"),
    *("sso-directory:AddMemberToGroup", "rolesanywhere:CreateTrustAnchor", "rolesanywhere:UpdateTrustAnchor"),
)
_OF_OTHERS: Final[tuple[tuple[str, tuple[str, tuple[str, ...]]], ...]] = (
    *((f"lambda:{action}", _FUNCTIONS) for action in ("UpdateFunctionCode", "UpdateFunctionConfiguration")),
    *((f"cloudformation:{action}", _STACKS) for action in ("UpdateStack", "CreateChangeSet", "ExecuteChangeSet")),
    ("cloudformation:UpdateStackSet", ("cloudformation", ("stackset/zq0:0",))),
    *((f"codebuild:{action}", _BUILDS) for action in ("UpdateProject", "StartBuild", "StartBuildBatch")),
    ("glue:UpdateDevEndpoint", ("glue", ("devEndpoint/zq0",))),
    ("datapipeline:PutPipelineDefinition", ("datapipeline", ("pipeline/df-zq0",))),
    ("sagemaker:CreatePresignedNotebookInstanceUrl", ("sagemaker", ("notebook-instance/zq0",))),
    ("sagemaker:UpdateNotebookInstance", ("sagemaker", ("notebook-instance/zq0",))),
    ("sagemaker:UpdateNotebookInstanceLifecycleConfig", ("sagemaker", ("notebook-instance-lifecycle-config/zq0",))),
    ("sagemaker:CreatePresignedDomainUrl", ("sagemaker", ("user-profile/zq0/xy7",))),
    ("ecs:ExecuteCommand", ("ecs", ("task/zq0/xy7", "cluster/zq0"))),
    ("apprunner:UpdateService", ("apprunner", ("service/zq0/0",))),
    ("states:UpdateStateMachine", ("states", ("stateMachine:zq0",))),
    ("bedrock-agentcore:InvokeCodeInterpreter", ("bedrock-agentcore", ("code-interpreter-custom/zq0", "code-interpreter/zq0"))),
    ("codestar:CreateProject", ("codestar", ("project/zq0",))),
    ("codestar:AssociateTeamMember", ("codestar", ("project/zq0",))),
)
"""Actions that run a caller's own code under a role that something else already has."""
_TRAILS: Final = (
    *("cloudtrail:StopLogging", "cloudtrail:DeleteTrail", "cloudtrail:UpdateTrail", "cloudtrail:PutEventSelectors"),
    *("config:StopConfigurationRecorder", "config:DeleteConfigurationRecorder", "config:DeleteDeliveryChannel"),
    *("guardduty:DeleteDetector", "guardduty:UpdateDetector", "securityhub:DisableSecurityHub", "ec2:DeleteFlowLogs"),
)

ABILITIES: Final = (
    Ability(
        "iam:CreateServiceLinkedRole",
        "a separate component, which makes the role for spot once an account",
        ("iam:AWSServiceName",),
    ),
    Ability("ssm:SendCommand", "ssm:GetParameter alone, which reads the parameters of images", ("ssm:resourceTag/",)),
    Ability("eks:DeleteCluster", "eks:DescribeCluster alone"),
    *(Ability(f"iam:{action}", _OTHERS, ("iam:PermissionsBoundary",)) for action in _POLICIES),
    *(Ability(f"iam:{action}", "policies that this principal cannot rewrite") for action in _VERSIONS),
    *(Ability(f"iam:{action}", "at most the caller's own, on user/${aws:username}") for action in _KEYS),
    *(Ability(f"iam:{action}", "providers that a separate stack makes") for action in _PROVIDERS),
    *(Ability(f"eks:{action}", "access entries that the stack writes itself") for action in _ENTRIES),
    *(Ability(action, "logs that whoever is logged cannot stop") for action in _TRAILS),
    Ability("sts:AssumeRole", "the ARN of each role, enumerated", _OF_IAM, _ROLES),
    Ability("secretsmanager:GetSecretValue", "the ARN of each secret", _TAGS_OF_SECRETS, _SECRETS),
    Ability(
        "secretsmanager:BatchGetSecretValue",
        "the ARN of each secret",
        _TAGS_OF_SECRETS,
        _SECRETS,
    ),
    *(
        Ability(f"ssm:{action}", "the path of the parameters, such as parameter/aws/service/*", _TAGS_OF_SSM, _PARAMETERS)
        for action in ("GetParameter", "GetParameters", "GetParametersByPath", "GetParameterHistory")
    ),
    Ability("secretsmanager:PutResourcePolicy", "the ARN of each secret", _TAGS_OF_SECRETS, _SECRETS),
    Ability("kms:PutKeyPolicy", "the ARN of each key", (*_TAGS, "kms:ResourceAliases"), _KEYS_OF_KMS),
    Ability("kms:ScheduleKeyDeletion", "the ARN of each key", (*_TAGS, "kms:ResourceAliases"), _KEYS_OF_KMS),
    *(
        Ability(action, "machines by their tags", (*_TAGS_OF_SSM, *OWNERSHIP_KEYS), _MACHINES)
        for action in (
            *("ssm:StartSession", "ssm:CreateAssociation", "ec2-instance-connect:SendSSHPublicKey"),
            *("ec2-instance-connect:SendSerialConsoleSSHPublicKey", "ec2:ModifyInstanceAttribute"),
            "ec2:ModifyInstanceMetadataOptions",
        )
    ),
    Ability("ssm:ResumeSession", "the caller's own sessions, session/${aws:userid}-*", _TAGS_OF_SSM, _SESSIONS),
    Ability("ssm:UpdateDocument", "the ARN of each document", _TAGS_OF_SSM, _DOCUMENTS),
    *(
        Ability(f"ec2:{action}", "launch templates by their tags", OWNERSHIP_KEYS, _TEMPLATES)
        for action in ("CreateLaunchTemplateVersion", "ModifyLaunchTemplate")
    ),
    *(
        Ability(f"s3:{action}", "the ARN of each bucket", _TAGS_OF_BUCKETS, _BUCKETS)
        for action in ("PutBucketPolicy", "PutBucketAcl")
    ),
    Ability("s3:PutObject", "the ARN of each bucket, with a prefix", _TAGS_OF_BUCKETS, _OBJECTS),
    *(
        Ability(f"ecr:{action}", "the ARN of each repository", (*_TAGS, "ecr:ResourceTag/"), _REPOSITORIES)
        for action in ("SetRepositoryPolicy", "PutRegistryPolicy")
    ),
    *(Ability(action, "a separate administrator's role, outside the cluster") for action in _ORGANISATION),
    *(Ability(action, "the ARN of each resource that it is for", _TAGS, anything) for action, anything in _OF_OTHERS),
    Ability("logs:DeleteLogGroup", "log groups by name, and not the cluster's own", ("aws:ResourceTag/",), _LOGS),
)
CONTROLLER: Final = ("iam:CreateServiceLinkedRole", "ssm:SendCommand", "eks:DeleteCluster")
"""Abilities that a controller's documents are likely to have by mistake; IF-02 reports them."""
