"""Plans for objects built in Python: what a pool may launch, and which nodes workloads would get."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutlist.api import EC2NodeClass, NodePool, WrittenPool
from cutlist.catalog import load
from cutlist.errors import InputError, Problems, nearest
from cutlist.lint import unknown_values
from cutlist.plan import PlanInputs, allowed_types, plan
from cutlist.planned import Plan, PoolTypes
from cutlist.workloads import Workloads


def resolve(
    *pools: NodePool, region: str, zones: Sequence[str] = (), node_classes: Iterable[EC2NodeClass] = ()
) -> tuple[PoolTypes, ...]:
    """The instance types that each pool may launch in a region, cheapest first.

    Pools that were built with their EC2NodeClass bring it along; others find theirs in `node_classes`. Prices are USD per hour,
    amounts nano-units. Raises InputError for an unknown region or zone and for a pool without its class.
    """
    return allowed_types(_inputs(pools, Workloads(), region, zones, node_classes))


def preview(
    pools: Iterable[NodePool],
    workloads: Workloads,
    *,
    region: str,
    zones: Sequence[str] = (),
    node_classes: Iterable[EC2NodeClass] = (),
) -> Plan:
    """The nodes that the workloads would get from these pools. Raises InputError as `resolve` does."""
    return plan(_inputs(tuple(pools), workloads, region, zones, node_classes))


def _inputs(
    pools: Sequence[NodePool],
    workloads: Workloads,
    region: str,
    zones: Sequence[str],
    node_classes: Iterable[EC2NodeClass],
) -> PlanInputs:
    problems = Problems()
    known = {c.name: c for c in node_classes}
    known.update({p.node_class.name: p.node_class for p in pools if p.node_class is not None})
    for pool in pools:
        name = pool.node_class_ref.name
        if name not in known:
            text = f"the EC2NodeClass {name!r} of NodePool {pool.name} is not given"
            problems.add(pool.at("spec.template.spec.nodeClassRef.name"), text, ", ".join(sorted(known)), nearest(name, known))
    try:
        catalog = load(region)
    except InputError as error:
        raise InputError([*problems.found, *error.problems]) from None
    written = [WrittenPool.of(p.manifest(), p.at) for p in pools]
    warnings = unknown_values(written, catalog, problems)
    problems.raise_if_any()
    ordered = tuple(sorted(pools, key=lambda p: p.name))
    classes = tuple(known[name] for name in sorted(known))
    return PlanInputs(catalog, ordered, classes, workloads, zones=tuple(zones), warnings=tuple(warnings))
