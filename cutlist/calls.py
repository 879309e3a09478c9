"""Plans for objects built in Python: what a pool may launch, and which nodes workloads would get."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutlist.api import NodeClass, NodePool, WrittenPool, kind_of
from cutlist.catalog import load_chosen
from cutlist.errors import InputError, Problems, nearest
from cutlist.lint import unknown_values
from cutlist.plan import PlanInputs, allowed_types, plan
from cutlist.planned import Plan, PoolTypes
from cutlist.planning.pool_types import used_classes
from cutlist.workloads import Workloads


def resolve(
    *pools: NodePool, region: str, zones: Sequence[str] = (), node_classes: Iterable[NodeClass] = ()
) -> tuple[PoolTypes, ...]:
    """The instance types that each pool may launch in a region, cheapest first.

    Pools that were built with their node class bring it along; others find theirs in `node_classes`. Prices are USD per hour,
    amounts nano-units. Raises InputError for an unknown region or zone and for a pool without its class.
    """
    return allowed_types(_inputs(pools, Workloads(), region, zones, node_classes))


def preview(
    pools: Iterable[NodePool],
    workloads: Workloads,
    *,
    region: str,
    zones: Sequence[str] = (),
    node_classes: Iterable[NodeClass] = (),
) -> Plan:
    """The nodes that the workloads would get from these pools. Raises InputError as `resolve` does."""
    return plan(_inputs(tuple(pools), workloads, region, zones, node_classes))


def _inputs(
    pools: Sequence[NodePool],
    workloads: Workloads,
    region: str,
    zones: Sequence[str],
    node_classes: Iterable[NodeClass],
) -> PlanInputs:
    problems = Problems()
    given = [*node_classes, *(p.node_class for p in pools if p.node_class is not None)]
    known = {(kind_of(c), c.name): c for c in given}
    there = used_classes(pools, known.values())
    for pool in pools:
        kind, name = pool.node_class_ref.kind, pool.node_class_ref.name
        if pool.name not in there:
            names = sorted(n for k, n in known if k == kind)
            text = f"the {kind} {name!r} of NodePool {pool.name} is not given"
            problems.add(pool.at("spec.template.spec.nodeClassRef.name"), text, ", ".join(names), nearest(name, names))
    try:
        catalog = load_chosen(None, region)
    except InputError as error:
        raise InputError([*problems.found, *error.problems]) from None
    written = [WrittenPool.of(p.manifest(), p.at) for p in pools]
    warnings = unknown_values(written, catalog, problems)
    problems.raise_if_any()
    ordered = tuple(sorted(pools, key=lambda p: p.name))
    classes = tuple(known[key] for key in sorted(known, key=lambda key: (key[1], key[0])))
    return PlanInputs(catalog, ordered, classes, workloads, zones=tuple(zones), warnings=tuple(warnings))
