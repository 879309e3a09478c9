"""A document of kind `Figures`, checked: its shape, and the names in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from cutlist.catalog.embedded import all_sizes
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.catalog.services import AUTO_FEE, service_prices
from cutlist.catalog.sizes import Size
from cutlist.catalog.unrecorded_sizes import why_not_planned
from cutlist.core.errors import Problems, nearest
from cutlist.core.labels import ON_DEMAND, SPOT
from cutlist.core.services import AUTOMATIC
from cutlist.core.shapes import (
    Report,
    boolean,
    closed,
    integer,
    list_of,
    map_of,
    matching,
    number,
    one_of,
    quantity,
    text,
)
from cutlist.core.taints import NO_EXECUTE, NO_SCHEDULE, PREFER_NO_SCHEDULE
from cutlist.documents.document import Document
from cutlist.infrastructure.aks.cluster import SKUS, Provisioning
from cutlist.planning.address_figures import ADDRESSES, check_addresses
from cutlist.planning.attach_settings import VOLUMES
from cutlist.planning.azure.figures import ALL_QUOTA, GIVEN
from cutlist.planning.beside.declared import KINDS, MOST_NODES, kinds_on
from cutlist.planning.controller_settings_checks import CONTROLLER_SETTINGS
from cutlist.providers.azure.observed import SPOT_QUOTA

_KUBERNETES_VERSION: Final = matching(
    r"v?[0-9]+\.[0-9]+(\.[0-9]+)?", "a version of Kubernetes", 'a quoted version such as "1.33"'
)
_AKS: Final = closed(
    optional={
        "networkPlugin": one_of("azure", "none"),
        "networkPluginMode": one_of("overlay", ""),
        "networkDataplane": one_of("cilium", "azure"),
        "nodeResourceGroup": text,
        "kubernetesVersion": _KUBERNETES_VERSION,
        "quotas": map_of(integer(0)),
        "restricted": list_of(text),
        "daemonSets": one_of("assumed", GIVEN),
        "sku": one_of(*SKUS),
        "nodeProvisioning": one_of(*Provisioning),
    }
)


def check_figures(document: Document, catalog: AnyRegion | None, problems: Problems) -> None:
    """Add a problem for each mistake in the document. Machines have to be among those of the catalogue, if there is one."""
    _FIGURES(document.data, "", Report(document, problems))
    aks = document.data.get("aks")
    if isinstance(aks, Mapping) and (aks.get("sku"), aks.get("nodeProvisioning")) == (AUTOMATIC, Provisioning.MANUAL):
        text = "Manual, and a cluster of sku Automatic always makes nodes by itself"
        problems.add(document.at("aks.nodeProvisioning"), text, Provisioning.AUTO)
    if catalog is not None:
        _check_memory(document, catalog, problems)
        _check_groups(document, catalog, problems)
    check_addresses(document, catalog, problems)
    priced = _priced()
    shown = (*(item for item in priced if not item.startswith(AUTO_FEE)), f"{AUTO_FEE}TYPE")
    fees = () if catalog is None or is_azure(catalog) else (f"{AUTO_FEE}{name}" for name in catalog.machines)
    _names(document, "resources", "no price is named", {*priced, *fees}, ", ".join(shown), problems)


def _priced() -> tuple[str, ...]:
    """Return the items that a preview has prices for, sorted."""
    return tuple(sorted({item for vendor in ("aws", "azure") for item in service_prices(vendor).items}))


def _check_memory(document: Document, catalog: AnyRegion, problems: Problems) -> None:
    """Add a problem for each unknown machine, and for figures that the cloud does not use."""
    if not is_azure(catalog):
        _names(document, "memory", "no instance type is named", set(catalog.machines), "", problems)
        return
    if isinstance(document.data.get("memory"), Mapping) and document.data["memory"]:
        text = "Karpenter's Azure provider goes by its estimate of memory, whatever memory a node has"
        problems.add(document.at("memory"), text, "no figures of memory in a location of Azure")
    if isinstance(document.data.get("aks"), Mapping):
        _check_aks_names(document, {**all_sizes(), **catalog.machines}, problems)


def _check_groups(document: Document, catalog: AnyRegion, problems: Problems) -> None:
    """Add a problem for each machine, zone and kind of a group that the region does not have, and for contradictory sizes."""
    groups = document.data.get("nodeGroups")
    machines = {**all_sizes(), **catalog.machines} if is_azure(catalog) else catalog.machines
    zones, kinds = [zone.name for zone in catalog.zones], kinds_on(azure=is_azure(catalog))
    for name, group in groups.items() if isinstance(groups, Mapping) else ():
        if not isinstance(group, Mapping):
            continue
        at, kind = f"nodeGroups.{name}", group.get("kind")
        if kind in KINDS and kind not in kinds:
            problems.add(document.at(f"{at}.kind"), f"{catalog.region} has no node groups of kind {kind!r}", ", ".join(kinds))
        if machines:
            _listed(document, f"{at}.instanceTypes", group, "no instance type is named", machines, "", problems)
        _listed(document, f"{at}.zones", group, f"{catalog.region} has no zone", zones, ", ".join(zones), problems)
        sizes = [(key, group[key]) for key in ("min", "desired", "max") if isinstance(group.get(key), int)]
        if [size for _, size in sizes] != sorted(size for _, size in sizes):
            written = ", ".join(f"{key} {size}" for key, size in sizes)
            problems.add(document.at(at), f"has {written}", "min <= desired <= max")


def _listed(
    document: Document,
    path: str,
    group: Mapping[str, Any],
    message: str,
    known: Collection[str],
    allowed: str,
    problems: Problems,
) -> None:
    """Add a problem for each text in a list of a group that is not known."""
    names = group.get(path.rpartition(".")[2])
    for index, name in enumerate(names if isinstance(names, list) else ()):
        if isinstance(name, str) and name not in known:
            why = why_not_planned(name)
            text_ = f"{name} is {why}" if why else f"{message} {name!r}"
            problems.add(document.at(f"{path}[{index}]"), text_, allowed, "" if why else nearest(name, known))


def _names(document: Document, part: str, message: str, known: Collection[str], allowed: str, problems: Problems) -> None:
    """Add a problem for each unknown name in the part of the document."""
    written = document.data.get(part)
    for name in written if isinstance(written, Mapping) and known else ():
        if name not in known:
            problems.add(document.at(f"{part}.{name}"), f"{message} {name!r}", allowed, nearest(str(name), known))


_DISCOUNT: Final = matching(r"0*(?:100(?:\.0+)?|[0-9]{1,2}(?:\.[0-9]+)?)%", "a discount", "0% to 100%, such as 12%")
_CONTROLLER: Final = closed(
    optional={"vmMemoryOverheadPercent": number(0, 1), "reservedENIs": integer(0, 15), **CONTROLLER_SETTINGS}
)
_PRICES: Final = closed(optional={"onDemandDiscount": _DISCOUNT, "spotDiscount": _DISCOUNT, "surcharge": number(0, 1000)})
_TAINT: Final = closed({"key": text, "effect": one_of(NO_SCHEDULE, PREFER_NO_SCHEDULE, NO_EXECUTE)}, {"value": text})
_COUNT: Final = integer(0, MOST_NODES)
_GROUP: Final = closed(
    optional={
        "kind": one_of(*KINDS),
        "instanceTypes": list_of(text),
        "capacityType": one_of(ON_DEMAND, SPOT),
        "labels": map_of(text),
        "taints": list_of(_TAINT),
        "min": _COUNT,
        "desired": _COUNT,
        "max": _COUNT,
        "autoscaled": boolean,
        "zones": list_of(text),
    }
)
_FIGURES: Final = closed(
    {"apiVersion": text, "kind": text},
    {
        "controller": _CONTROLLER,
        "memory": map_of(quantity),
        "prices": _PRICES,
        "resources": map_of(number(0, 1000)),
        "aks": _AKS,
        "nodeGroups": map_of(_GROUP),
        "addresses": ADDRESSES,
        "volumes": VOLUMES,
        "eks": closed(optional={"kubernetesVersion": _KUBERNETES_VERSION}),
    },
)


def _check_aks_names(document: Document, sizes: Mapping[str, Size], problems: Problems) -> None:
    """Add a problem for each quota family and size in the part `aks` that the location's catalogue does not know."""
    part = document.data["aks"]
    families = {size.family for size in sizes.values() if size.family} | {SPOT_QUOTA, ALL_QUOTA}
    in_any_case = {family.lower() for family in families}
    quotas = part.get("quotas")
    for name in quotas if isinstance(quotas, Mapping) else ():
        if str(name).lower() not in in_any_case:  # Azure itself spells families in several ways
            place = document.at(f"aks.quotas.{name}")
            problems.add(place, f"no quota is named {name!r}", "", nearest(str(name), sorted(families)))
    _listed(document, "aks.restricted", part, "no VM size is named", sorted(sizes), "", problems)
