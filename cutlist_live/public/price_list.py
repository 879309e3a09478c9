"""AWS' price list files, as the same products that the API of the price list answers with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import Place, Problem
from cutlist_live.errors import RegionError
from cutlist_live.public.endpoints import Addresses, PublicFiles, shown
from cutlist_live.service_items import AWS_ITEMS

_TERMS: Final = ("SKU", "TermType", "StartingRange", "Unit", "PricePerUnit", "Currency")
_ATTRIBUTES: Final = {"productFamily": "Product Family", "usagetype": "usageType", "regionCode": "Region Code"}
"""The columns of attributes that every service's file has, by what the API calls them."""
_OF_MACHINES: Final = {
    "instanceType": "Instance Type",
    "tenancy": "Tenancy",
    "operatingSystem": "Operating System",
    "licenseModel": "License Model",
    "capacitystatus": "CapacityStatus",
    "preInstalledSw": "Pre Installed S/W",
    "marketoption": "MarketOption",
}
_EC2: Final = "AmazonEC2"
_ON_DEMAND: Final = "OnDemand"
_UNLISTED: Final = ("group", "servicecode")
"""Attributes that the file lacks: usage types say the same as a group, and a file is of one service."""
_FAMILIES: Final = frozenset(
    ("Compute Instance", "Compute Instance (bare metal)", *(i.filter[1] for i in AWS_ITEMS if i.service == _EC2))
)


@dataclass(slots=True)
class _Product:
    """A product of a list: its attributes, and the steps of its price on demand."""

    attributes: Mapping[str, str]
    steps: list[Mapping[str, Any]] = field(default_factory=list)

    def matches(self, wanted: Mapping[str, str]) -> bool:
        """Tell whether it has these attributes."""
        return all(self.attributes.get(name) == value for name, value in wanted.items())

    @property
    def entry(self) -> dict[str, Any]:
        """Return it in the form of GetProducts."""
        term = {"priceDimensions": dict(enumerate(self.steps))}
        return {"product": {"attributes": self.attributes}, "terms": {_ON_DEMAND: {"": term}}}


@dataclass(slots=True)
class PublicPriceList:
    """The price list of each service in a region, read from its file when it is first asked for."""

    files: PublicFiles
    addresses: Addresses
    _products: dict[tuple[str, str], list[_Product]] = field(default_factory=dict)

    def products(self, region: str, filters: Sequence[Mapping[str, str]]) -> list[Any]:
        """Return the products of EC2 that match, as GetProducts does. Raises RegionError."""
        wanted = {of["Field"]: of["Value"] for of in filters if of["Field"] != "serviceCode"}
        return [product.entry for product in self._of_service(_EC2, region) if product.matches(wanted)]

    def service_products(self, region: str, service: str, narrow: tuple[str, str]) -> list[Any]:
        """Return the products of a service that match, as GetProducts does. Raises RegionError."""
        name, value = narrow
        wanted = {} if name in _UNLISTED else {name: value}
        return [product.entry for product in self._of_service(service, region) if product.matches(wanted)]

    def _of_service(self, service: str, region: str) -> list[_Product]:
        key = (service, region)
        if key not in self._products:
            address = self.addresses.of_service(service, region)
            products = self._products[key] = list(self._read(service, region, address).values())
            if not products:
                raise RegionError(Problem(Place(region), f"{shown(address)} has no on-demand price of this region"))
        return self._products[key]

    def _read(self, service: str, region: str, address: str) -> dict[str, _Product]:
        """Return the products with a price on demand by SKU, without those of EC2 that nobody asks for: a row is one step of a
        price."""
        is_ec2 = service == _EC2
        names = {**_ATTRIBUTES, **(_OF_MACHINES if is_ec2 else {})}
        products: dict[str, _Product] = {}
        for row in self.files.rows(address, region, (*_TERMS, *names.values())):
            sku, term, begins, unit, price, currency, family, *_ = row
            if term != _ON_DEMAND or (is_ec2 and family not in _FAMILIES):
                continue
            attributes = dict(zip(names, row[len(_TERMS) :], strict=True))
            if attributes["regionCode"] == region:  # the file has Local Zones too
                product = products.setdefault(sku, _Product(attributes))
                product.steps.append({"beginRange": begins, "unit": unit, "pricePerUnit": {currency: price}})
        return products
