"""The user's own figures, which replace the catalogue's and the estimates: settings of the controller, measured memory, agreed
prices.

They are in a document of kind `Figures` among the files:

    apiVersion: cutlist/v1
    kind: Figures
    controller: {vmMemoryOverheadPercent: 0.05, reservedENIs: 1, awsFeatureGates: {nodeClassCEL: true}}
    memory: {m7i.large: 7661Mi}
    prices: {onDemandDiscount: 12%, spotDiscount: 0%, surcharge: 0.02}
    resources: {nat-gateway: 0.04}

Discounts and the surcharge change what nodes cost, not what Karpenter chooses: it ranks by list prices. Savings plans are not a
property of a node, so they are not supported here. The figures for a cluster on Azure are described in
`cutlist.planning.azure.figures`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any, Final

from cutlist.catalog import AnyRegion, Price, all_sizes, is_azure, service_prices
from cutlist.core.errors import Problems, nearest
from cutlist.core.labels import INSTANCE_TYPE, ON_DEMAND, REGISTERED, SPOT
from cutlist.core.notes import Note
from cutlist.core.quantity import nanos
from cutlist.core.values import dataclass
from cutlist.documents import Document
from cutlist.planning.azure.figures import AKS, AksFigures, aks_figures, check_names, kubernetes_version
from cutlist.planning.controller_settings import RULES, ControllerSettings
from cutlist.providers.aws import AwsSettings, MemoryReport
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.state.cluster import Cluster
from cutlist.workloads.schema import Report, Rule, closed, integer, map_of, quantity, shown, text

KIND: Final = "Figures"
OWN_FIGURES: Final = "your own figures"
NOTHING_KNOWN: Final[Mapping[str, Any]] = MappingProxyType({})
_OVERHEAD: Final = AwsSettings().vm_memory_overhead_percent
_PERCENT: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)%")


@dataclass(frozen=True, slots=True)
class Figures:
    """The user's own figures: memory in nano-bytes by instance type, discounts as fractions of one, the surcharge in USD/hour,
    and prices of resources in USD/hour by item.

    `settings` are those of the controller on AWS, `controller` its feature gates and policies, `aks` the figures for a cluster
    on Azure, `eks_version` the Kubernetes version of a cluster on AWS; empty if it is not known.
    """

    settings: AwsSettings = field(default_factory=AwsSettings)
    memory: Mapping[str, int] = field(default_factory=dict)
    on_demand_discount: float = 0.0
    spot_discount: float = 0.0
    surcharge: float = 0.0
    resources: Mapping[str, float] = field(default_factory=dict)
    aks: AksFigures = field(default_factory=AksFigures)
    eks_version: str = ""
    controller: ControllerSettings = field(default_factory=ControllerSettings)

    @property
    def changes_prices(self) -> bool:
        """Tell whether nodes cost more or less than the catalogue's prices."""
        return bool(self.on_demand_discount or self.spot_discount or self.surcharge)

    @property
    def discounts(self) -> dict[str, float]:
        """Return the discounts by capacity type."""
        return {ON_DEMAND: self.on_demand_discount, SPOT: self.spot_discount}

    def service_price(self, item: str, region: AnyRegion) -> Price | None:
        """Return the user's own price of an item, else the catalogue's, or None if it is unknown."""
        own = self.resources.get(item)
        return region.service_price(item) if own is None else Price(own, OWN_FIGURES)

    def paid(self, types: tuple[InstanceType, ...]) -> tuple[InstanceType, ...]:
        """Return the types with the price really paid for each offering; their ranking stays the same."""
        if not self.changes_prices:
            return types
        return tuple(replace(t, offerings=tuple(map(self._paid, t.offerings))) for t in types)

    def _paid(self, offering: Offering) -> Offering:
        if offering.price is None or offering.fee is None:
            return offering
        discount = self.spot_discount if offering.capacity_type == SPOT else self.on_demand_discount
        return offering._replace(fee=offering.fee + self.surcharge - offering.price * discount)


def price_notes(figures: Figures) -> list[Note]:
    """Return notes on the parts of a price that are the user's own figures."""
    changes = [f"a discount of {part * 100:g} % on {kind} prices" for kind, part in figures.discounts.items() if part]
    changes += [f"a surcharge of ${figures.surcharge:g} an hour for each node"] if figures.surcharge else []
    return [Note("own-prices", f"costs are with {' and '.join(changes)}; Karpenter ranks by list prices")] if changes else []


PLANNED: Final = "planned:///"  # how the provider ids of nodes begin that are only planned


def memory_reports(cluster: Cluster) -> tuple[MemoryReport, ...]:
    """Return the memory of a cluster's registered nodes that Karpenter launched, by type and image."""
    reports = []
    for node, claim in cluster.origins:
        if node is None or claim is None or (node["metadata"].get("labels") or {}).get(REGISTERED) != "true":
            continue
        if ((claim.get("status") or {}).get("providerID") or "").startswith(PLANNED):
            continue  # nobody has seen it
        machine = node["metadata"]["labels"].get(INSTANCE_TYPE)
        memory = ((node.get("status") or {}).get("capacity") or {}).get("memory")
        if machine and memory:
            reports.append(MemoryReport(machine, nanos(memory), (claim.get("status") or {}).get("imageID") or ""))
    return tuple(reports)


def read_figures(
    documents: Iterable[Document],
    catalog: AnyRegion | None,
    problems: Problems,
    known: Mapping[str, Any] = NOTHING_KNOWN,
) -> Figures:
    """Return the figures among documents; mistakes are added to `problems`. Types have to be among the machines of the
    catalogue.

    `known` are parts of a document; their members are used if the documents lack them.
    """
    own = [d for d in documents if d.kind == KIND]
    for extra in own[1:]:
        problems.add(extra.place, f"is a second {KIND}", "one for all files")
    if not own:
        return _figures(known)
    document, before = own[0], len(problems.found)
    _FIGURES(document.data, "", Report(document, problems))
    if catalog is not None:
        _check_memory(document, catalog, problems)
    priced = _priced()
    _names(document, "resources", "no price has the name", priced, ", ".join(priced), problems)
    return _figures(_over(known, document.data)) if len(problems.found) == before else Figures()


def _over(known: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any]:
    return {**known, **written, **{part: {**known[part], **(written.get(part) or {})} for part in known}}


def _priced() -> tuple[str, ...]:
    """Return the items that a preview has prices for, sorted."""
    return tuple(sorted({item for vendor in ("aws", "azure") for item in service_prices(vendor).items}))


def _check_memory(document: Document, catalog: AnyRegion, problems: Problems) -> None:
    """Add a problem for each unknown machine, and for figures that the cloud does not use."""
    if not is_azure(catalog):
        _names(document, "memory", "no instance type is called", set(catalog.machines), "", problems)
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


def _figures(data: Mapping[str, Any]) -> Figures:
    controller, prices = data.get("controller") or {}, data.get("prices") or {}
    overhead, gates = float(controller.get("vmMemoryOverheadPercent", _OVERHEAD)), ControllerSettings.of(controller)
    return Figures(
        AwsSettings(overhead, controller.get("reservedENIs", 0), not gates.is_off("ReservedCapacity")),
        {name: nanos(amount) for name, amount in (data.get("memory") or {}).items()},
        _part(prices.get("onDemandDiscount", "0%")),
        _part(prices.get("spotDiscount", "0%")),
        float(prices.get("surcharge", 0)),
        resources={item: float(usd) for item, usd in (data.get("resources") or {}).items()},
        aks=aks_figures(data.get("aks") or {}, overhead),
        eks_version=(data.get("eks") or {}).get("kubernetesVersion", ""),
        controller=gates,
    )


def _part(written: str) -> float:
    match = _PERCENT.fullmatch(written)
    return float(match[1]) / 100 if match is not None else 0.0


def _discount(value: Any, path: str, report: Report) -> None:
    match = _PERCENT.fullmatch(value) if isinstance(value, str) else None
    if match is None or float(match[1]) > 100:
        report.add(path, f"{shown(value)} is not a discount", allowed="0% to 100%, such as 12%")


def _number(low: float, high: float) -> Rule:
    def check(value: Any, path: str, report: Report) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            report.add(path, f"{shown(value)} is out of range or not a number", allowed=f"{low:g} to {high:g}")

    return check


_CONTROLLER: Final = closed(optional={"vmMemoryOverheadPercent": _number(0, 1), "reservedENIs": integer(0, 15), **RULES})
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
