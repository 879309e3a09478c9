"""Names, ARNs, service principals and tags of one cluster's parts, each made in one place (spec: aws-infrastructure 0.2)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.api.names import name_findings
from cutlist.catalog import regions
from cutlist.core.errors import Place, Problems, nearest

CLUSTER_NAME_LIMIT: Final = 100
_CLUSTER_NAME: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]*")
_REGION: Final = re.compile(r"[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}", re.ASCII)
_ACCOUNT: Final = re.compile(r"[0-9]{12}", re.ASCII)
_PARTITIONS: Final = (
    ("cn-", "aws-cn"),
    ("us-gov-", "aws-us-gov"),
    ("us-iso-", "aws-iso"),
    ("us-isob-", "aws-iso-b"),
    ("eu-isoe-", "aws-iso-e"),
    ("us-isof-", "aws-iso-f"),
    ("eusc-", "aws-eusc"),
)
_OF_NODES: Final = {
    "aws-cn": "ec2.amazonaws.com.cn",
    "aws-iso": "ec2.c2s.ic.gov",
    "aws-iso-b": "ec2.sc2s.sgov.gov",
    "aws-iso-e": "ec2.cloud.adc-e.uk",
    "aws-iso-f": "ec2.csp.hci.ic.gov",
}
_DIGEST: Final = 8
_PATH: Final = re.compile(r"((/[A-Za-z0-9.,+@=_-]+)*)/", re.ASCII)
_PATH_LIMIT: Final = 512
_POLICY: Final = re.compile(r"arn:aws[a-z-]*:iam::([0-9]{12}|aws):policy/\S+", re.ASCII)
_TAG: Final = re.compile(r"[\w .:/=+@-]*")
_IN_TAGS: Final = "letters, digits, spaces and _ . : / = + - @"
_TAGS: Final = 50
_TAG_KEY: Final = 128
_TAG_VALUE: Final = 256

EKS_CLUSTER_TAG: Final = "eks:eks-cluster-name"
"""Key of the tag that names the cluster on resources that Karpenter and Auto Mode make."""

RESERVED_TAGS: Final = (
    "karpenter.k8s.aws/ec2nodeclass",
    "karpenter.sh/nodeclaim",
    "karpenter.sh/nodepool",
    EKS_CLUSTER_TAG,
)


class NameStyle(StrEnum):
    """How physical names are made. IAM is global and cluster names are regional: `regional` keeps two clusters of one name in
    two regions apart; `auto` leaves names to Pulumi."""

    KARPENTER = "karpenter"
    REGIONAL = "regional"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """A cluster, and the names of everything that Karpenter needs around it.

    `account` is the id of the account, twelve digits. `namespace` and `service_account` are the controller's, or those of other
    pods that a role is for. A name that would exceed its service's limit is cut and ends in eight hexadecimal digits of the
    SHA-256 of the full name. With the style `auto` names are None. Raises InputError for a name that EKS would refuse.
    """

    cluster: str
    region: str
    account: str
    namespace: str = "kube-system"
    service_account: str = "karpenter"
    name_style: NameStyle = NameStyle.KARPENTER

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
        return _OF_NODES.get(self.partition, "ec2.amazonaws.com")

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
        """Return the name of the instance profile of nodes, where the controller makes none."""
        return self._name(f"KarpenterNodeProfile-{self.cluster}", 128)

    @property
    def controller_role(self) -> str | None:
        """Return the name of the controller's role."""
        return self._name(f"KarpenterController-{self.cluster}", 64)

    @property
    def queue(self) -> str | None:
        """Return the name of the interruption queue. The controller gets the name of the queue that was made, not this one."""
        return self._name(self.cluster, 80)

    @property
    def node_group_prefix(self) -> str | None:
        """Return what the name of the managed node group for system pods begins with. AWS's provider adds 26 digits, so that a
        group and its successor can be there together."""
        prefix = self._name(f"{self.cluster}-system", 36)
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
        """Return the ARN of a resource in this cluster's region and account, or in others; empty ones are left out of it."""
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


def check_cluster_name(name: str, path: str, problems: Problems) -> None:
    """Report a name that EKS would refuse."""
    if len(name) > CLUSTER_NAME_LIMIT:
        problems.add(Place(path=path), f"cluster name of {len(name)} characters", f"at most {CLUSTER_NAME_LIMIT}")
    elif not _CLUSTER_NAME.fullmatch(name):
        allowed = "letters, digits, - and _, beginning with a letter or digit"
        other = next((character for character in name if not _CLUSTER_NAME.fullmatch(f"a{character}")), "")
        wrong = f"cluster name {name!r} has {other!r} in it" if other else f"cluster name {name!r} begins with {name[:1]!r}"
        problems.add(Place(path=path), wrong if name else "no cluster name", allowed)


def check_region(region: str, path: str, problems: Problems) -> None:
    """Report a region that is left empty, or that has not the form of one. A name of that form passes, since there are regions
    that are newer than this."""
    allowed = "a region such as eu-west-1"
    if not region:
        problems.add(Place(path=path), "no region", allowed)
    elif not _REGION.fullmatch(region):
        problems.add(Place(path=path), f"region {region!r}", allowed, nearest(region.lower(), regions()))


def check_account(account: str, path: str, problems: Problems) -> None:
    """Report a text that is not the id of an account."""
    wrong = wrong_account(account)
    if wrong:
        problems.add(Place(path=path), wrong, "the twelve digits of an account's id, as text")


def wrong_account(account: str) -> str:
    """Return why a text is not the id of an account of AWS, or an empty string for one."""
    if _ACCOUNT.fullmatch(account):
        return ""
    if account.isascii() and account.isdecimal():
        return f"account {account!r} has {len(account)} digits"
    return f"account {account!r} is not a number of twelve digits" if account else "no account"


def check_role_path(role_path: str, path: str, problems: Problems) -> None:
    """Report a path of roles and policies that IAM would refuse."""
    if not (role_path.startswith("/") and role_path.endswith("/")):
        near = f"/{role_path.strip('/')}/".replace("//", "/")
        problems.add(Place(path=path), f"path {role_path!r}", "a text that begins and ends with a slash", near)
    elif len(role_path) > _PATH_LIMIT or not _PATH.fullmatch(role_path):
        problems.add(
            Place(path=path), f"path {role_path!r}", f"at most {_PATH_LIMIT} letters, digits and . , + @ = _ - between slashes"
        )


def check_own_tags(tags: Mapping[str, object], place: Place, problems: Problems) -> None:
    """Report tags that AWS would refuse: by their number, keys and values. Values that only an update knows pass."""
    if len(tags) > _TAGS:
        problems.add(place, f"{len(tags)} tags", f"at most {_TAGS}")
    for key, value in tags.items():
        at = place.member(key)
        if key.lower().startswith("aws:"):
            problems.add(at, f"tag {key}: AWS keeps the prefix aws: for itself", "another key")
        elif not 0 < len(key) <= _TAG_KEY or not _TAG.fullmatch(key):
            problems.add(at, f"tag key {key!r}", f"1 to {_TAG_KEY} {_IN_TAGS}")
        if isinstance(value, str) and (len(value) > _TAG_VALUE or not _TAG.fullmatch(value)):
            problems.add(at, f"tag value {value!r}", f"at most {_TAG_VALUE} {_IN_TAGS}")


def check_policy_arn(arn: str, place: Place, problems: Problems) -> None:
    """Report a text that is not the ARN of a policy of IAM."""
    if not _POLICY.fullmatch(arn):
        problems.add(place, f"{arn!r} is not the ARN of a policy", "such as arn:aws:iam::111122223333:policy/boundary")


def check_object_name(name: str, place: Place, problems: Problems) -> None:
    """Report a name of an object, such as a namespace, that Kubernetes would refuse."""
    for finding in name_findings(place.path, name):
        problems.add(Place(path=finding.path), finding.message, finding.allowed, finding.nearest)


def partition_of(region: str) -> str:
    """Return the partition of a region by its prefix, so that a preview needs no account."""
    return next((partition for prefix, partition in _PARTITIONS if region.startswith(prefix)), "aws")


def shortened(full: str, limit: int) -> str:
    """Return a name as it is, or cut to `limit` characters with a digest of the whole name at its end."""
    if len(full) <= limit:
        return full
    digest = hashlib.sha256(full.encode()).hexdigest()[:_DIGEST]
    return f"{full[: limit - _DIGEST - 1]}-{digest}"


def is_reserved_tag(key: str) -> bool:
    """Tell whether only Karpenter may write a tag: an EC2NodeClass with such a key is refused."""
    return key in RESERVED_TAGS or key.startswith("kubernetes.io/cluster/")
