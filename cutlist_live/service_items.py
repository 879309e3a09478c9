"""Which product of AWS' price list is which item of the catalogue's services, and their prices in its answers."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

_PREFIX: Final = r"(?:(?!TS-)[A-Z]{2,4}\d*-|[a-z]{2}(?:-[a-z]+)+-\d-)?"
"""What usage types of a region begin with: `USW2-`, `EU-`, `us-west-2-`, nothing in us-east-1; `TS-` is another product."""
_MEBIBYTES: Final = {"gibps-mo": 1024}


@dataclass(frozen=True, slots=True)
class ServiceItem:
    """An item that is billed per hour or month: the service and product group that list it, and its usage type.

    `filter` is the field and value that narrow the list down.
    """

    name: str
    service: str
    filter: tuple[str, str]
    usage: str
    per: str = "hour"

    def is_listed_as(self, attributes: Mapping[str, Any]) -> bool:
        """Tell whether a product of the list is this item."""
        return re.fullmatch(_PREFIX + re.escape(self.usage), str(attributes.get("usagetype", ""))) is not None


def _family(name: str) -> tuple[str, str]:
    return "productFamily", name


def _ebs(name: str, family: str, usage: str) -> ServiceItem:
    return ServiceItem(f"ebs-{name}", "AmazonEC2", _family(family), f"EBS:{usage}", "month")


AWS_ITEMS: Final = (
    ServiceItem("eks-control-plane", "AmazonEKS", _family("Compute"), "AmazonEKS-Hours:perCluster"),
    ServiceItem("nat-gateway", "AmazonEC2", _family("NAT Gateway"), "NatGateway-Hours"),
    ServiceItem("interface-endpoint", "AmazonVPC", _family("VpcEndpoint"), "VpcEndpoint-Hours"),
    ServiceItem("public-ipv4-address", "AmazonVPC", ("group", "VPCPublicIPv4Address"), "PublicIPv4:InUseAddress"),
    ServiceItem("application-load-balancer", "AWSELB", _family("Load Balancer-Application"), "LoadBalancerUsage"),
    ServiceItem("network-load-balancer", "AWSELB", _family("Load Balancer-Network"), "LoadBalancerUsage"),
    ServiceItem("kms-key", "awskms", _family("Encryption Key"), "KMS-Keys", "month"),
    ServiceItem("metric-alarm", "AmazonCloudWatch", _family("Alarm"), "CW:AlarmMonitorUsage", "month"),
    _ebs("standard", "Storage", "VolumeUsage"),
    _ebs("gp2", "Storage", "VolumeUsage.gp2"),
    _ebs("gp3", "Storage", "VolumeUsage.gp3"),
    _ebs("io1", "Storage", "VolumeUsage.piops"),
    _ebs("io2", "Storage", "VolumeUsage.io2"),
    _ebs("st1", "Storage", "VolumeUsage.st1"),
    _ebs("sc1", "Storage", "VolumeUsage.sc1"),
    _ebs("gp3-iops", "System Operation", "VolumeP-IOPS.gp3"),
    _ebs("io1-iops", "System Operation", "VolumeP-IOPS.piops"),
    _ebs("io2-iops", "System Operation", "VolumeP-IOPS.io2"),
    _ebs("io2-iops-32000", "System Operation", "VolumeP-IOPS.io2.tier2"),
    _ebs("io2-iops-64000", "System Operation", "VolumeP-IOPS.io2.tier3"),
    _ebs("gp3-throughput", "Provisioned Throughput", "VolumeP-Throughput.gp3"),
)


AUTO_FEES: Final = ("AmazonEKS", ("servicecode", "AmazonEKS"))
"""The service that lists the management fees of EKS Auto Mode, and its attribute that all of them have."""
_AUTO_USAGE: Final = re.compile(_PREFIX + r"EKS-Auto:([a-z0-9-]+\.[a-z0-9-]+)-management-hours")


def auto_fees(products: Iterable[str | Mapping[str, Any]]) -> dict[str, float]:
    """Return USD per hour of the management fee of each instance type that is among the products."""
    fees: dict[str, float] = {}
    for product in products:
        entry = json.loads(product) if isinstance(product, str) else product
        usage = _AUTO_USAGE.fullmatch(str(entry.get("product", {}).get("attributes", {}).get("usagetype", "")))
        if usage is not None and (steps := sorted(_steps(entry))):
            fees[usage[1]] = steps[0][1]
    return fees


def questions(items: Iterable[ServiceItem] = AWS_ITEMS) -> dict[tuple[str, tuple[str, str]], list[ServiceItem]]:
    """Return what to ask the list for, service and filter, each with the items among its answers."""
    grouped: dict[tuple[str, tuple[str, str]], list[ServiceItem]] = {}
    for item in items:
        grouped.setdefault((item.service, item.filter), []).append(item)
    return grouped


def item_prices(products: Iterable[str | Mapping[str, Any]], items: Iterable[ServiceItem]) -> dict[str, float]:
    """Return USD per hour or month of each item among the products; of a price in steps that of the first step that costs."""
    items = tuple(items)
    prices: dict[str, float] = {}
    for product in products:
        entry = json.loads(product) if isinstance(product, str) else product
        attributes = entry.get("product", {}).get("attributes", {})
        for item in items:
            if item.is_listed_as(attributes) and (steps := sorted(_steps(entry))):
                prices[item.name] = steps[0][1]
    return prices


def _steps(entry: Mapping[str, Any]) -> Iterator[tuple[float, float]]:
    """Yield where each step of an on-demand price begins, and what a unit costs in it; free ones are left out."""
    for term in entry.get("terms", {}).get("OnDemand", {}).values():
        for dimension in term.get("priceDimensions", {}).values():
            try:
                begins, usd = float(dimension.get("beginRange") or 0), float(dimension.get("pricePerUnit", {}).get("USD") or 0)
            except ValueError:
                continue
            if 0 < usd < math.inf:
                yield begins, usd / _MEBIBYTES.get(str(dimension.get("unit", "")).lower(), 1)
