"""The statements of the controller as they must come out, by Sid, written down again and by hand.

P, R, A, C stand for partition, region, account and cluster: `<P>` and so on. Reviewing a change of permissions is reviewing a
change of this file.
"""

from __future__ import annotations

from typing import Any

_LAUNCH = ["ec2:RunInstances", "ec2:CreateFleet"]
_NAMES = ["fleet", "instance", "volume", "network-interface", "launch-template", "spot-instances-request"]
_CREATED = [f"arn:<P>:ec2:<R>:*:{name}/*" for name in _NAMES]
_TAGGED = {"aws:RequestTag/kubernetes.io/cluster/<C>": "owned", "aws:RequestTag/eks:eks-cluster-name": "<C>"}
_WITH_POOL = {"aws:RequestTag/karpenter.sh/nodepool": "*"}
_OWNED = {
    "StringEquals": {"aws:ResourceTag/kubernetes.io/cluster/<C>": "owned"},
    "StringLike": {"aws:ResourceTag/karpenter.sh/nodepool": "*"},
}
_PROFILE = "arn:<P>:iam::<A>:instance-profile/*"
_NEW_PROFILE = {**_TAGGED, "aws:RequestTag/topology.kubernetes.io/region": "<R>"}
_OWN_PROFILE = {
    "aws:ResourceTag/kubernetes.io/cluster/<C>": "owned",
    "aws:ResourceTag/topology.kubernetes.io/region": "<R>",
}

# Sid -> (document, action, resource, condition)
STATEMENTS: dict[str, tuple[str, Any, Any, Any]] = {
    "AllowScopedEC2InstanceAccessActions": (
        "NodeLifecycle",
        _LAUNCH,
        [
            "arn:<P>:ec2:<R>::image/*",
            "arn:<P>:ec2:<R>::snapshot/*",
            "arn:<P>:ec2:<R>:*:security-group/*",
            "arn:<P>:ec2:<R>:*:subnet/*",
            "arn:<P>:ec2:<R>:*:capacity-reservation/*",
            "arn:<P>:ec2:<R>:*:placement-group/*",
        ],
        None,
    ),
    "AllowScopedEC2LaunchTemplateAccessActions": ("NodeLifecycle", _LAUNCH, "arn:<P>:ec2:<R>:*:launch-template/*", _OWNED),
    "AllowScopedEC2InstanceActionsWithTags": (
        "NodeLifecycle",
        [*_LAUNCH, "ec2:CreateLaunchTemplate"],
        _CREATED,
        {"StringEquals": _TAGGED, "StringLike": _WITH_POOL},
    ),
    "AllowScopedResourceCreationTagging": (
        "NodeLifecycle",
        "ec2:CreateTags",
        _CREATED,
        {
            "StringEquals": {**_TAGGED, "ec2:CreateAction": ["RunInstances", "CreateFleet", "CreateLaunchTemplate"]},
            "StringLike": _WITH_POOL,
        },
    ),
    "AllowScopedResourceTagging": (
        "NodeLifecycle",
        "ec2:CreateTags",
        "arn:<P>:ec2:<R>:*:instance/*",
        {
            **_OWNED,
            "StringEqualsIfExists": {"aws:RequestTag/eks:eks-cluster-name": "<C>"},
            "ForAllValues:StringEquals": {"aws:TagKeys": ["eks:eks-cluster-name", "karpenter.sh/nodeclaim", "Name"]},
        },
    ),
    "AllowScopedDeletion": (
        "NodeLifecycle",
        ["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"],
        ["arn:<P>:ec2:<R>:*:instance/*", "arn:<P>:ec2:<R>:*:launch-template/*"],
        _OWNED,
    ),
    "AllowScopedReboot": ("NodeLifecycle", "ec2:RebootInstances", "arn:<P>:ec2:<R>:*:instance/*", _OWNED),
    "AllowPassingInstanceRole": (
        "IAMIntegration",
        "iam:PassRole",
        "arn:<P>:iam::<A>:role/KarpenterNodeRole-<C>",
        {"StringEquals": {"iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"]}},
    ),
    "AllowScopedInstanceProfileCreationActions": (
        "IAMIntegration",
        "iam:CreateInstanceProfile",
        _PROFILE,
        {"StringEquals": _NEW_PROFILE, "StringLike": {"aws:RequestTag/karpenter.k8s.aws/ec2nodeclass": "*"}},
    ),
    "AllowScopedInstanceProfileTagActions": (
        "IAMIntegration",
        "iam:TagInstanceProfile",
        _PROFILE,
        {
            "StringEquals": {**_OWN_PROFILE, **_NEW_PROFILE},
            "StringLike": {
                "aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass": "*",
                "aws:RequestTag/karpenter.k8s.aws/ec2nodeclass": "*",
            },
        },
    ),
    "AllowScopedInstanceProfileActions": (
        "IAMIntegration",
        ["iam:AddRoleToInstanceProfile", "iam:RemoveRoleFromInstanceProfile", "iam:DeleteInstanceProfile"],
        _PROFILE,
        {"StringEquals": _OWN_PROFILE, "StringLike": {"aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass": "*"}},
    ),
    "AllowAPIServerEndpointDiscovery": ("EKSIntegration", "eks:DescribeCluster", "arn:<P>:eks:<R>:<A>:cluster/<C>", None),
    "AllowInterruptionQueueActions": (
        "Interruption",
        ["sqs:GetQueueUrl", "sqs:ReceiveMessage", "sqs:DeleteMessage"],
        "arn:<P>:sqs:<R>:<A>:<C>",
        None,
    ),
    "AllowInterruptionQueueDecryption": ("Interruption", "kms:Decrypt", "arn:<P>:kms:<R>:<A>:key/of-queue", None),
    "AllowZonalShiftStatusReadOnly": (
        "ZonalShift",
        "arc-zonal-shift:GetManagedResource",
        "*",
        {"StringEquals": {"arc-zonal-shift:ResourceIdentifier": "arn:<P>:eks:<R>:<A>:cluster/<C>"}},
    ),
    "AllowRegionalReadActions": (
        "ResourceDiscovery",
        [
            "ec2:DescribeCapacityReservations",
            "ec2:DescribeImages",
            "ec2:DescribeInstances",
            "ec2:DescribeInstanceStatus",
            "ec2:DescribeInstanceTypeOfferings",
            "ec2:DescribeInstanceTypes",
            "ec2:DescribeLaunchTemplates",
            "ec2:DescribePlacementGroups",
            "ec2:DescribeSecurityGroups",
            "ec2:DescribeSpotPriceHistory",
            "ec2:DescribeSubnets",
        ],
        "*",
        {"StringEquals": {"aws:RequestedRegion": "<R>"}},
    ),
    "AllowSSMReadActions": ("ResourceDiscovery", "ssm:GetParameter", "arn:<P>:ssm:<R>::parameter/aws/service/*", None),
    "AllowOwnSSMReadActions": ("ResourceDiscovery", "ssm:GetParameter", "arn:<P>:ssm:<R>:<A>:parameter/images/shop", None),
    "AllowPricingReadActions": ("ResourceDiscovery", "pricing:GetProducts", "*", None),
    "AllowUnscopedInstanceProfileListAction": ("ResourceDiscovery", "iam:ListInstanceProfiles", "*", None),
    "AllowInstanceProfileReadActions": ("ResourceDiscovery", "iam:GetInstanceProfile", _PROFILE, None),
    "AllowVolumeEncryption": (
        "Encryption",
        ["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncrypt*"],
        "arn:<P>:kms:<R>:<A>:key/of-volumes",
        {"StringEquals": {"kms:ViaService": "ec2.<R>.amazonaws.com"}},
    ),
    "AllowVolumeEncryptionGrants": (
        "Encryption",
        "kms:CreateGrant",
        "arn:<P>:kms:<R>:<A>:key/of-volumes",
        {
            "StringEquals": {"kms:ViaService": "ec2.<R>.amazonaws.com"},
            "Bool": {"kms:GrantIsForAWSResource": "true"},
        },
    ),
}

# What a controller of this minor needs and those before it do not: Sid and action, or Sid and resource.
SINCE = {
    7: {("AllowUnscopedInstanceProfileListAction", "iam:ListInstanceProfiles")},
    11: {
        ("AllowRegionalReadActions", "ec2:DescribePlacementGroups"),
        ("AllowScopedEC2InstanceAccessActions", "arn:<P>:ec2:<R>:*:placement-group/*"),
    },
    12: {
        ("AllowRegionalReadActions", "ec2:DescribeInstanceStatus"),
        ("AllowZonalShiftStatusReadOnly", "arc-zonal-shift:GetManagedResource"),
    },
    15: {("AllowScopedReboot", "ec2:RebootInstances"), ("AllowScopedReboot", "arn:<P>:ec2:<R>:*:instance/*")},
}
