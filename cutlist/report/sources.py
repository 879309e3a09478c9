"""Where the prices of planned nodes come from, in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from cutlist.planned import PlannedNode
from cutlist.report.plain import counted


def source_counts(nodes: Iterable[PlannedNode]) -> tuple[list[str], list[str]]:
    """The sources of estimated prices and of the others, each with its nodes, the most first."""
    estimated: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for node in nodes:
        if node.price is not None:
            (estimated if node.is_estimated else others)[node.price_source] += node.count
    return _told(estimated), _told(others)


def price_notes(nodes: Iterable[PlannedNode]) -> tuple[str, ...]:
    """What a reader of the prices has to know of where they come from."""
    estimated, others = source_counts(nodes)
    notes = [f"* Estimated price: {listed(estimated)}."] if estimated else []
    if others:
        notes.append(f"{'Other prices' if estimated else 'Prices'}: {listed(others)}.")
    return tuple(notes)


def listed(sources: Iterable[str]) -> str:
    """Sources as they stand in a sentence."""
    return ", ".join(source.strip().removeprefix("estimate: ") or "source not named" for source in sources)


def _told(sources: Counter[str]) -> list[str]:
    ordered = sorted(sources.items(), key=lambda item: (-item[1], item[0]))
    return [f"{source} ({counted(count, 'node')})" for source, count in ordered]
