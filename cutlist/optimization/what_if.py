"""The same workloads under other circumstances: bought or scaled in another way, or with a zone less."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.labels import CAPACITY_TYPE, ON_DEMAND, SPOT, ZONE
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.pool_terms import widened, with_requirement
from cutlist.planning.inputs import PlanInputs
from cutlist.workloads.groups import PodGroup

ON_DEMAND_ONLY: Final[Mapping[str, object]] = {"key": CAPACITY_TYPE, "operator": "In", "values": [ON_DEMAND]}


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A circumstance in words, and the inputs under it."""

    what: str
    inputs: PlanInputs


def circumstances(inputs: PlanInputs, zones: Iterable[str]) -> Iterator[Circumstance]:
    """Yield every circumstance with its inputs; `zones` are those of the nodes of the current plan."""
    yield Circumstance("all on-demand", _with_pools(inputs, ON_DEMAND_ONLY))
    yield Circumstance("all spot", _with_pools(inputs, {**ON_DEMAND_ONLY, "values": [SPOT]}))
    wider = tuple(widened(pool, Allowances(arm64=True)) for pool in inputs.node_pools)
    if wider != inputs.node_pools:
        yield Circumstance("arm64 allowed", replace(inputs, node_pools=wider))
    for what, end in (("autoscalers at their minimum", 0), ("autoscalers at their maximum", 1)):
        groups = tuple(_scaled(group, end) for group in inputs.workloads.groups)
        if groups != inputs.workloads.groups:
            yield Circumstance(what, replace(inputs, workloads=replace(inputs.workloads, groups=groups)))
    for zone in sorted(zones):
        yield Circumstance(f"without zone {zone}", _with_pools(inputs, {"key": ZONE, "operator": "NotIn", "values": [zone]}))


def _with_pools(inputs: PlanInputs, requirement: Mapping[str, object]) -> PlanInputs:
    return replace(inputs, node_pools=tuple(with_requirement(pool, requirement) for pool in inputs.node_pools))


def _scaled(group: PodGroup, end: int) -> PodGroup:
    """Return a group with as many pods as one end of its autoscaler's range, running pods included."""
    return group if group.range is None else replace(group, count=max(0, group.range[end] - group.bound))
