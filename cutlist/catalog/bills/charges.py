"""The rows of a bill that are alike, and what they are: hours of machines, unused commitments, or something else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from cutlist.core.labels import LINUX

Group = Mapping[str, Any]
"""Rows of an export that are alike: the texts of its columns ("" for none), and sums of its numbers."""


class Kind(StrEnum):
    """What rows are. The first three are hours of machines that ran."""

    CONTRACTED = "contracted"
    """On demand, at the account's rate without a commitment."""
    COMMITTED = "committed"
    """On demand, under a savings plan or a reservation."""
    SPOT = "spot"
    UNUSED = "unused"
    """A commitment or a capacity reservation that nothing used."""
    LEFT_OUT = "left out"


USED: Final = (Kind.CONTRACTED, Kind.COMMITTED, Kind.SPOT)


class Reason(StrEnum):
    """Why rows are not hours of a machine."""

    DISKS = "disks"
    TRANSFER = "data transfer"
    SERVICES = "other services"
    TAXES = "taxes"
    CREDITS = "credits"
    REFUNDS = "refunds and corrections"
    PURCHASES = "purchases and fees of commitments"
    DISCOUNTS = "discounts on the whole bill"
    NEGATIVE = "negative amounts of machines"
    NO_TYPE = "compute without an instance type"
    OTHER_OS = "operating systems with a licence of their vendor"
    DEDICATED = "dedicated tenancy and hosts"
    NOT_HOURS = "compute that is not counted in hours"
    CATEGORY = "an unknown pricing category"
    LINE_TYPE = "an unknown type of line"


@dataclass(frozen=True, slots=True)
class Charge:
    """Rows that are alike: their number, what they cost, and for machines hours and what these cost at list prices.

    `listed` is None where the export does not say. `region` and `zone` are empty where it has none, and so is `term` (`1y` or
    `3y`, of commitments). `first` and `last` are days (ISO). Only a bill that was read by day has `day`, `until` (the last day
    of each row), `pool` and `node`.
    """

    kind: Kind
    rows: int
    cost: Decimal
    reason: Reason | None = None
    instance_types: tuple[str, ...] = ()
    region: str = ""
    zone: str = ""
    os: str = LINUX
    hours: Decimal = Decimal(0)
    listed: Decimal | None = None
    term: str = ""
    currency: str = ""
    first: str = ""
    last: str = ""
    day: str = ""
    until: str = ""
    pool: str = ""
    node: str = ""

    @property
    def is_used(self) -> bool:
        """Tell whether these are hours of machines that ran."""
        return self.kind in USED


def members(text: str) -> dict[str, str]:
    """Return the members of a column with details, by their names in lower case; none if it is not an object of JSON."""
    if not text or text[0] not in "{[":
        return {}
    try:
        parsed = json.loads(text)
    except ValueError:
        return {}
    if isinstance(parsed, list):  # a map that some writers store as pairs
        parsed = {pair.get("key"): pair.get("value") for pair in parsed if isinstance(pair, Mapping)}
    return {str(key).lower(): str(value) for key, value in parsed.items() if value is not None}


_AWS_TYPE: Final = re.compile(r"[a-z][a-z0-9-]*\.(?:nano|micro|small|medium|large|\d*xlarge|metal(?:-\d+xl)?)")
_AZURE_SIZE: Final = re.compile(r"(?:Standard|Basic)_[A-Z][A-Za-z0-9_-]*")
_METER: Final = re.compile(r"[A-Z]{1,3}\d[\w-]*(?: [A-Za-z0-9]+)*")
_SPOT_WORDS: Final = re.compile(r" (?:Spot|Low Priority)\b")
ZONE_OF_AWS: Final = re.compile(r"([a-z]{2}(?:-[a-z]+)+-\d)[a-z]")


def aws_type(text: str) -> str:
    """Return the EC2 instance type that a text is, or the part of a usage type behind its colon; else an empty text."""
    name = text.rpartition(":")[2].strip()
    return name if _AWS_TYPE.fullmatch(name) else ""


def azure_sizes(text: str) -> tuple[str, ...]:
    """Return the VM sizes that a name or a meter is for: `D2 v3/D2s v3 Spot` is for two."""
    text = _SPOT_WORDS.sub("", text.strip())
    if _AZURE_SIZE.fullmatch(text):
        return (text,)
    names = tuple(part.strip() for part in text.split("/"))
    if not all(_METER.fullmatch(name) for name in names):
        return ()
    return tuple("Standard_" + name.replace(" ", "_") for name in names)


def region_of(region: str, zone: str) -> str:
    """Return the region that an export names, else that of the zone of AWS."""
    if region:
        return region.lower()
    match = ZONE_OF_AWS.fullmatch(zone)
    return match[1] if match is not None else ""


def amount(value: Any) -> Decimal:
    """Return a sum of a column, 0 where no row has it."""
    return Decimal(0) if value is None else Decimal(value)


def term_of(text: str) -> str:
    """Return the term of a commitment, `1y` or `3y`, from the ways in which exports write it; else an empty text."""
    text = text.strip().lower()
    if text in ("12", "p1y") or re.fullmatch(r"1 ?y(?:r|ear)?s?", text):
        return "1y"
    return "3y" if text in ("36", "p3y") or re.fullmatch(r"3 ?y(?:r|ear)?s?", text) else ""
