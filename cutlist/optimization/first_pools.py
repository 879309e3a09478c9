"""A NodePool in two: a copy that is tried first and has a limit, and the NodePool itself, which launches the rest.

Karpenter places the largest pods first, so the copy gets these and the NodePool the rest: each with machines of the size and
shape that suit its part.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from cutlist.api import NodePool
from cutlist.core.quantity import NANO, Format, Quantity
from cutlist.optimization.pool_terms import FirstPool, PoolTerms

_CPU: Final = "cpu"
_UNITS: Final = (2**30, 2**20)
_PRECISION: Final = 50
"""A part of a limit is written in the largest unit of which the limit has at least this many."""
_HIGHEST_WEIGHT: Final = 100
_LONGEST_NAME: Final = 63
_OF_THE_COPY: Final = frozenset({"name", "labels", "annotations"})
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


def first_name(pool: str) -> str:
    """Return the name of the copy of a NodePool of some name."""
    return f"{pool}-first"


def copy_limit(pool: NodePool, pools: Iterable[NodePool]) -> int | None:
    """Return how many cores a copy of a NodePool may have at most: 0 if it cannot have a copy, None for any number."""
    is_free = first_name(pool.name) not in {p.name for p in pools} and len(first_name(pool.name)) <= _LONGEST_NAME
    if pool.is_static or pool.weight >= _HIGHEST_WEIGHT or not is_free:
        return 0
    limit = pool.limits.get(_CPU)
    # One core at least stays with the NodePool, so that neither part is empty.
    return None if limit is None else max(0, limit.value() - 1)


def pools_on(pool: NodePool, terms: PoolTerms) -> tuple[NodePool, ...]:
    """Return the NodePool on some terms, and its copy if the terms have one."""
    changed = terms.on(pool)
    return (changed,) if terms.first is None else (_with_rest(changed, terms.first), first_pool(pool, terms.first))


def first_pool(pool: NodePool, first: FirstPool) -> NodePool:
    """Return the copy of a NodePool that is tried before it."""
    on_terms = first.terms.on(pool).manifest()
    metadata = {key: value for key, value in on_terms["metadata"].items() if key in _OF_THE_COPY}
    # kubectl would compare the copy with the NodePool's own last state.
    if annotations := metadata.get("annotations"):
        metadata["annotations"] = {key: value for key, value in annotations.items() if key != _LAST_APPLIED}
    limits = {name: str(limit) for name, limit in _part_of(pool, first).items()}
    template = on_terms["spec"]["template"]
    if first.kept_for is not None:
        taints = [*(template["spec"].get("taints") or ()), first.kept_for.taint.manifest()]
        template = {**template, "spec": {**template["spec"], "taints": taints}}
    spec = {**on_terms["spec"], "template": template, "weight": pool.weight + 1, "limits": limits}
    whole = {"apiVersion": NodePool.API_VERSION, "kind": NodePool.KIND, "metadata": {**metadata, "name": first_name(pool.name)}}
    return NodePool.from_manifest({**whole, "spec": spec}, pool.karpenter)


def _with_rest(pool: NodePool, first: FirstPool) -> NodePool:
    """Return a NodePool with the limits that its copy leaves, so that both together have no more than it had."""
    if not pool.limits:
        return pool
    manifest: dict[str, Any] = pool.manifest()
    part = _part_of(pool, first)
    rest = {name: str(limit - part[name]) for name, limit in pool.limits.items()}
    return NodePool.from_manifest({**manifest, "spec": {**manifest["spec"], "limits": rest}}, pool.karpenter)


def _part_of(pool: NodePool, first: FirstPool) -> dict[str, Quantity]:
    """Return the limits of a copy: its cores, and the same part of every other limit."""
    others = {name: _share(limit, first) for name, limit in pool.limits.items() if name != _CPU}
    return {_CPU: Quantity.parse(first.cpu), **others}


def _share(limit: Quantity, first: FirstPool) -> Quantity:
    unit = next((unit for unit in _UNITS if limit.format is Format.BINARY_SI and limit.value() >= _PRECISION * unit), 1)
    # Rounded down, and the rest is computed by subtraction, so both together are never above the limit.
    return Quantity(limit.value() * first.cpu // (first.cores * unit) * unit * NANO, limit.format)
