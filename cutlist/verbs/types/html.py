"""The instance types that NodePools allow, as a page: how many each has, their prices by family, and a row for each type."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cutlist.catalog.prices import Price, is_estimate
from cutlist.planning.model import TypeRow
from cutlist.report.columns import in_currency
from cutlist.report.html.rendering import render
from cutlist.report.html.types_chart import ChosenTypes, types_charts
from cutlist.report.plain import currency_sign
from cutlist.report.price_sources import price_notes, type_disk_sources, type_price_sources
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.columns import POOLS, currency_of_types, page_columns, pool_rows


@dataclass(frozen=True, slots=True)
class _Offer:
    """A type and how it is bought; `price` in USD per hour."""

    name: str
    capacity: str
    price: float
    mark: str


def types_html(answer: AllowedTypes, chosen: ChosenTypes | None = None) -> str:
    """Return the types as one page, with a row for each listed one; charts have all of them.

    `chosen` are the types that a plan uses, which are marked.
    """
    pools, region = answer.pools, answer.region
    choice, currency = chosen or ChosenTypes({}), currency_of_types(pools)
    rows = [replace(row, taken=choice.taken(pool.node_pool, row.row.name)) for pool in answer.listed for row in pool_rows(pool)]
    shown = [one.row for one in rows]
    return render(
        "types/page.html.j2",
        region=region,
        node_pools=pools,
        rows=rows,
        columns=in_currency(page_columns(region, rows), currency),
        pool_columns=in_currency(POOLS, currency),
        sign=currency_sign(currency),
        listed=sum(len(pool.types) for pool in pools),
        allowed=len({row.name for pool in pools for row in pool.types}),
        cheapest=_cheapest([row for pool in pools for row in pool.types]),
        taken=sum(count for by_type in choice.by_pool.values() for count in by_type.values()),
        charts=types_charts(pools, choice),
        notes=answer.notes,
        price_notes=price_notes(*type_price_sources(shown), type_disk_sources(shown)),
        ages=(answer.price_age,),
        pools=[pool.node_pool for pool in pools],
    )


def _cheapest(rows: Sequence[TypeRow]) -> _Offer | None:
    best = min(map(_offer, rows), key=lambda one: one.price, default=None)
    return None if best is None or math.isinf(best.price) else best


def _offer(row: TypeRow) -> _Offer:
    """Return the cheaper way to buy a type; the price is infinite where none is known."""
    offers = (
        _Offer(row.name, "spot", _known(row.spot), "*" if is_estimate(row.spot) else ""),
        _Offer(row.name, "on-demand", _known(row.on_demand), "*" if is_estimate(row.on_demand) else ""),
    )
    return min(offers, key=lambda one: one.price)


def _known(price: Price | None) -> float:
    return math.inf if price is None else price.usd_per_hour
