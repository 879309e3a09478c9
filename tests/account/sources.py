"""Where the limits of the table come from, and when that was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_READ: Final = "2026-11-22"
_AWS: Final = "https://docs.aws.amazon.com"
_AZURE: Final = "https://learn.microsoft.com/azure"


@dataclass(frozen=True, slots=True)
class Source:
    """A public document: its name, where it is, and the day on which it was read."""

    name: str
    url: str
    read: str = _READ


EKS_API: Final = Source("EKS API reference", f"{_AWS}/eks/latest/APIReference/")
EKS_QUOTAS: Final = Source("EKS service quotas", f"{_AWS}/eks/latest/userguide/service-quotas.html")
EKS_GUIDE: Final = Source("EKS user guide", f"{_AWS}/eks/latest/userguide/")
IAM_API: Final = Source("IAM API reference", f"{_AWS}/IAM/latest/APIReference/")
IAM_QUOTAS: Final = Source("IAM and STS quotas", f"{_AWS}/IAM/latest/UserGuide/reference_iam-quotas.html")
IAM_POLICIES: Final = Source("IAM policy grammar", f"{_AWS}/IAM/latest/UserGuide/reference_policies_grammar.html")
ARNS: Final = Source("ARNs", f"{_AWS}/IAM/latest/UserGuide/reference-arns.html")
TAGS: Final = Source("Tagging AWS resources", f"{_AWS}/tag-editor/latest/userguide/tagging.html")
IAM_TAGS: Final = Source("Tags of IAM", f"{_AWS}/IAM/latest/UserGuide/id_tags.html")
STS_ACTIONS: Final = Source(
    "Actions of STS", f"{_AWS}/service-authorization/latest/reference/list_awssecuritytokenservice.html"
)
USER_DATA: Final = Source("EC2 user data", f"{_AWS}/AWSEC2/latest/UserGuide/user-data.html")
EKS_ADD_ONS: Final = Source("EKS CoreDNS and kube-proxy pages", f"{_AWS}/eks/latest/userguide/managing-coredns.html")
EKS_LABELS: Final = Source("EKS node group labels", "https://github.com/kubernetes/cloud-provider-aws/issues/242")
EKS_POLICIES: Final = Source("EKS access policies", f"{_AWS}/eks/latest/userguide/access-policy-permissions.html")
SQS_POLICIES: Final = Source("SQS policy limits", f"{_AWS}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html")
EC2_API: Final = Source("EC2 API reference", f"{_AWS}/AWSEC2/latest/APIReference/")
EC2_IDS: Final = Source("EC2 resource ids", f"{_AWS}/AWSEC2/latest/UserGuide/resource-ids.html")
EBS: Final = Source("EBS volume types", f"{_AWS}/ebs/latest/userguide/ebs-volume-types.html")
VPC_QUOTAS: Final = Source("VPC quotas", f"{_AWS}/vpc/latest/userguide/amazon-vpc-limits.html")
VPC_SUBNETS: Final = Source("VPC CIDR blocks and subnets", f"{_AWS}/vpc/latest/userguide/vpc-cidr-blocks.html")
PRIVATELINK: Final = Source("PrivateLink quotas", f"{_AWS}/vpc/latest/privatelink/vpc-limits-endpoints.html")
SQS_API: Final = Source("SQS CreateQueue", f"{_AWS}/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html")
EVENTS_API: Final = Source("EventBridge API reference", f"{_AWS}/eventbridge/latest/APIReference/")
EVENTS_QUOTAS: Final = Source("EventBridge quotas", f"{_AWS}/eventbridge/latest/userguide/eb-quota.html")
LOGS_API: Final = Source("CloudWatch Logs API reference", f"{_AWS}/AmazonCloudWatchLogs/latest/APIReference/")
ALARM_API: Final = Source("CloudWatch PutMetricAlarm", f"{_AWS}/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html")
KMS_API: Final = Source("KMS API reference", f"{_AWS}/kms/latest/APIReference/")
ARC_API: Final = Source("ARC zonal shift API reference", f"{_AWS}/arc-zonal-shift/latest/api/")
PULUMI_AWS: Final = Source("pulumi-aws 7 registry pages", "https://www.pulumi.com/registry/packages/aws/api-docs/")
PULUMI_NAMES: Final = Source("Pulumi auto-naming", "https://www.pulumi.com/docs/iac/concepts/resources/names/")
AZURE_NAMES: Final = Source("Azure naming rules", f"{_AZURE}/azure-resource-manager/management/resource-name-rules")
AZURE_TAGS: Final = Source("Azure tags", f"{_AZURE}/azure-resource-manager/management/tag-resources")
AKS_GUIDE: Final = Source("AKS documentation", f"{_AZURE}/aks/")
AZURE_RBAC: Final = Source("Azure RBAC limits", f"{_AZURE}/role-based-access-control/troubleshoot-limits")
FEDERATION: Final = Source(
    "Workload identity federation", "https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations"
)
KUBERNETES_NAMES: Final = Source(
    "Kubernetes object names", "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/"
)
KUBERNETES_LABELS: Final = Source(
    "Kubernetes labels", "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"
)
HELM: Final = Source("Helm release names", "https://helm.sh/docs/chart_template_guide/getting_started/")
