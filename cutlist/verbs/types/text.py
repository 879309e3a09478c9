"""The instance types that NodePools allow, as text: cheapest first, as many as requested."""

from __future__ import annotations

from itertools import islice

from cutlist.core.wording import counted
from cutlist.report.columns import in_currency, laid_out
from cutlist.report.page import HEADING, QUIET, WARN, Group, Page, Row
from cutlist.report.price_sources import price_footnote, type_disk_sources, type_price_sources
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.columns import currency_of_types, pool_rows, text_layouts


def render_types(answer: AllowedTypes, width: int = 100, colour: bool = False) -> str:
    """Return the instance types that each NodePool allows as text of at most `width` columns; with colour as ANSI codes.

    Types that are not listed are counted.
    """
    page, pools, region = Page(width), answer.pools, answer.region
    shown = {pool.node_pool: pool_rows(pool) for pool in answer.listed}
    rows = [row for pool in pools for row in shown[pool.node_pool]]
    columns, cells = laid_out(
        [in_currency(layout, currency_of_types(pools)) for layout in text_layouts(region, rows)], rows, width
    )
    left = iter(cells)
    for pool in pools:
        page.blank()
        page.line((f"NodePool {pool.node_pool}", HEADING), f": {_how_many(pool.total)} in {region}")
        if types := shown[pool.node_pool]:
            page.blank()
            page.table(columns, [Group("", tuple(map(Row, islice(left, len(types)))))])
        if pool.total > len(types):
            page.line((f"and {pool.total - len(types):,} more", QUIET))
    page.bullets("Findings", [note.text for note in answer.notes], WARN)
    page.blank()
    shown_rows = [one.row for one in rows]
    price_footnote(page, *type_price_sources(shown_rows), answer.price_age, type_disk_sources(shown_rows))
    return page.text(colour=colour)


def _how_many(total: int) -> str:
    if not total:
        return "no instance type"
    return counted(total, "instance type") + (", cheapest first," if total > 1 else "")
