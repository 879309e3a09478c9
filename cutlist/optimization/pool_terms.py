"""The terms of a NodePool that a search varies, and the NodePool that has them.

Only requirements on families, categories, generations, sizes, vCPUs, memory, capacity types and architectures change;
everything else of a NodePool stays as written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

from cutlist.api.nodepool import NodePool
from cutlist.core.identity import SameObject
from cutlist.core.labels import ARCH, AUTO_GROUP, AWS_GROUP, AZURE_GROUP, CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND, SPOT, ZONE
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.tolerations import KeptFor

_SMALL_SIZES: Final = ("nano", "micro", "small", "medium", "large")
_XLARGE: Final = len(_SMALL_SIZES)
_AMD64: Final = "amd64"
_ARM64: Final = "arm64"


@dataclass(frozen=True, slots=True)
class TypeLabels:
    """A provider's labels for family, category, generation, size, vCPUs and MiB, and all its labels that describe the machine.

    `size` is the label by which people choose sizes: of AWS the name, of Azure the number of vCPUs.
    """

    family: str
    category: str
    generation: str
    size: str
    cpu: str
    memory: str
    others: tuple[str, ...]

    @property
    def all(self) -> frozenset[str]:
        """Return the labels that restrict types."""
        known = (self.family, self.category, self.generation, self.size, self.cpu, self.memory)
        return frozenset((*known, *self.others, INSTANCE_TYPE))

    @property
    def numbers(self) -> frozenset[str]:
        """Return the labels whose values are numbers that people seldom bound."""
        return frozenset((self.cpu, self.memory))


def _aws(group: str) -> TypeLabels:
    return _labels(f"{group}/instance-", ("family", "category", "generation", "size", "cpu", "memory"), "cpu-manufacturer")


def _labels(prefix: str, names: tuple[str, str, str, str, str, str], other: str) -> TypeLabels:
    family, category, generation, size, cpu, memory = (f"{prefix}{name}" for name in names)
    return TypeLabels(family, category, generation, size, cpu, memory, (f"{prefix}{other}",))


_LABELS: Final[Mapping[str, TypeLabels]] = {
    AWS_GROUP: _aws(AWS_GROUP),
    AUTO_GROUP: _aws(AUTO_GROUP),
    AZURE_GROUP: _labels(f"{AZURE_GROUP}/sku-", ("series", "family", "version", "cpu", "cpu", "memory"), "name"),
}


def labels_of(pool: NodePool) -> TypeLabels:
    """Return the labels of the nodes of a pool's provider."""
    return _LABELS.get(pool.node_class_ref.group, _LABELS[AWS_GROUP])


@dataclass(frozen=True, slots=True)
class PoolTerms:
    """Further terms on a NodePool's nodes; None is no term.

    `more_cpu`, `less_cpu` and `less_memory` (in MiB) are exclusive, as Gt and Lt are; so is `newer_than`, a generation.
    `first` is a copy of the NodePool that launches nodes before it.
    """

    families: frozenset[str] | None = None
    more_cpu: int | None = None
    less_cpu: int | None = None
    capacity_types: frozenset[str] | None = None
    less_memory: int | None = None
    first: FirstPool | None = None
    categories: frozenset[str] | None = None
    newer_than: int | None = None
    sizes: frozenset[str] | None = None

    @property
    def count(self) -> int:
        """Return how many terms there are, without those of its copy."""
        return sum(getattr(self, name) is not None for name in (*_WRITTEN, *_NUMBERS))

    @property
    def numbers(self) -> int:
        """Return how many terms are bounds on numbers, which people seldom write."""
        return sum(getattr(self, name) is not None for name in _NUMBERS)

    @property
    def length(self) -> int:
        """Return how many values the lists of terms have."""
        lists = (self.families, self.categories, self.sizes, self.capacity_types)
        return sum(len(listed) for listed in lists if listed is not None)

    def on(self, pool: NodePool) -> NodePool:
        """Return the NodePool with these terms added to its own, without its copy."""
        labels = labels_of(pool)
        added: list[dict[str, Any]] = []
        if self.families is not None:
            added.append(_in(labels.family, self.families))
        if self.categories is not None:
            added.append(_in(labels.category, self.categories))
        if self.newer_than is not None:
            added.append({"key": labels.generation, "operator": "Gt", "values": [str(self.newer_than)]})
        if self.sizes is not None:
            added.append({"key": labels.size, "operator": "In", "values": sorted(self.sizes, key=size_order)})
        if self.more_cpu is not None:
            added.append({"key": labels.cpu, "operator": "Gt", "values": [str(self.more_cpu)]})
        if self.less_cpu is not None:
            added.append({"key": labels.cpu, "operator": "Lt", "values": [str(self.less_cpu)]})
        if self.less_memory is not None:
            added.append({"key": labels.memory, "operator": "Lt", "values": [str(self.less_memory)]})
        if self.capacity_types is not None:
            added.append(_in(CAPACITY_TYPE, self.capacity_types))
        return _with_requirements(pool, _joined(_requirements(pool), added))


_WRITTEN: Final = ("families", "categories", "newer_than", "sizes", "capacity_types")
_NUMBERS: Final = ("more_cpu", "less_cpu", "less_memory")


@dataclass(frozen=True, slots=True)
class FirstPool:
    """A copy of a NodePool that launches nodes before it, on its own terms. It gets `percent` of each limit of the NodePool,
    which keeps the rest, so that both together may launch what it may alone. A NodePool without limits has a copy without.
    `kept_for` are the pods that a taint keeps it for, None for all.
    """

    percent: int
    terms: PoolTerms
    kept_for: KeptFor | None = None


def widened(pool: NodePool, allowances: Allowances) -> NodePool:
    """Return the NodePool with everything that is allowed: the start of a search, and the subject of its bound."""
    entries = list(_requirements(pool))
    if allowances.types:
        entries = [e for e in entries if e["key"] not in labels_of(pool).all]
    if allowances.arm64:
        entries = [_with_value(e, _ARM64, _AMD64) if e["key"] == ARCH else e for e in entries]
    if allowances.spot:
        entries = [_with_value(e, SPOT, ON_DEMAND) if e["key"] == CAPACITY_TYPE else e for e in entries]
        if not any(e["key"] == CAPACITY_TYPE for e in entries):
            entries.append(_in(CAPACITY_TYPE, {SPOT, ON_DEMAND}))
    return _with_requirements(pool, entries)


def with_requirement(pool: NodePool, requirement: Mapping[str, Any]) -> NodePool:
    """Return the NodePool with a requirement that replaces its own on the same label and operator, or is added."""
    return _with_requirements(pool, _joined(_requirements(pool), [requirement]))


def without_zone(pool: NodePool, zone: str) -> NodePool:
    """Return the NodePool as it is while no node can be launched in a zone."""
    return _without_zone(SameObject(pool), zone)


@lru_cache(maxsize=1024)  # a search asks for every zone of the same NodePools again and again
def _without_zone(of: SameObject, zone: str) -> NodePool:
    pool = cast("NodePool", of.of)
    return _with_requirements(pool, [*_requirements(pool), {"key": ZONE, "operator": "NotIn", "values": [zone]}])


def without_requirements(pool: NodePool, key: str) -> NodePool:
    """Return the NodePool without its requirements on a label."""
    return _with_requirements(pool, [e for e in _requirements(pool) if e["key"] != key])


def without_label(pool: NodePool, key: str) -> NodePool:
    """Return the NodePool without a label of its nodes, which is a requirement as well."""
    manifest = pool.manifest()
    spec, template = manifest["spec"], manifest["spec"]["template"]
    metadata = template.get("metadata") or {}
    labels = metadata.get("labels") or {}
    if key not in labels:
        return pool
    kept = {**metadata, "labels": {name: value for name, value in labels.items() if name != key}}
    return NodePool.from_manifest({**manifest, "spec": {**spec, "template": {**template, "metadata": kept}}}, pool.karpenter)


def without_limits(pool: NodePool) -> NodePool:
    """Return the NodePool without its limits."""
    manifest = pool.manifest()
    spec = {key: value for key, value in manifest["spec"].items() if key != "limits"}
    return NodePool.from_manifest({**manifest, "spec": spec}, pool.karpenter)


def _requirements(pool: NodePool) -> Sequence[Mapping[str, Any]]:
    entries: Sequence[Mapping[str, Any]] = pool.manifest()["spec"]["template"]["spec"].get("requirements") or ()
    return entries


def _with_value(entry: Mapping[str, Any], added: str, beside: str) -> Mapping[str, Any]:
    """Return a requirement that allows one more value if it lists another."""
    values = entry.get("values") or []
    # Only a list that names the old value is widened: any other form may exclude the new one on purpose.
    if entry["operator"] != "In" or beside not in values or added in values:
        return entry
    return {**entry, "values": [*values, added]}


def size_order(size: str) -> tuple[int, int, str]:
    """Return where a size stands among others: `medium`, `large`, `xlarge`, `2xlarge`, or numbers of vCPUs."""
    if size.isdigit():
        return 0, int(size), size
    times = size.removesuffix("xlarge")
    if times != size:
        return _XLARGE, int(times) if times.isdigit() else 1, size
    return (_SMALL_SIZES.index(size) if size in _SMALL_SIZES else _XLARGE + 1), 0, size


def _in(key: str, values: frozenset[str] | set[str]) -> dict[str, Any]:
    return {"key": key, "operator": "In", "values": sorted(values)}


def _joined(own: Sequence[Mapping[str, Any]], added: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return requirements in which each added one replaces an own one on the same key and operator, with its `minValues`. If
    the own one demands more values than the added one has, both stay: the API server accepts that, and no type meets it.
    """
    # Reversed, so that the first of several entries with one key and operator is the one that is replaced.
    places = {(e["key"], e["operator"]): n for n, e in reversed(list(enumerate(own)))}
    joined: list[Mapping[str, Any]] = list(own)
    for entry in added:
        place = places.get((entry["key"], entry["operator"]))
        least = {} if place is None else {k: v for k, v in joined[place].items() if k == "minValues"}
        if place is None or least.get("minValues", 0) > len(entry["values"]):
            joined.append(entry)
        else:
            joined[place] = {**entry, **least}
    return joined


def _with_requirements(pool: NodePool, entries: Sequence[Mapping[str, Any]]) -> NodePool:
    manifest = pool.manifest()
    spec = manifest["spec"]
    template = spec["template"]
    inner = {**template["spec"], "requirements": [dict(e) for e in entries]}
    return NodePool.from_manifest({**manifest, "spec": {**spec, "template": {**template, "spec": inner}}}, pool.karpenter)
