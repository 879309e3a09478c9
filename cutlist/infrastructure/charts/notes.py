"""What versions of Karpenter do differently, for users of an older one (spec: aws-infrastructure 7.7, 3.4, 7.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.core.karpenter.versions import KarpenterVersion, read_version


@dataclass(frozen=True, slots=True)
class Note:
    """One difference since a version. `is_first` says that something has to be done before the upgrade."""

    since: KarpenterVersion
    text: str
    is_first: bool = False


def _note(since: str, text: str, *, first: bool = False) -> Note:
    return Note(read_version(since), text, first)


NOTES: Final = (
    _note("0.33.0", "Provisioners, Machines and AWSNodeTemplates are not served: convert them first", first=True),
    _note("0.33.0", "settings come from values of the chart: the ConfigMap karpenter-global-settings is not read", first=True),
    _note("0.33.0", "the label karpenter.sh/provisioner-name is removed: select nodes by karpenter.sh/nodepool", first=True),
    _note("0.33.0", "tag selectors take no lists with commas: write one term each", first=True),
    _note("0.34.0", "budgets bound disruption: 10 % of a NodePool's nodes at once unless it says otherwise"),
    _note("0.34.0", "NodePools with template.spec.resources are refused: take the field away", first=True),
    _note("0.35.0", "tags of images and charts lose their leading v"),
    _note("0.36.0", "a price metric is called karpenter_cloudprovider_instance_type_offering_price_estimate and has no region"),
    _note("0.37.0", "NodeClasses report readiness: without the new CRDs no node is made", first=True),
    _note("1.0.0", "objects of v1beta1 are served through a webhook of the chart and stored as v1 once they are written"),
    _note("1.0.0", "drift is always on: its feature gate is removed"),
    _note("1.1.0", "v1beta1 is not served: every stored object has to be v1 first", first=True),
    _note("1.1.0", "nodeClassRef needs group and kind in every NodePool and NodeClaim", first=True),
    _note("1.1.0", "annotations that kept v1beta1's kubelet are not read: move it into the EC2NodeClass", first=True),
    _note("1.1.0", "accelerators are labelled trainium, inferentia or inferentia2; all were inferentia before"),
    _note("1.1.0", "launch templates are found by the tag eks:eks-cluster-name, not by karpenter.k8s.aws/cluster"),
    _note("1.1.0", "operator_ metrics exist for each kind; the general ones are on their way out"),
    _note("1.2.0", "reasons in metrics are written in small letters: drifted, empty, expired, underutilized"),
    _note("1.2.0", "logs and metrics call the controller of NodeClasses nodeclass"),
    _note("1.3.0", "with reservedCapacity nodes may have capacity type reserved: selectors of on-demand do not match them"),
    _note("1.3.0", "the metric karpenter_ignored_pod_count is called karpenter_scheduler_ignored_pod_count"),
    _note(
        "1.6.0",
        "open capacity reservations are used only with capacityReservationSelectorTerms: without them "
        "nodes are on-demand while the reservation is paid for",
        first=True,
    ),
    _note("1.7.0", "new instance profiles are below the path /karpenter/REGION/CLUSTER/; old ones stay where they are"),
    _note("1.7.0", "the drain counter is called karpenter_pods_drained_total, reason liveness registration_timeout"),
    _note("1.8.0", "pods with resource claims are passed over unless ignoreDRARequests is off"),
    _note("1.9.0", "the controller's permissions come in several policies: all of them have to be attached"),
    _note("1.10.0", "interruptions of capacity reservations are a fifth event: its rule has to be there"),
    _note("1.12.0", "zonal shift is offered; it is off unless enableZonalShift is set and the cluster is registered"),
    _note("1.12.0", "a changed CA bundle of the cluster makes nodes drift"),
)
"""In the order of versions."""


@dataclass(frozen=True, slots=True)
class HashVersion:
    """How the hash of a kind is computed, identified by its own version, since a version of Karpenter."""

    kind: str
    since: KarpenterVersion
    version: str


HASH_VERSIONS: Final = (
    HashVersion("NodePool", KarpenterVersion(0, 36, 0), "v2"),
    HashVersion("NodePool", KarpenterVersion(1, 0, 0), "v3"),
    HashVersion("EC2NodeClass", KarpenterVersion(0, 36, 0), "v2"),
    HashVersion("EC2NodeClass", KarpenterVersion(1, 0, 0), "v3"),
    HashVersion("EC2NodeClass", KarpenterVersion(1, 1, 0), "v4"),
    HashVersion("EC2NodeClass", KarpenterVersion(1, 12, 0), "v5"),
)
"""In the order of versions; before the first one a hash had no version, or v1."""


def hash_version(kind: str, version: KarpenterVersion) -> str:
    """Return the hash version of a kind in a version of Karpenter."""
    versions = [row.version for row in HASH_VERSIONS if row.kind == kind and row.since <= version]
    return versions[-1] if versions else "v1"
