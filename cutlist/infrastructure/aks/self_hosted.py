"""A self-hosted Karpenter on AKS: the trust in its identity, its environment and the values of its charts (spec: azure 1.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.karpenter.versions import noted_version
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.profile import NetworkProfile

AUDIENCE: Final = "api://AzureADTokenExchange"
SERVICE_ACCOUNT: Final = "karpenter-sa"
NAMESPACE: Final = "kube-system"
REPOSITORY: Final = "oci://mcr.microsoft.com/aks/karpenter"
CRD_CHART: Final = "karpenter-crd"
CHART: Final = "karpenter"
_CLIENT_ID: Final = "azure.workload.identity/client-id"
_USE_IDENTITY: Final = {"azure.workload.identity/use": "true"}
_PLUGINS: Final = ("azure", "none")
_MODES: Final = ("overlay", "none")
_DATAPLANES: Final = ("azure", "cilium", "none")

REQUIRED: Final = (
    "CLUSTER_NAME",
    "CLUSTER_ENDPOINT",
    "KUBELET_BOOTSTRAP_TOKEN",
    "SSH_PUBLIC_KEY",
    "VNET_SUBNET_ID",
    "AZURE_NODE_RESOURCE_GROUP",
)
"""Without any of these the controller does not start."""
OPTIONAL: Final = (
    "AZURE_SUBSCRIPTION_ID",
    "ARM_RESOURCE_GROUP",
    "LOCATION",
    "VNET_GUID",
    "NODE_IDENTITIES",
    "KUBELET_IDENTITY_CLIENT_ID",
    "NETWORK_PLUGIN",
    "NETWORK_PLUGIN_MODE",
    "NETWORK_DATAPLANE",
    "NETWORK_POLICY",
    "DNS_SERVICE_IP",
    "USE_SIG",
    "PROVISION_MODE",
    "VM_MEMORY_OVERHEAD_PERCENT",
    "ADDITIONAL_TAGS",
    "NODE_OSDISK_DISKENCRYPTIONSET_ID",
    "LINUX_ADMIN_USERNAME",
)
_MADE: Final = {"PROVISION_MODE": "aksscriptless", "USE_SIG": "false"}


@dataclass(frozen=True, slots=True)
class ControllerFacts:
    """The facts about a controller that are known before anything is created. `version` is the exact version of both charts."""

    cluster: AksFacts
    version: str
    profile: NetworkProfile
    namespace: str = NAMESPACE
    memory_overhead: float = 0.075

    @property
    def subject(self) -> str:
        """Return the service account whose tokens are accepted for the identity."""
        return f"system:serviceaccount:{self.namespace}:{SERVICE_ACCOUNT}"


def check_controller(facts: ControllerFacts, values: Mapping[str, Any], notes: AksNotes) -> None:
    """Report settings with which the controller would not start, and chart values that may only be given as a setting."""
    noted_version(facts.version, notes.at("karpenterVersion"), notes.problems)
    profile = facts.profile
    for path, value, allowed in (
        ("plugin", profile.plugin, _PLUGINS),
        ("mode", profile.mode, _MODES),
        ("dataplane", profile.dataplane, _DATAPLANES),
    ):
        notes.one_of(f"network.{path}", value, allowed)
    if profile.plugin == "none" and profile.mode != "none":
        notes.refuse("network.mode", f"mode {profile.mode} with a CNI that you bring yourself", "none")
    if not 0 <= facts.memory_overhead < 1:
        notes.refuse(
            "memoryOverhead", f"{facts.memory_overhead} is not a fraction", "the fraction of a machine's memory, such as 0.075"
        )
    for n, variable in enumerate((values.get("controller") or {}).get("env") or ()):
        name = str(variable.get("name")) if isinstance(variable, Mapping) else repr(variable)
        known = (*REQUIRED, *OPTIONAL)
        if name in known:
            notes.refuse(f"values.controller.env[{n}]", f"{name} is made from the inputs", "the input that it comes from")


def environment(facts: ControllerFacts, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the controller's environment. `options` are variables from facts of the account; those that are None are left
    out."""
    cluster, profile = facts.cluster, facts.profile
    variables = {
        "CLUSTER_NAME": cluster.cluster,
        "AZURE_NODE_RESOURCE_GROUP": cluster.node_resource_group,
        "AZURE_SUBSCRIPTION_ID": cluster.subscription,
        "ARM_RESOURCE_GROUP": cluster.resource_group,
        "LOCATION": cluster.location,
        "NETWORK_PLUGIN": profile.plugin,
        "NETWORK_PLUGIN_MODE": _variable_text(profile.mode),
        "NETWORK_DATAPLANE": _variable_text(profile.dataplane),
        "NETWORK_POLICY": _variable_text(profile.policy),
        "VM_MEMORY_OVERHEAD_PERCENT": str(facts.memory_overhead),
        **_MADE,
        **options,
    }
    return [{"name": name, "value": variables[name]} for name in (*REQUIRED, *OPTIONAL) if variables.get(name) is not None]


def chart_values(variables: list[dict[str, Any]], client_id: Any, user: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the controller's chart: the user's, overridden by those for identity and environment."""
    account, controller = user.get("serviceAccount") or {}, user.get("controller") or {}
    annotations = {**(account.get("annotations") or {}), _CLIENT_ID: client_id}
    return {
        **user,
        "serviceAccount": {**account, "name": SERVICE_ACCOUNT, "annotations": annotations},
        "podLabels": {**(user.get("podLabels") or {}), **_USE_IDENTITY},
        "controller": {**controller, "env": [*variables, *(controller.get("env") or ())]},
    }


def _variable_text(value: str) -> str:
    """Return a choice in the form of the environment, where `none` is empty."""
    return "" if value == "none" else value
