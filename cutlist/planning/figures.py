"""The user's own figures, which replace the catalogue's and the estimates: settings of the controller, measured memory, agreed
prices.

They are in a document of kind `Figures` among the files:

    apiVersion: cutlist/v1
    kind: Figures
    controller: {vmMemoryOverheadPercent: 0.05, reservedENIs: 1, awsFeatureGates: {nodeClassCEL: true}}
    memory: {m7i.large: 7661Mi}
    prices: {onDemandDiscount: 12%, spotDiscount: 0%, surcharge: 0.02}
    resources: {nat-gateway: 0.04}
    nodeGroups: {system: {instanceTypes: [m7i.large], desired: 2}}
    volumes: {attachLimit: 25}
    addresses: {cni: prefix, subnets: [{zone: us-west-2a, cidr: 10.0.0.0/24, used: 120}]}

Discounts and the surcharge change what nodes cost, not what Karpenter chooses: it ranks by list prices. Savings plans are not a
property of a node, so they are not supported here. The figures for a cluster on Azure are described in
`cutlist.planning.azure.figures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, cast

from cutlist.catalog.paid import Bought, PaidPrices
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import AnyRegion
from cutlist.core.errors import Problems
from cutlist.core.identity import SameObject
from cutlist.core.labels import INSTANCE_TYPE, LINUX, ON_DEMAND, REGISTERED, RESERVED, SPOT
from cutlist.core.notes import Note
from cutlist.core.quantity import nanos
from cutlist.documents.document import Document
from cutlist.planning.address_figures import AddressFigures
from cutlist.planning.attach_settings import AttachFigures
from cutlist.planning.azure.figures import AksFigures, aks_figures
from cutlist.planning.beside.declared import DeclaredGroup
from cutlist.planning.controller_settings import ControllerSettings
from cutlist.planning.figures_checks import check_figures
from cutlist.providers.aws import AwsSettings, MemoryReport
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.state.cluster import Cluster

KIND: Final = "Figures"
OWN_FIGURES: Final = "your own figures"
NOTHING_KNOWN: Final[Mapping[str, Any]] = MappingProxyType({})
_OVERHEAD: Final = AwsSettings().vm_memory_overhead_percent


@dataclass(frozen=True, slots=True)
class Figures:
    """The user's own figures: memory in nano-bytes by instance type, discounts as fractions of one, the surcharge in USD/hour,
    and prices of resources in USD/hour by item.

    `settings` are those of the controller on AWS, `controller` its feature gates and policies, `aks` the figures for a cluster
    on Azure, `eks_version` the Kubernetes version of a cluster on AWS; empty if it is not known. `node_groups` are those beside
    Karpenter, `addresses` its subnets, `volumes` how many of them its nodes attach. `paid_prices` are those that the account
    paid, in place of discounts.
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
    node_groups: tuple[DeclaredGroup, ...] = ()
    addresses: AddressFigures = field(default_factory=AddressFigures)
    volumes: AttachFigures = field(default_factory=AttachFigures)
    paid_prices: PaidPrices | None = None

    @property
    def changes_prices(self) -> bool:
        """Tell whether nodes cost more or less than the catalogue's prices."""
        return bool(self.on_demand_discount or self.spot_discount or self.surcharge or self.paid_prices)

    @property
    def discounts(self) -> dict[str, float]:
        """Return the discounts by capacity type."""
        return {ON_DEMAND: self.on_demand_discount, SPOT: self.spot_discount}

    def service_price(self, item: str, region: AnyRegion) -> Price | None:
        """Return the user's own price of an item, else the catalogue's, or None if it is unknown."""
        own = self.resources.get(item)
        return region.service_price(item) if own is None else Price(own, OWN_FIGURES)

    def paid(self, types: Sequence[InstanceType], region: str, os: str = LINUX) -> Sequence[InstanceType]:
        """Return the types with the price really paid for each offering in a region; their ranking stays the same.

        The latest lists of a process are kept: a plan asks again for each further price of its nodes.
        """
        return _paid_types(SameObject(self), SameObject(types), region, os) if self.changes_prices else types

    def paid_offering(self, offering: Offering, name: str, region: str, os: str) -> Offering:
        """Return an offering of a type with the price that is really paid for it."""
        if offering.price is None or offering.fee is None:
            return offering
        if self.paid_prices is None:
            return offering._replace(fee=offering.fee + self._on_top(offering.price, offering.capacity_type))
        sold = (offering.basis or Price(offering.price, "")).at(offering.price + offering.fee)
        paid = self.real_price(sold, offering.fee, Bought(name, region, offering.zone, offering.capacity_type, os))
        return offering._replace(fee=paid.usd_per_hour - offering.price, basis=paid)

    def real_price(self, sold: Price, charges: float, bought: Bought) -> Price:
        """Return what is really paid for a machine that is sold at a price, of which `charges` are a fee or a licence."""
        if self.paid_prices is None or bought.capacity_type == RESERVED:
            return sold.at(sold.usd_per_hour + self._on_top(sold.usd_per_hour - charges, bought.capacity_type))
        paid = self.paid_prices.price(sold, charges, bought)
        return paid.at(paid.usd_per_hour + self.surcharge)

    def _on_top(self, listed: float, capacity_type: str) -> float:
        """Return what is paid on top of a list price: the surcharge less the discount."""
        return self.surcharge - listed * (self.spot_discount if capacity_type == SPOT else self.on_demand_discount)


@lru_cache(maxsize=16)
def _paid_types(figures: SameObject, types: SameObject, region: str, os: str) -> tuple[InstanceType, ...]:
    own = cast("Figures", figures.of)
    return tuple(
        replace(t, offerings=tuple(own.paid_offering(o, t.name, region, os) for o in t.offerings))
        for t in cast("Sequence[InstanceType]", types.of)
    )


def price_notes(figures: Figures) -> list[Note]:
    """Return notes on the parts of a price that are the user's own figures."""
    changes = [f"a discount of {part * 100:g}% on {kind} prices" for kind, part in figures.discounts.items() if part]
    changes += [f"a surcharge of ${figures.surcharge:g} an hour for each node"] if figures.surcharge else []
    if figures.paid_prices is not None:
        paid = figures.paid_prices
        changes = [f"prices of {paid.period} that the account paid ({paid.source})", *changes]
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
    check_figures(document, catalog, problems)
    return _figures(_over(known, document.data)) if len(problems.found) == before else Figures()


def _over(known: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any]:
    return {**known, **written, **{part: {**known[part], **(written.get(part) or {})} for part in known}}


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
        addresses=AddressFigures.of(data.get("addresses") or {}),
        volumes=AttachFigures.of(data.get("volumes") or {}),
        node_groups=tuple(DeclaredGroup.of(name, spec, KIND) for name, spec in (data.get("nodeGroups") or {}).items()),
    )


def _part(written: str) -> float:
    """Return a checked discount as a fraction of one."""
    return float(written.removesuffix("%")) / 100
