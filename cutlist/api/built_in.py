"""Node classes and NodePools that clouds create themselves, so no file has to define them (spec: api-objects 8.2, azure
2.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.autonodeclass_rules import MANAGED_CLASS
from cutlist.core.errors import Place, Problems, nearest
from cutlist.core.labels import AUTO_GROUP, AZURE_GROUP
from cutlist.core.services import AKS, EKS_AUTO
from cutlist.settings.planning import BUILT_IN_POOLS

GENERAL_PURPOSE: Final = "general-purpose"
SYSTEM: Final = "system"
AUTO_POOLS: Final = tuple(pool.name for pool in EKS_AUTO.pools)
"""NodePools that EKS creates in Auto Mode if they are switched on, all with one class."""

SYSTEM_SURGE: Final = "system-surge"
AKS_POOLS: Final = tuple(pool.name for pool in AKS.pools)
"""NodePools that AKS creates if it is configured to."""
AKS_CLASSES: Final = AKS.classes
"""Node classes that AKS creates with them."""

BUILT_IN_CLASSES: Final = frozenset(
    {(AUTO_GROUP, AutoNodeClass.KIND, MANAGED_CLASS), *((AZURE_GROUP, AKSNodeClass.KIND, name) for name in AKS_CLASSES)}
)
"""Group, kind and name of the node classes that EKS Auto Mode and AKS create."""


def chosen_names(names: Iterable[str], known: Collection[str], cloud: str) -> list[str]:
    """Return the names sorted, each once. Raises InputError with all names that the cloud does not have."""
    wanted = sorted(set(names))
    problems = Problems()
    for name in wanted:
        if name not in known:
            text = f"{name!r} is not a built-in NodePool of {cloud}"
            problems.add(Place.of(BUILT_IN_POOLS), text, ", ".join(known), nearest(name, known))
    problems.raise_if_any()
    return wanted
