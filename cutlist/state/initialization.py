"""When a node with devices counts as started (spec: R-86; Karpenter's `nodeclaim/lifecycle/initialization`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cutlist.core.annotations import REQUESTED_DRIVERS
from cutlist.devices.slices import ResourceSlice


def missing_driver(annotations: Mapping[str, str], node: str, slices: Iterable[ResourceSlice]) -> str | None:
    """Return the first driver for which a NodeClaim was made and that has no complete pool on its node; None if all have one.

    `slices` are those of the cluster; those count that name the node or that it owns.
    """
    by_pool: dict[tuple[str, str], list[ResourceSlice]] = {}
    for published in slices:
        if node in (published.node, published.owner):
            by_pool.setdefault((published.driver, published.pool), []).append(published)
    complete = {driver for (driver, _), pool in by_pool.items() if _is_complete(pool)}
    wanted = [driver.strip() for driver in annotations.get(REQUESTED_DRIVERS, "").split(",")]
    return next((driver for driver in wanted if driver and driver not in complete), None)


def _is_complete(pool: Sequence[ResourceSlice]) -> bool:
    newest = [s for s in pool if s.generation == max(s.generation for s in pool)]
    return len(newest) == newest[0].slices > 0
