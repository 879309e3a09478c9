"""The DaemonSets that AKS runs on its Linux nodes, as far as public records of nodes show them (spec: azure 1.3, 2.6).

Amounts are those that `kubectl describe node` shows on AKS 1.30 to 1.32; issues 3525, 5244 and 5251 of github.com/Azure/AKS
agree where they overlap. Releases of AKS and its scaling of add-ons change them, so they are an assumption, never a fact about
a cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cutlist.core.quantity import MEBI, MILLI, NANO
from cutlist.core.requirement import Expression
from cutlist.core.taints import Toleration
from cutlist.providers.azure.labels import EBPF_DATAPLANE
from cutlist.providers.azure.settings import AzureSettings
from cutlist.providers.instance_types import CPU, MEMORY, PODS
from cutlist.workloads.groups import DaemonSet
from cutlist.workloads.pods import FrozenDict, Pod, Terms

SEEN_ON: Final = "AKS 1.30 to 1.32"
_NAMESPACE: Final = "kube-system"
_EVERYWHERE: Final = (Toleration(operator="Exists"),)
_CILIUM_NODES: Final[Terms] = ((Expression(EBPF_DATAPLANE, "In", ("cilium",)),),)


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


_AGENTS: Final = (
    _Agent("azure-cns", 40, 250, _hands_out_addresses),
    _Agent("azure-ip-masq-agent", 100, 50, _azure_plugin),
    _Agent("cilium", 0, 100, _cilium, _CILIUM_NODES),
    _Agent("cloud-node-manager", 50, 50, _always),
    _Agent("csi-azuredisk-node", 30, 60, _always),
    _Agent("csi-azurefile-node", 30, 60, _always),
    _Agent("kube-proxy", 100, 0, _without_cilium),
)


def own_daemons(settings: AzureSettings) -> tuple[DaemonSet, ...]:
    """Return the DaemonSets of a cluster with these settings' network, by name.

    Cilium's runs only on nodes with the label `kubernetes.azure.com/ebpf-dataplane: cilium`: as in Karpenter, it is not counted
    for a NodePool whose template does not have it (Z-36).
    """
    return tuple(agent.daemon for agent in _AGENTS if agent.runs(settings))
