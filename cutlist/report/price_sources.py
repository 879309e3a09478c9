"""Say in sentences where prices come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cutlist.catalog.ages import PriceAge
from cutlist.core.wording import counted
from cutlist.planning.model import Plan, PlannedNode, Totals, TypeRow
from cutlist.report.markup import words
from cutlist.report.page import QUIET, Page
from cutlist.report.plain import currency_sign, hourly, percent


def planned_price_sources(nodes: Iterable[PlannedNode]) -> tuple[list[str], list[str]]:
    """Return the sources of estimated prices and of the others, each with its nodes, the most first."""
    estimated: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for node in nodes:
        if node.price is not None:
            (estimated if node.price.estimated else others)[node.price.provenance] += node.count
    return with_nodes(estimated), with_nodes(others)


def candidate_price_sources(nodes: Iterable[PlannedNode]) -> tuple[list[str], list[str]]:
    """Return the same for views that show what nodes may become: these prices may be estimates even if a node's is not."""
    nodes = list(nodes)
    estimated, others = planned_price_sources(nodes)
    if not estimated and any(candidate.is_estimated for node in nodes for candidate in node.candidates):
        estimated = ["`cutlist types` names its source"]
    return estimated, others


def disk_sources(nodes: Iterable[PlannedNode]) -> list[str]:
    """Return the sources of the prices of disks, each with its nodes, the most first."""
    sources: Counter[str] = Counter()
    for node in nodes:
        if node.disk_price is not None:
            sources[node.disk_price.provenance] += node.count
    return with_nodes(sources)


def price_parts(totals: Totals) -> list[str]:
    """Return which part of a total is for disks, which disks it lacks, and which part of it is estimated."""
    parts, sign = [], currency_sign(totals.currency or "USD")
    if totals.disk_price_per_hour:
        parts.append(f"{sign}{hourly(totals.disk_price_per_hour)} of it for disks")
    if totals.nodes_without_disks:
        some = totals.disk_price_per_hour is not None
        parts.append(f"without the disks of {counted(totals.nodes_without_disks, 'node')}" if some else "without disks")
    if totals.overlay_price_per_hour is not None:
        parts.append(f"{sign}{hourly(totals.overlay_price_per_hour)} as NodeOverlays make Karpenter see it")
    if totals.estimated_part:
        parts.append(estimated_share(totals.estimated_part))
    return parts


def estimated_share(part: float | None) -> str:
    """Return which part of a price is estimated; empty if no part is."""
    if not part:
        return ""
    share = percent(part)
    return f"{'less than 1%' if share == '0%' else share} of it estimated"


def overlay_price_in_words(node: PlannedNode) -> str:
    """Return the price by which Karpenter ranks one of these nodes if a NodeOverlay sets it; else an empty text."""
    sign = currency_sign("USD" if node.price is None else node.price.currency)
    return "" if node.overlay_price is None else f"ranked at {sign}{hourly(node.overlay_price)} by a NodeOverlay"


def os_disk_in_words(node: PlannedNode) -> str:
    """Return where the OS disk of one of these nodes is, if that depends on its type; else an empty text."""
    return "" if node.os_disk is None else f"OS disk: {node.os_disk.in_words}"


def estimate_sources(plans: Iterable[Plan]) -> list[str]:
    """Return the sources of estimated prices in some plans, by name."""
    return sorted({node.price.provenance for plan in plans for node in plan.nodes if node.price and node.price.estimated})


def type_price_sources(rows: Iterable[TypeRow]) -> tuple[list[str], list[str]]:
    """Return the sources of estimated prices of instance types, and of the others, by name."""
    sources = {(price.provenance, price.estimated) for row in rows for price in (row.on_demand, row.spot) if price is not None}
    return sorted(s for s, estimated in sources if estimated), sorted(s for s, estimated in sources if not estimated)


def type_disk_sources(rows: Iterable[TypeRow]) -> list[str]:
    """Return the sources of the prices of OS disks that cost something, by name."""
    prices = [row.os_disk_price for row in rows if row.os_disk_price is not None]
    return sorted({price.provenance for price in prices if price.usd_per_hour})


def price_notes(estimated: Sequence[str], others: Sequence[str], disks: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what a reader has to know about the sources of prices."""
    notes = [f"* Estimated price: {listed(estimated)}."] if estimated else []
    if others:
        notes.append(f"{'Other prices' if estimated else 'Prices'}: {listed(others)}.")
    if disks:
        notes.append(f"Disks: {listed(disks)}.")
    return tuple(notes)


def age_notes(*ages: PriceAge | None) -> tuple[str, ...]:
    """Return in one sentence which prices are old, if some are: of several regions, those of the oldest."""
    known = {age.region: age for age in ages if age is not None}
    oldest = max(known.values(), key=lambda age: age.days, default=None)
    return () if oldest is None else (oldest.sentence(len(known)),)


def listed(sources: Iterable[str]) -> str:
    """Return sources as part of a sentence."""
    return ", ".join(source.strip().removeprefix("estimate: ") or "source not named" for source in sources)


def with_nodes(sources: Counter[str]) -> list[str]:
    """Return each source with the number of its nodes, the most first."""
    ordered = sorted(sources.items(), key=lambda item: (-item[1], item[0]))
    return [f"{source} ({counted(count, 'node')})" for source, count in ordered]


def price_footnote(
    page: Page, estimated: Sequence[str], others: Sequence[str], age: PriceAge | None = None, disks: Sequence[str] = ()
) -> None:
    """Name the sources of the prices on the page, and which are old; those in `estimated` are marked `*` there."""
    if estimated:
        page.paragraph(f"Estimated price: {listed(estimated)}.", first="* ", indent=2, style=QUIET)
    if others:
        page.paragraph(f"{'Other prices' if estimated else 'Prices'}: {listed(others)}.", style=QUIET)
    age_footnote(page, age)
    if disks:
        page.paragraph(f"Disks: {listed(disks)}.", style=QUIET)


def age_footnote(page: Page, *ages: PriceAge | None) -> None:
    """Say which prices are old, if some are."""
    for note in age_notes(*ages):
        page.paragraph(note, style=QUIET)


def age_lines(*ages: PriceAge | None) -> list[str]:
    """Return which prices are old as lines of Markdown, none if none is."""
    return [line for note in age_notes(*ages) for line in ("", words(note))]
