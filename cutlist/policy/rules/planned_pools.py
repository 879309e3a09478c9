"""What rules about a plan read of its NodePools: their measures, and what a pool without a bound may cost."""

from __future__ import annotations

from collections.abc import Iterator

from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parts import Part, Resource


def pools_of(plan: Resource) -> Iterator[tuple[str, Part]]:
    """Return the measures of each NodePool, by its name."""
    return iter(plan.at("measures", "pools").members().items())


def unbounded_cost(name: str, pool: Part) -> Finding:
    """Return what there is to say about a NodePool whose cost no limit bounds."""
    why = pool.at("mostBy").text
    if pool.at("unpricedTypes").number:
        return pool.cannot_tell(f"what it may cost: {why}", about=f"NodePool/{name}")
    advice = "limit cpu, or nodes"
    return pool.violation(f"its cost has no upper bound: {why}", "a limit that bounds it", advice, about=f"NodePool/{name}")
