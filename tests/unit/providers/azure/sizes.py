"""Sizes and the instance types that a class makes of them, for tests of the provider."""

from __future__ import annotations

from typing import Any

from cutlist import AKSNodeClass
from cutlist.catalog.embedded import all_sizes, load_location
from cutlist.catalog.regions import LocationCatalog
from cutlist.catalog.sizes import Size
from cutlist.providers.azure.observed import Observed
from cutlist.providers.azure.provider import instance_types
from cutlist.providers.azure.settings import AzureSettings
from cutlist.providers.instance_types import InstanceType

JAPAN = load_location("japaneast")


def size(name: str) -> Size:
    """Return a size of the embedded catalogue, without the tier in its name."""
    return all_sizes()[f"Standard_{name}"]


def node_class(**fields: Any) -> AKSNodeClass:
    """Return a class with the API server's defaults but for these fields."""
    return AKSNodeClass(name="default", **fields)


def types(
    given: AKSNodeClass | None = None,
    catalog: LocationCatalog = JAPAN,
    settings: AzureSettings | None = None,
    observed: Observed | None = None,
) -> dict[str, InstanceType]:
    """Return the instance types of a class by name, without the tier in it."""
    found = instance_types(given or node_class(), catalog, settings or AzureSettings(), observed=observed or Observed())
    return {t.name.removeprefix("Standard_"): t for t in found}


def label(t: InstanceType, key: str) -> str | None:
    """Return the one value of a label by the end of its key; None where the size has no such label."""
    (found,) = [r for r in t.requirements.values() if r.key.partition("/")[2] == key and "azure" in r.key][:1]
    return next(iter(found.values)) if len(found.values) == 1 else None
