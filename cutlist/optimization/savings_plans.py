"""Rates of savings plans and reservations, as their owner writes them, and the price of nodes at them.

A table has a row for each rate: `family,region,term,discount,source`. The family or the region may be `*`; the most specific
row counts. `discount` is the part of the on-demand price that is saved, and `source` says where that figure is from, with its
date.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.labels import ON_DEMAND
from cutlist.documents.files import file_text
from cutlist.planning.model import Plan, PlannedNode

TERMS: Final[Mapping[str, str]] = {"1y": "1-year", "3y": "3-year"}
_COLUMNS: Final = ("family", "region", "term", "discount", "source")
_PERCENT: Final = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?)%")
_ANY: Final = "*"


@dataclass(frozen=True, slots=True)
class Rate:
    """The part of the on-demand price that a commitment for a term saves on a family in a region; `*` is any."""

    family: str
    region: str
    term: str
    discount: float
    source: str


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates that are known, in the order in which they take precedence."""

    rates: tuple[Rate, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """Return the terms for which there are rates, the shortest first."""
        return tuple(sorted({rate.term for rate in self.rates}))

    def of(self, family: str, region: str, term: str) -> Rate | None:
        """Return the most specific rate for a family in a region, or None."""
        fitting = [r for r in self.rates if r.term == term and r.family in (family, _ANY) and r.region in (region, _ANY)]
        return max(fitting, key=lambda r: (r.family != _ANY, r.region != _ANY), default=None)


NO_RATES: Final = Rates()


@dataclass(frozen=True, slots=True)
class CommittedPlan:
    """A plan with its on-demand nodes at committed rates, the sources of the rates, and how many nodes have no rate."""

    plan: Plan
    sources: tuple[str, ...]
    unrated: int


def committed(plan: Plan, listed: Plan, families: Mapping[str, str], rates: Rates, term: str) -> CommittedPlan:
    """Return a plan at the rates of a term; `families` are those of its types by name. Prices of disks are unchanged.

    Rates are parts of list prices, at which `listed` is the same plan: what the account paid may hold commitments already.
    """
    prices = {(node.node_pool, node.instance_type): node.price for node in listed.nodes}
    paid: list[PlannedNode] = []
    used: list[Rate] = []
    unrated = 0
    for node in plan.nodes:
        rate = rates.of(families.get(node.instance_type, ""), plan.region, term) if node.capacity_type == ON_DEMAND else None
        price = prices.get((node.node_pool, node.instance_type), node.price)
        if rate is None or price is None:
            unrated += node.count
            paid.append(node)
        else:
            used.append(rate)
            # A commitment does not cover disks, so their price stays.
            paid.append(replace(node, price=price.at(price.usd_per_hour * (1 - rate.discount))))
    sources = tuple(dict.fromkeys(rate.source for rate in used if rate.source))
    return CommittedPlan(replace(plan, nodes=tuple(paid)), sources, unrated)


def read_rates(files: Sequence[str], problems: Problems) -> Rates:
    """Return the rates of some tables. Mistakes are added to `problems`."""
    rates: list[Rate] = []
    for path in files:
        text = file_text(path, problems)
        if text is not None:
            before, table = len(problems.found), _table(text, path, problems)
            rates += table
            if not table and len(problems.found) == before:
                problems.add(Place(path), "contains no rate", f"rows of {', '.join(_COLUMNS)}")
    # Later rows and files take precedence, and max takes the first of equals.
    return Rates(tuple(reversed(rates)))


def _table(text: str, path: str, problems: Problems) -> list[Rate]:
    try:
        rows = csv.DictReader(StringIO(text, newline=""))
        names = [name.strip() for name in rows.fieldnames or ()]
        if set(names) - set(_COLUMNS) or not set(_COLUMNS[:4]) <= set(names):
            columns = f"has the columns {', '.join(names)}" if names else "has no columns"
            problems.add(Place(path, line=1), columns, ", ".join(_COLUMNS))
            return []
        rows.fieldnames = names
        rated = [_rate({k: (v or "").strip() for k, v in row.items() if k}, path, rows.line_num, problems) for row in rows]
    except csv.Error as error:
        problems.add(Place(path), f"is not a table: {error}", ", ".join(_COLUMNS))
        return []
    return [rate for rate in rated if rate is not None]


def _rate(row: Mapping[str, str], path: str, line: int, problems: Problems) -> Rate | None:
    place, before = Place(path, line=line), len(problems.found)
    for column in ("family", "region"):
        if not row[column]:
            problems.add(place, f"{column} is empty", f"a {column}, or {_ANY} for any")
    if row["term"] not in TERMS:
        problems.add(place, f"{row['term']!r} is not a term", ", ".join(TERMS))
    discount = _PERCENT.fullmatch(row["discount"])
    if discount is None:
        problems.add(place, f"{row['discount']!r} is not a discount", "such as 27%, below 100%")
    if discount is None or len(problems.found) > before:
        return None
    return Rate(row["family"], row["region"], row["term"], float(discount[1]) / 100, row.get("source", ""))
