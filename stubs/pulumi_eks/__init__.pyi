# Written by `python -m stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
import pulumi_aws
import pulumi_aws.ec2
import pulumi_aws.eks
import pulumi_aws.iam
from . import outputs as outputs

class AccessEntryType(str, Enum):
    STANDARD = 'STANDARD'
    FARGATE_LINUX = 'FARGATE_LINUX'
    EC2_LINUX = 'EC2_LINUX'
    EC2_WINDOWS = 'EC2_WINDOWS'
    EC2 = 'EC2'

class Cluster(pulumi.ComponentResource):
    auto_mode_node_role_name: pulumi.Output[str]
    aws_provider: pulumi.Output[pulumi_aws.Provider]
    cluster_ingress_rule_id: pulumi.Output[str]
    cluster_security_group: pulumi.Output[Optional[pulumi_aws.ec2.SecurityGroup]]
    cluster_security_group_id: pulumi.Output[str]
    core: pulumi.Output[outputs.CoreData]
    default_node_group: pulumi.Output[Optional[outputs.NodeGroupData]]
    default_node_group_asg_name: pulumi.Output[str]
    eks_cluster: pulumi.Output[pulumi_aws.eks.Cluster]
    eks_cluster_ingress_rule: pulumi.Output[Optional[pulumi_aws.ec2.SecurityGroupRule]]
    fargate_profile_id: pulumi.Output[str]
    fargate_profile_status: pulumi.Output[str]
    instance_roles: pulumi.Output[Sequence[pulumi_aws.iam.Role]]
    kubeconfig: pulumi.Output[Any]
    kubeconfig_json: pulumi.Output[str]
    node_security_group: pulumi.Output[Optional[pulumi_aws.ec2.SecurityGroup]]
    node_security_group_id: pulumi.Output[str]
    oidc_issuer: pulumi.Output[str]
    oidc_provider_arn: pulumi.Output[str]
    oidc_provider_url: pulumi.Output[str]

class OperatingSystem(str, Enum):
    AL2 = 'AL2'
    AL2023 = 'AL2023'
    BOTTLEROCKET = 'Bottlerocket'
    RECOMMENDED = 'AL2023'

class VpcCniAddon(pulumi.ComponentResource):
    ...
