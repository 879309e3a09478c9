"""Observability: Prometheus, Grafana with Karpenter's dashboards and alerts, and small helpers, as releases of their charts."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NotRequired, TypedDict

import pulumi
import pulumi_kubernetes as k8s

from cutlist.core.errors import Problems
from cutlist.core.karpenter.versions import NEWEST, KarpenterVersion, noted_version
from cutlist.core.wording import camel_case
from cutlist.infrastructure.charts.settings import SYSTEM_NAMESPACE
from cutlist.infrastructure.controller_access import ROLE_ANNOTATION
from cutlist.infrastructure.inputs import HERE, Places, one_of
from cutlist.infrastructure.name_checks import check_namespace
from cutlist.infrastructure.observability import helm_values
from cutlist.infrastructure.observability.dashboards import dashboards
from cutlist.infrastructure.observability.series import series_problems
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.late import Component
from pulumi_cutlist.inputs.shapes import section, shaped
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.options import child_options

_USER: Final = "admin"
_SECONDS: Final = 900
_HISTORY: Final = 10


class ExternalDnsArgs(TypedDict):
    """Records of services and ingresses in hosted zones."""

    domains: list[str]
    """The domains that it may write to, such as shop.example.com."""
    role_arn: NotRequired[pulumi.Input[str]]
    """Its role, for identity by service account. With Pod Identity leave it out: ExternalDnsIdentity associates the role."""


@section
class ObservabilitySection(TypedDict):
    """Further inputs of Observability, as a section of a call for a whole cluster has them."""

    grafana_password: pulumi.Input[str]
    """Password of Grafana's administrator. It becomes a Secret of Kubernetes and is secret in the stack's state."""
    namespace: NotRequired[str]
    """The namespace of everything. Defaults to monitoring, which it creates; kube-system already exists."""
    karpenter_namespace: NotRequired[str]
    """Where the controller runs. Defaults to kube-system."""
    storage_gib: NotRequired[int]
    """Size of the volume for metrics. Defaults to 0: they are lost with the pod, which is fine for trials."""
    retention_days: NotRequired[int]
    """How long to keep metrics. Defaults to 15."""
    alertmanager: NotRequired[bool]
    """Whether to send alerts with Alertmanager, in addition to showing them. Defaults to false."""
    ops_view: NotRequired[bool]
    """Whether to install kube-ops-view. Defaults to false."""
    time_zone: NotRequired[str]
    """Time zone of kube-ops-view. Defaults to UTC."""
    metrics_server: NotRequired[bool]
    """Whether to install metrics-server, for clusters without its add-on. Defaults to false."""
    external_dns: NotRequired[ExternalDnsArgs]
    """Settings of ExternalDNS. Without them, it is not installed."""
    chart_versions: NotRequired[dict[str, str]]
    """Other versions of the charts, by name: kube-prometheus-stack, kube-ops-view, external-dns, metrics-server."""


class ObservabilityArgs(ObservabilitySection):
    """Inputs of Observability."""

    karpenter_version: str
    """The exact version of the Karpenter to watch: dashboards and alerts use its metrics."""
    cluster_name: str
    """Name of the cluster."""


@dataclass(frozen=True, slots=True)
class ObservabilityPlan:
    """What is installed, with the version of each chart by its name."""

    args: ObservabilityArgs
    version: KarpenterVersion
    chart_versions: Mapping[str, str]


def plan_observability(args: ObservabilityArgs, at: Places = HERE) -> ObservabilityPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, ObservabilityArgs, problems, at)
    place = at.member("karpenterVersion")
    version = noted_version(args["karpenter_version"], place, problems) or NEWEST
    problems.extend(series_problems(version, place))
    versions = {chart.name: chart.version for chart in helm_values.CHARTS}
    for key in ("namespace", "karpenter_namespace"):
        if key in args:
            check_namespace(str(args[key]), at.member(camel_case(key)), problems)
    others = args.get("chart_versions", {})
    for name in others:
        problems.extend(one_of(name, versions, at.member("chartVersions").member(name)))
    if "external_dns" in args and not all(args["external_dns"]["domains"] or [""]):
        domains = at.member("externalDns").member("domains")
        problems.add(domains, "no domain would mean every hosted zone", "names of domains")
    if args.get("storage_gib", 0) < 0:
        problems.add(at.member("storageGib"), f"found {args['storage_gib']}", "0 or more")
    if args.get("retention_days", 1) < 1:
        problems.add(at.member("retentionDays"), f"found {args['retention_days']}", "1 or more")
    problems.raise_if_any()
    return ObservabilityPlan(args, version, {**versions, **others})


class Observability(Component):
    """Metrics, dashboards and alerts for one cluster's Karpenter. None of it can be reached from outside the cluster.

    Let it depend on the controller, and on NodePools if it has to run on their nodes. Raises InputError with every mistake
    found, before anything is registered.
    """

    grafana_service: pulumi.Output[str]
    """Grafana's service, to forward a port to: namespace and name with a slash."""
    prometheus_service: pulumi.Output[str]
    """Prometheus's service, the same way."""

    def __init__(
        self,
        name: str,
        args: ObservabilityArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: ObservabilityPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from the role of ExternalDNS."""
        if plan is None:
            plan = plan_observability(args)
            args = plan.args
        version, versions = plan.version, plan.chart_versions
        password = pulumi.Output.secret(args["grafana_password"])
        super().__init__("cutlist:index:Observability", name, {**args, "grafana_password": password}, opts)
        space = args.get("namespace", helm_values.NAMESPACE)
        before = [] if space == SYSTEM_NAMESPACE else [_namespace(f"{name}-namespace", space, self, opts)]
        options = child_options(self, opts, before)
        secret = k8s.core.v1.Secret(
            f"{name}-grafana",
            metadata={"name": f"{name}-grafana-admin", "namespace": space},
            string_data=dict(zip(helm_values.PASSWORD_KEYS, (_USER, password), strict=True)),
            opts=options,
        )
        boards = _boards(name, version, space, options)
        values = helm_values.monitoring_values(
            version,
            args.get("karpenter_namespace", SYSTEM_NAMESPACE),
            f"{name}-grafana-admin",
            storage_gib=args.get("storage_gib", 0),
            retention_days=args.get("retention_days", 15),
            with_alertmanager=args.get("alertmanager", False),
        )
        behind = child_options(self, opts, [*before, secret, *boards])
        monitoring = _release(name, helm_values.MONITORING, versions, space, values, behind)
        for chart, more in _helpers(args):
            _release(name, chart, versions, space, more, options)
        self.grafana_service = after(f"{space}/{helm_values.MONITORING.name}-grafana", monitoring)
        self.prometheus_service = after(f"{space}/{helm_values.MONITORING.name}-prometheus", monitoring)
        self.register_outputs(outputs_of(self))


def _boards(name: str, version: KarpenterVersion, namespace: str, options: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """Register the dashboards, each in a ConfigMap of its own: Grafana finds them by their label."""
    return [
        k8s.core.v1.ConfigMap(
            f"{name}-{board}",
            metadata={"name": board, "namespace": namespace, "labels": helm_values.DASHBOARD_LABEL},
            data={f"{board}.json": json.dumps(drawn, indent=1)},
            opts=options,
        )
        for board, drawn in dashboards(version).items()
    ]


def _helpers(args: ObservabilityArgs) -> list[tuple[helm_values.Chart, dict[str, Any]]]:
    """Return the helpers that are asked for, each with its values."""
    helpers: list[tuple[helm_values.Chart, dict[str, Any]]] = []
    if args.get("ops_view", False):
        helpers.append((helm_values.OPS_VIEW, helm_values.ops_view_values(args.get("time_zone", "UTC"))))
    if args.get("metrics_server", False):
        helpers.append((helm_values.METRICS_SERVER, {}))
    if "external_dns" in args:
        values = helm_values.external_dns_values(args["cluster_name"], args["external_dns"]["domains"])
        if "role_arn" in args["external_dns"]:
            values["serviceAccount"] = {"annotations": {ROLE_ANNOTATION: args["external_dns"]["role_arn"]}}
        helpers.append((helm_values.EXTERNAL_DNS, values))
    return helpers


def _namespace(name: str, space: str, parent: pulumi.Resource, opts: pulumi.ResourceOptions | None) -> pulumi.CustomResource:
    return k8s.core.v1.Namespace(name, metadata={"name": space}, opts=child_options(parent, opts))


def _release(
    name: str,
    chart: helm_values.Chart,
    versions: Mapping[str, str],
    namespace: str,
    values: dict[str, Any],
    options: pulumi.ResourceOptions,
) -> pulumi.CustomResource:
    """Register a release under the chart's own name, so that its services are where everybody looks for them."""
    return k8s.helm.v3.Release(
        f"{name}-{chart.name}",
        name=chart.name,
        chart=chart.name,
        repository_opts={"repo": chart.repository},
        version=versions[chart.name],
        namespace=namespace,
        values=values,
        skip_await=False,
        atomic=False,
        timeout=_SECONDS,
        max_history=_HISTORY,
        opts=options,
    )
