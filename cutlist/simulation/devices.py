"""Devices of a simulated cluster: those that its nodes publish, and the claims by which running pods hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.core.labels import LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.devices.claims import AllocatedDevice
from cutlist.devices.device import DeviceID
from cutlist.devices.inventory import DeviceInventory
from cutlist.devices.slices import DynamicResources
from cutlist.disruption.cluster_state import ClusterState
from cutlist.scheduling.dynamicresources.running import (
    HeldClaim,
    claims_held,
    published_slices,
    with_held,
    with_slices,
    without_consumers,
)
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode

_Row = tuple[str, str, str, str, str, str, Mapping[str, int] | None]
"""A device that a pod holds: namespace and name of the claim, the request, driver, pool and device, amounts of a shared one.
A claim that another pod got devices for has one row without a driver.
"""


class SimulatedDevices:
    """The objects of dynamic resource allocation at the present instant. `nodes` are the instance types of those that publish
    devices, by name, and `held` what running pods hold, by `namespace/name`: with the UID, row by row. Pods of the beginning
    that have `ended` by UID hold nothing any more."""

    __slots__ = ("_before", "_copy", "_registry", "_types", "ended", "held", "nodes")
    NOT_SAVED: Final = frozenset(("_before", "_copy", "_registry", "_types"))

    def __init__(
        self, before: DeviceInventory, types: Mapping[str, Mapping[str, DynamicResources]], registry: LabelRegistry
    ) -> None:
        """Begin with the objects of a cluster; `types` are devices by NodePool and instance type."""
        self._before = before
        self._types = types
        self._registry = registry
        self._copy: DeviceInventory | None = before
        self.nodes: dict[str, list[str]] = {}
        self.held: dict[str, tuple[str, list[_Row]]] = {}
        self.ended: list[str] = []

    @property
    def inventory(self) -> DeviceInventory:
        """Return the present objects, as a value that stays as it is."""
        if self._copy is None:
            slices = [
                published
                for name, (pool, instance_type) in sorted(self.nodes.items())
                for published in published_slices(name, self._types.get(pool, {})[instance_type])
            ]
            holders = (claim for key in sorted(self.held) for claim in _claims(*self.held[key]))
            self._copy = with_held(with_slices(without_consumers(self._before, set(self.ended)), slices), holders)
        return self._copy

    def node_ready(self, node: StateNode) -> None:
        """Publish the devices of a node that has started."""
        if self._types.get(node.pool, {}).get(node.instance_type) is not None:
            self.nodes[node.name] = [node.pool, node.instance_type]
            self._copy = None

    def node_removed(self, name: str) -> None:
        """Withdraw the devices of a node."""
        if self.nodes.pop(name, None) is not None:
            self._copy = None

    def pod_bound(self, key: str, pod: RunningPod, node: StateNode) -> None:
        """Give a pod that starts on a node the devices of its claims."""
        requirements = Requirements.of_labels(node.state.own_labels, self._registry)
        known = self._registry.well_known
        held = claims_held(self.inventory, node.state.node, requirements, pod.pod, pod.name, pod.uid, known)
        if held:
            self.held[key] = (pod.uid, [row for claim in held for row in _rows(claim)])
            self._copy = None

    def pod_ended(self, key: str, pod: RunningPod) -> None:
        """Take back what a pod held."""
        if self.held.pop(key, None) is None:
            self.ended.append(pod.uid)
        self._copy = None


def devices_by_pool(cluster: ClusterState) -> Mapping[str, Mapping[str, DynamicResources]]:
    """Return the devices of instance types that have some, by NodePool; none where claims are ignored."""
    if cluster.options.ignore_dra_requests:
        return {}
    by_pool = {pool: {t.name: t.dynamic_resources for t in cluster.types.get(pool, ())} for pool in cluster.pools}
    return {pool: {name: r for name, r in types.items() if r.slices} for pool, types in by_pool.items()}


def _rows(claim: HeldClaim) -> list[_Row]:
    if not claim.devices:
        return [(*claim.claim, "", "", "", "", None)]
    return [(*claim.claim, d.request, *d.id, d.consumed) for d in claim.devices]


def _claims(uid: str, rows: list[_Row]) -> list[HeldClaim]:
    devices: dict[tuple[str, str], list[AllocatedDevice]] = {}
    for namespace, name, request, driver, pool, device, consumed in rows:
        of_claim = devices.setdefault((namespace, name), [])
        if driver:
            of_claim.append(AllocatedDevice(DeviceID(driver, pool, device), request, consumed))
    return [HeldClaim(claim, uid, tuple(given)) for claim, given in devices.items()]
