"""Cost and usage reports of AWS, version 2.0: what a row is, and what it costs once commitments are spread over their hours."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from cutlist.catalog.bills.charges import Charge, Group, Kind, Reason, amount, aws_type, region_of, term_of
from cutlist.catalog.bills.forms import NEGATIVE, Form
from cutlist.catalog.bills.usage_types import is_machine, is_unused, tenancy_reason
from cutlist.core.labels import LINUX, WINDOWS

_COVERED: Final = {
    "DiscountedUsage": ("reservation_net_effective_cost", "reservation_effective_cost"),
    "SavingsPlanCoveredUsage": (
        "savings_plan_net_savings_plan_effective_cost",
        "savings_plan_savings_plan_effective_cost",
    ),
}
_UNBLENDED: Final = ("line_item_net_unblended_cost", "line_item_unblended_cost")
_DISCOUNTS: Final = ("EdpDiscount", "PrivateRateDiscount", "BundledDiscount", "RiVolumeDiscount", "SppDiscount", "Discount")
_REASONS: Final = {"Tax": Reason.TAXES, "Credit": Reason.CREDITS, "Refund": Reason.REFUNDS, "Fee": Reason.PURCHASES}
_UNUSED_UPFRONT: Final = (
    "reservation_net_unused_amortized_upfront_fee_for_billing_period",
    "reservation_unused_amortized_upfront_fee_for_billing_period",
)
_UNUSED_RECURRING: Final = ("reservation_net_unused_recurring_fee", "reservation_unused_recurring_fee")
_OPERATION: Final = re.compile(r"RunInstances(?::(?!SV)(\w+))?(?::SV\w+)?")


def _charge(row: Group) -> Charge:
    kind = row["line_item_line_item_type"]
    match kind:
        case "Usage" | "DiscountedUsage" | "SavingsPlanCoveredUsage":
            return _usage(row, kind)
        case "SavingsPlanRecurringFee":
            unused = amount(row["savings_plan_total_commitment_to_date"]) - amount(row["savings_plan_used_commitment"])
            return _unused(row, unused)
        case "RIFee":
            return _unused(row, _first(row, *_UNUSED_UPFRONT) + _first(row, *_UNUSED_RECURRING))
        case "SavingsPlanNegation" | "SavingsPlanUpfrontFee":
            return _left_out(row, Reason.PURCHASES, Decimal(0))  # counted with the hours that the plan covers
        case _ if kind in _DISCOUNTS:
            # Net costs hold these discounts already.
            is_in_net = row["line_item_net_unblended_cost"] is not None
            return _left_out(row, Reason.DISCOUNTS, Decimal(0) if is_in_net else amount(row["line_item_unblended_cost"]))
    if kind == "Fee" and row["reservation_reservation_a_r_n"]:
        return _left_out(row, Reason.PURCHASES, Decimal(0))  # its hours hold their part of it
    return _left_out(row, _REASONS.get(kind, Reason.LINE_TYPE), _first(row, *_UNBLENDED))


def _usage(row: Group, kind: str) -> Charge:
    cost, usage_type = _first(row, *_COVERED.get(kind, _UNBLENDED)), row["line_item_usage_type"]
    reason = _not_compute(row, usage_type)
    if reason is not None:
        return _left_out(row, reason, cost)
    if is_unused(usage_type):
        return _unused(row, cost)
    name, os = aws_type(row["product_instance_type"]) or aws_type(usage_type), _os(row)
    if not is_machine(usage_type):
        return _left_out(row, Reason.NOT_HOURS, cost)
    if row[NEGATIVE]:
        return _left_out(row, Reason.NEGATIVE, cost)
    if not name:
        return _left_out(row, Reason.NO_TYPE, cost)
    if os is None:
        return _left_out(row, Reason.OTHER_OS, cost)
    is_spot = "SpotUsage" in usage_type
    listed = row["pricing_public_on_demand_cost"]
    zone = row["line_item_availability_zone"]
    return Charge(
        Kind.SPOT if is_spot else Kind.COMMITTED if kind in _COVERED else Kind.CONTRACTED,
        row["rows"],
        cost,
        instance_types=(name,),
        region=region_of(row["product_region_code"], zone),
        zone=zone,
        os=os,
        hours=amount(row["line_item_usage_amount"]),
        listed=None if is_spot or listed is None else amount(listed),
        term=term_of(row["savings_plan_purchase_term"] or row["pricing_lease_contract_length"]),
        currency=row["currency"],
        first=row["first"],
        last=row["last"],
    )


def _not_compute(row: Group, usage_type: str) -> Reason | None:
    if "EBS:" in usage_type:
        return Reason.DISKS
    if "DataTransfer" in usage_type or usage_type.endswith("-Bytes"):
        return Reason.TRANSFER
    if row["line_item_product_code"] != "AmazonEC2":
        return Reason.SERVICES
    return tenancy_reason(usage_type)


def _os(row: Group) -> str | None:
    """Return the operating system of a machine's price by the operation, or None for one with a vendor's licence."""
    match = _OPERATION.fullmatch(row["line_item_operation"])
    if match is None or match[1] is None:
        return LINUX
    return WINDOWS if match[1] == "0002" else None


def _first(row: Group, *columns: str) -> Decimal:
    """Return the sum of the first column that the export fills."""
    return amount(next((row[column] for column in columns if row[column] is not None), None))


def _unused(row: Group, cost: Decimal) -> Charge:
    return Charge(Kind.UNUSED, row["rows"], cost, first=row["first"], last=row["last"], currency=row["currency"])


def _left_out(row: Group, reason: Reason, cost: Decimal) -> Charge:
    return Charge(Kind.LEFT_OUT, row["rows"], cost, reason, currency=row["currency"], first=row["first"], last=row["last"])


CUR: Final = Form(
    name="CUR 2.0",
    needed=(
        *("line_item_line_item_type", "line_item_usage_start_date", "line_item_usage_type", "line_item_usage_amount"),
        *("line_item_unblended_cost", "line_item_currency_code", "line_item_product_code"),
    ),
    texts=(
        *("line_item_line_item_type", "line_item_product_code", "line_item_usage_type", "line_item_operation"),
        *("line_item_availability_zone", "product_instance_type", "product_region_code", "reservation_reservation_a_r_n"),
        *("savings_plan_purchase_term", "pricing_lease_contract_length"),
    ),
    details=(),
    numbers=(
        *("line_item_unblended_cost", "line_item_net_unblended_cost", "line_item_usage_amount"),
        *("pricing_public_on_demand_cost", "reservation_effective_cost", "reservation_net_effective_cost"),
        *("savings_plan_savings_plan_effective_cost", "savings_plan_net_savings_plan_effective_cost"),
        *("savings_plan_total_commitment_to_date", "savings_plan_used_commitment"),
        *_UNUSED_RECURRING,
        *_UNUSED_UPFRONT,
    ),
    cost="line_item_unblended_cost",
    start="line_item_usage_start_date",
    end="line_item_usage_end_date",
    currency="line_item_currency_code",
    resource="line_item_resource_id",
    tags="resource_tags",
    identity=("identity_line_item_id", "identity_time_interval", "line_item_resource_id"),
    charge_of=_charge,
)
