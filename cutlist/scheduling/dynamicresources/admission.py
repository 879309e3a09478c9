"""Devices for pods of a pass: which claims they have, and what nodes and NodeClaims can give them (spec: R-48 to R-51, R-76 to
R-78)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cutlist.core.bits import bits
from cutlist.core.labels import INSTANCE_TYPE, NODEPOOL
from cutlist.devices.claims import ResourceClaim
from cutlist.devices.inventory import DeviceInventory
from cutlist.devices.slices import NO_DEVICES, DynamicResources
from cutlist.scheduling.dynamicresources.allocation import Allocation, ClaimAllocation
from cutlist.scheduling.dynamicresources.allocator import Allocator, DeviceNode
from cutlist.scheduling.dynamicresources.claim_errors import ClaimError, MissingClaim
from cutlist.scheduling.dynamicresources.shortage import RequestShortage, shortages
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaim import InFlightClaim
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import Pod

_NO_CLAIMS: Final[tuple[ResourceClaim, ...]] = ()


class DeviceAdmission:
    """Finds devices for pods one by one. Errors are data: they are returned, not raised."""

    __slots__ = ("_allocator", "_claims", "_inventory", "_nodes", "_refused", "_space", "_types", "_types_of")

    def __init__(
        self,
        allocator: Allocator,
        inventory: DeviceInventory,
        space: RequirementSpace,
        types: Mapping[str, InstanceTypeIndex],
        nodes: Mapping[str, SchedulingNode],
    ) -> None:
        """Start a pass; `types` are the instance types of each NodePool by name, `nodes` those that there are."""
        self._allocator = allocator
        self._inventory = inventory
        self._space = space
        self._types = types
        self._nodes = nodes
        self._claims: dict[Pod, tuple[ResourceClaim, ...] | ClaimError] = {}
        self._types_of: dict[tuple[int, int], Mapping[str, DynamicResources]] = {}
        self._refused: dict[tuple[int, int, int, Pod], ClaimError] = {}

    @property
    def allocations(self) -> Sequence[ClaimAllocation]:
        """Return the claims that got devices in this pass so far."""
        return self._allocator.allocations

    def claims_of(self, pod: Pod) -> tuple[ResourceClaim, ...] | ClaimError:
        """Return the claims of a pod that ask for devices, or why they cannot be looked up."""
        cached = self._claims.get(pod)
        if cached is None:
            cached = self._claims[pod] = self._resolved(pod)
        return cached

    def on_claim(self, claim: InFlightClaim, number: int, pod: Pod) -> Allocation | ClaimError:
        """Return devices on a NodeClaim of the pass, which has or would get this number."""
        key = number, claim.mask, claim.requirements, pod
        refused = self._refused.get(key)
        if refused is not None:
            return refused
        index = claim.template.instance_types
        types = self._types_in(index, claim.mask)
        node = DeviceNode(number, self._space.sets[claim.requirements], types)
        found = self._allocate(node, pod)
        # Published devices may come free again, and claims that pods share may be met elsewhere meanwhile.
        if isinstance(found, ClaimError) and not self._inventory.slices and not any(c.shared for c in self._resolved_of(pod)):
            self._refused[key] = found
        return found

    def on_node(self, name: str, requirements: int, pod: Pod) -> Allocation | ClaimError:
        """Return devices on a node that exists or is being launched, with its requirements by number."""
        node = self._nodes[name]
        index = self._types.get(node.labels.get(NODEPOOL, ""))
        instance_type = node.labels.get(INSTANCE_TYPE, "")
        number = None if index is None else index.numbers.get(instance_type)
        resources = NO_DEVICES if index is None or number is None else index.types[number].dynamic_resources
        held = self._space.sets[requirements]
        here = DeviceNode(node.name, held, {instance_type: resources}, node.node, publishes=node.initialized)
        return self._allocate(here, pod)

    def shortages(self, index: InstanceTypeIndex, mask: int, pod: Pod) -> tuple[RequestShortage, ...]:
        """Return the requests of a pod that no type of a set meets by itself."""
        types, inventory = self._types_in(index, mask), self._inventory
        return shortages(self._resolved_of(pod), types, inventory.slices, inventory.classes)

    def commit(self, allocation: Allocation, node: int | str, batch: int, kept: InFlightClaim | None = None) -> None:
        """Set aside the devices of a pod of a batch that was placed; `kept` is its NodeClaim with it."""
        names = allocation.types
        if kept is not None:
            types = kept.template.instance_types.types
            names = frozenset(types[i].name for i in bits(kept.mask))
        self._allocator.commit(allocation, node, batch, names)

    def _allocate(self, node: DeviceNode, pod: Pod) -> Allocation | ClaimError:
        try:
            return self._allocator.allocate(node, self._resolved_of(pod))
        except ClaimError as error:
            return error

    def _resolved_of(self, pod: Pod) -> tuple[ResourceClaim, ...]:
        claims = self.claims_of(pod)
        return _NO_CLAIMS if isinstance(claims, ClaimError) else claims

    def _types_in(self, index: InstanceTypeIndex, mask: int) -> Mapping[str, DynamicResources]:
        key = id(index), mask
        cached = self._types_of.get(key)
        if cached is None:
            types = (index.types[i] for i in bits(mask))
            cached = self._types_of[key] = {t.name: t.dynamic_resources for t in types}
        return cached

    def _resolved(self, pod: Pod) -> tuple[ResourceClaim, ...] | ClaimError:
        claims: list[ResourceClaim] = []
        for asked in pod.resource_claims:
            if asked.claim:
                key = pod.namespace, asked.claim
                if key not in self._inventory.claims:
                    return ClaimError(f'resourceclaim "{"/".join(key)}" not found', MissingClaim("/".join(key)))
                claims.append(self._inventory.claims[key])
            # Without a template no claim is made for the pod, and Karpenter plans it as if it asked for nothing.
            elif spec := self._inventory.templates.get((pod.namespace, asked.template)):
                claims.append(ResourceClaim(pod.namespace, "", spec, of_pod=asked.name))
        return tuple(claims)
