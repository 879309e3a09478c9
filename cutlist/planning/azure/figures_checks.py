"""The part `aks` of a document of kind `Figures`, checked: its shape, and the names in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.catalog import Size
from cutlist.core.errors import Problems, nearest
from cutlist.core.shapes import closed, integer, list_of, map_of, matching, one_of, text
from cutlist.documents import Document
from cutlist.planning.azure.figures import ALL_QUOTA, GIVEN
from cutlist.providers.azure.observed import SPOT_QUOTA


def check_names(document: Document, sizes: Mapping[str, Size], problems: Problems) -> None:
    """Add a problem for each quota family and size that the location's catalogue does not know."""
    part = document.data["aks"]
    families = {size.family for size in sizes.values() if size.family} | {SPOT_QUOTA, ALL_QUOTA}
    in_any_case = {family.lower() for family in families}
    for name in part.get("quotas") or ():
        if name.lower() not in in_any_case:  # Azure itself spells families in several ways
            problems.add(document.at(f"aks.quotas.{name}"), f"no quota is named {name!r}", "", nearest(name, sorted(families)))
    for number, name in enumerate(part.get("restricted") or ()):
        if name not in sizes:
            place = document.at(f"aks.restricted[{number}]")
            problems.add(place, f"no VM size is named {name!r}", "", nearest(name, sorted(sizes)))


KUBERNETES_VERSION: Final = matching(
    r"v?[0-9]+\.[0-9]+(\.[0-9]+)?", "a version of Kubernetes", 'a quoted version such as "1.33"'
)
AKS: Final = closed(
    optional={
        "networkPlugin": one_of("azure", "none"),
        "networkPluginMode": one_of("overlay", ""),
        "networkDataplane": one_of("cilium", "azure"),
        "nodeResourceGroup": text,
        "kubernetesVersion": KUBERNETES_VERSION,
        "quotas": map_of(integer(0)),
        "restricted": list_of(text),
        "daemonSets": one_of("assumed", GIVEN),
    }
)
