"""KarpenterCharts: the CRDs and the controller of Karpenter, each as a release of its chart."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import pulumi
import pulumi_kubernetes as k8s

from cutlist.core.errors import InputError, Place
from cutlist.documents.document import merged
from cutlist.infrastructure.charts.crds import crd_values
from cutlist.infrastructure.charts.settings import (
    CRD_RELEASE,
    IDENTITY_HASH,
    RELEASE,
    SYSTEM_NAMESPACE,
    flow_schemas,
)
from cutlist.infrastructure.charts.steps import step_notes, step_problems
from cutlist.infrastructure.charts.upgrade import support_note
from cutlist.infrastructure.controller_access import ROLE_ANNOTATION
from cutlist.infrastructure.interruption import queue_name_problems
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.late import Component
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.inputs.unchangeable import compared
from pulumi_cutlist.kubernetes.charts_plan import ChartsPlan, KarpenterChartsArgs, plan_charts
from pulumi_cutlist.options import child_options, refuse_orphaning

REPOSITORY: Final = "oci://public.ecr.aws/karpenter"
_CRD_SECONDS: Final = 600
_CONTROLLER_SECONDS: Final = 900
_HISTORY: Final = 10
_QUEUE: Final = Place(path="interruptionQueue")


class KarpenterCharts(Component):
    """Karpenter's CRDs, then its controller, of one version.

    Put everything that connects identity, queue and discovery to the controller into `depends_on`. Raises InputError with all
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
        pulling = _pulling(args)
        shown = {**args, "registry": {"repository": _repository(args), **pulling}} if pulling else {**args}
        steps = compared(self, name, "karpenter-charts", functools.partial(step_problems, plan.at), opts, step_notes)
        super().__init__("cutlist:index:KarpenterCharts", name, shown, steps)
        if note := support_note(plan.version):
            pulumi.log.warn(note, self)
        releases = _Releases(self, name, args, plan, opts)
        before = releases.flow_schemas()
        if args.get("install_crds", True):
            before.append(releases.crds())
        controller = releases.controller(before)
        self.namespace = after(plan.settings.namespace, controller)
        self.karpenter_version = after(str(plan.version), controller)
        self.register_outputs(outputs_of(self))


@dataclass(frozen=True, slots=True)
class _Releases:
    """Registers what a component of these inputs holds, under its name."""

    component: KarpenterCharts
    name: str
    args: KarpenterChartsArgs
    plan: ChartsPlan
    opts: pulumi.ResourceOptions | None

    def flow_schemas(self) -> list[pulumi.Resource]:
        """Register the flow schemas by which the API server serves the controller first in namespaces other than its default
        one."""
        settings = self.plan.settings
        return [
            k8s.flowcontrol.v1.FlowSchema(
                f"{self.name}-{schema}",
                metadata={"name": schema},
                spec=cast("k8s.flowcontrol.v1.FlowSchemaSpecArgsDict", spec),  # as Kubernetes writes it
                opts=child_options(self.component, self.opts),
            )
            for schema, spec in flow_schemas(settings.namespace, settings.service_account).items()
        ]

    def crds(self) -> pulumi.Resource:
        """Register the release of the CRDs. Those of an earlier installation are taken over, and kept at the end."""
        adopt = self.args.get("adopt", False)
        values = crd_values(self.plan.version, self.plan.settings.namespace, keep=adopt)
        options = child_options(self.component, self.opts, retain_on_delete=adopt)
        return self._release("crds", CRD_RELEASE, values, _CRD_SECONDS, options)

    def controller(self, before: Sequence[pulumi.Resource]) -> pulumi.Resource:
        """Register the release of the controller, which waits for what is `before` it."""
        values, options = merged(self.plan.values, _passed_on(self.args)), child_options(self.component, self.opts, before)
        return self._release("controller", RELEASE, values, _CONTROLLER_SECONDS, options, skip_crds=True)

    def _release(
        self,
        suffix: str,
        release: str,
        values: dict[str, Any],
        seconds: int,
        options: pulumi.ResourceOptions,
        *,
        skip_crds: bool | None = None,
    ) -> pulumi.Resource:
        namespace = self.plan.settings.namespace
        return k8s.helm.v3.Release(
            f"{self.name}-{suffix}",
            name=release,
            chart=f"{_repository(self.args)}/{release}",
            skip_crds=skip_crds,
            timeout=seconds,
            values=values,
            version=str(self.plan.version),
            namespace=namespace,
            create_namespace=namespace != SYSTEM_NAMESPACE,
            skip_await=False,
            atomic=False,  # a rollback would remove the logs of a failed start
            max_history=_HISTORY,
            take_ownership=self.args.get("adopt", False),
            repository_opts=_pulling(self.args),
            opts=options,
        )


def _passed_on(args: KarpenterChartsArgs) -> dict[str, Any]:
    """Return the values that may be known only after an update."""
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
    """Return the credentials for pulling the charts, or None without any. The password stays a secret."""
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
