"""Memory that registered nodes report, which takes the place of the estimate (spec: AWS 2.2 step 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """What a node of a type, started from an image, reported as its memory capacity in nano-bytes."""

    instance_type: str
    memory: int
    image_id: str


def discovered_memory(reports: Iterable[MemoryReport], images: Collection[str]) -> dict[str, int]:
    """The smallest memory by instance type, of nodes that run one of a NodeClass' present images (A-22)."""
    smallest: dict[str, int] = {}
    for report in reports:
        if report.image_id in images:
            smallest[report.instance_type] = min(report.memory, smallest.get(report.instance_type, report.memory))
    return smallest
