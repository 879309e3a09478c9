"""A document of kind `Figures`, checked: its shape, and the names in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from cutlist.catalog import AnyRegion, all_sizes, is_azure, service_prices
from cutlist.core.errors import Problems, nearest
from cutlist.core.shapes import Report, closed, integer, map_of, matching, number, quantity, text
from cutlist.documents import Document
from cutlist.planning.azure.figures_checks import AKS, KUBERNETES_VERSION, check_names
from cutlist.planning.controller_settings_checks import CONTROLLER_SETTINGS


def check_figures(document: Document, catalog: AnyRegion | None, problems: Problems) -> None:
    """Add a problem for each mistake in the document. Machines have to be among those of the catalogue, if there is one."""
    _FIGURES(document.data, "", Report(document, problems))
    if catalog is not None:
        _check_memory(document, catalog, problems)
    priced = _priced()
    _names(document, "resources", "no price is named", priced, ", ".join(priced), problems)


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
        check_names(document, {**all_sizes(), **catalog.machines}, problems)


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
_FIGURES: Final = closed(
    {"apiVersion": text, "kind": text},
    {
        "controller": _CONTROLLER,
        "memory": map_of(quantity),
        "prices": _PRICES,
        "resources": map_of(number(0, 1000)),
        "aks": AKS,
        "eks": closed(optional={"kubernetesVersion": KUBERNETES_VERSION}),
    },
)
