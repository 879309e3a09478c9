"""Changes of an existing cluster that destroy something, or that AKS does not make (spec: azure 1.2, 1.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.infrastructure.aks.cluster import DefaultPools, Provisioning
from cutlist.infrastructure.aks.notes import AksNotes

SWITCHING_OFF: Final = (
    "set spec.limits.cpu: 0 on every NodePool, move workloads until no node of node provisioning is left "
    "(the taint karpenter.azure.com/disable:NoSchedule on the pools helps), then set the mode to Manual"
)


def check_change(before: Mapping[str, Any], after: Mapping[str, Any], notes: AksNotes) -> None:
    """Report changes that destroy something or that AKS refuses, given a ManagedCluster's inputs by their names in the API."""
    old_mode, new_mode = (_mode(inputs) for inputs in (before, after))
    if old_mode == Provisioning.AUTO and new_mode == Provisioning.MANUAL:
        text = "node provisioning is switched off, which AKS refuses while there are nodes of it"
        notes.warn("nodeProvisioning", f"{text}: {SWITCHING_OFF}")
    elif old_mode == new_mode == Provisioning.AUTO and (_pools(before), _pools(after)) == (
        DefaultPools.AUTO,
        DefaultPools.NONE,
    ):
        text = "the NodePools default and system-surge may be deleted and their nodes drained"
        notes.warn("defaultNodePools", f"Auto becomes None: {text}", "move their workloads to NodePools of yours before")
    old, new = (_outbound(inputs) for inputs in (before, after))
    if old and new and old != new:
        message = f"outboundType goes from {old} to {new}, which a cluster with node provisioning cannot do"
        notes.refuse("network.outboundType", message, old)


def _mode(inputs: Mapping[str, Any]) -> str:
    return str((inputs.get("nodeProvisioningProfile") or {}).get("mode") or Provisioning.MANUAL.value)


def _pools(inputs: Mapping[str, Any]) -> str:
    """Return the value for AKS's own NodePools, with AKS's default if none was given."""
    return str((inputs.get("nodeProvisioningProfile") or {}).get("defaultNodePools") or DefaultPools.AUTO.value)


def _outbound(inputs: Mapping[str, Any]) -> str:
    return str((inputs.get("networkProfile") or {}).get("outboundType") or "")
