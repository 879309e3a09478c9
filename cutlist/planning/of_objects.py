"""From objects built in Python to the inputs of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutlist.api import NodeClass, NodePool, WrittenPool, kind_of
from cutlist.catalog import load_chosen
from cutlist.core.errors import InputError, Problems, nearest
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pool_types import used_classes
from cutlist.providers.lint import unknown_values
from cutlist.workloads import Workloads


def plan_inputs(
    pools: Iterable[NodePool],
    workloads: Workloads | None = None,
    *,
    region: str,
    zones: Sequence[str] = (),
    node_classes: Iterable[NodeClass] = (),
) -> PlanInputs:
    """Return the inputs of a plan for NodePools and workloads in a region, with the catalogue that comes with Cutlist.

    Pools that were built with their node class bring it along; others find theirs in `node_classes`. Raises InputError for an
    unknown region or zone, and for a pool without its class.
    """
    pools, problems = tuple(pools), Problems()
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
    return PlanInputs(catalog, ordered, classes, workloads or Workloads(), zones=tuple(zones), warnings=tuple(warnings))
