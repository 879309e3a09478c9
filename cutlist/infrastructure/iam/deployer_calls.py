"""The calls needed to create, read, change and delete each type of resource: those of Pulumi's AWS provider for the resources
of components, those of the two sweeps at a destroy, and those that EKS makes with the caller's permissions. A test compares the
table with every resource of every stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.infrastructure.teardown import steps

_TAGS: Final = "TagResource UntagResource"


@dataclass(frozen=True, slots=True)
class Calls:
    """The actions of one service needed to create, read, change and delete a resource of a type, without the service's prefix.
    `more` are those of other services."""

    service: str
    make: str = ""
    read: str = ""
    change: str = ""
    delete: str = ""
    more: str = ""

    @property
    def actions(self) -> tuple[str, ...]:
        """Return all of them as IAM writes them."""
        own = " ".join((self.make, self.read, self.change, self.delete)).split()
        return tuple(dict.fromkeys([*(f"{self.service}:{action}" for action in own), *self.more.split()]))


_EC2_TAGS: Final = "CreateTags DeleteTags"
_RULES: Final = "DescribeSecurityGroups DescribeSecurityGroupRules"
_ROLES: Final = "iam:PassRole iam:GetRole iam:ListAttachedRolePolicies"
CALLS: Final[Mapping[str, Calls]] = {
    "aws:arczonalshift/zonalAutoshiftConfiguration:ZonalAutoshiftConfiguration": Calls(
        "arc-zonal-shift", "UpdateZonalAutoshiftConfiguration", "GetManagedResource"
    ),
    "aws:cloudwatch/eventRule:EventRule": Calls(
        "events", "PutRule", "DescribeRule ListTagsForResource", _TAGS, "DeleteRule ListTargetsByRule"
    ),
    "aws:cloudwatch/eventTarget:EventTarget": Calls("events", "PutTargets", "ListTargetsByRule", "", "RemoveTargets"),
    "aws:cloudwatch/logGroup:LogGroup": Calls(
        "logs",
        "CreateLogGroup PutRetentionPolicy",
        "DescribeLogGroups ListTagsForResource ListTagsLogGroup",
        f"{_TAGS} DeleteRetentionPolicy AssociateKmsKey DisassociateKmsKey",
        "DeleteLogGroup",
    ),
    "aws:cloudwatch/metricAlarm:MetricAlarm": Calls(
        "cloudwatch", "PutMetricAlarm", "DescribeAlarms ListTagsForResource", _TAGS, "DeleteAlarms"
    ),
    "aws:ec2/capacityReservation:CapacityReservation": Calls(
        "ec2",
        "CreateCapacityReservation",
        "DescribeCapacityReservations",
        f"ModifyCapacityReservation {_EC2_TAGS}",
        "CancelCapacityReservation",
    ),
    "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": Calls(
        "ec2",
        "AuthorizeSecurityGroupIngress AuthorizeSecurityGroupEgress",
        _RULES,
        _EC2_TAGS,
        "RevokeSecurityGroupIngress RevokeSecurityGroupEgress",
    ),
    "aws:ec2/eip:Eip": Calls(
        "ec2",
        "AllocateAddress",
        "DescribeAddresses DescribeAddressesAttribute",
        _EC2_TAGS,
        "ReleaseAddress DisassociateAddress",
    ),
    "aws:ec2/internetGateway:InternetGateway": Calls(
        "ec2",
        "CreateInternetGateway AttachInternetGateway",
        "DescribeInternetGateways",
        _EC2_TAGS,
        "DetachInternetGateway DeleteInternetGateway",
    ),
    "aws:ec2/launchTemplate:LaunchTemplate": Calls(
        "ec2",
        "CreateLaunchTemplate",
        "DescribeLaunchTemplates DescribeLaunchTemplateVersions",
        f"CreateLaunchTemplateVersion ModifyLaunchTemplate {_EC2_TAGS}",
        "DeleteLaunchTemplate",
    ),
    "aws:ec2/natGateway:NatGateway": Calls("ec2", "CreateNatGateway", "DescribeNatGateways", _EC2_TAGS, "DeleteNatGateway"),
    "aws:ec2/route:Route": Calls("ec2", "CreateRoute", "DescribeRouteTables", "ReplaceRoute", "DeleteRoute"),
    "aws:ec2/routeTable:RouteTable": Calls(
        "ec2", "CreateRouteTable", "DescribeRouteTables", _EC2_TAGS, "DeleteRouteTable DisassociateRouteTable"
    ),
    "aws:ec2/routeTableAssociation:RouteTableAssociation": Calls(
        "ec2", "AssociateRouteTable", "DescribeRouteTables", "ReplaceRouteTableAssociation", "DisassociateRouteTable"
    ),
    "aws:ec2/securityGroup:SecurityGroup": Calls(
        "ec2",
        "CreateSecurityGroup AuthorizeSecurityGroupIngress AuthorizeSecurityGroupEgress",
        f"{_RULES} DescribeNetworkInterfaces",
        _EC2_TAGS,
        "RevokeSecurityGroupIngress RevokeSecurityGroupEgress DeleteSecurityGroup",
    ),
    "aws:ec2/subnet:Subnet": Calls(
        "ec2", "CreateSubnet ModifySubnetAttribute", "DescribeSubnets", _EC2_TAGS, "DeleteSubnet DescribeNetworkInterfaces"
    ),
    "aws:ec2/tag:Tag": Calls("ec2", "CreateTags", "DescribeTags", "", "DeleteTags"),
    "aws:ec2/vpc:Vpc": Calls(
        "ec2",
        "CreateVpc ModifyVpcAttribute",
        "DescribeVpcs DescribeVpcAttribute DescribeNetworkAcls DescribeRouteTables DescribeSecurityGroups",
        _EC2_TAGS,
        "DeleteVpc",
    ),
    "aws:ec2/vpcEndpoint:VpcEndpoint": Calls(
        "ec2",
        "CreateVpcEndpoint",
        "DescribeVpcEndpoints DescribeVpcEndpointServices DescribePrefixLists",
        f"ModifyVpcEndpoint {_EC2_TAGS}",
        "DeleteVpcEndpoints",
    ),
    "aws:eks/accessEntry:AccessEntry": Calls(
        "eks", "CreateAccessEntry", "DescribeAccessEntry", f"UpdateAccessEntry {_TAGS}", "DeleteAccessEntry"
    ),
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": Calls(
        "eks", "AssociateAccessPolicy", "ListAssociatedAccessPolicies", "", "DisassociateAccessPolicy"
    ),
    "aws:eks/addon:Addon": Calls(
        "eks",
        "CreateAddon CreatePodIdentityAssociation",
        "DescribeAddon DescribeAddonVersions ListPodIdentityAssociations DescribePodIdentityAssociation",
        f"UpdateAddon UpdatePodIdentityAssociation DescribeUpdate {_TAGS}",
        "DeleteAddon DeletePodIdentityAssociation",
        _ROLES,
    ),
    "aws:eks/capability:Capability": Calls(
        "eks",
        "CreateCapability",
        "DescribeCapability",
        f"UpdateCapability DescribeUpdate {_TAGS}",
        "DeleteCapability",
        _ROLES,
    ),
    "aws:eks/cluster:Cluster": Calls(
        "eks",
        "CreateCluster",
        "DescribeCluster",
        f"UpdateClusterConfig UpdateClusterVersion AssociateEncryptionConfig DescribeUpdate {_TAGS}",
        "DeleteCluster",
        "iam:PassRole iam:GetRole iam:CreateServiceLinkedRole ec2:DescribeSubnets ec2:DescribeVpcs "
        "kms:DescribeKey kms:CreateGrant",
    ),
    "aws:eks/fargateProfile:FargateProfile": Calls(
        "eks",
        "CreateFargateProfile",
        "DescribeFargateProfile",
        _TAGS,
        "DeleteFargateProfile",
        f"{_ROLES} iam:CreateServiceLinkedRole ec2:DescribeSubnets",
    ),
    "aws:eks/nodeGroup:NodeGroup": Calls(
        "eks",
        "CreateNodegroup",
        "DescribeNodegroup",
        f"UpdateNodegroupConfig UpdateNodegroupVersion DescribeUpdate {_TAGS}",
        "DeleteNodegroup",
        # with a launch template, EKS checks that the caller may start its instances
        f"{_ROLES} iam:CreateServiceLinkedRole ec2:RunInstances ec2:CreateTags ec2:DescribeLaunchTemplateVersions "
        "ec2:DescribeSubnets",
    ),
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": Calls(
        "eks",
        "CreatePodIdentityAssociation",
        "DescribePodIdentityAssociation ListPodIdentityAssociations",
        f"UpdatePodIdentityAssociation {_TAGS}",
        "DeletePodIdentityAssociation",
        _ROLES,
    ),
    "aws:iam/instanceProfile:InstanceProfile": Calls(
        "iam",
        "CreateInstanceProfile AddRoleToInstanceProfile PassRole",
        "GetInstanceProfile",
        "TagInstanceProfile UntagInstanceProfile",
        "RemoveRoleFromInstanceProfile DeleteInstanceProfile",
    ),
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": Calls(
        "iam",
        "CreateOpenIDConnectProvider",
        "GetOpenIDConnectProvider",
        "TagOpenIDConnectProvider UntagOpenIDConnectProvider UpdateOpenIDConnectProviderThumbprint",
        "DeleteOpenIDConnectProvider",
    ),
    "aws:iam/policy:Policy": Calls(
        "iam",
        "CreatePolicy",
        "GetPolicy GetPolicyVersion ListPolicyVersions",
        "CreatePolicyVersion DeletePolicyVersion TagPolicy UntagPolicy",
        "DeletePolicy",
    ),
    "aws:iam/role:Role": Calls(
        "iam",
        "CreateRole",
        "GetRole ListRolePolicies ListAttachedRolePolicies ListInstanceProfilesForRole",
        "UpdateRole UpdateAssumeRolePolicy PutRolePermissionsBoundary DeleteRolePermissionsBoundary TagRole UntagRole",
        "DeleteRole",
    ),
    "aws:iam/rolePolicy:RolePolicy": Calls("iam", "PutRolePolicy", "GetRolePolicy", "", "DeleteRolePolicy"),
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": Calls(
        "iam", "AttachRolePolicy", "ListAttachedRolePolicies", "", "DetachRolePolicy"
    ),
    "aws:iam/serviceLinkedRole:ServiceLinkedRole": Calls("iam", "CreateServiceLinkedRole", "GetRole"),
    "aws:kms/alias:Alias": Calls("kms", "CreateAlias", "ListAliases", "UpdateAlias", "DeleteAlias"),
    "aws:kms/key:Key": Calls(
        "kms",
        "CreateKey EnableKeyRotation",
        "DescribeKey GetKeyPolicy GetKeyRotationStatus ListResourceTags",
        f"PutKeyPolicy UpdateKeyDescription DisableKeyRotation {_TAGS}",
        "ScheduleKeyDeletion",
    ),
    "aws:sqs/queue:Queue": Calls(
        "sqs",
        "CreateQueue",
        "GetQueueAttributes GetQueueUrl ListQueueTags",
        "SetQueueAttributes TagQueue UntagQueue",
        "DeleteQueue",
    ),
    "aws:sqs/queuePolicy:QueuePolicy": Calls("sqs", "SetQueueAttributes", "GetQueueAttributes"),
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": Calls(
        "ec2", "AuthorizeSecurityGroupEgress", _RULES, f"ModifySecurityGroupRules {_EC2_TAGS}", "RevokeSecurityGroupEgress"
    ),
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": Calls(
        "ec2", "AuthorizeSecurityGroupIngress", _RULES, f"ModifySecurityGroupRules {_EC2_TAGS}", "RevokeSecurityGroupIngress"
    ),
    "cutlist:Drain": Calls("eks", read="DescribeCluster"),
    "cutlist:EnsuredServiceLinkedRole": Calls("iam", "CreateServiceLinkedRole", "GetRole"),
    "cutlist:Sweep": Calls(
        "sts", more=" ".join(step.action for step in vars(steps).values() if isinstance(step, steps.SweepStep))
    ),
}
"""The calls of each resource, by type; of the package's own resources by their name in it."""


def actions_of(types: Iterable[str]) -> tuple[str, ...]:
    """Return the actions that resources of these types need, sorted."""
    return tuple(sorted({action for type_ in types for action in CALLS[type_].actions}))
