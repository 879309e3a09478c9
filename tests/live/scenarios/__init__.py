"""The scenarios by theme, as plain data: a module a theme, built with `builders`.

A DaemonSet has a name that no other scenario gives one: Karpenter remembers the pods of a DaemonSet by its name, for up to a
minute after it is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tests.live.scenario import Scenario
from tests.live.scenarios import (
    affinities,
    batches,
    blocking,
    budgets,
    buffers,
    consolidation,
    devices,
    drift,
    emptiness,
    forceful,
    node_overlays,
    node_pools,
    plain,
    pods,
    reservations,
    running_nodes,
    selectors,
    several_passes,
    spot,
    spreads,
    volumes,
)


def _by_name(kind: str, *themes: Iterable[Scenario]) -> Mapping[str, Scenario]:
    """Return the scenarios of a kind by name, in order; a name that two have is an error."""
    scenarios = [scenario for theme in themes for scenario in theme]
    names = [scenario.name for scenario in scenarios]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two scenarios are called {name}")
    return {scenario.name: scenario for scenario in scenarios if scenario.kind == kind}


SCHEDULING: Final = _by_name(
    "scheduling",
    plain.SCENARIOS,
    pods.SCENARIOS,
    selectors.SCENARIOS,
    spreads.SCENARIOS,
    affinities.SCENARIOS,
    node_pools.SCENARIOS,
    running_nodes.SCENARIOS,
    volumes.SCENARIOS,
    node_overlays.SCENARIOS,
    buffers.SCENARIOS,
    reservations.SCENARIOS,
    devices.SCENARIOS,
    several_passes.SCENARIOS,
    batches.SCENARIOS,
)
DISRUPTION: Final = _by_name(
    "disruption",
    emptiness.SCENARIOS,
    consolidation.SCENARIOS,
    spot.SCENARIOS,
    blocking.SCENARIOS,
    budgets.SCENARIOS,
    drift.SCENARIOS,
    forceful.SCENARIOS,
    devices.SCENARIOS,
)
ALL: Final = {**SCHEDULING, **DISRUPTION}
