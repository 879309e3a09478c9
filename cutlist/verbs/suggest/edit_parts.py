"""The part that each edit of an option has in what it saves now: every set of the edits is planned, while they are few."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from cutlist.api.nodepool import NodePool
from cutlist.optimization.first_pools import first_name
from cutlist.verbs.diff.attribution import Subset, parts

_PLANS: Final = 32
"""How many plans are made at most: all sets of five edits."""


@dataclass(frozen=True, slots=True)
class EditUnit:
    """What can only be made together: the requirements of a NodePool on one label, or a new NodePool with what it takes of the
    limits of the one that it copies. `key` is empty for a new NodePool."""

    node_pool: str
    key: str


def edit_units(before: Iterable[NodePool], after: Iterable[NodePool]) -> tuple[EditUnit, ...]:
    """Return what changes between NodePools, in the order of `after`."""
    known = {pool.name: pool for pool in before}
    units = []
    for pool in after:
        old = known.get(pool.name)
        if old is None:
            units.append(EditUnit(pool.name, ""))
            continue
        keys = dict.fromkeys(entry.key for entries in (old.requirements, pool.requirements) for entry in entries)
        units += [EditUnit(pool.name, key) for key in keys if _entries(old, key) != _entries(pool, key)]
    return tuple(units)


def pools_with(before: Sequence[NodePool], after: Sequence[NodePool], units: Iterable[EditUnit]) -> tuple[NodePool, ...]:
    """Return NodePools with some of the edits made."""
    made, changed = set(units), {pool.name: pool for pool in after}
    kept = [_with_some(pool, changed.get(pool.name, pool), made) for pool in before]
    new = [pool for pool in after if EditUnit(pool.name, "") in made]
    return tuple(sorted((*kept, *new), key=lambda pool: pool.name))


def parts_of(units: Sequence[EditUnit], price: Callable[[tuple[EditUnit, ...]], float]) -> tuple[float, ...]:
    """Return what each edit saves, USD/hour, so that they add up to what all save; `price` is that of some of the edits. With
    many edits what they do together is shared among them in equal parts."""

    def value(chosen: Subset) -> Fraction:
        return Fraction(price(tuple(units[number] for number in sorted(chosen))))

    if not units:
        return ()
    of = parts(len(units), value, _PLANS)
    rest = (of.together or Fraction(0)) / len(units)
    return tuple(-float((part or Fraction(0)) + rest) for part in of.of_edits)


def _with_some(pool: NodePool, changed: NodePool, made: set[EditUnit]) -> NodePool:
    manifest = pool.manifest()
    spec, template = manifest["spec"], manifest["spec"]["template"]
    keys = {unit.key for unit in made if unit.node_pool == pool.name}
    own = [entry for entry in _written(pool) if entry["key"] not in keys]
    added = [entry for entry in _written(changed) if entry["key"] in keys]
    inner = {**template["spec"], "requirements": [*own, *added]}
    limits: dict[str, Any] = {}
    if EditUnit(first_name(pool.name), "") in made and "limits" in changed.manifest()["spec"]:
        limits = {"limits": changed.manifest()["spec"]["limits"]}
    whole = {**manifest, "spec": {**spec, "template": {**template, "spec": inner}, **limits}}
    return NodePool.from_manifest(whole, pool.karpenter)


def _entries(pool: NodePool, key: str) -> list[Mapping[str, Any]]:
    return [entry for entry in _written(pool) if entry["key"] == key]


def _written(pool: NodePool) -> Sequence[Mapping[str, Any]]:
    entries: Sequence[Mapping[str, Any]] = pool.manifest()["spec"]["template"]["spec"].get("requirements") or ()
    return entries
