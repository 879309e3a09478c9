"""The inputs of KarpenterCharts, and the plan of its releases."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass, fields
from typing import Any, NotRequired, TypedDict

import pulumi

from cutlist.core.errors import Problems
from cutlist.core.karpenter.versions import NEWEST, KarpenterVersion, noted_version
from cutlist.infrastructure.charts.settings import (
    AwsFeatureGates,
    ControllerSettings,
    FeatureGates,
    ImageMirror,
    controller_values,
)
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.interruption import queue_name_problems
from pulumi_cutlist.inputs.shapes import section, shaped


class FeatureGatesArgs(TypedDict):
    """Karpenter's feature gates; gates that you leave out are as the version has them."""

    node_repair: NotRequired[bool]
    """Whether to replace nodes that a monitoring agent finds broken. The agent has to run."""
    node_overlay: NotRequired[bool]
    """Whether NodeOverlays change prices and capacities."""
    reserved_capacity: NotRequired[bool]
    """Whether to launch into capacity reservations."""
    spot_to_spot_consolidation: NotRequired[bool]
    """Whether to replace spot nodes with cheaper spot nodes."""
    static_capacity: NotRequired[bool]
    """Whether NodePools with replicas keep a fixed number of nodes."""
    capacity_buffer: NotRequired[bool]
    """Whether CapacityBuffers keep capacity free in advance."""
    terminate_first_drift: NotRequired[bool]
    """Whether drift may terminate a node before its replacement exists, if a reservation or a limit leaves no room for both.
    Since 1.15."""
    terminate_first_repair: NotRequired[bool]
    """Whether node repair may do so. Needs nodeRepair. Since 1.15."""
    pod_deletion_cost_management: NotRequired[bool]
    """Whether Karpenter writes pod-deletion-cost, so that ReplicaSets first delete pods on nodes that may be removed. Since
    1.15."""


class AwsFeatureGatesArgs(TypedDict):
    """The feature gates of Karpenter's AWS provider, since 1.15; gates that you leave out are as the version has them."""

    node_class_cel: NotRequired[bool]
    """Whether maxPods and reserved amounts of an EC2NodeClass may be expressions by instance type."""
    dra_nvidia_gpu: NotRequired[bool]
    """Whether instance types carry the GPUs that the DRA driver gpu.nvidia.com publishes."""
    dra_efa: NotRequired[bool]
    """Whether instance types carry the EFA interfaces that the DRA driver dra.net publishes."""
    reboot_for_repair: NotRequired[bool]
    """Whether node repair reboots nodes for faults of GPUs that a reboot clears. Needs nodeRepair, and the controller's
    permission."""


class MirrorArgs(TypedDict):
    """The controller's image from another registry."""

    repository: str
    """The image without tag or digest."""
    tag: NotRequired[str]
    """Its tag. Defaults to the chart's."""
    digest: NotRequired[str]
    """Its digest. Defaults to the chart's, which a copied image keeps; empty for a rebuilt image."""


class RegistryArgs(TypedDict):
    """Where charts come from, if not from the public registry."""

    repository: str
    """The folder of both charts: an address that begins with oci://, or a path with charts that were pulled before."""
    username: NotRequired[pulumi.Input[str]]
    """The user name for pulling."""
    password: NotRequired[pulumi.Input[str]]
    """The password for pulling; a secret."""
    ca_file: NotRequired[pulumi.Input[str]]
    """A file with the registry's certificate authority."""


@section
class KarpenterChartsSection(TypedDict):
    """Further inputs of KarpenterCharts, as a section of a call for a whole cluster has them."""

    cluster_endpoint: NotRequired[pulumi.Input[str]]
    """Address of the API server. With it the controller starts with one call fewer."""
    interruption_queue: NotRequired[pulumi.Input[str]]
    """Name of the interruption queue, neither its ARN nor its URL."""
    role_arn: NotRequired[pulumi.Input[str]]
    """The controller's role, for identity by service account. Leave it out with Pod Identity: with both, one hides the
    other."""
    identity_hash: NotRequired[pulumi.Input[str]]
    """Changes with the role and its policies; as an annotation of the pods, it then restarts them."""
    namespace: NotRequired[str]
    """Defaults to kube-system, whose requests the API server serves first. Elsewhere two FlowSchemas do that."""
    service_account: NotRequired[str]
    """Defaults to karpenter."""
    replicas: NotRequired[int]
    """Defaults to 2, one of which leads; each needs its own node. 1 is for trials."""
    cpu: NotRequired[str]
    """CPU that each controller requests. Defaults to 1."""
    memory: NotRequired[str]
    """Memory of each controller, as request and limit. Defaults to 1Gi; more than 500 nodes need more."""
    isolated_vpc: NotRequired[bool]
    """Whether services without an endpoint in the VPC are unreachable. Defaults to false."""
    custom_networking: NotRequired[bool]
    """Whether pods have addresses from other subnets than their nodes: one interface is then kept. Defaults to false."""
    zonal_shift: NotRequired[bool]
    """Whether to avoid zones that traffic was shifted away from. The cluster has to be registered, and the role needs the
    permission. Defaults to false."""
    coredns_has_other_nodes: NotRequired[bool]
    """Whether CoreDNS has nodes that are not Karpenter's. Without them the controller uses the VPC's DNS, because CoreDNS
    cannot answer before there is a node. Defaults to true."""
    beside_auto_mode: NotRequired[bool]
    """Whether the controller runs on the system pool of EKS Auto Mode. Defaults to false."""
    service_monitor: NotRequired[bool]
    """Whether to create a ServiceMonitor. The chart skips it if its CRD is missing. Defaults to false."""
    host_network: NotRequired[bool]
    """Whether pods use their node's network, which some network plugins need. Defaults to false."""
    log_level: NotRequired[str]
    """Defaults to info."""
    node_selector: NotRequired[dict[str, str]]
    """Labels of the nodes that the controller runs on, in addition to kubernetes.io/os."""
    feature_gates: NotRequired[FeatureGatesArgs]
    """The gates to switch on or off."""
    aws_feature_gates: NotRequired[AwsFeatureGatesArgs]
    """The gates of the AWS provider to switch on or off."""
    mirror: NotRequired[MirrorArgs]
    """The controller's image from elsewhere."""
    registry: NotRequired[RegistryArgs]
    """The charts from elsewhere."""
    values: NotRequired[dict[str, Any]]
    """Further values of the controller's chart. Keys that the version does not have are refused; values that its template would
    leave out are passed as environment variables."""
    adopt: NotRequired[bool]
    """Whether to adopt the CRDs and objects of an earlier installation. The CRDs then stay when the stack is destroyed, and
    with them every NodePool that others created. Defaults to false."""
    install_crds: NotRequired[bool]
    """Whether to install the chart of the CRDs. Defaults to true; set false if something else installs them, such as EKS Auto
    Mode."""


class KarpenterChartsArgs(KarpenterChartsSection):
    """Inputs of KarpenterCharts."""

    karpenter_version: str
    """The exact version of Karpenter, such as 1.15.1: that of both charts."""
    cluster_name: str
    """Name of the cluster."""


@dataclass(frozen=True, slots=True)
class ChartsPlan:
    """Releases that can be made: the version, the settings, and the values that follow from these and from the user's
    values."""

    args: KarpenterChartsArgs
    version: KarpenterVersion
    settings: ControllerSettings
    values: dict[str, Any]
    at: Places = HERE


def plan_charts(args: KarpenterChartsArgs, at: Places = HERE) -> ChartsPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, KarpenterChartsArgs, problems, at)
    version = noted_version(args["karpenter_version"], at.member("karpenterVersion"), problems) or NEWEST
    own = {setting.name for setting in fields(ControllerSettings)} & args.keys()
    plain: dict[str, Any] = {name: value for name, value in args.items() if name in own}
    if "feature_gates" in args:
        plain["feature_gates"] = FeatureGates(**args["feature_gates"])
    if "aws_feature_gates" in args:
        plain["aws_feature_gates"] = AwsFeatureGates(**args["aws_feature_gates"])
    if "mirror" in args:
        plain["mirror"] = ImageMirror(**args["mirror"])
    settings = ControllerSettings(**plain)
    values = controller_values(settings, version, args.get("values", {}), problems, at)
    queue = args.get("interruption_queue")
    if isinstance(queue, str):
        problems.extend(queue_name_problems(queue, at.member("interruptionQueue")))
    problems.raise_if_any()
    return ChartsPlan(args, version, settings, values, at)
