"""The types of resources that rules examine, as Pulumi names them (spec: aws-infrastructure 11.2)."""

from __future__ import annotations

import re
from typing import Final

NODE_POOL: Final = "kubernetes:karpenter.sh/v1:NodePool"
OLD_POOLS: Final = ("kubernetes:karpenter.sh/v1beta1:NodePool", "kubernetes:karpenter.sh/v1alpha5:Provisioner")
NODE: Final = "kubernetes:v1:Node"
PULUMI_NODE: Final = "kubernetes:core/v1:Node"
NODE_CLAIM: Final = "kubernetes:karpenter.sh/v1:NodeClaim"
EC2_NODE_CLASS: Final = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
AUTO_NODE_CLASS: Final = "kubernetes:eks.amazonaws.com/v1:NodeClass"
AKS_NODE_CLASS: Final = "kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass"
NODE_CLASSES: Final = (EC2_NODE_CLASS, AUTO_NODE_CLASS, AKS_NODE_CLASS)
REPLICATED: Final = ("kubernetes:apps/v1:Deployment", "kubernetes:apps/v1:StatefulSet", "kubernetes:apps/v1:ReplicaSet")
PRIORITY_CLASSES: Final = ("kubernetes:scheduling.k8s.io/v1:PriorityClass",)
NODE_OVERLAY: Final = "kubernetes:karpenter.sh/v1alpha1:NodeOverlay"
CAPACITY_BUFFER: Final = "kubernetes:autoscaling.x-k8s.io/v1beta1:CapacityBuffer"
NODE_PLAN: Final = "cutlist:index:NodePlan"
GROUPS: Final = (
    "kubernetes:yaml:ConfigGroup",
    "kubernetes:yaml:ConfigFile",
    "kubernetes:yaml/v2:ConfigGroup",
    "kubernetes:yaml/v2:ConfigFile",
)
KUSTOMIZE: Final = ("kubernetes:kustomize:Directory", "kubernetes:kustomize/v2:Directory")

RELEASE: Final = "kubernetes:helm.sh/v3:Release"
CHART: Final = "kubernetes:helm.sh/v4:Chart"
OLD_CHART: Final = "kubernetes:helm.sh/v3:Chart"
CLUSTER_ROLE: Final = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRole"
CLUSTER_ROLE_BINDING: Final = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding"
ROLE_BINDING: Final = "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding"

IAM_POLICY: Final = "aws:iam/policy:Policy"
IAM_ROLE: Final = "aws:iam/role:Role"
IAM_USER: Final = "aws:iam/user:User"
IAM_GROUP: Final = "aws:iam/group:Group"
IAM_ROLE_POLICY: Final = "aws:iam/rolePolicy:RolePolicy"
IAM_ATTACHMENT: Final = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
NATIVE_IAM_ROLE: Final = "aws-native:iam:Role"
NATIVE_IAM_USER: Final = "aws-native:iam:User"
NATIVE_IAM_GROUP: Final = "aws-native:iam:Group"
NATIVE_QUEUE: Final = "aws-native:sqs:Queue"
NATIVE_QUEUE_POLICIES: Final = ("aws-native:sqs:QueuePolicy", "aws-native:sqs:QueueInlinePolicy")
NATIVE_EKS_CLUSTER: Final = "aws-native:eks:Cluster"
QUEUE: Final = "aws:sqs/queue:Queue"
QUEUE_POLICY: Final = "aws:sqs/queuePolicy:QueuePolicy"
EVENT_RULE: Final = "aws:cloudwatch/eventRule:EventRule"
LOG_GROUP: Final = "aws:cloudwatch/logGroup:LogGroup"
EKS_CLUSTER: Final = "aws:eks/cluster:Cluster"
EKS_COMPONENT: Final = "eks:index:Cluster"
NATIVE_NODE_GROUP: Final = "aws-native:eks:Nodegroup"
FARGATE_PROFILE: Final = "aws:eks/fargateProfile:FargateProfile"
NATIVE_FARGATE_PROFILE: Final = "aws-native:eks:FargateProfile"
NATIVE_LAUNCH_TEMPLATE: Final = "aws-native:ec2:LaunchTemplate"
NATIVE_LOG_GROUP: Final = "aws-native:logs:LogGroup"
NATIVE_EVENT_RULE: Final = "aws-native:events:Rule"
NODE_GROUP: Final = "aws:eks/nodeGroup:NodeGroup"
LAUNCH_TEMPLATE: Final = "aws:ec2/launchTemplate:LaunchTemplate"
AKS_CLUSTER: Final = "azure-native:containerservice:ManagedCluster"
AKS_POOL: Final = "azure-native:containerservice:AgentPool"
AKS_MAINTENANCE: Final = "azure-native:containerservice:MaintenanceConfiguration"

_OF_A_VERSION: Final = re.compile(
    r"azure-native:(?P<service>\w+)/v\d{8}\w*:(?P<kind>\w+)|azure-native_\w+_v\d{8}\w*:(?P<module>\w+):(?P<name>\w+)"
)


def without_version(token: str) -> str:
    """Return the type of a resource of Azure without the version of its API; every other type as it is."""
    match = _OF_A_VERSION.fullmatch(token)
    return f"azure-native:{match['service'] or match['module']}:{match['kind'] or match['name']}" if match else token
