"""Names, ARNs, service principals and tags of one cluster's parts, each defined in one place (spec: aws-infrastructure 0.2)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from cutlist.core.errors import Problems
from cutlist.core.records import HIDDEN
from cutlist.infrastructure.name_checks import check_cluster_name

_PARTITIONS: Final = (
    ("cn-", "aws-cn"),
    ("us-gov-", "aws-us-gov"),
    ("us-iso-", "aws-iso"),
    ("us-isob-", "aws-iso-b"),
    ("eu-isoe-", "aws-iso-e"),
    ("us-isof-", "aws-iso-f"),
    ("eusc-", "aws-eusc"),
)
_DOMAIN: Final = "amazonaws.com"
_DOMAINS: Final = {
    "aws-cn": "amazonaws.com.cn",
    "aws-eusc": "amazonaws.eu",
    "aws-iso": "c2s.ic.gov",
    "aws-iso-b": "sc2s.sgov.gov",
    "aws-iso-e": "cloud.adc-e.uk",
    "aws-iso-f": "csp.hci.ic.gov",
}
_SOVEREIGN: Final = "aws-eusc"
"""The partition whose services are principals of `amazonaws.com`, although their endpoints have another domain."""
_DIGEST: Final = 8

EKS_CLUSTER_TAG: Final = "eks:eks-cluster-name"
"""Key of the tag that names the cluster on resources that Karpenter and Auto Mode make."""

RESERVED_TAGS: Final = (
    "karpenter.k8s.aws/ec2nodeclass",
    "karpenter.sh/nodeclaim",
    "karpenter.sh/nodepool",
    EKS_CLUSTER_TAG,
)


class NameStyle(StrEnum):
    """How physical names are formed. IAM is global and cluster names are regional: `regional` keeps two clusters of one name in
    two regions apart; `auto` leaves names to Pulumi."""

    KARPENTER = "karpenter"
    REGIONAL = "regional"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """A cluster, and the names of everything that Karpenter needs around it.

    `account` is the id of the account, twelve digits. `namespace` and `service_account` are the controller's, or those of other
    pods with a role. A name above its service's limit is cut and ends in eight hexadecimal digits of the SHA-256 of the full
    name. With the style `auto`, names are None. Raises InputError for a name that EKS would refuse.
    """

    cluster: str
    region: str
    account: str
    namespace: Annotated[str, HIDDEN] = "kube-system"
    service_account: Annotated[str, HIDDEN] = "karpenter"
    name_style: Annotated[NameStyle, HIDDEN] = NameStyle.KARPENTER

    def __post_init__(self) -> None:
        problems = Problems()
        check_cluster_name(self.cluster, "cluster", problems)
        problems.raise_if_any()

    @property
    def partition(self) -> str:
        """Return the partition that the region is in, such as `aws-cn`."""
        return partition_of(self.region)

    @property
    def cluster_arn(self) -> str:
        """Return the cluster's ARN."""
        return self.arn("eks", f"cluster/{self.cluster}")

    @property
    def node_principal(self) -> str:
        """Return the service that assumes a node's role."""
        return f"ec2.{_DOMAIN if self.partition == _SOVEREIGN else domain_of(self.partition)}"

    @property
    def owned_tag(self) -> str:
        """Return the key of the tag by which AWS knows what a cluster owns."""
        return owned_tag(self.cluster)

    @property
    def node_role(self) -> str | None:
        """Return the name of the role of nodes."""
        return self._name(f"KarpenterNodeRole-{self.cluster}", 64)

    @property
    def node_profile(self) -> str | None:
        """Return the name of the instance profile of nodes, for a controller that creates none."""
        return self._name(f"KarpenterNodeProfile-{self.cluster}", 128)

    @property
    def controller_role(self) -> str | None:
        """Return the name of the controller's role."""
        return self._name(f"KarpenterController-{self.cluster}", 64)

    @property
    def queue(self) -> str | None:
        """Return the requested name of the interruption queue. The controller gets the name of the created queue instead."""
        return self._name(self.cluster, 80)

    def node_group_prefix(self, group: str) -> str | None:
        """Return the prefix of the name of a managed node group, such as that for system pods. Pulumi's AWS provider adds 26
        digits, so that a group and its successor can exist together."""
        prefix = self._name(f"{self.cluster}-{group}", 36)
        return f"{prefix}-" if prefix else None

    def controller_policy(self, part: str) -> str | None:
        """Return the name of one of the controller's policies, such as that of the part `NodeLifecycle`."""
        return self._name(f"KarpenterController{part}Policy-{self.cluster}", 128)

    def event_rule(self, kind: str) -> str | None:
        """Return the name of the event rule of a kind, such as `SpotInterruption`."""
        return self._name(f"Karpenter-{self.cluster}-{kind}", 64)

    def named(self, prefix: str, limit: int) -> str | None:
        """Return the name of another part, in this cluster's style."""
        return self._name(f"{prefix}-{self.cluster}", limit)

    def arn(self, service: str, resource: str, *, region: str | None = None, account: str | None = None) -> str:
        """Return the ARN of a resource in this cluster's region and account, or in others; empty ones leave their part
        empty."""
        in_region = self.region if region is None else region
        in_account = self.account if account is None else account
        return f"arn:{self.partition}:{service}:{in_region}:{in_account}:{resource}"

    def role_arn(self, name: str, path: str = "/") -> str:
        """Return the ARN of a role of this account; `path` begins and ends with a slash."""
        return self.arn("iam", f"role{path}{name}", region="")

    def managed_policy(self, name: str) -> str:
        """Return the ARN of one of AWS's own policies, such as `AmazonEKSWorkerNodePolicy`."""
        return self.arn("iam", f"policy/{name}", region="", account="aws")

    def _name(self, full: str, limit: int) -> str | None:
        if self.name_style is NameStyle.AUTO:
            return None
        if self.name_style is NameStyle.REGIONAL:
            full = f"{full}-{self.region}"
        return shortened(full, limit)


def owned_tag(cluster: str) -> str:
    """Return the key of the tag by which AWS knows what a cluster owns."""
    return f"kubernetes.io/cluster/{cluster}"


def partition_of(region: str) -> str:
    """Return the partition of a region by its prefix, so that a preview needs no account."""
    return next((partition for prefix, partition in _PARTITIONS if region.startswith(prefix)), "aws")


def domain_of(partition: str) -> str:
    """Return the domain of a partition's endpoints, such as `amazonaws.com`."""
    return _DOMAINS.get(partition, _DOMAIN)


def shortened(full: str, limit: int) -> str:
    """Return a name unchanged, or cut to `limit` characters with a digest of the whole name at its end."""
    if len(full) <= limit:
        return full
    digest = hashlib.sha256(full.encode()).hexdigest()[:_DIGEST]
    return f"{full[: limit - _DIGEST - 1]}-{digest}"


def is_reserved_tag(key: str) -> bool:
    """Tell whether only Karpenter may write a tag: an EC2NodeClass with such a key is refused."""
    return key in RESERVED_TAGS or key.startswith("kubernetes.io/cluster/")
