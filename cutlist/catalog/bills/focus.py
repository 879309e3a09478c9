"""Exports in the FOCUS form, 1.0 to 1.2, of AWS and Azure: what a row is."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from cutlist.catalog.bills.charges import (
    Charge,
    Group,
    Kind,
    Reason,
    amount,
    aws_type,
    azure_sizes,
    members,
    region_of,
    term_of,
)
from cutlist.catalog.bills.forms import NEGATIVE, Form
from cutlist.catalog.bills.usage_types import tenancy_reason
from cutlist.core.labels import LINUX, WINDOWS

_UNIT: Final = re.compile(r"(?:(\d+(?:\.\d+)?) )?(?:hours?|hrs?|instance[- ]hours?)", re.IGNORECASE)
_KINDS: Final = {"dynamic": Kind.SPOT, "standard": Kind.CONTRACTED, "committed": Kind.COMMITTED}
_CATEGORIES: Final = {
    "tax": Reason.TAXES,
    "credit": Reason.CREDITS,
    "adjustment": Reason.REFUNDS,
    "purchase": Reason.PURCHASES,
}


def _charge(row: Group) -> Charge:
    category, cost = row["ChargeCategory"].lower(), amount(row["EffectiveCost"])
    is_unused = "unused" in (row["CommitmentDiscountStatus"].lower(), row["CapacityReservationStatus"].lower())
    if is_unused and category in ("usage", "purchase"):
        return Charge(Kind.UNUSED, row["rows"], cost, first=row["first"], last=row["last"], currency=row["currency"])
    if row["ChargeClass"].lower() == "correction":
        return _left_out(row, Reason.REFUNDS, cost)
    if category != "usage":
        return _left_out(row, _CATEGORIES.get(category, Reason.LINE_TYPE), cost)
    reason = _not_compute(row)
    if reason is not None:
        return _left_out(row, reason, cost)
    if row[NEGATIVE]:
        return _left_out(row, Reason.NEGATIVE, cost)
    return _machine(row, cost)


def _machine(row: Group, cost: Decimal) -> Charge:
    details = {**members(row["x_SkuDetails"]), **members(row["SkuPriceDetails"])}
    types = _types(row, details)
    kind, hours, os = _KINDS.get(row["PricingCategory"].lower()), _hours(row), _os(row, details)
    reason = tenancy_reason(_usage_type(row))
    if reason is not None:
        return _left_out(row, reason, cost)
    if hours is None:
        return _left_out(row, Reason.NOT_HOURS, cost)
    if not types:
        return _left_out(row, Reason.NO_TYPE, cost)
    if os is None:
        return _left_out(row, Reason.OTHER_OS, cost)
    if kind is None:
        return _left_out(row, Reason.CATEGORY, cost)
    return Charge(
        kind,
        row["rows"],
        cost,
        instance_types=types,
        region=region_of(row["RegionId"], row["AvailabilityZone"]),
        zone=_zone(row),
        os=os,
        hours=hours,
        # The public price of a spot row is that of its hours on demand, which says nothing about spot.
        listed=None if kind is Kind.SPOT or row["ListCost"] is None else amount(row["ListCost"]),
        term=term_of(row["x_SkuTerm"] or details.get("leasecontractlength", "") or details.get("x_leasecontractlength", "")),
        currency=row["currency"],
        first=row["first"],
        last=row["last"],
    )


def _left_out(row: Group, reason: Reason, cost: Decimal) -> Charge:
    return Charge(Kind.LEFT_OUT, row["rows"], cost, reason, currency=row["currency"], first=row["first"], last=row["last"])


def _usage_type(row: Group) -> str:
    return str(row["x_UsageType"] or row["SkuMeter"])


def _not_compute(row: Group) -> Reason | None:
    """Return what rows are about that are not about machines, else None."""
    service, category, usage = row["ServiceName"].lower(), row["ServiceCategory"].lower(), _usage_type(row)
    if "EBS:" in usage or category == "storage" or "block store" in service or "managed disk" in service:
        return Reason.DISKS
    if "DataTransfer" in usage or "-Bytes" in usage or "bandwidth" in (service, row["x_SkuMeterCategory"].lower()):
        return Reason.TRANSFER
    code = row["x_ServiceCode"]
    is_compute = code == "AmazonEC2" if code else "elastic compute cloud" in service or service in _COMPUTE or not service
    if is_compute and category in ("", "compute"):
        return None
    return Reason.TRANSFER if category == "networking" and "transfer" in usage.lower() else Reason.SERVICES


_COMPUTE: Final = ("amazonec2", "amazon ec2", "ec2", "virtual machines", "virtual machine scale sets")


def _types(row: Group, details: dict[str, str]) -> tuple[str, ...]:
    """Return the types that rows are for: as details name it, else as the usage type or the meter does."""
    names = (
        row["x_InstanceType"],
        *(details.get(key, "") for key in ("instancetype", "x_instancetype", "servicetype", "armskuname")),
    )
    for name in names:
        if aws := aws_type(name):
            return (aws,)
        if sizes := azure_sizes(name):
            return sizes
    if aws := aws_type(_usage_type(row)):
        return (aws,)
    return azure_sizes(row["x_SkuMeterName"] or row["SkuMeter"])


def _hours(row: Group) -> Decimal | None:
    """Return how many hours of a machine rows are, or None if they count something else.

    Azure counts some sizes in blocks of 10 or 100 hours: the block is in the unit, or in a column of its own.
    """
    if row["ConsumedQuantity"] is not None and _UNIT.fullmatch(row["ConsumedUnit"]):
        return amount(row["ConsumedQuantity"])
    unit = _UNIT.fullmatch(row["PricingUnit"])
    if unit is None or row["PricingQuantity"] is None:
        return None
    block = Decimal(unit[1] or 1)
    if unit[1] is None and row["x_PricingBlockSize"]:
        block = Decimal(row["x_PricingBlockSize"])
    return amount(row["PricingQuantity"]) * block


def _os(row: Group, details: dict[str, str]) -> str | None:
    """Return the operating system of a machine's price, or None for one with a vendor's licence."""
    named = details.get("operatingsystem", "").lower() or details.get("imagetype", "").lower()
    meter = f"{row['x_SkuMeterSubcategory']} {row['x_Operation']}".lower()
    if "windows" in named or "windows" in meter or ":0002" in meter:
        return WINDOWS
    other = ("rhel", "red hat", "suse", "ubuntu pro", "sql")
    if any(word in named or word in meter for word in other) or re.search(r"runinstances:(?!sv|0002)\w", meter):
        return None
    return LINUX


def _zone(row: Group) -> str:
    """Return the zone as plans name it: Azure's zone 1 of eastus is `eastus-1`."""
    zone = str(row["AvailabilityZone"])
    return f"{row['RegionId'].lower()}-{zone}" if zone.isdigit() else zone


FOCUS: Final = Form(
    name="FOCUS",
    needed=("ChargeCategory", "ChargePeriodStart", "EffectiveCost", "PricingCategory", "BillingCurrency", "PricingQuantity"),
    texts=(
        *("ChargeCategory", "ChargeClass", "PricingCategory", "CommitmentDiscountStatus", "CapacityReservationStatus"),
        *("ServiceName", "ServiceCategory", "RegionId", "AvailabilityZone", "PricingUnit", "ConsumedUnit", "SkuMeter"),
        *("SkuPriceDetails", "x_UsageType", "x_Operation", "x_ServiceCode", "x_InstanceType", "x_SkuDetails", "x_SkuTerm"),
        *("x_SkuMeterName", "x_SkuMeterCategory", "x_SkuMeterSubcategory", "x_PricingBlockSize"),
    ),
    details=("SkuPriceDetails", "x_SkuDetails"),
    numbers=("EffectiveCost", "ListCost", "PricingQuantity", "ConsumedQuantity"),
    cost="EffectiveCost",
    start="ChargePeriodStart",
    end="ChargePeriodEnd",
    currency="BillingCurrency",
    resource="ResourceId",
    tags="Tags",
    identity=("ResourceId", "SkuPriceId", "SkuId", "ChargeDescription", "SubAccountId"),
    charge_of=_charge,
)
