"""The user's own figures for an AKS cluster and its subscription: the part `aks` of a document of kind `Figures`.

    aks:
      networkPlugin: azure            # or none
      networkPluginMode: overlay      # or "", for nodes and pods in one subnet
      networkDataplane: cilium        # or azure
      nodeResourceGroup: MC_shop_prod_japaneast
      kubernetesVersion: "1.33"
      quotas: {standardDSv5Family: 64, lowPriorityCores: 100}
      restricted: [Standard_D2ps_v5]
      daemonSets: assumed             # or given
      sku: Base                       # or Automatic
      nodeProvisioning: Auto          # or Manual, where you run Karpenter yourself

`quotas` are the remaining vCPUs, that is the limit minus those in use: by quota family, for spot as `lowPriorityCores`, for the
whole location as `cores`. Missing ones are assumed to be unlimited. `restricted` are sizes that the subscription may not use.
`daemonSets` says whether the files contain all those of AKS itself; else they are assumed unless at least one is there. `sku`
and `nodeProvisioning` are those of the cluster: AKS Automatic has other classes, and with `Manual` Karpenter is the user's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.services import AUTOMATIC
from cutlist.infrastructure.aks.cluster import Provisioning
from cutlist.providers.azure.observed import Observed
from cutlist.providers.azure.settings import AzureSettings

ALL_QUOTA: Final = "cores"
GIVEN: Final = "given"
"""The value of `daemonSets` with which none is assumed."""
_TEXTS: Final = {
    "networkPlugin": "network_plugin",
    "networkPluginMode": "network_plugin_mode",
    "networkDataplane": "network_dataplane",
    "nodeResourceGroup": "node_resource_group",
    "kubernetesVersion": "kubernetes_version",
}


@dataclass(frozen=True, slots=True)
class AksFigures:
    """The cluster's settings, the rest of the subscription's quotas, and the sizes that it may not use.

    `daemons_given` says that no DaemonSet of AKS itself is assumed, `is_automatic` that the cluster is one of AKS Automatic,
    `is_self_hosted` that the user runs Karpenter.
    """

    settings: AzureSettings = field(default_factory=AzureSettings)
    observed: Observed = field(default_factory=Observed)
    restricted: frozenset[str] = frozenset()
    daemons_given: bool = False
    is_automatic: bool = False
    is_self_hosted: bool = False


def aks_figures(data: Mapping[str, Any], memory_overhead: float) -> AksFigures:
    """Return the figures for AKS in a checked document. `memory_overhead` is the controller's setting, as a fraction."""
    texts = {name: data[key] for key, name in _TEXTS.items() if key in data}
    return AksFigures(
        AzureSettings(vm_memory_overhead_percent=memory_overhead, **texts),
        Observed(dict(data.get("quotas") or {})),
        frozenset(data.get("restricted") or ()),
        data.get("daemonSets") == GIVEN,
        data.get("sku") == AUTOMATIC,
        data.get("nodeProvisioning") == Provisioning.MANUAL,
    )
