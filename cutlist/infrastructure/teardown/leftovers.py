"""How resources in an account are recognised as leftovers of one cluster: by whole tags and whole paths, never by parts of
them. The same signatures make the filters of API calls and check each result: EC2's filters accept wildcards, and not every
server applies every filter (spec: aws-infrastructure 8.1, 8.5).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final

from cutlist.core.records import HIDDEN, InstantText, Price, about, form_of
from cutlist.infrastructure.names import EKS_CLUSTER_TAG, ClusterFacts

Tags = Mapping[str, str]
_Created = Annotated[datetime, form_of(InstantText).through(datetime.isoformat)]

OWNED: Final = "owned"
CREATED_TAG: Final = "node.k8s.amazonaws.com/createdAt"
INSTANCE_TAG: Final = "node.k8s.amazonaws.com/instance_id"
INTERFACE_CLUSTER_TAG: Final = "cluster.k8s.amazonaws.com/name"
BALANCER_TAG: Final = "elbv2.k8s.aws/cluster"
INTERFACE_DESCRIPTION: Final = "aws-K8S-"
_REGION_TAG: Final = "topology.kubernetes.io/region"
_NODE_POOL: Final = "karpenter.sh/nodepool"
_NODE_CLASS: Final = "karpenter.k8s.aws/ec2nodeclass"
_CLAIM_VOLUME: Final = "ebs.csi.aws.com/cluster"
_AUTO_MODE: Final = "eks.amazonaws.com/nodeclass"  # on resources of EKS Auto Mode, together with the cluster's tag


class LeftoverKind(StrEnum):
    """What may outlive a deleted cluster and still cost money, in the words of the report."""

    INSTANCE = "instance"
    LAUNCH_TEMPLATE = "launch template"
    INSTANCE_PROFILE = "instance profile"
    INTERFACE = "network interface"
    NODE_VOLUME = "node volume"
    CLAIM_VOLUME = "claim volume"
    LOAD_BALANCER = "load balancer"
    TARGET_GROUP = "target group"
    SECURITY_GROUP = "security group"
    LOG_GROUP = "log group"


@dataclass(frozen=True, slots=True)
class Leftover:
    """A resource that a cluster left behind, or still uses. `matched` is the evidence by which it was recognised; `attached` is
    what has to be detached first, such as the roles of a profile; `managed_by` is its operator according to EC2.
    """

    kind: LeftoverKind
    id: str
    name: str = ""
    matched: Annotated[tuple[str, ...], about("By what it was recognised.")] = ()
    created: _Created | None = None
    usd_per_hour: Price = None
    attached: Annotated[tuple[str, ...], HIDDEN] = ()
    managed_by: Annotated[str, HIDDEN] = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """Tags that together identify the owner of a resource: some by key and value, others only by key."""

    equal: tuple[tuple[str, str], ...]
    present: tuple[str, ...] = ()

    def filters(self) -> list[dict[str, object]]:
        """Return the signature as filters of EC2."""
        filters = [(f"tag:{key}", value) for key, value in self.equal] + [("tag-key", key) for key in self.present]
        return [{"Name": name, "Values": [value]} for name, value in filters]

    def evidence(self, tags: Tags) -> tuple[str, ...]:
        """Return the matching tags if the whole signature matches; else none."""
        if any(tags.get(key) != value for key, value in self.equal) or any(key not in tags for key in self.present):
            return ()
        return tuple(f"{key}={tags[key]}" for key in (*(key for key, _ in self.equal), *self.present))


def node_signatures(facts: ClusterFacts) -> tuple[Signature, ...]:
    """Return the signatures of instances and of their volumes: since Karpenter 1.1, before it, and before 0.32."""
    cluster = facts.cluster
    return (
        Signature(((EKS_CLUSTER_TAG, cluster),), (_NODE_POOL, _NODE_CLASS)),
        Signature((("karpenter.sh/managed-by", cluster),), (_NODE_POOL,)),
        Signature((("karpenter.k8s.aws/cluster", cluster),), (_NODE_POOL,)),
        Signature(((facts.owned_tag, OWNED),), ("karpenter.sh/provisioner-name",)),
    )


def template_signatures(facts: ClusterFacts) -> tuple[Signature, ...]:
    """Return the signatures of launch templates: since Karpenter 1.1, and before it."""
    return (
        Signature(((EKS_CLUSTER_TAG, facts.cluster),), (_NODE_POOL,)),
        Signature((("karpenter.k8s.aws/cluster", facts.cluster),)),
        Signature((("karpenter.sh/managed-by", facts.cluster),)),
    )


def interface_signatures(facts: ClusterFacts) -> tuple[Signature, ...]:
    """Return the signature of interfaces that the VPC CNI attached."""
    return (Signature(((INTERFACE_CLUSTER_TAG, facts.cluster),)),)


def claim_volume_signatures(facts: ClusterFacts) -> tuple[Signature, ...]:
    """Return the signature of volumes that the CSI driver made for claims."""
    return (Signature(((facts.owned_tag, OWNED),), (_CLAIM_VOLUME,)),)


def balancer_signatures(facts: ClusterFacts) -> tuple[Signature, ...]:
    """Return the signatures of load balancers and their target groups."""
    return (Signature(((BALANCER_TAG, facts.cluster),)), Signature(((facts.owned_tag, OWNED),)))


def balancer_group_signatures(facts: ClusterFacts) -> tuple[Signature, ...]:
    """Return the signatures of the load balancers' security groups.

    The cluster's own group has the tag `kubernetes.io/cluster/`, too.
    """
    return (Signature(((BALANCER_TAG, facts.cluster),)),)


def evidence(signatures: Collection[Signature], tags: Tags) -> tuple[str, ...]:
    """Return the tags that identify a resource as the cluster's; none if it is not the cluster's, or is EKS Auto Mode's."""
    if _AUTO_MODE in tags:
        return ()
    return next((matched for signature in signatures if (matched := signature.evidence(tags))), ())


def profile_path(facts: ClusterFacts) -> str:
    """Return the path of a cluster's instance profiles since Karpenter 1.7."""
    return f"/karpenter/{facts.region}/{facts.cluster}/"


def is_profile_place(facts: ClusterFacts, path: str, name: str) -> bool:
    """Tell whether a profile's place allows it to be the cluster's: under its path, or at the root with a name of older
    versions.

    `a_b_1` is at the root for the cluster `a_b`, and never for `a`: the cluster's name is followed by a number.
    """
    if path == "/":
        return re.fullmatch(rf"{re.escape(facts.cluster)}_[0-9]+", name) is not None
    return path.startswith(profile_path(facts))


def profile_evidence(facts: ClusterFacts, path: str, name: str, tags: Tags) -> tuple[str, ...]:
    """Return the evidence that an instance profile is the cluster's, or an empty list if it is not.

    The evidence is its place, the cluster's tag and the region's tag.
    """
    tagged = Signature(((facts.owned_tag, OWNED), (_REGION_TAG, facts.region))).evidence(tags)
    return (f"path {path}", *tagged) if tagged and is_profile_place(facts, path, name) else ()


def interface_evidence(facts: ClusterFacts, tags: Tags, description: str, instances: Collection[str]) -> tuple[str, ...]:
    """Return the evidence that an idle interface is the cluster's, or an empty list if it is not.

    The evidence is its tag, or an instance of the cluster.
    """
    if named := tags.get(INTERFACE_CLUSTER_TAG):
        return evidence(interface_signatures(facts), tags) if named == facts.cluster else ()
    if (of := tags.get(INSTANCE_TAG)) in instances:
        return (f"{INSTANCE_TAG}={of}",)
    of_instance = description.removeprefix(INTERFACE_DESCRIPTION)
    return (f"description {description}",) if of_instance != description and of_instance in instances else ()
