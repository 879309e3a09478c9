"""The pools that AKS does not provision itself, where the cluster's own software runs (spec: azure 1.4)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import nearest
from cutlist.core.services import AKS, ClusterLimit
from cutlist.infrastructure.aks.notes import AksNotes

SYSTEM_TAINT: Final = "CriticalAddonsOnly=true:NoSchedule"
ZONES: Final = ("1", "2", "3")
MODES: Final = ("System", "User")
_NAME: Final = re.compile(r"[a-z][a-z0-9]{0,11}")
_SIZE: Final = re.compile(r"Standard_[A-Z][A-Za-z0-9]*(-[0-9]+[a-z]*)?(_[A-Za-z0-9]+)*")
_AT_MOST: Final = 1000
_AT_LEAST: Final = 2
_PODS: Final = range(10, 251)


@dataclass(frozen=True, slots=True)
class AgentPool:
    """A pool with a fixed number of nodes. `zones` is None for those of the location; a `shared` pool has no taint. `min_count`
    and `max_count` are the cluster autoscaler's, if it changes the count.
    """

    name: str = "system"
    mode: str = "System"
    count: int = 3
    vm_size: str = "Standard_D2s_v5"
    os_sku: str = "Ubuntu"
    zones: Sequence[str] | None = None
    max_pods: int | None = None
    shared: bool = False
    os_type: str = "Linux"
    auto_scaling: bool = False
    min_count: int | None = None
    max_count: int | None = None
    pod_subnet_id: str | None = None

    @property
    def taints(self) -> tuple[str, ...]:
        """Return the taints of the pool's nodes: only pods of the cluster's own software tolerate that of a system pool."""
        return (SYSTEM_TAINT,) if self.mode == "System" and not self.shared else ()


@dataclass(frozen=True, slots=True)
class PoolRules:
    """The facts against which pools are checked. `location_zones` and `sizes`, the sizes sold there, are None if unknown;
    `autoscaler_beside` says that the subscription has the feature AllowClusterAutoscalerAndNAP; `location` is its name."""

    provisioned: bool = True
    automatic: bool = False
    location_zones: Sequence[str] | None = None
    autoscaler_beside: bool = False
    sizes: Collection[str] | None = None
    location: str = "the location"


def zones_of(pool: AgentPool, location_zones: Sequence[str] | None) -> tuple[str, ...]:
    """Return the zones that a pool's nodes are spread over: those requested, or those of the location; empty if it has none."""
    if pool.zones is not None:
        return tuple(pool.zones)
    return tuple(ZONES if location_zones is None else location_zones)


def check_pools(pools: Sequence[AgentPool], rules: PoolRules, notes: AksNotes, path: str = "pools") -> None:
    """Report pools that AKS would refuse, alone or together with node provisioning."""
    for n, pool in enumerate(pools):
        _check_pool(pool, rules, f"{path}[{n}]", notes)
        if pool.name in [other.name for other in pools[:n]]:
            notes.refuse(f"{path}[{n}].name", f"pool {pool.name} appears twice")
    system = [pool for pool in pools if pool.mode == "System"]
    if not system and not rules.automatic:
        notes.refuse(path, "no pool with mode System", "at least one: it is never made by node provisioning")
    if rules.provisioned and system and not any(pool.taints for pool in system):
        text = "ordinary pods fit on every system pool, and while there is room nodes are not made for them"
        notes.warn(path, text, f"a system pool with the taint {SYSTEM_TAINT}")


def _check_pool(pool: AgentPool, rules: PoolRules, path: str, notes: AksNotes) -> None:
    notes.one_of(f"{path}.mode", pool.mode, MODES)
    for key, message, allowed, near in _wrong(pool):
        notes.refuse(f"{path}.{key}", message, allowed, near)
    _check_zones(pool, rules.location_zones, f"{path}.zones", notes)
    if rules.sizes is not None and _SIZE.fullmatch(pool.vm_size) and pool.vm_size not in rules.sizes:
        message = f"size {pool.vm_size} is not known to be sold in {rules.location}"
        notes.warn(f"{path}.vmSize", message, nearest=nearest(pool.vm_size, rules.sizes))
    if pool.mode == "System" and 0 < pool.count < _AT_LEAST:
        notes.warn(f"{path}.count", "one system node, which takes the cluster's own software with it", f"{_AT_LEAST}, better 3")
    if rules.provisioned:
        for key, limit in _refused(pool, rules):
            notes.refuse(f"{path}.{key}", limit.why, limit.allowed)


def _wrong(pool: AgentPool) -> Iterator[tuple[str, str, str, str]]:
    """Yield the mistakes that AKS refuses in a single pool: the path, the message, what is allowed, and what was probably
    meant."""
    if not _NAME.fullmatch(pool.name):
        yield "name", f"pool name {pool.name!r}", "at most 12 lower-case letters and digits, beginning with a letter", ""
    if not 1 <= pool.count <= _AT_MOST:
        yield "count", f"{pool.count} nodes", f"1 to {_AT_MOST}", ""
    if not _SIZE.fullmatch(pool.vm_size):
        yield (
            "vmSize",
            f"{pool.vm_size!r} is not the name of a size",
            "a name such as Standard_D2s_v5",
            _near_size(pool.vm_size),
        )
    if pool.auto_scaling and not 1 <= (pool.min_count or 0) <= pool.count <= (pool.max_count or 0):
        message = f"{pool.count} nodes, from {pool.min_count} to {pool.max_count}"
        yield "count", message, "minCount up to count, and count up to maxCount", ""
    if not pool.auto_scaling and (pool.min_count, pool.max_count) != (None, None):
        yield "autoScaling", "minCount or maxCount, and nothing changes the count", "neither of them, or autoScaling", ""
    if pool.max_pods is not None and pool.max_pods not in _PODS:
        yield "maxPods", f"{pool.max_pods} pods a node", f"{_PODS[0]} to {_PODS[-1]}", ""


def _refused(pool: AgentPool, rules: PoolRules) -> Iterator[tuple[str, ClusterLimit]]:
    """Yield what AKS refuses of a pool together with node provisioning: the path of the input, and the limit."""
    values = {
        "osType": ("osType", pool.os_type),
        "osSKU": ("osSku", pool.os_sku),
        "enableAutoScaling": ("autoScaling", pool.auto_scaling and not rules.autoscaler_beside),
        "podSubnetID": ("podSubnetId", pool.pod_subnet_id or None),
    }
    for limit in AKS.limits:
        key, value = values.get(limit.path, ("", None)) if limit.pools else ("", None)
        if limit.refuses(value):
            yield key, limit


def _check_zones(pool: AgentPool, known: Iterable[str] | None, path: str, notes: AksNotes) -> None:
    allowed = list(ZONES if known is None else known)
    for n, zone in enumerate(pool.zones or ()):
        if zone not in allowed:
            choice = ", ".join(allowed) or "none: the location has no zones"
            notes.refuse(f"{path}[{n}]", f"zone {zone!r} is not one of the location's", choice, nearest(zone, allowed))
        elif zone in list(pool.zones or ())[:n]:
            notes.refuse(f"{path}[{n}]", f"zone {zone!r} appears twice")


def _near_size(text: str) -> str:
    """Return the probable name if only its beginning is missing or in lower case."""
    rest = text.removeprefix("standard_").removeprefix("Standard_")
    candidate = f"Standard_{rest[:1].upper()}{rest[1:]}"
    return candidate if _SIZE.fullmatch(candidate) else ""
