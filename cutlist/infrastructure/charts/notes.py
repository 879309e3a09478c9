"""Notes for users of an older Karpenter on what later versions do differently (spec: aws-infrastructure 7.7, 3.4, 7.6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.core.karpenter.versions import KarpenterVersion, read_version


class Subject(StrEnum):
    """The subject of a change, in the order in which an upgrade deals with it."""

    PERMISSIONS = "permissions"
    CRDS = "CRDs"
    API = "API versions"
    SETTINGS = "settings"
    DEFAULTS = "defaults"
    HASHES = "hashes"
    CONTROLLER = "controller"
    BEHAVIOUR = "behaviour"
    NODES = "nodes"
    DRIFT = "drift"
    DISRUPTION = "disruption"


class When(StrEnum):
    """When something is to be done: before the controller is upgraded, together with it, after it, or not at all."""

    FIRST = "first"
    WITH = "with"
    AFTER = "after"
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class ChartNote:
    """A difference since a version, and when to act on it. `statements` are those of docs/spec that describe it, if there are
    any.
    """

    since: KarpenterVersion
    text: str
    when: When = When.NOTHING
    subject: Subject = Subject.BEHAVIOUR
    statements: str = ""


def _note(since: str, text: str, when: When = When.NOTHING) -> ChartNote:
    return ChartNote(read_version(since), text, when)


def _stated(
    since: str, statements: str, text: str, subject: Subject = Subject.BEHAVIOUR, when: When = When.NOTHING
) -> ChartNote:
    return ChartNote(read_version(since), text, when, subject, statements)


NOTES: Final = (
    _note("0.33.0", "Provisioners, Machines and AWSNodeTemplates are no longer served: convert them first", When.FIRST),
    _note(
        "0.33.0",
        "settings come from the chart's values: the ConfigMap karpenter-global-settings is no longer read",
        when=When.FIRST,
    ),
    _note(
        "0.33.0", "the label karpenter.sh/provisioner-name is removed: select nodes by karpenter.sh/nodepool", when=When.FIRST
    ),
    _note("0.33.0", "tag selectors do not accept comma-separated lists: write one term for each value", When.FIRST),
    _note("0.34.0", "budgets limit disruption: to 10% of a NodePool's nodes at once, unless it says otherwise"),
    _note("0.34.0", "NodePools with template.spec.resources are refused: remove the field", When.FIRST),
    _note("0.35.0", "tags of images and charts lose their leading v"),
    _note(
        "0.36.0", "the metric of prices is now karpenter_cloudprovider_instance_type_offering_price_estimate, without a region"
    ),
    _note("0.37.0", "NodeClasses report readiness: without the new CRDs, no node is created", When.FIRST),
    _note("1.0.0", "v1beta1 objects are served through a webhook of the chart, and stored as v1 when they are next written"),
    _note("1.0.0", "drift is always on: its feature gate is removed"),
    _note("1.1.0", "v1beta1 is no longer served: convert every stored object to v1 first", When.FIRST),
    _note("1.1.0", "nodeClassRef needs group and kind in every NodePool and NodeClaim", When.FIRST),
    _note(
        "1.1.0",
        "annotations that kept v1beta1's kubelet settings are no longer read: move the settings into the EC2NodeClass",
        When.FIRST,
    ),
    _note("1.1.0", "accelerators are labelled trainium, inferentia or inferentia2; all were inferentia before"),
    _note("1.1.0", "launch templates are found by the tag eks:eks-cluster-name, not by karpenter.k8s.aws/cluster"),
    _note("1.1.0", "operator_ metrics exist for each kind; the general ones are deprecated"),
    _note("1.2.0", "reasons in metrics are in lower case: drifted, empty, expired, underutilized"),
    _note("1.2.0", "logs and metrics call the controller of NodeClasses nodeclass"),
    _note("1.3.0", "with reservedCapacity, nodes may have capacity type reserved: selectors for on-demand do not match them"),
    _note("1.3.0", "the metric karpenter_ignored_pod_count is now karpenter_scheduler_ignored_pod_count"),
    _note(
        "1.6.0",
        "open capacity reservations are used only with capacityReservationSelectorTerms: without them "
        "nodes are on-demand while the reservation is paid for",
        when=When.FIRST,
    ),
    _note("1.7.0", "new instance profiles are below the path /karpenter/REGION/CLUSTER/; old ones stay where they are"),
    _note(
        "1.7.0", "the drain counter is now karpenter_pods_drained_total, and the reason liveness is now registration_timeout"
    ),
    _note("1.8.0", "pods with resource claims are ignored unless ignoreDRARequests is off"),
    _note("1.9.0", "the controller's permissions come in several policies: attach all of them"),
    _note("1.10.0", "interruptions of capacity reservations are a fifth event: add its rule"),
    _note("1.12.0", "zonal shift is available; it is off unless enableZonalShift is set and the cluster is registered"),
    _note("1.12.0", "a changed CA bundle of the cluster makes nodes drift"),
    _stated("1.14.2", "VA15-68", "classes that differ in nested virtualization do not share the availability of offerings"),
    _stated(
        "1.14.3",
        "V15-74",
        "a NodeClaim that is deleted from the API server before its launch leaves the cluster state 15 s after its creation, "
        "so that Synced cannot stay false",
    ),
    _stated("1.14.3", "V15-75", "CapacityBuffers follow changes of their Deployment, StatefulSet or ReplicaSet"),
    _stated(
        "1.15.0",
        "VA15-113",
        "the chart's ClusterRole also reads VerticalPodAutoscalers and the DeviceClasses, ResourceClaims and ResourceSlices of "
        "DRA, and patches pods with podDeletionCostManagement: whoever installs the chart must be allowed to grant that",
        Subject.PERMISSIONS,
    ),
    _stated(
        "1.15.0",
        "VA15-102, VA15-114",
        "grant ec2:RebootInstances, with the conditions of ec2:TerminateInstances, before the gate RebootForRepair is turned "
        "on; Karpenter calls nothing else that 1.14 does not call",
        Subject.PERMISSIONS,
    ),
    _stated("1.15.0", "VA15-1, VA15-116", "EC2NodeClass: spec.kubelet accepts any field", Subject.CRDS),
    _stated("1.15.0", "VA15-50, VA15-116", "EC2NodeClass: spec.enclaveOptions.enabled is new", Subject.CRDS),
    _stated(
        "1.15.0", "V15-60, V15-61", "NodePool: consolidateAfter may be omitted, and budgets accept Unhealthy", Subject.CRDS
    ),
    _stated(
        "1.15.0",
        "V15-24, V15-64",
        "the flag --scheduler-config (SCHEDULER_CONFIG) is new; the chart has no value for it. Karpenter does not start "
        "with an invalid one",
        Subject.SETTINGS,
    ),
    _stated(
        "1.15.0",
        "V15-57, V15-64, VA15-101, VA15-112",
        "the flag --legacy-node-repair is new: it keeps node repair as in 1.14, and cannot be combined with the gate "
        "TerminateFirstRepair",
        Subject.SETTINGS,
    ),
    _stated(
        "1.15.0",
        "V15-65",
        "the feature gates TerminateFirstDrift, TerminateFirstRepair (needs NodeRepair) and PodDeletionCostManagement are new "
        "and off",
        Subject.SETTINGS,
    ),
    _stated(
        "1.15.0",
        "VA15-110",
        "the flags --aws-feature-gates (NodeClassCEL, DRANVIDIAGPU, DRAEFA and RebootForRepair, all off) and "
        "--security-group-refresh-interval (default and minimum: 1m) are new",
        Subject.SETTINGS,
    ),
    _stated(
        "1.15.0",
        "VA15-112",
        "settings.ignoreDRARequests: false reaches the controller; settings.enableDRA stands for it and both DRA gates, and "
        "the chart fails if one of them is set as well",
        Subject.SETTINGS,
    ),
    _stated(
        "1.15.0",
        "VA15-2, VA15-11",
        "an EC2NodeClass that worked can become not ready and launch nothing: check spec.kubelet with cutlist validate "
        "--karpenter 1.15. Bottlerocket refuses podsPerCore; AL2, Bottlerocket and Windows refuse a second clusterDNS",
        when=When.FIRST,
    ),
    _stated("1.15.0", "V15-17", "an overlaid instance type keeps its attach limits and DRA devices"),
    _stated(
        "1.15.0",
        "V15-62",
        "annotations karpenter.sh/do-not-repair and disruption-cost are new; compatibility.karpenter.sh/provider is removed",
    ),
    _stated("1.15.0", "V15-73", "events have the reasons RebootObserved and RebootFailed; NodeRepairBlocked has a new text"),
    _stated(
        "1.15.0",
        "V15-67",
        "forecasts of VerticalPodAutoscalers decide nothing: the code that would read them is not registered, though the chart "
        "lets the controller list them",
    ),
    _stated("1.15.0", "V15-75", "the provisioner is triggered when a CapacityBuffer is removed or cannot be resolved"),
    _stated(
        "1.15.0",
        "V15-76, VA15-118",
        "metrics have new labels: nodeclaims_disrupted_total has consolidation_policy and termination_mode, "
        "nodeclaims_unhealthy_disrupted_total has termination_mode, cloudprovider_errors_total has nodepool (and an empty "
        "error is now unknown), and the times of binding pods have dynamic_resources",
    ),
    _stated(
        "1.15.0",
        "V15-77",
        "there are new metrics for disrupted pods, terminate-first decisions, reboots and writes of pod-deletion-cost",
    ),
    _stated(
        "1.15.0",
        "V15-78",
        "the metrics nodepools_allowed_disruptions and nodepools_nodes_consuming_budgets have the reason in lower case: change "
        "dashboards and alerts; a decision may be terminate-first or reboot",
        when=When.AFTER,
    ),
    _stated(
        "1.15.0",
        "VA15-118",
        "gauges of price and availability are written for each NodePool that resolves, even if another one fails",
    ),
    _stated(
        "1.15.0",
        "V15-79, VA15-90, VA15-92",
        "with DRA, requests with firstAvailable are resolved, mode All needs a device, and a claim takes at most 32; types "
        "carry GPUs and EFA behind gates, and GPUs may be shared",
    ),
    _stated("1.15.0", "VA15-68", "classes that differ in Nitro Enclaves do not share the availability of offerings"),
    _stated("1.15.0", "VA15-82", "the start prices are newer; no known price changes"),
    _stated(
        "1.15.0",
        "VA15-100",
        "with NodeRepair, nodes are drained for at most 10 minutes, and faults of GPUs are distinguished by their XID code",
    ),
    _stated("1.15.0", "VA15-111", "Kubernetes 1.37 is supported"),
    _stated("1.15.0", "VA15-115", "a missing spec.instanceProfile is shown by the class as InstanceProfileNotFound"),
)
"""In the order of versions."""
