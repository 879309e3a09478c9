# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
import pulumi_aws
import pulumi_aws.autoscaling
import pulumi_aws.ec2
import pulumi_aws.ec2.outputs
import pulumi_aws.eks
import pulumi_aws.eks.outputs
import pulumi_aws.iam
import pulumi_eks
import pulumi_kubernetes
import pulumi_kubernetes.core.v1
import pulumi_kubernetes.storage.v1

class AccessEntry:
    principal_arn: str
    access_policies: Optional[Mapping[str, AccessPolicyAssociation]]
    kubernetes_groups: Optional[Sequence[str]]
    tags: Optional[Mapping[str, str]]
    type: Optional[Union[pulumi_eks.AccessEntryType, Literal['STANDARD', 'FARGATE_LINUX', 'EC2_LINUX', 'EC2_WINDOWS', 'EC2']]]
    username: Optional[str]

class AccessPolicyAssociation:
    access_scope: pulumi_aws.eks.outputs.AccessPolicyAssociationAccessScope
    policy_arn: str

class ClusterNodeGroupOptions:
    ami_id: Optional[str]
    ami_type: Optional[str]
    auto_scaling_group_tags: Optional[Mapping[str, str]]
    bootstrap_extra_args: Optional[str]
    bottlerocket_settings: Optional[Mapping[str, Any]]
    cloud_formation_tags: Optional[Mapping[str, str]]
    cluster_ingress_rule: Optional[pulumi_aws.ec2.SecurityGroupRule]
    cluster_ingress_rule_id: Optional[str]
    desired_capacity: Optional[int]
    enable_detailed_monitoring: Optional[bool]
    encrypt_root_block_device: Optional[bool]
    extra_node_security_groups: Optional[Sequence[pulumi_aws.ec2.SecurityGroup]]
    gpu: Optional[bool]
    ignore_scaling_changes: Optional[bool]
    instance_profile: Optional[pulumi_aws.iam.InstanceProfile]
    instance_profile_name: Optional[str]
    instance_type: Optional[str]
    key_name: Optional[str]
    kubelet_extra_args: Optional[str]
    labels: Optional[Mapping[str, str]]
    launch_template_tag_specifications: Optional[Sequence[pulumi_aws.ec2.outputs.LaunchTemplateTagSpecification]]
    max_size: Optional[int]
    min_refresh_percentage: Optional[int]
    min_size: Optional[int]
    node_associate_public_ip_address: Optional[bool]
    node_public_key: Optional[str]
    node_root_volume_delete_on_termination: Optional[bool]
    node_root_volume_encrypted: Optional[bool]
    node_root_volume_iops: Optional[int]
    node_root_volume_size: Optional[int]
    node_root_volume_throughput: Optional[int]
    node_root_volume_type: Optional[str]
    node_security_group: Optional[pulumi_aws.ec2.SecurityGroup]
    node_security_group_id: Optional[str]
    node_subnet_ids: Optional[Sequence[str]]
    node_user_data: Optional[str]
    node_user_data_override: Optional[str]
    nodeadm_extra_options: Optional[Sequence[NodeadmOptions]]
    operating_system: Optional[Union[pulumi_eks.OperatingSystem, Literal['AL2', 'AL2023', 'Bottlerocket', 'AL2023']]]
    spot_price: Optional[str]
    taints: Optional[Mapping[str, Taint]]
    version: Optional[str]

class CoreData:
    cluster: pulumi_aws.eks.Cluster
    cluster_iam_role: pulumi_aws.iam.Role
    endpoint: str
    instance_roles: Sequence[pulumi_aws.iam.Role]
    node_group_options: ClusterNodeGroupOptions
    provider: pulumi_kubernetes.Provider
    subnet_ids: Sequence[str]
    vpc_id: str
    access_entries: Optional[Sequence[AccessEntry]]
    aws_provider: Optional[pulumi_aws.Provider]
    cluster_security_group: Optional[pulumi_aws.ec2.SecurityGroup]
    eks_node_access: Optional[pulumi_kubernetes.core.v1.ConfigMap]
    encryption_config: Optional[pulumi_aws.eks.outputs.ClusterEncryptionConfig]
    fargate_profile: Optional[pulumi_aws.eks.FargateProfile]
    kubeconfig: Optional[Any]
    node_security_group_tags: Optional[Mapping[str, str]]
    oidc_provider: Optional[pulumi_aws.iam.OpenIdConnectProvider]
    private_subnet_ids: Optional[Sequence[str]]
    public_subnet_ids: Optional[Sequence[str]]
    storage_classes: Optional[Mapping[str, pulumi_kubernetes.storage.v1.StorageClass]]
    tags: Optional[Mapping[str, str]]
    vpc_cni: Optional[pulumi_eks.VpcCniAddon]

class NodeGroupData:
    auto_scaling_group: pulumi_aws.autoscaling.Group
    extra_node_security_groups: Sequence[pulumi_aws.ec2.SecurityGroup]
    node_security_group: pulumi_aws.ec2.SecurityGroup

class NodeadmOptions:
    content: str
    content_type: str

class Taint:
    effect: str
    value: str
