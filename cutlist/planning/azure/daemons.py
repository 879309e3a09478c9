"""The DaemonSets that AKS itself runs on each node, in plans whose files do not contain them (spec: azure 1.3, 2.6).

Their amounts are those that `kubectl describe node` shows on AKS 1.30 to 1.32, as far as public records of nodes show them;
issues 3525, 5244 and 5251 of github.com/Azure/AKS agree where they overlap. Releases of AKS and its scaling of add-ons change
them, so they are an assumption, never a fact about a cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.notes import Note, notes_in_order
from cutlist.core.quantity import MEBI, MILLI, NANO, amount_text, merge
from cutlist.core.requirement import Expression
from cutlist.core.taints import Toleration
from cutlist.planning.azure.figures import AksFigures
from cutlist.providers.azure.labels import EBPF_DATAPLANE
from cutlist.providers.azure.settings import AzureSettings
from cutlist.providers.instance_types import CPU, MEMORY, PODS
from cutlist.workloads.groups import DaemonSet
from cutlist.workloads.pods import FrozenDict, Pod, Terms
from cutlist.workloads.read import Workloads

_CODE: Final = "aks-daemonsets"
SEEN_ON: Final = "AKS 1.30 to 1.32"
_NAMESPACE: Final = "kube-system"
_EVERYWHERE: Final = (Toleration(operator="Exists"),)
_CILIUM_NODES: Final[Terms] = ((Expression(EBPF_DATAPLANE, "In", ("cilium",)),),)


def with_own_daemons(workloads: Workloads, figures: AksFigures) -> Workloads:
    """Return the workloads with the DaemonSets that AKS itself runs on each node, and a note about them.

    Nothing is added if the input has any of these DaemonSets, or if the figures say that all are given.
    """
    daemons = own_daemons(figures.settings)
    known = {daemon.workload for daemon in daemons}
    if figures.daemons_given or any(daemon.workload in known for daemon in workloads.daemons):
        return workloads
    notes = (*workloads.notes, _note(daemons))
    return replace(workloads, daemons=(*workloads.daemons, *daemons), notes=notes_in_order(notes))


def _note(daemons: tuple[DaemonSet, ...]) -> Note:
    requests = merge(*(daemon.pod.requests for daemon in daemons))
    names = ", ".join(daemon.name for daemon in daemons)
    amounts = " and ".join(amount_text(resource, requests[resource]) for resource in (CPU, MEMORY))
    text = (
        f"no DaemonSet of AKS itself is in the input, so those seen on {SEEN_ON} are assumed to run: {names}, together at most "
        f"{amounts} of a node; with `aks.daemonSets: given` in Figures those of the input alone count"
    )
    return Note(_CODE, text)


@dataclass(frozen=True, slots=True)
class _Agent:
    """A DaemonSet's requests in milli-cores and MiB, the networks in which it runs, and its node selector unless it runs on all
    nodes."""

    name: str
    cpu: int
    memory: int
    runs: Callable[[AzureSettings], bool]
    required: Terms | None = None

    @property
    def daemon(self) -> DaemonSet:
        amounts = {CPU: self.cpu * MILLI, MEMORY: self.memory * MEBI, PODS: NANO}
        requests = FrozenDict({resource: amount for resource, amount in amounts.items() if amount})
        pod = Pod(_NAMESPACE, tolerations=_EVERYWHERE, requests=requests, required=self.required)
        return DaemonSet(self.name, _NAMESPACE, pod)


def _always(_settings: AzureSettings) -> bool:
    return True


def _azure_plugin(settings: AzureSettings) -> bool:
    return settings.network_plugin == "azure"


def _cilium(settings: AzureSettings) -> bool:
    return _azure_plugin(settings) and settings.network_dataplane == "cilium"


def _hands_out_addresses(settings: AzureSettings) -> bool:
    return _cilium(settings) or (_azure_plugin(settings) and settings.network_plugin_mode == "overlay")


def _without_cilium(settings: AzureSettings) -> bool:
    return not _cilium(settings)


def own_daemons(settings: AzureSettings) -> tuple[DaemonSet, ...]:
    """Return the DaemonSets of a cluster with these settings' network, by name.

    Cilium's runs only on nodes with the label `kubernetes.azure.com/ebpf-dataplane: cilium`: as in Karpenter, it is not counted
    for a NodePool whose template does not have it (Z-36).
    """
    return tuple(agent.daemon for agent in _AGENTS if agent.runs(settings))


_AGENTS: Final = (
    _Agent("azure-cns", 40, 250, _hands_out_addresses),
    _Agent("azure-ip-masq-agent", 100, 50, _azure_plugin),
    _Agent("cilium", 0, 100, _cilium, _CILIUM_NODES),
    _Agent("cloud-node-manager", 50, 50, _always),
    _Agent("csi-azuredisk-node", 30, 60, _always),
    _Agent("csi-azurefile-node", 30, 60, _always),
    _Agent("kube-proxy", 100, 0, _without_cilium),
)
