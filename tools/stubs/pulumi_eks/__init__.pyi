# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
import pulumi_aws
import pulumi_aws.ec2
import pulumi_aws.eks
import pulumi_aws.iam
import pulumi_kubernetes.meta.v1
from . import outputs as outputs

class AccessEntryArgsDict(TypedDict):
    principal_arn: pulumi.Input[str]
    access_policies: NotRequired[Mapping[str, pulumi.Input[AccessPolicyAssociationArgsDict]]]
    kubernetes_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    type: NotRequired[pulumi.Input[Optional[Union[AccessEntryType, Literal['STANDARD', 'FARGATE_LINUX', 'EC2_LINUX', 'EC2_WINDOWS', 'EC2']]]]]
    username: NotRequired[pulumi.Input[Optional[str]]]

class AccessEntryType(str, Enum):
    STANDARD = 'STANDARD'
    FARGATE_LINUX = 'FARGATE_LINUX'
    EC2_LINUX = 'EC2_LINUX'
    EC2_WINDOWS = 'EC2_WINDOWS'
    EC2 = 'EC2'

class AccessPolicyAssociationArgsDict(TypedDict):
    access_scope: pulumi.Input[pulumi_aws.eks.AccessPolicyAssociationAccessScopeArgsDict]
    policy_arn: pulumi.Input[str]

class AuthenticationMode(str, Enum):
    CONFIG_MAP = 'CONFIG_MAP'
    API = 'API'
    API_AND_CONFIG_MAP = 'API_AND_CONFIG_MAP'

class AutoModeOptionsArgsDict(TypedDict):
    enabled: bool
    compute_config: NotRequired[pulumi.Input[Optional[ClusterComputeConfigArgsDict]]]
    create_node_role: NotRequired[bool]

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
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        access_entries: Optional[Mapping[str, AccessEntryArgsDict]] = ...,
        authentication_mode: Optional[Union[AuthenticationMode, Literal['CONFIG_MAP', 'API', 'API_AND_CONFIG_MAP']]] = ...,
        auto_mode: Optional[AutoModeOptionsArgsDict] = ...,
        bootstrap_self_managed_addons: pulumi.Input[Optional[bool]] = ...,
        cluster_security_group: pulumi.Input[Optional[pulumi_aws.ec2.SecurityGroup]] = ...,
        cluster_security_group_tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        cluster_tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        coredns_addon_options: Optional[CoreDnsAddonOptionsArgsDict] = ...,
        create_instance_role: Optional[bool] = ...,
        create_oidc_provider: pulumi.Input[Optional[bool]] = ...,
        creation_role_provider: Optional[CreationRoleProviderArgsDict] = ...,
        deletion_protection: pulumi.Input[Optional[bool]] = ...,
        desired_capacity: pulumi.Input[Optional[int]] = ...,
        enable_config_map_mutable: pulumi.Input[Optional[bool]] = ...,
        enabled_cluster_log_types: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        encryption_config_key_arn: pulumi.Input[Optional[str]] = ...,
        endpoint_private_access: pulumi.Input[Optional[bool]] = ...,
        endpoint_public_access: pulumi.Input[Optional[bool]] = ...,
        fargate: pulumi.Input[Optional[Union[bool, FargateProfileArgsDict]]] = ...,
        gpu: pulumi.Input[Optional[bool]] = ...,
        instance_profile_name: pulumi.Input[Optional[str]] = ...,
        instance_role: pulumi.Input[Optional[pulumi_aws.iam.Role]] = ...,
        instance_roles: pulumi.Input[Optional[Sequence[pulumi.Input[pulumi_aws.iam.Role]]]] = ...,
        instance_type: pulumi.Input[Optional[str]] = ...,
        ip_family: pulumi.Input[Optional[str]] = ...,
        kube_proxy_addon_options: Optional[KubeProxyAddonOptionsArgsDict] = ...,
        kubernetes_service_ip_address_range: pulumi.Input[Optional[str]] = ...,
        max_size: pulumi.Input[Optional[int]] = ...,
        min_size: pulumi.Input[Optional[int]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        node_ami_id: pulumi.Input[Optional[str]] = ...,
        node_associate_public_ip_address: Optional[bool] = ...,
        node_group_options: Optional[ClusterNodeGroupOptionsArgsDict] = ...,
        node_public_key: pulumi.Input[Optional[str]] = ...,
        node_root_volume_encrypted: pulumi.Input[Optional[bool]] = ...,
        node_root_volume_size: pulumi.Input[Optional[int]] = ...,
        node_security_group_tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        node_subnet_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        node_user_data: pulumi.Input[Optional[str]] = ...,
        private_subnet_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        provider_credential_opts: pulumi.Input[Optional[KubeconfigOptionsArgsDict]] = ...,
        proxy: Optional[str] = ...,
        public_access_cidrs: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        public_subnet_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        role_mappings: pulumi.Input[Optional[Sequence[pulumi.Input[RoleMappingArgsDict]]]] = ...,
        service_role: pulumi.Input[Optional[pulumi_aws.iam.Role]] = ...,
        skip_default_node_group: Optional[bool] = ...,
        skip_default_security_groups: Optional[bool] = ...,
        storage_classes: Optional[Union[str, Mapping[str, StorageClassArgsDict]]] = ...,
        subnet_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        upgrade_policy: pulumi.Input[Optional[pulumi_aws.eks.ClusterUpgradePolicyArgsDict]] = ...,
        use_default_vpc_cni: Optional[bool] = ...,
        user_mappings: pulumi.Input[Optional[Sequence[pulumi.Input[UserMappingArgsDict]]]] = ...,
        version: pulumi.Input[Optional[str]] = ...,
        vpc_cni_options: Optional[VpcCniOptionsArgsDict] = ...,
        vpc_id: pulumi.Input[Optional[str]] = ...) -> None: ...

class ClusterComputeConfigArgsDict(TypedDict):
    node_pools: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    node_role_arn: NotRequired[pulumi.Input[Optional[str]]]

class ClusterNodeGroupOptionsArgsDict(TypedDict):
    ami_id: NotRequired[pulumi.Input[Optional[str]]]
    ami_type: NotRequired[pulumi.Input[Optional[str]]]
    auto_scaling_group_tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    bootstrap_extra_args: NotRequired[pulumi.Input[Optional[str]]]
    bottlerocket_settings: NotRequired[pulumi.Input[Optional[Mapping[str, Any]]]]
    cloud_formation_tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    cluster_ingress_rule: NotRequired[pulumi.Input[Optional[pulumi_aws.ec2.SecurityGroupRule]]]
    cluster_ingress_rule_id: NotRequired[pulumi.Input[Optional[str]]]
    desired_capacity: NotRequired[pulumi.Input[Optional[int]]]
    enable_detailed_monitoring: NotRequired[pulumi.Input[Optional[bool]]]
    encrypt_root_block_device: NotRequired[pulumi.Input[Optional[bool]]]
    extra_node_security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[pulumi_aws.ec2.SecurityGroup]]]]]
    gpu: NotRequired[pulumi.Input[Optional[bool]]]
    ignore_scaling_changes: NotRequired[bool]
    instance_profile: NotRequired[pulumi_aws.iam.InstanceProfile]
    instance_profile_name: NotRequired[pulumi.Input[Optional[str]]]
    instance_type: NotRequired[pulumi.Input[Optional[str]]]
    key_name: NotRequired[pulumi.Input[Optional[str]]]
    kubelet_extra_args: NotRequired[pulumi.Input[Optional[str]]]
    labels: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    launch_template_tag_specifications: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[pulumi_aws.ec2.LaunchTemplateTagSpecificationArgsDict]]]]]
    max_size: NotRequired[pulumi.Input[Optional[int]]]
    min_refresh_percentage: NotRequired[pulumi.Input[Optional[int]]]
    min_size: NotRequired[pulumi.Input[Optional[int]]]
    node_associate_public_ip_address: NotRequired[pulumi.Input[Optional[bool]]]
    node_public_key: NotRequired[pulumi.Input[Optional[str]]]
    node_root_volume_delete_on_termination: NotRequired[pulumi.Input[Optional[bool]]]
    node_root_volume_encrypted: NotRequired[pulumi.Input[Optional[bool]]]
    node_root_volume_iops: NotRequired[pulumi.Input[Optional[int]]]
    node_root_volume_size: NotRequired[pulumi.Input[Optional[int]]]
    node_root_volume_throughput: NotRequired[pulumi.Input[Optional[int]]]
    node_root_volume_type: NotRequired[pulumi.Input[Optional[str]]]
    node_security_group: NotRequired[pulumi.Input[Optional[pulumi_aws.ec2.SecurityGroup]]]
    node_security_group_id: NotRequired[pulumi.Input[Optional[str]]]
    node_subnet_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    node_user_data: NotRequired[pulumi.Input[Optional[str]]]
    node_user_data_override: NotRequired[pulumi.Input[Optional[str]]]
    nodeadm_extra_options: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[NodeadmOptionsArgsDict]]]]]
    operating_system: NotRequired[pulumi.Input[Optional[Union[OperatingSystem, Literal['AL2', 'AL2023', 'Bottlerocket', 'AL2023']]]]]
    spot_price: NotRequired[pulumi.Input[Optional[str]]]
    taints: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[TaintArgsDict]]]]]
    version: NotRequired[pulumi.Input[Optional[str]]]

class CoreDnsAddonOptionsArgsDict(TypedDict):
    configuration_values: NotRequired[pulumi.Input[Optional[Mapping[str, Any]]]]
    enabled: NotRequired[bool]
    resolve_conflicts_on_create: NotRequired[Union[ResolveConflictsOnCreate, Literal['NONE', 'OVERWRITE']]]
    resolve_conflicts_on_update: NotRequired[Union[ResolveConflictsOnUpdate, Literal['NONE', 'OVERWRITE', 'PRESERVE']]]
    version: NotRequired[pulumi.Input[Optional[str]]]

class CreationRoleProviderArgsDict(TypedDict):
    provider: pulumi_aws.Provider
    role: pulumi_aws.iam.Role

class FargateProfileArgsDict(TypedDict):
    pod_execution_role_arn: NotRequired[pulumi.Input[Optional[str]]]
    selectors: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[pulumi_aws.eks.FargateProfileSelectorArgsDict]]]]]
    subnet_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class KubeProxyAddonOptionsArgsDict(TypedDict):
    configuration_values: NotRequired[pulumi.Input[Optional[Mapping[str, Any]]]]
    enabled: NotRequired[bool]
    resolve_conflicts_on_create: NotRequired[Union[ResolveConflictsOnCreate, Literal['NONE', 'OVERWRITE']]]
    resolve_conflicts_on_update: NotRequired[Union[ResolveConflictsOnUpdate, Literal['NONE', 'OVERWRITE', 'PRESERVE']]]
    version: NotRequired[pulumi.Input[Optional[str]]]

class KubeconfigOptionsArgsDict(TypedDict):
    profile_name: NotRequired[pulumi.Input[Optional[str]]]
    role_arn: NotRequired[pulumi.Input[Optional[str]]]

class NodeadmOptionsArgsDict(TypedDict):
    content: pulumi.Input[str]
    content_type: pulumi.Input[str]

class OperatingSystem(str, Enum):
    AL2 = 'AL2'
    AL2023 = 'AL2023'
    BOTTLEROCKET = 'Bottlerocket'
    RECOMMENDED = 'AL2023'

class ResolveConflictsOnCreate(str, Enum):
    NONE = 'NONE'
    OVERWRITE = 'OVERWRITE'

class ResolveConflictsOnUpdate(str, Enum):
    NONE = 'NONE'
    OVERWRITE = 'OVERWRITE'
    PRESERVE = 'PRESERVE'

class RoleMappingArgsDict(TypedDict):
    groups: pulumi.Input[Sequence[pulumi.Input[str]]]
    role_arn: pulumi.Input[str]
    username: pulumi.Input[str]

class StorageClassArgsDict(TypedDict):
    type: pulumi.Input[str]
    allow_volume_expansion: NotRequired[pulumi.Input[Optional[bool]]]
    default: NotRequired[pulumi.Input[Optional[bool]]]
    encrypted: NotRequired[pulumi.Input[Optional[bool]]]
    iops_per_gb: NotRequired[pulumi.Input[Optional[int]]]
    kms_key_id: NotRequired[pulumi.Input[Optional[str]]]
    metadata: NotRequired[pulumi.Input[Optional[pulumi_kubernetes.meta.v1.ObjectMetaArgsDict]]]
    mount_options: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    reclaim_policy: NotRequired[pulumi.Input[Optional[str]]]
    volume_binding_mode: NotRequired[pulumi.Input[Optional[str]]]
    zones: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class TaintArgsDict(TypedDict):
    effect: pulumi.Input[str]
    value: pulumi.Input[str]

class UserMappingArgsDict(TypedDict):
    groups: pulumi.Input[Sequence[pulumi.Input[str]]]
    user_arn: pulumi.Input[str]
    username: pulumi.Input[str]

class VpcCniAddon(pulumi.ComponentResource):
    ...

class VpcCniOptionsArgsDict(TypedDict):
    addon_version: NotRequired[pulumi.Input[Optional[str]]]
    cni_configure_rpfilter: NotRequired[pulumi.Input[Optional[bool]]]
    cni_custom_network_cfg: NotRequired[pulumi.Input[Optional[bool]]]
    cni_external_snat: NotRequired[pulumi.Input[Optional[bool]]]
    configuration_values: NotRequired[pulumi.Input[Optional[Mapping[str, Any]]]]
    custom_network_config: NotRequired[pulumi.Input[Optional[bool]]]
    disable_tcp_early_demux: NotRequired[pulumi.Input[Optional[bool]]]
    enable_network_policy: NotRequired[pulumi.Input[Optional[bool]]]
    enable_pod_eni: NotRequired[pulumi.Input[Optional[bool]]]
    enable_prefix_delegation: NotRequired[pulumi.Input[Optional[bool]]]
    eni_config_label_def: NotRequired[pulumi.Input[Optional[str]]]
    eni_mtu: NotRequired[pulumi.Input[Optional[int]]]
    external_snat: NotRequired[pulumi.Input[Optional[bool]]]
    log_file: NotRequired[pulumi.Input[Optional[str]]]
    log_level: NotRequired[pulumi.Input[Optional[str]]]
    node_port_support: NotRequired[pulumi.Input[Optional[bool]]]
    resolve_conflicts_on_create: NotRequired[Union[ResolveConflictsOnCreate, Literal['NONE', 'OVERWRITE']]]
    resolve_conflicts_on_update: NotRequired[Union[ResolveConflictsOnUpdate, Literal['NONE', 'OVERWRITE', 'PRESERVE']]]
    security_context_privileged: NotRequired[pulumi.Input[Optional[bool]]]
    service_account_role_arn: NotRequired[pulumi.Input[Optional[str]]]
    veth_prefix: NotRequired[pulumi.Input[Optional[str]]]
    warm_eni_target: NotRequired[pulumi.Input[Optional[int]]]
    warm_ip_target: NotRequired[pulumi.Input[Optional[int]]]
    warm_prefix_target: NotRequired[pulumi.Input[Optional[int]]]
