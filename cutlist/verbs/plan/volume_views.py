"""The volumes that pods claim in every form of a plan: their columns, and their price in words."""

from __future__ import annotations

from typing import Final

from cutlist.catalog.prices import a_month
from cutlist.core.wording import counted
from cutlist.planning.model import Plan
from cutlist.planning.model.volumes import ClaimedVolume
from cutlist.report.columns import (
    Figure,
    Figures,
    add_table,
    count,
    in_currency,
    markdown_table,
    named,
    named_cells,
    number,
    only_csv,
)
from cutlist.report.csv import NamedCells
from cutlist.report.markup import folded, words
from cutlist.report.page import HEADING, QUIET, Page
from cutlist.report.plain import currency_sign, escape, monthly
from cutlist.report.price_sources import listed

TITLE: Final = "Volumes"
_Figure = Figure[ClaimedVolume]


def _size(volume: ClaimedVolume) -> str:
    return "unknown" if volume.gib is None else f"{volume.gib:,} GiB"


def _with(volume: ClaimedVolume) -> str:
    parts = [f"{volume.iops:,} IOPS"] if volume.iops is not None else []
    parts += [f"{volume.throughput:,} MiB/s"] if volume.throughput is not None else []
    return ", ".join(parts) or "-"


def _month(volume: ClaimedVolume) -> str:
    return "unknown" if volume.total_per_hour is None else monthly(a_month(volume.total_per_hour))


_WORKLOAD: Final[_Figure] = named("workload", lambda v: v.workload, style="bold")
_CLAIM: Final[_Figure] = named("claim", lambda v: v.claim)
_COUNT: Final[_Figure] = count("volumes", lambda v: v.count)
_CLASS: Final[_Figure] = named("storage class", lambda v: v.storage_class)
_TYPE: Final[_Figure] = named("type", lambda v: v.type)
_SIZE: Final[_Figure] = number("size", _size)
_WITH: Final[_Figure] = Figure("with", _with)
_MONTH: Final[_Figure] = number("$/month", _month)
_WHY: Final[_Figure] = Figure("why unknown", lambda v: escape(v.unpriced) or "-", markdown=lambda v: words(v.unpriced) or "-")

TEXT: Final[tuple[Figures[ClaimedVolume], ...]] = (
    (_WORKLOAD, _CLAIM, _COUNT, _CLASS, _TYPE, _SIZE, _WITH, _MONTH),
    (_WORKLOAD, _COUNT, _TYPE, _SIZE, _WITH, _MONTH),
    (_WORKLOAD, _COUNT, _TYPE, _SIZE, _MONTH),
)
TABLE: Final[Figures[ClaimedVolume]] = (_WORKLOAD, _CLAIM, _COUNT, _CLASS, _TYPE, _SIZE, _WITH, _MONTH, _WHY)
"""The columns of Markdown and pages."""
CSV: Final[Figures[ClaimedVolume]] = (
    only_csv("workload", lambda v: v.workload),
    only_csv("count", lambda v: v.count),
    only_csv("price_per_hour", lambda v: v.price_per_hour),
    only_csv("price_source", lambda v: v.source or None),
    only_csv("reason", lambda v: v.unpriced or None),
    only_csv("price_estimated", lambda v: v.estimated if v.price_per_hour is not None else None),
    only_csv("claim", lambda v: v.claim),
    only_csv("storage_class", lambda v: v.storage_class or None),
    only_csv("volume_type", lambda v: v.type or None),
    only_csv("gib", lambda v: v.gib),
    only_csv("iops", lambda v: v.iops),
    only_csv("throughput", lambda v: v.throughput),
)
ONLY_OF_VOLUMES: Final = tuple(figure.name for figure in CSV[6:])
"""The columns of CSV that other rows leave empty."""


def volume_line(plan: Plan) -> str:
    """Return in a line what the volumes cost: `40 volumes, $360 a month that is not in the price`; empty without any."""
    totals = plan.volume_totals
    if not totals.volumes:
        return ""
    text = counted(totals.volumes, "volume")
    if totals.price_per_month is None:
        return f"{text}, whose price is not known"
    mark = ", partly estimated" if totals.estimated else ""
    left = f"; the price of {totals.unpriced:,} is not known" if totals.unpriced else ""
    price = f"{currency_sign(_currency(plan))}{monthly(totals.price_per_month)} a month"
    return f"{text}, {price} that is not in the price{mark}{left}"


def volume_sources(plan: Plan) -> str:
    """Return where the prices of volumes come from, as a sentence; empty without any price."""
    sources = sorted({volume.source for volume in plan.volumes if volume.source})
    return f"Volumes: {listed(map(escape, sources))}." if sources else ""


def volume_section(page: Page, plan: Plan) -> None:
    """Add the volumes to a text, with the reason below each that has no price."""
    if not plan.volumes:
        return
    page.blank()
    page.line((TITLE, HEADING))
    add_table(
        page, [in_currency(layout, _currency(plan)) for layout in TEXT], plan.volumes, lambda volume: escape(volume.unpriced)
    )
    if sources := volume_sources(plan):
        page.paragraph(sources, style=QUIET)


def volume_table(plan: Plan) -> list[str]:
    """Return the volumes as a folded table in Markdown."""
    volumes = plan.volumes
    title = f"{TITLE} ({sum(volume.count for volume in volumes):,})"
    return folded(title, markdown_table(in_currency(TABLE, _currency(plan)), volumes)) if volumes else []


def _currency(plan: Plan) -> str:
    """Return the currency of the plan, which is that of the prices of its volumes."""
    return plan.totals.currency or "USD"


def csv_row(volume: ClaimedVolume) -> NamedCells:
    """Return equal volumes as a row of kind `volume`, with the price of one."""
    return named_cells(CSV, volume, kind="volume")
