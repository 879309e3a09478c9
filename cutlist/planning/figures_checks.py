"""A document of kind `Figures`, checked: its shape, and the names in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from cutlist.catalog import AnyRegion, all_sizes, is_azure, service_prices
from cutlist.core.errors import Problems, nearest
from cutlist.core.shapes import Report, Rule, closed, integer, map_of, quantity, shown, text
from cutlist.documents import Document
from cutlist.planning.azure.figures_checks import AKS, check_names, kubernetes_version
from cutlist.planning.controller_settings_checks import CONTROLLER_SETTINGS

_PERCENT: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)%")


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


def _discount(value: Any, path: str, report: Report) -> None:
    match = _PERCENT.fullmatch(value) if isinstance(value, str) else None
    if match is None or float(match[1]) > 100:
        report.add(path, f"{shown(value)} is not a discount", allowed="0% to 100%, such as 12%")


def _number(low: float, high: float) -> Rule:
    def check(value: Any, path: str, report: Report) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            report.add(path, f"{shown(value)} is out of range or not a number", allowed=f"{low:g} to {high:g}")

    return check


_CONTROLLER: Final = closed(
    optional={"vmMemoryOverheadPercent": _number(0, 1), "reservedENIs": integer(0, 15), **CONTROLLER_SETTINGS}
)
_PRICES: Final = closed(optional={"onDemandDiscount": _discount, "spotDiscount": _discount, "surcharge": _number(0, 1000)})
_FIGURES: Final = closed(
    {"apiVersion": text, "kind": text},
    {
        "controller": _CONTROLLER,
        "memory": map_of(quantity),
        "prices": _PRICES,
        "resources": map_of(_number(0, 1000)),
        "aks": AKS,
        "eks": closed(optional={"kubernetesVersion": kubernetes_version}),
    },
)
