"""A NodePool in two: a copy that is tried first, and the NodePool itself, which launches what the copy cannot.

The limits of a NodePool are a budget, so the two share all of them in one proportion: a budget that is cut differently for each
resource ends before it is used up. Where there are no limits, none are added, for they would fit only today's replicas.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from cutlist.api.nodepool import NodePool
from cutlist.core.quantity import NANO, Format, Quantity
from cutlist.optimization.pool_terms import FirstPool, PoolTerms

_UNITS: Final = {Format.BINARY_SI: 2**20 * NANO, Format.DECIMAL_SI: NANO // 1000}
"""What a part of a limit is rounded down to, by how the limit is written: mebibytes, thousandths."""
_WHOLE: Final = frozenset(("nodes", "pods"))
_HIGHEST_WEIGHT: Final = 100
_LONGEST_NAME: Final = 63
_OF_THE_COPY: Final = frozenset({"name", "labels", "annotations"})
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


def first_name(pool: str) -> str:
    """Return the name of the copy of a NodePool of some name."""
    return f"{pool}-first"


def may_have_copy(pool: NodePool, pools: Iterable[NodePool]) -> bool:
    """Tell whether a NodePool may be split in two."""
    is_free = first_name(pool.name) not in {p.name for p in pools} and len(first_name(pool.name)) <= _LONGEST_NAME
    return is_free and not pool.is_static and pool.weight < _HIGHEST_WEIGHT


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
    parts = {name: str(limit) for name, limit in _part_of(pool, first).items()}
    limits = {"limits": parts} if parts else {}
    template = on_terms["spec"]["template"]
    if first.kept_for is not None:
        taints = [*(template["spec"].get("taints") or ()), first.kept_for.taint.manifest()]
        template = {**template, "spec": {**template["spec"], "taints": taints}}
    spec = {**on_terms["spec"], "template": template, "weight": pool.weight + 1, **limits}
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
    """Return the limits of a copy: the same part of every limit."""
    return {name: _share(name, limit, first.percent) for name, limit in pool.limits.items()}


def _share(name: str, limit: Quantity, percent: int) -> Quantity:
    # Accelerators and other extended resources, whose names have a domain, come in whole numbers.
    unit = NANO if name in _WHOLE or "/" in name else _UNITS.get(limit.format, NANO)
    # Rounded down, and the rest is computed by subtraction, so both together are never above the limit.
    return Quantity(limit.nanos * percent // (100 * unit) * unit, limit.format)
