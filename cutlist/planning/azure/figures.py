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

`quotas` are the remaining vCPUs, that is the limit minus those in use: by quota family, for spot as `lowPriorityCores`, for the
whole location as `cores`. Missing ones are assumed to be unlimited. `restricted` are sizes that the subscription may not use.
`daemonSets` says whether the files contain all those of AKS itself; else they are assumed unless at least one is there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Final

from cutlist.catalog import Size
from cutlist.core.errors import Problems, nearest
from cutlist.core.notes import Note, notes_in_order
from cutlist.core.quantity import amount_text, merge
from cutlist.core.values import dataclass
from cutlist.documents import Document
from cutlist.providers.azure import SPOT_QUOTA, AzureSettings, Observed
from cutlist.providers.azure.own_daemons import SEEN_ON, own_daemons
from cutlist.providers.instance_types import CPU, MEMORY
from cutlist.workloads import DaemonSet, Workloads
from cutlist.workloads.schema import Report, closed, integer, list_of, map_of, one_of, shown, text

ALL_QUOTA: Final = "cores"
_GIVEN: Final = "given"
_VERSION: Final = re.compile(r"v?[0-9]+\.[0-9]+(\.[0-9]+)?")
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

    `daemons_given` says that no DaemonSet of AKS itself is assumed.
    """

    settings: AzureSettings = field(default_factory=AzureSettings)
    observed: Observed = field(default_factory=Observed)
    restricted: frozenset[str] = frozenset()
    daemons_given: bool = False


def aks_figures(data: Mapping[str, Any], memory_overhead: float) -> AksFigures:
    """Return the figures for AKS in a checked document. `memory_overhead` is the controller's setting, as a fraction."""
    texts = {name: data[key] for key, name in _TEXTS.items() if key in data}
    return AksFigures(
        AzureSettings(vm_memory_overhead_percent=memory_overhead, **texts),
        Observed(dict(data.get("quotas") or {})),
        frozenset(data.get("restricted") or ()),
        data.get("daemonSets") == _GIVEN,
    )


def check_names(document: Document, sizes: Mapping[str, Size], problems: Problems) -> None:
    """Add a problem for each quota family and size that the location's catalogue does not know."""
    part = document.data["aks"]
    families = {size.family for size in sizes.values() if size.family} | {SPOT_QUOTA, ALL_QUOTA}
    in_any_case = {family.lower() for family in families}
    for name in part.get("quotas") or ():
        if name.lower() not in in_any_case:  # Azure itself spells families in several ways
            problems.add(document.at(f"aks.quotas.{name}"), f"no quota is called {name!r}", "", nearest(name, sorted(families)))
    for number, name in enumerate(part.get("restricted") or ()):
        if name not in sizes:
            place = document.at(f"aks.restricted[{number}]")
            problems.add(place, f"no VM size is called {name!r}", "", nearest(name, sorted(sizes)))


def kubernetes_version(value: Any, path: str, report: Report) -> None:
    """Report a value that is not a version of Kubernetes."""
    if not isinstance(value, str) or _VERSION.fullmatch(value) is None:
        report.add(path, f"{shown(value)} is not a version of Kubernetes", allowed='a quoted version such as "1.33"')


AKS: Final = closed(
    optional={
        "networkPlugin": one_of("azure", "none"),
        "networkPluginMode": one_of("overlay", ""),
        "networkDataplane": one_of("cilium", "azure"),
        "nodeResourceGroup": text,
        "kubernetesVersion": kubernetes_version,
        "quotas": map_of(integer(0)),
        "restricted": list_of(text),
        "daemonSets": one_of("assumed", _GIVEN),
    }
)


_CODE: Final = "aks-daemonsets"


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
