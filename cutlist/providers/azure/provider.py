"""The instance types of an AKSNodeClass, from labels, capacity, overhead and offerings (spec: azure 3 to 6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cutlist.catalog.regions import LocationCatalog
from cutlist.catalog.sizes import Size
from cutlist.core.requirements import Requirements
from cutlist.providers.azure.capacity import capacity, overhead
from cutlist.providers.azure.exclusions import class_refusal, name_refusal, refusal
from cutlist.providers.azure.labels import class_labels, size_labels
from cutlist.providers.azure.observed import NOTHING_OBSERVED, Observed
from cutlist.providers.azure.offerings import LocationOfferings, where_sold
from cutlist.providers.azure.profile import NodeProfile
from cutlist.providers.azure.settings import AzureSettings
from cutlist.providers.instance_types import InstanceType

if TYPE_CHECKING:
    from cutlist.api.aksnodeclass import AKSNodeClass

_DEFAULTS: Final = AzureSettings()


def instance_types(
    node_class: AKSNodeClass,
    catalog: LocationCatalog,
    settings: AzureSettings = _DEFAULTS,
    zones: Sequence[str] | None = None,
    observed: Observed = NOTHING_OBSERVED,
) -> tuple[InstanceType, ...]:
    """Return every size that the provider lists for the class in a location; one that is unavailable has no open offering.

    Amounts are nano-units, prices USD per hour. Only offerings in `zones` are open; without any, those in all zones of the
    location.
    """
    profile = NodeProfile.of(node_class, settings)
    location = LocationOfferings(catalog, observed, frozenset(zones or ()))
    of_class = class_labels(profile, settings)

    def instance_type(size: Size) -> InstanceType:
        offerings = location.offerings(size)
        sold = where_sold(catalog.region, tuple(o.requirements for o in offerings if o.available))
        return InstanceType(
            name=size.name,
            requirements=Requirements((*size_labels(size), *sold, *of_class)),
            capacity=capacity(size, profile),
            overhead=overhead(size.vcpus, size.memory_gib),
            offerings=offerings,
        )

    return tuple(instance_type(size) for size in _listed(catalog) if not class_refusal(size, profile))


@lru_cache(maxsize=64)
def _listed(catalog: LocationCatalog) -> tuple[Size, ...]:
    """Return the sizes of a location that may be used; names are checked first, which avoids reading many rows."""
    named = (name for name in catalog.machines if not name_refusal(name))
    return tuple(size for size in (catalog.machines[name] for name in named) if not refusal(size))
