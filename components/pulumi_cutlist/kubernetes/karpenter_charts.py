"""KarpenterCharts: the CRDs and the controller of Karpenter, each as a release of its chart."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass, fields
from typing import Any, Final, NotRequired, TypedDict, cast

import pulumi
import pulumi_kubernetes as k8s

from cutlist.core.errors import InputError, Place, Problems
from cutlist.documents import merged
from cutlist.infrastructure.charts.crds import crd_values
from cutlist.infrastructure.charts.settings import (
    CRD_RELEASE,
    IDENTITY_HASH,
    RELEASE,
    SYSTEM_NAMESPACE,
    ControllerSettings,
    FeatureGates,
    ImageMirror,
    controller_values,
    flow_schemas,
)
from cutlist.infrastructure.charts.upgrade import support_note
from cutlist.infrastructure.controller_access import ROLE_ANNOTATION
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.interruption import queue_name_problems
from cutlist.infrastructure.karpenter_versions import NEWEST, KarpenterVersion, noted_version
from pulumi_cutlist.known import after
from pulumi_cutlist.options import child_options, refuse_orphaning
from pulumi_cutlist.shapes import shaped

REPOSITORY: Final = "oci://public.ecr.aws/karpenter"
_CRD_SECONDS: Final = 600
_CONTROLLER_SECONDS: Final = 900
_HISTORY: Final = 10
_QUEUE: Final = Place(path="interruptionQueue")


class FeatureGatesArgs(TypedDict):
    """Karpenter's feature gates; what is left out is as the version has it."""

    node_repair: NotRequired[bool]
    """Whether to replace nodes that a monitoring agent finds broken. The agent has to run."""
    node_overlay: NotRequired[bool]
    """Whether NodeOverlays change prices and capacities."""
    reserved_capacity: NotRequired[bool]
    """Whether to launch into capacity reservations."""
    spot_to_spot_consolidation: NotRequired[bool]
    """Whether to replace spot nodes by cheaper spot nodes."""
    static_capacity: NotRequired[bool]
    """Whether NodePools with replicas keep so many nodes."""
    capacity_buffer: NotRequired[bool]
    """Whether CapacityBuffers hold room in advance."""


class MirrorArgs(TypedDict):
    """The controller's image from another registry."""

    repository: str
    """The image without tag or digest."""
    tag: NotRequired[str]
    """Its tag. Defaults to the chart's."""
    digest: NotRequired[str]
    """Its digest. Defaults to the chart's, which a copied image keeps; empty for an image that was made anew."""


class RegistryArgs(TypedDict):
    """Where charts come from, when not from the public registry."""

    repository: str
    """The folder of both charts: an address that begins with oci://, or a path with charts that were pulled before."""
    username: NotRequired[pulumi.Input[str]]
    """Who pulls."""
    password: NotRequired[pulumi.Input[str]]
    """Their password; a secret."""
    ca_file: NotRequired[pulumi.Input[str]]
    """A file with the registry's certificate authority."""


class KarpenterChartsArgs(TypedDict):
    """Inputs of KarpenterCharts."""

    karpenter_version: str
    """The exact version of Karpenter, such as 1.14.1: that of both charts."""
    cluster_name: str
    """Name of the cluster."""
    cluster_endpoint: NotRequired[pulumi.Input[str]]
    """Address of the API server. With it the controller starts with one call fewer."""
    interruption_queue: NotRequired[pulumi.Input[str]]
    """Name of the interruption queue, neither its ARN nor its URL."""
    role_arn: NotRequired[pulumi.Input[str]]
    """The controller's role, for identity by service account. Leave it out with Pod Identity: both at once hide one another."""
    identity_hash: NotRequired[pulumi.Input[str]]
    """Changes whenever the role or its policies do; as an annotation of the pods it restarts them then."""
    namespace: NotRequired[str]
    """Defaults to kube-system, whose requests the API server serves first. Elsewhere two FlowSchemas do that."""
    service_account: NotRequired[str]
    """Defaults to karpenter."""
    replicas: NotRequired[int]
    """Defaults to 2, of which one leads and each wants a node of its own; 1 is for trials."""
    cpu: NotRequired[str]
    """CPU that each controller asks for. Defaults to 1."""
    memory: NotRequired[str]
    """Memory of each controller, asked for and limited. Defaults to 1Gi; more than 500 nodes want more."""
    isolated_vpc: NotRequired[bool]
    """Whether there is no way to the services that have no endpoint in the VPC. Defaults to false."""
    custom_networking: NotRequired[bool]
    """Whether pods have addresses from other subnets than their nodes: one interface is then kept. Defaults to false."""
    zonal_shift: NotRequired[bool]
    """Whether shifted zones are avoided. The cluster has to be registered, and the role allowed to ask. Defaults to false."""
    coredns_has_other_nodes: NotRequired[bool]
    """Whether CoreDNS has nodes that are not Karpenter's. Without them the controller asks the VPC for names, since CoreDNS
    could not answer before there is a node. Defaults to true."""
    beside_auto_mode: NotRequired[bool]
    """Whether the controller runs on the system pool of EKS Auto Mode. Defaults to false."""
    service_monitor: NotRequired[bool]
    """Whether to make a ServiceMonitor. The chart passes it over where its CRD is missing. Defaults to false."""
    host_network: NotRequired[bool]
    """Whether pods use their node's network, which some network plugins need. Defaults to false."""
    log_level: NotRequired[str]
    """Defaults to info."""
    node_selector: NotRequired[dict[str, str]]
    """Labels of the nodes that the controller runs on, beside kubernetes.io/os."""
    feature_gates: NotRequired[FeatureGatesArgs]
    """What to switch on or off."""
    mirror: NotRequired[MirrorArgs]
    """The controller's image from elsewhere."""
    registry: NotRequired[RegistryArgs]
    """The charts from elsewhere."""
    values: NotRequired[dict[str, Any]]
    """Further values of the controller's chart. Keys that the version does not have are refused; values that its template would
    leave out are passed as environment variables."""
    adopt: NotRequired[bool]
    """Whether CRDs and objects of an earlier installation are taken over. The CRDs then stay when the stack goes, and with them
    every NodePool that others made. Defaults to false."""
    install_crds: NotRequired[bool]
    """Whether to install the chart of the CRDs. Defaults to true; false where another brings them, such as EKS Auto Mode."""


@dataclass(frozen=True, slots=True)
class ChartsPlan:
    """Releases that can be made: the version, the settings, and the values that they and the user make."""

    args: KarpenterChartsArgs
    version: KarpenterVersion
    settings: ControllerSettings
    values: dict[str, Any]


def plan_charts(args: KarpenterChartsArgs, at: Places = HERE) -> ChartsPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, KarpenterChartsArgs, problems, at)
    version = noted_version(args["karpenter_version"], at.member("karpenterVersion"), problems) or NEWEST
    own = {setting.name for setting in fields(ControllerSettings)} & args.keys()
    plain: dict[str, Any] = {name: value for name, value in args.items() if name in own}
    if "feature_gates" in args:
        plain["feature_gates"] = FeatureGates(**args["feature_gates"])
    if "mirror" in args:
        plain["mirror"] = ImageMirror(**args["mirror"])
    settings = ControllerSettings(**plain)
    values = controller_values(settings, version, args.get("values", {}), problems, at)
    queue = args.get("interruption_queue")
    if isinstance(queue, str):
        problems.extend(queue_name_problems(queue, at.member("interruptionQueue")))
    problems.raise_if_any()
    return ChartsPlan(args, version, settings, values)


class KarpenterCharts(pulumi.ComponentResource):
    """Karpenter's CRDs, then its controller, of one version.

    Everything that wires identity, queue and discovery to the controller belongs into `depends_on`. Raises InputError with all
    mistakes in the settings and values, before anything is registered.
    """

    namespace: pulumi.Output[str]
    """The namespace, once the controller runs in it."""
    karpenter_version: pulumi.Output[str]
    """The version of Karpenter, once it runs."""

    def __init__(
        self,
        name: str,
        args: KarpenterChartsArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: ChartsPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from those that other parts supply."""
        refuse_orphaning(opts)
        if plan is None:
            plan = plan_charts(args)
            args = plan.args
        version, settings, pulling = plan.version, plan.settings, _pulling(args)
        shown = {**args, "registry": {"repository": _repository(args), **pulling}} if pulling else {**args}
        super().__init__("cutlist:index:KarpenterCharts", name, shown, opts)
        if note := support_note(version):
            pulumi.log.warn(note, self)
        adopt = args.get("adopt", False)
        before: list[pulumi.Resource] = [
            k8s.flowcontrol.v1.FlowSchema(
                f"{name}-{schema}",
                metadata={"name": schema},
                spec=cast("k8s.flowcontrol.v1.FlowSchemaSpecArgsDict", spec),  # as Kubernetes writes it
                opts=child_options(self, opts),
            )
            for schema, spec in flow_schemas(settings.namespace, settings.service_account).items()
        ]
        if args.get("install_crds", True):
            crds = k8s.helm.v3.Release(
                f"{name}-crds",
                name=CRD_RELEASE,
                chart=f"{_repository(args)}/{CRD_RELEASE}",
                timeout=_CRD_SECONDS,
                values=crd_values(version, settings.namespace, keep=adopt),
                version=str(version),
                namespace=settings.namespace,
                create_namespace=settings.namespace != SYSTEM_NAMESPACE,
                skip_await=False,
                atomic=False,  # a way back would take the logs of a failed start with it
                max_history=_HISTORY,
                take_ownership=adopt,
                repository_opts=pulling,
                opts=child_options(self, opts, retain_on_delete=adopt),
            )
            before.append(crds)
        controller = k8s.helm.v3.Release(
            f"{name}-controller",
            name=RELEASE,
            chart=f"{_repository(args)}/{RELEASE}",
            skip_crds=True,
            timeout=_CONTROLLER_SECONDS,
            values=merged(plan.values, _passed_on(args)),
            version=str(version),
            namespace=settings.namespace,
            create_namespace=settings.namespace != SYSTEM_NAMESPACE,
            skip_await=False,
            atomic=False,
            max_history=_HISTORY,
            take_ownership=adopt,
            repository_opts=pulling,
            opts=child_options(self, opts, before),
        )
        self.namespace = after(settings.namespace, controller)
        self.karpenter_version = after(str(version), controller)
        self.register_outputs({"namespace": self.namespace, "karpenterVersion": self.karpenter_version})


def _passed_on(args: KarpenterChartsArgs) -> dict[str, Any]:
    """The values that may be known only after an update."""
    values: dict[str, Any] = {"settings": {}}
    if "cluster_endpoint" in args:
        values["settings"]["clusterEndpoint"] = args["cluster_endpoint"]
    if "interruption_queue" in args:
        values["settings"]["interruptionQueue"] = pulumi.Output.from_input(args["interruption_queue"]).apply(_queue_name)
    if "role_arn" in args:
        values["serviceAccount"] = {"annotations": {ROLE_ANNOTATION: args["role_arn"]}}
    if "identity_hash" in args:
        values["podAnnotations"] = {IDENTITY_HASH: args["identity_hash"]}
    return values


def _queue_name(name: str) -> str:
    problems = list(queue_name_problems(name, _QUEUE))
    if problems:
        raise InputError(problems)
    return name


def _pulling(args: KarpenterChartsArgs) -> "k8s.helm.v3.RepositoryOptsArgsDict | None":
    """Return who pulls the charts, None for nobody by name. The password is a secret wherever it goes."""
    registry = args.get("registry")
    pulling: k8s.helm.v3.RepositoryOptsArgsDict = {}
    if registry is None:
        return None
    if "username" in registry:
        pulling["username"] = registry["username"]
    if "password" in registry:
        pulling["password"] = pulumi.Output.secret(registry["password"])
    if "ca_file" in registry:
        pulling["ca_file"] = registry["ca_file"]
    return pulling or None


def _repository(args: KarpenterChartsArgs) -> str:
    return args["registry"]["repository"].rstrip("/") if "registry" in args else REPOSITORY
