"""Find the instance types that node classes give to NodePools, for every provider."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from cutlist.api.autonodeclass_rules import MANAGED_CLASS
from cutlist.api.built_in import AKS_CLASSES
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import NodeClassRef
from cutlist.api.read import NodeClass, kind_of
from cutlist.core.labels import AUTO_GROUP, AZURE_GROUP
from cutlist.planning.cloud import Cloud, DiskPrices
from cutlist.planning.controllers import registry_of, split_by_controller
from cutlist.providers import eks_auto
from cutlist.providers.azure.built_in import built_in_class
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.nodeoverlays import NodeOverlay, overlay

OverlayPrices = Callable[[str, str, str], float | None]
"""Returns the price that a NodeOverlay sets for a type in a zone and of a capacity type, in USD an hour; None without one."""


def node_classes_by_pool(pools: Iterable[NodePool], classes: Iterable[NodeClass]) -> dict[str, NodeClass]:
    """Return the node class of each NodePool by the pool's name; a pool whose class is missing is left out.

    Classes that a cloud makes itself need not be given: their relevant parts are known.
    """
    known = {(kind_of(c), c.name): c for c in classes}
    by_pool: dict[str, NodeClass] = {}
    for pool in pools:
        ref = pool.node_class_ref
        node_class = known.get((ref.kind, ref.name))
        if node_class is None and (made_class := _made_by_cloud(ref)) is not None:
            node_class = known.setdefault((ref.kind, ref.name), made_class)
        if node_class is not None:
            by_pool[pool.name] = node_class
    return by_pool


def _made_by_cloud(ref: NodeClassRef) -> NodeClass | None:
    if (ref.group, ref.name) == (AUTO_GROUP, MANAGED_CLASS):
        return eks_auto.managed_class()
    if ref.group == AZURE_GROUP and ref.name in AKS_CLASSES:
        return built_in_class(ref.name)
    return None


def disk_prices_by_pool(pools: Iterable[NodePool], classes: Iterable[NodeClass], cloud: Cloud) -> dict[str, DiskPrices]:
    """Return a function from instance type to the price of a node's disks, by NodePool; a pool whose class is missing is left
    out."""
    used = node_classes_by_pool(pools, classes)
    by_class = {key: cloud.disk_prices(c) for key, c in {(kind_of(c), c.name): c for c in used.values()}.items()}
    return {pool: by_class[kind_of(c), c.name] for pool, c in used.items()}


def instance_types_by_pool(
    pools: Sequence[NodePool], classes: Iterable[NodeClass], cloud: Cloud
) -> dict[str, Sequence[InstanceType]]:
    """Return instance types by NodePool; pools share a list unless their node classes differ in something that types depend
    on."""
    used = node_classes_by_pool(pools, classes)
    different = {(kind_of(c), c.name): c for c in sorted(used.values(), key=lambda c: c.name)}
    by_terms: dict[Hashable, Sequence[InstanceType]] = {}
    of_class: dict[tuple[str, str], Sequence[InstanceType]] = {}
    for key, node_class in different.items():
        terms = cloud.terms(node_class)
        if terms not in by_terms:
            by_terms[terms] = cloud.types(node_class)
        of_class[key] = by_terms[terms]
    return {p.name: of_class[kind_of(used[p.name]), used[p.name].name] if p.name in used else () for p in pools}


def overlay_prices_by_pool(
    overlays: Sequence[NodeOverlay], pools: Sequence[NodePool], classes: Iterable[NodeClass], cloud: Cloud
) -> dict[str, OverlayPrices]:
    """Return functions to the prices that NodeOverlays set, by NodePool; empty without a NodeOverlay."""
    if not overlays:
        return {}
    types = instance_types_by_pool(pools, classes, cloud)
    prices: dict[str, OverlayPrices] = {}
    for alike in split_by_controller(pools).values():
        overlaid = overlay(overlays, alike, types, registry_of(alike)).types
        prices |= {pool.name: _overlay_prices(overlaid[pool.name]) for pool in alike}
    return prices


def _overlay_prices(types: Iterable[InstanceType]) -> OverlayPrices:
    prices: Mapping[tuple[str, str, str], float | None] = {
        (t.name, o.zone, o.capacity_type): o.overlay_price for t in types for o in t.offerings if o.price_overlaid
    }
    return lambda instance_type, zone, capacity_type: prices.get((instance_type, zone, capacity_type))
