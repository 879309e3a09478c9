"""The footnote that says where prices come from and what the mark of an estimate means."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.report.page import QUIET, Page
from cutlist.report.sources import listed


def price_sources(page: Page, estimated: Sequence[str], others: Sequence[str]) -> None:
    """Name the sources of the prices on the page; those in `estimated` are marked `*` there."""
    if estimated:
        page.paragraph(f"Estimated price: {listed(estimated)}.", first="* ", indent=2, style=QUIET)
    if others:
        page.paragraph(f"{'Other prices' if estimated else 'Prices'}: {listed(others)}.", style=QUIET)
