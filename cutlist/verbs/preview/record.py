"""A stack's resources, their costs and its plans as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from cutlist.catalog import HOURS_PER_MONTH
from cutlist.core.records import SPARSE, After, Count, Part, Price, Usd, about, json_of
from cutlist.infrastructure.costs import Bill, Charge, ChargeState
from cutlist.planning.model import Plan

VERSION: Final = 1


@dataclass(frozen=True, slots=True, order=True)
class ShownResource:
    """A resource by its URN, with its type token, its name and the URN of its parent; that is empty for the stack alone."""

    urn: str
    type: str
    name: str
    parent: str


@dataclass(frozen=True, slots=True)
class _Charge:
    what: str
    count: Count
    state: ChargeState
    price_per_hour: Annotated[Price, about("USD for all of them; null unless the charge is known.")]
    source: str
    estimated: bool
    note: str


@dataclass(frozen=True, slots=True)
class _Component:
    name: str
    type: str
    charges: tuple[_Charge, ...]


@dataclass(frozen=True, slots=True)
class BillRecord:
    """What components cost, and with them the nodes of a plan."""

    hours_per_month: Count
    components: tuple[_Component, ...]
    resources_per_hour: Usd
    nodes_per_hour: Annotated[Price, about("USD of the planned nodes; null without nodes, or when no price is known.")]
    disks_per_hour: Annotated[Price, about("What of the nodes' price is for disks; null where unknown.")]
    total_per_hour: Usd
    total_per_month: Usd
    estimated_part: Annotated[Part, about("Which part of the sum is estimates.")]
    complete: Annotated[bool, about("Whether nothing is left out of the sum.")]
    overlay_nodes_per_hour: Annotated[
        Price, After("disks_per_hour"), SPARSE, about("What Karpenter takes the nodes for; only where NodeOverlays set prices.")
    ] = None


@dataclass(frozen=True, slots=True)
class PreviewRecord:
    """The resources of a stack, what they cost, and its node plans."""

    version: Literal[1]
    resources: Annotated[tuple[ShownResource, ...], about("By URN.")]
    exports: Annotated[Mapping[str, Any], about("What the program exports, by name.")]
    costs: BillRecord
    plans: tuple[Plan, ...]


def preview_json(resources: Iterable[ShownResource], exports: Mapping[str, Any], bill: Bill, plans: Iterable[Plan]) -> str:
    """Return all of it as indented JSON that ends in a newline; `exports` are the values that JSON can express, by name."""
    record = PreviewRecord(VERSION, tuple(sorted(resources)), exports, bill_record(bill), tuple(plans))
    return json_of(record, allow_nan=True)


def bill_record(bill: Bill) -> BillRecord:
    """Return the bill with prices to ten decimal places of a dollar, None where they are unknown."""
    return BillRecord(
        hours_per_month=HOURS_PER_MONTH,
        components=tuple(
            _Component(component.name, component.type, tuple(_charge(charge) for charge in component.charges))
            for component in bill.components
        ),
        resources_per_hour=_to_ten_places(bill.resources_per_hour),
        nodes_per_hour=None if bill.nodes_per_hour is None else _to_ten_places(bill.nodes_per_hour),
        disks_per_hour=None if bill.disks_per_hour is None else _to_ten_places(bill.disks_per_hour),
        total_per_hour=_to_ten_places(bill.usd_per_hour),
        total_per_month=round(bill.usd_per_hour * HOURS_PER_MONTH, 2),
        estimated_part=round(bill.estimated_part, 4),
        complete=bill.is_complete,
        overlay_nodes_per_hour=None if bill.overlay_nodes_per_hour is None else _to_ten_places(bill.overlay_nodes_per_hour),
    )


def _charge(charge: Charge) -> _Charge:
    return _Charge(
        what=charge.what,
        count=charge.count,
        state=charge.state,
        price_per_hour=None if charge.usd_per_hour is None else _to_ten_places(charge.usd_per_hour),
        source="" if charge.price is None else charge.price.provenance,
        estimated=charge.price is not None and charge.price.estimated,
        note=charge.note,
    )


def _to_ten_places(amount: float) -> float:
    return round(amount, 10)
