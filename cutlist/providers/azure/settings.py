"""The settings of Karpenter on AKS that instance types depend on (spec: azure 2.2)."""

from __future__ import annotations

from dataclasses import dataclass

from cutlist.infrastructure.aks.profile import default_max_pods


@dataclass(frozen=True, slots=True)
class AzureSettings:
    """The controller's settings, with their defaults of v1.14 and the network that AKS recommends.

    `vm_memory_overhead_percent` is a fraction: 0.075 keeps 7.5% of memory. `network_plugin` is `azure` or `none`,
    `network_plugin_mode` `overlay` or empty, `network_dataplane` `cilium` or `azure`. `node_resource_group` and
    `kubernetes_version` (`1.33`) are empty when unknown.
    """

    vm_memory_overhead_percent: float = 0.075
    network_plugin: str = "azure"
    network_plugin_mode: str = "overlay"
    network_dataplane: str = "cilium"
    node_resource_group: str = ""
    kubernetes_version: str = ""

    @property
    def default_max_pods(self) -> int:
        """Return how many pods a node accepts if the AKSNodeClass does not set it (Z-40)."""
        return default_max_pods(self.network_plugin, self.network_plugin_mode)
