"""Permissions for what the controller creates, changes and removes: launches and instance profiles (spec: aws-infrastructure
3.3, 3.4).

Most conditions follow one idea: a request that creates a resource sends the tags by which the cluster owns it, and a resource
that is changed or removed has them already. So a controller cannot touch another cluster's resources.
"""

from __future__ import annotations

from typing import Final

from cutlist.core.karpenter.versions import Minor
from cutlist.infrastructure.iam.choices import CallerResource, Feature
from cutlist.infrastructure.iam.documents import Condition, Operator
from cutlist.infrastructure.iam.table import Arn, Part, Reach, Row, When, actions, equals, has
from cutlist.infrastructure.names import EKS_CLUSTER_TAG

_V1_11: Final = Minor(1, 11)
_V1_15: Final = Minor(1, 15)

_NODEPOOL: Final = "karpenter.sh/nodepool"
_NODE_CLASS: Final = "karpenter.k8s.aws/ec2nodeclass"
_REGION: Final = "topology.kubernetes.io/region"

_TAGGED: Final = (
    equals("aws:RequestTag/{owned_tag}", "owned"),
    equals(f"aws:RequestTag/{EKS_CLUSTER_TAG}", "{cluster}"),
    has(f"aws:RequestTag/{_NODEPOOL}"),
)
_OWNED: Final = (equals("aws:ResourceTag/{owned_tag}", "owned"), has(f"aws:ResourceTag/{_NODEPOOL}"))
_PROFILE_TAGGED: Final = (
    equals("aws:RequestTag/{owned_tag}", "owned"),
    equals(f"aws:RequestTag/{EKS_CLUSTER_TAG}", "{cluster}"),
    equals(f"aws:RequestTag/{_REGION}", "{region}"),
    has(f"aws:RequestTag/{_NODE_CLASS}"),
)
_PROFILE_OWNED: Final = (
    equals("aws:ResourceTag/{owned_tag}", "owned"),
    equals(f"aws:ResourceTag/{_REGION}", "{region}"),
    has(f"aws:ResourceTag/{_NODE_CLASS}"),
)

_LAUNCH: Final = ("ec2:RunInstances", "ec2:CreateFleet")
_CREATE: Final = actions(*_LAUNCH, "ec2:CreateLaunchTemplate")
_NETWORK: Final = ("security-group", "subnet")
INSTANCE_PROFILES: Final = (
    Reach(Arn("iam", "instance-profile/*", region=""), When(unless=Feature.STRICT_PROFILES)),
    Reach(Arn("iam", "instance-profile/karpenter/{region}/{cluster}/*", region=""), When(needs=Feature.STRICT_PROFILES)),
)
_WRITES_PROFILES: Final = When(needs=Feature.INSTANCE_PROFILES)


def _ec2(kind: str, when: When = When()) -> Reach:  # noqa: B008 - a frozen value
    return Reach(Arn("ec2", f"{kind}/*", account="*"), when)


_IMAGES: Final = Reach(Arn("ec2", "image/*", account=""), When(unless=Feature.STRICT_IMAGES))
_CREATED: Final = tuple(
    _ec2(kind) for kind in ("fleet", "instance", "volume", "network-interface", "launch-template", "spot-instances-request")
)
_CREATED_UNLESS_STRICT: Final = tuple(
    Reach(reach.what, When(unless=Feature.STRICT_METADATA)) if reach == _ec2("instance") else reach for reach in _CREATED
)

NODE_LIFECYCLE: Final = (
    Row(
        "A1",
        Part.NODE_LIFECYCLE,
        "AllowScopedEC2InstanceAccessActions",
        actions(*_LAUNCH),
        (
            _IMAGES,
            Reach(Arn("ec2", "snapshot/*", account="")),
            *(_ec2(kind, When(unless=Feature.STRICT_NETWORK)) for kind in _NETWORK),
            _ec2("capacity-reservation", When(needs=Feature.CAPACITY_RESERVATIONS)),
            _ec2("placement-group", When(_V1_11, Feature.PLACEMENT_GROUPS)),
        ),
        "what a launch uses but does not create, so tags of the request do not apply to it",
    ),
    Row(
        "A1a",
        Part.NODE_LIFECYCLE,
        "AllowDiscoveredNetworkAccessActions",
        actions(*_LAUNCH),
        tuple(_ec2(kind) for kind in _NETWORK),
        "strict: only subnets and security groups that carry the discovery tag",
        (Condition(Operator.STRING_LIKE, "aws:ResourceTag/{discovery_key}", ("{discovery_value}",)),),
        When(needs=Feature.STRICT_NETWORK),
    ),
    Row(
        "A1b",
        Part.NODE_LIFECYCLE,
        "AllowOwnedImageAccessActions",
        actions(*_LAUNCH),
        (Reach(Arn("ec2", "image/*", account="")),),
        "strict: only images of Amazon and of the account",
        (equals("ec2:Owner", "amazon", "{account}"),),
        When(needs=Feature.STRICT_IMAGES),
    ),
    Row(
        "A2",
        Part.NODE_LIFECYCLE,
        "AllowScopedEC2LaunchTemplateAccessActions",
        actions(*_LAUNCH),
        (_ec2("launch-template"),),
        "only launch templates that were made for this cluster can be used",
        _OWNED,
    ),
    Row(
        "A3",
        Part.NODE_LIFECYCLE,
        "AllowScopedEC2InstanceActionsWithTags",
        _CREATE,
        _CREATED_UNLESS_STRICT,
        "everything that is created carries the tags of ownership",
        _TAGGED,
    ),
    Row(
        "A3a",
        Part.NODE_LIFECYCLE,
        "AllowInstancesWithSessionTokens",
        _CREATE,
        (_ec2("instance"),),
        "strict: instances whose metadata service asks for session tokens",
        (*_TAGGED, equals("ec2:MetadataHttpTokens", "required")),
        When(needs=Feature.STRICT_METADATA),
    ),
    Row(
        "A4",
        Part.NODE_LIFECYCLE,
        "AllowScopedResourceCreationTagging",
        actions("ec2:CreateTags"),
        _CREATED,
        "tags only while something is created, so the controller cannot tag what others own",
        (*_TAGGED, equals("ec2:CreateAction", "RunInstances", "CreateFleet", "CreateLaunchTemplate")),
    ),
    Row(
        "A5",
        Part.NODE_LIFECYCLE,
        "AllowScopedResourceTagging",
        actions("ec2:CreateTags"),
        (_ec2("instance"),),
        "the name and NodeClaim of an instance after its launch: three keys, on instances of the cluster",
        (
            *_OWNED,
            Condition(Operator.STRING_EQUALS_IF_EXISTS, f"aws:RequestTag/{EKS_CLUSTER_TAG}", ("{cluster}",)),
            Condition(Operator.FOR_ALL_STRING_EQUALS, "aws:TagKeys", (EKS_CLUSTER_TAG, "karpenter.sh/nodeclaim", "Name")),
        ),
    ),
    Row(
        "A6",
        Part.NODE_LIFECYCLE,
        "AllowScopedDeletion",
        actions("ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"),
        (_ec2("instance"), _ec2("launch-template")),
        "the controller can delete only what it owns",
        _OWNED,
    ),
    Row(
        "A7",
        Part.NODE_LIFECYCLE,
        "AllowScopedReboot",
        actions("ec2:RebootInstances"),
        (_ec2("instance"),),
        "node repair reboots its own instances, where that clears a fault of a GPU",  # VA15-102, VA15-114
        _OWNED,
        When(_V1_15, Feature.REBOOT_FOR_REPAIR),
    ),
)

IAM_INTEGRATION: Final = (
    Row(
        "B1",
        Part.IAM_INTEGRATION,
        "AllowPassingInstanceRole",
        actions("iam:PassRole"),
        (Reach(CallerResource.NODE_ROLES),),
        "nodes get their role; passing any role would let someone take over the account",
        (equals("iam:PassedToService", "ec2.amazonaws.com", "ec2.amazonaws.com.cn"),),
    ),
    Row(
        "B2",
        Part.IAM_INTEGRATION,
        "AllowScopedInstanceProfileCreationActions",
        actions("iam:CreateInstanceProfile"),
        INSTANCE_PROFILES,
        "a profile for each NodeClass; the tag with the region separates clusters of the same name in two regions",
        _PROFILE_TAGGED,
        _WRITES_PROFILES,
    ),
    Row(
        "B3",
        Part.IAM_INTEGRATION,
        "AllowScopedInstanceProfileTagActions",
        actions("iam:TagInstanceProfile"),
        INSTANCE_PROFILES,
        "tags on its own profiles",
        (*_PROFILE_OWNED, *_PROFILE_TAGGED),
        _WRITES_PROFILES,
    ),
    Row(
        "B4",
        Part.IAM_INTEGRATION,
        "AllowScopedInstanceProfileActions",
        actions("iam:AddRoleToInstanceProfile", "iam:RemoveRoleFromInstanceProfile", "iam:DeleteInstanceProfile"),
        INSTANCE_PROFILES,
        "filling and removing its own profiles",
        _PROFILE_OWNED,
        _WRITES_PROFILES,
    ),
)
