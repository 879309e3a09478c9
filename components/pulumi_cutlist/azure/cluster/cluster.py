"""AksCluster: an AKS cluster that makes its nodes by itself, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from typing import Any, Final, cast

import pulumi
import pulumi_azure_native as azure

from cutlist.infrastructure.aks.cluster import check_change
from cutlist.infrastructure.aks.maintenance import Upgrade
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.unchangeable import changes_of_aks
from pulumi_cutlist.azure.checking import checked, log_warnings
from pulumi_cutlist.azure.cluster.args import AksClusterArgs
from pulumi_cutlist.azure.cluster.inputs import make_managed_cluster, monitored_by
from pulumi_cutlist.azure.cluster.outputs import AksClusterOutputs
from pulumi_cutlist.azure.cluster.settings import ClusterContext, ClusterPlan, read_settings
from pulumi_cutlist.azure.cluster.settings_args import AksSettings
from pulumi_cutlist.azure.known_location import known_location
from pulumi_cutlist.azure.names_args import read_facts
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.program_words import ProgramComponent
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.inputs.unchangeable import compared
from pulumi_cutlist.protection import Protection


def change_hook(name: str) -> pulumi.ResourceHookBinding:
    """Return the hook of a cluster that warns of what a change destroys and refuses what AKS cannot do. Names are the
    stack's."""
    in_previews = pulumi.ResourceHookOptions(on_dry_run=True)
    return pulumi.ResourceHookBinding(before_update=[pulumi.ResourceHook(f"{name}-changes", warn_of_change, in_previews)])


def warn_of_change(change: pulumi.ResourceHookArgs) -> None:
    """Log what a change destroys. Raises InputError for one that AKS does not do."""
    notes = AksNotes()
    check_change(_plain(change.old_inputs), _plain(change.new_inputs), notes)
    for text in notes.texts:
        pulumi.log.warn(text)
    notes.problems.raise_if_any()


def _plain(inputs: Any) -> dict[str, Any]:
    return dict(inputs or {})


_TIMES: Final = pulumi.CustomTimeouts(create="60m", update="90m", delete="60m")


@dataclass(frozen=True, slots=True)
class AksClusterPlan:
    """A cluster that can be made, with what a person should read before."""

    args: AksClusterArgs
    facts: AksFacts
    cluster: ClusterPlan
    warnings: AksNotes


def plan_aks_cluster(args: AksClusterArgs) -> AksClusterPlan:
    """Return what the inputs ask for. Raises InputError with every mistake in them."""
    inputs, notes = checked(args, AksClusterArgs)
    facts = read_facts(inputs["cluster"], notes)
    context = ClusterContext(
        given_network="subnet_id" in inputs,
        has_identity="identity_id" in inputs,
        location=known_location(facts.location),
        own_kubelet_identity="kubelet_identity" in inputs,
        further=inputs.get("further") or {},
    )
    cluster = read_settings(inputs.get("settings") or AksSettings(), context, notes)
    notes.problems.raise_if_any()
    return AksClusterPlan(inputs, facts, cluster, notes)


class AksCluster(AksClusterOutputs, ProgramComponent):
    """An AKS cluster with node provisioning, three system nodes and an OIDC issuer for its pods.

    It does not install Karpenter: AKS brings the controller and the CRDs. With `production` a destroy keeps the cluster, but
    removes what a program has put into it, unless that is protected too. Raises InputError with every mistake found, before
    anything is registered; warns about settings that AKS accepts but that are probably wrong.
    """

    def __init__(
        self,
        name: str,
        args: AksClusterArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: AksClusterPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from those that other parts supply."""
        if plan is None:
            plan = plan_aks_cluster(args)
            args = plan.args
        opts = compared(self, name, "aks", changes_of_aks, opts)
        super().__init__("cutlist:index:AksCluster", name, {**args}, opts)
        log_warnings(plan.warnings, self)
        is_protected = plan.cluster.is_protected
        options = pulumi.ResourceOptions(
            parent=self, protect=is_protected or None, custom_timeouts=_TIMES, hooks=change_hook(name)
        )
        cluster = make_managed_cluster(name, args, plan.facts, plan.cluster, options)
        ends = [cluster, *_windows(name, plan, cluster, self), *_logs(name, args, cluster, self)]
        Protection(f"{name}-protection", protect=is_protected, last=ends, parent=self)
        self.resource_group = plan.facts.resource_group
        self._set_outputs(cluster)
        self.register_outputs(outputs_of(self))

    def _set_outputs(self, cluster: Any) -> None:
        self.cluster_id = cluster.id
        self.cluster_name = cluster.name
        self.fqdn = pulumi.Output.all(cluster.fqdn, cluster.private_fqdn).apply(lambda names: names[0] or names[1])
        self.version = cluster.current_kubernetes_version
        self.node_resource_group = cluster.node_resource_group
        # Only Azure reports the address; it is never an input. Combined with it, the issuer stays unknown for as long as it
        # must.
        reported = pulumi.Output.all(cluster.oidc_issuer_profile, cluster.fqdn, cluster.private_fqdn)
        self.oidc_issuer = reported.apply(lambda known: known[0]["issuer_url"])
        kubelet = cluster.identity_profile.apply(lambda profile: profile["kubeletidentity"])
        self.kubelet_client_id = kubelet.apply(lambda identity: identity["client_id"])
        self.kubelet_object_id = kubelet.apply(lambda identity: identity["object_id"])
        self.kubelet_resource_id = kubelet.apply(lambda identity: identity["resource_id"])


def _windows(
    name: str, plan: AksClusterPlan, cluster: "azure.containerservice.ManagedCluster", parent: pulumi.Resource
) -> list[pulumi.Resource]:
    """Register the windows for upgrades. AKS knows them by their names alone."""
    return [
        azure.containerservice.MaintenanceConfiguration(
            f"{name}-{key}",
            resource_group_name=plan.facts.resource_group,
            resource_name_=after(plan.facts.cluster, cluster),
            config_name=Upgrade(key).config_name,
            maintenance_window={
                "duration_hours": window.duration_hours,
                "start_time": window.start_time,
                "start_date": window.start_date,
                "utc_offset": window.utc_offset,
                "schedule": cast("azure.containerservice.ScheduleArgsDict", window.schedule),
                "not_allowed_dates": [{"start": first, "end": last} for first, last in window.not_allowed] or None,
            },
            opts=pulumi.ResourceOptions(parent=parent),
        )
        for key, window in plan.cluster.windows.items()
    ]


def _logs(
    name: str, args: AksClusterArgs, cluster: "azure.containerservice.ManagedCluster", parent: pulumi.Resource
) -> list[pulumi.Resource]:
    """Register where the control plane's logs go, that of node provisioning among them."""
    monitored = monitored_by(args)
    if monitored is None:
        return []
    workspace, categories = monitored
    return [
        azure.monitor.DiagnosticSetting(
            f"{name}-logs",
            name="control-plane",
            resource_uri=cluster.id,
            workspace_id=workspace,
            logs=[{"category": category, "enabled": True} for category in categories],
            opts=pulumi.ResourceOptions(parent=parent),
        )
    ]
