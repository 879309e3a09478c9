"""What whoever runs an update of a cluster may do: the calls that each resource takes, and a document that allows them.

The calls are those of AWS's provider for the resources that components make, of the two sweeps at a destroy, and those that EKS
makes with the caller's rights. A test holds the table against every resource of every stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.infrastructure.iam.documents import EVERYTHING, Condition, Document, Operator, Statement
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from cutlist.infrastructure.teardown import steps

_NAME: Final = 24  # characters of a cluster's name that no service's limit cuts from the names made of it
_SERVICES: Final = ("ec2", "eks", "eks-fargate-pods", "events", "monitoring", "pods.eks")
_READS: Final = ("Describe", "Get", "List")
_TAGS: Final = "TagResource UntagResource"


@dataclass(frozen=True, slots=True)
class Calls:
    """The actions of one service that making, reading, changing and deleting a resource of a type takes, without the service.
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
        # with a launch template EKS asks whether the caller may start its instances
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
    "cutlist:Sweep": Calls("sts", more=" ".join(step.action for step in vars(steps).values() if isinstance(step, steps.Step))),
}
"""The calls of each resource, by type; of the package's own resources by their name in it."""

CREATES_LINKED_ROLES: Final = "iam:CreateServiceLinkedRole"
_PASSES: Final = "iam:PassRole"


def actions_of(types: Iterable[str]) -> tuple[str, ...]:
    """Return the actions that resources of these types take, in order."""
    return tuple(sorted({action for type_ in types for action in CALLS[type_].actions}))


def deployer_document(facts: ClusterFacts, types: Iterable[str] = CALLS) -> Document:
    """Return what whoever makes, changes and deletes one cluster may do, as far as resources of these types need it.

    IAM and EKS, queues, rules, logs and alarms are limited to what is named after the cluster; the network and keys, which have
    no names, to the region. Where names are left to Pulumi (the style auto), so are IAM, queues, rules and alarms of any name.
    """
    actions = actions_of(types)
    return Document(tuple(_statements(facts, actions)))


def _statements(facts: ClusterFacts, actions: tuple[str, ...]) -> Iterator[Statement]:
    in_region = (Condition(Operator.STRING_EQUALS, "aws:RequestedRegion", (facts.region,)),)
    own = _resources(facts)
    special = {_PASSES, CREATES_LINKED_ROLES}
    unnamed = [action for action in actions if action.partition(":")[0] not in own and action not in special]
    listed = [action for action in actions if _lists(action)]
    for service, resources in own.items():
        named = tuple(a for a in actions if a.startswith(f"{service}:") and a not in special and not _lists(a))
        if named:
            yield Statement(f"{service.capitalize()}OfTheCluster", _shortened(named), resources)
    if _PASSES in actions:
        to = Condition(Operator.STRING_LIKE, "iam:PassedToService", tuple(f"{service}.amazonaws.com*" for service in _SERVICES))
        yield Statement("PassRolesOfTheCluster", (_PASSES,), (_role(facts),), (to,))
    if CREATES_LINKED_ROLES in actions:
        yield Statement("RolesOfServices", (CREATES_LINKED_ROLES, "iam:GetRole"), (facts.role_arn("*", "/aws-service-role/"),))
    everywhere = tuple(a for a in listed if a.partition(":")[0] == "iam")
    if everywhere:
        yield Statement("ListAll", everywhere, EVERYTHING)
    regional = tuple(sorted({*unnamed, *listed} - {*everywhere}))
    if regional:
        yield Statement("InTheRegion", _shortened(regional), EVERYTHING, in_region)


def _shortened(actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return actions with one for all that read of a service in a way, such as ec2:Describe*; a policy has a limit of size."""
    ways = [f"{service}:{verb}" for service in dict.fromkeys(a.partition(":")[0] for a in actions) for verb in _READS]
    wide = [way for way in ways if sum(action.startswith(way) for action in actions) > 1]
    return tuple(sorted({*(f"{way}*" for way in wide), *(a for a in actions if not a.startswith(tuple(wide)))}))


def _resources(facts: ClusterFacts) -> dict[str, tuple[str, ...]]:
    """Return the resources that are named after the cluster, by service."""
    named, exact = _named(facts), facts.cluster

    def iam(kind: str) -> str:
        return facts.arn("iam", f"{kind}/{named}", region="")

    return {
        "iam": (_role(facts), iam("policy"), iam("instance-profile"), facts.arn("iam", "oidc-provider/*", region="")),
        "eks": (facts.arn("eks", f"cluster/{exact}"), facts.arn("eks", f"*/{exact}/*")),
        "sqs": (facts.arn("sqs", named),),
        "events": (facts.arn("events", f"rule/{named}"),),
        "logs": (facts.arn("logs", f"log-group:/aws/eks/{exact}/*"),),
        "cloudwatch": (facts.arn("cloudwatch", f"alarm:{named}"),),
    }


def _role(facts: ClusterFacts) -> str:
    return facts.role_arn(_named(facts))


def _named(facts: ClusterFacts) -> str:
    """Return the pattern of names that are made of the cluster's."""
    return "*" if facts.name_style is NameStyle.AUTO else f"*{facts.cluster[:_NAME]}*"


def _lists(action: str) -> bool:
    """Tell whether an action has no resource of its own."""
    return action in {
        "cloudwatch:DescribeAlarms",
        "eks:DescribeAddonVersions",
        "iam:ListInstanceProfiles",
        "logs:DescribeLogGroups",
    }
