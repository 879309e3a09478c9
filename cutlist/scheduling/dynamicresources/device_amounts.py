"""Devices as amounts, counted like other resources: what a pod's claims take and what nodes have (spec: R-8, R-9).

Only what certainly holds is counted: requests for a number of devices that no two pods share and that a node has to itself. So
alternatives, claims that pods share, and devices that several pods or several nodes may use make a bound looser, not wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.devices.claims import AllocationMode, DeviceClass, DeviceRequest
from cutlist.devices.device import Device
from cutlist.devices.inventory import DeviceInventory
from cutlist.devices.selectors import chosen_by
from cutlist.devices.slices import DynamicResources
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import Pod

TemplateKey = tuple[str, str]
"""The namespace and name of a ResourceClaimTemplate."""
Amounts = Mapping[str, int]
_Offered = tuple[str, Device]  # with its driver
_NONE: Final[Amounts] = {}


@dataclass(frozen=True, slots=True)
class DeviceAmounts:
    """Numbers of devices by the name of a set of devices, which stands for a resource.

    `asked` are those that one pod takes, by its claim template, `of_types` those on the nodes of a type, by its devices, and
    `published` those that nodes have published, by the name of the node.
    """

    asked: Mapping[TemplateKey, Amounts] = field(default_factory=dict)
    of_types: Mapping[DynamicResources, Amounts] = field(default_factory=dict)
    published: Mapping[str, Amounts] = field(default_factory=dict)

    def of_template(self, key: TemplateKey) -> Amounts:
        """Return how many devices of each set a pod with a claim of a template takes."""
        return self.asked.get(key, _NONE)

    def of_type(self, devices: DynamicResources) -> Amounts:
        """Return how many devices of each set a new node has."""
        return self.of_types.get(devices, _NONE)

    def of_node(self, node: SchedulingNode) -> Amounts:
        """Return how many devices of each set an existing node has at most: while it starts, it may be of any type."""
        there = self.published.get(node.node, _NONE)
        if node.initialized:
            return there
        return {name: there[name] + max(of_type[name] for of_type in self.of_types.values()) for name in there}


NO_AMOUNTS: Final = DeviceAmounts()


def templates_of(pod: Pod) -> tuple[TemplateKey, ...]:
    """Return the templates of the claims that are made for a pod."""
    return tuple((pod.namespace, asked.template) for asked in pod.resource_claims if asked.template)


def device_amounts(parts: Sequence[SchedulerInputs], pods: Iterable[Pod]) -> DeviceAmounts:
    """Return the amounts for pods, on the types of all controllers and the nodes that there are."""
    inputs = parts[0]
    templates = dict.fromkeys(key for pod in pods for key in templates_of(pod))
    requests = {key: tuple(_counted(inputs.devices, key)) for key in templates}
    if not any(requests.values()):
        return DeviceAmounts()
    types = {t.dynamic_resources for part in parts for listed in part.types.values() for t in listed}
    of_types = {devices: tuple(_of_type(devices)) for devices in types}
    published = {node.node: tuple(_published(inputs.devices, node.node)) for node in inputs.nodes}
    everything = tuple(offered for listed in (*of_types.values(), *published.values()) for offered in listed)
    chosen = {key: tuple(_exclusive(inputs.devices, of, everything)) for key, of in requests.items()}
    sets = dict.fromkeys(devices for of in chosen.values() for _, devices in of)
    names = {devices: f"devices {number}" for number, devices in enumerate(sets)}

    def room(listed: Iterable[_Offered]) -> Amounts:
        own = {device for _, device in listed}
        return {name: len(own & devices) for devices, name in names.items()}

    def taken(counts: Sequence[tuple[int, frozenset[Device]]]) -> Amounts:
        # Who takes a device of a set takes one of every larger set.
        return {name: sum(n for n, of in counts if of <= devices) for devices, name in names.items()}

    return DeviceAmounts(
        {key: taken(of) for key, of in chosen.items()},
        {devices: room(listed) for devices, listed in of_types.items()},
        {name: room(listed) for name, listed in published.items()},
    )


def _counted(inventory: DeviceInventory, key: TemplateKey) -> Iterator[DeviceRequest]:
    """Yield the requests of a template whose devices no other pod and no other node can use."""
    spec = inventory.templates.get(key)
    anywhere = [(s.driver, device) for s in inventory.slices if not s.node for device in s.devices]
    for request in spec.requests if spec else ():
        plain = not request.alternatives and request.mode == AllocationMode.EXACT_COUNT
        if plain and request.device_class in inventory.classes and not any(_matching(inventory, request, anywhere)):
            yield request


def _exclusive(
    inventory: DeviceInventory, requests: Iterable[DeviceRequest], offered: Sequence[_Offered]
) -> Iterator[tuple[int, frozenset[Device]]]:
    """Yield how many devices requests ask for, and of which, unless one of these can be allocated several times."""
    for request in requests:
        devices = frozenset(_matching(inventory, request, offered))
        if not any(device.shared for device in devices):
            yield request.count, devices


def _matching(inventory: DeviceInventory, request: DeviceRequest, offered: Iterable[_Offered]) -> Iterator[Device]:
    device_class: DeviceClass = inventory.classes[request.device_class]
    selectors = (*device_class.selectors, *request.selectors)
    return (device for driver, device in offered if chosen_by(selectors, device, driver))


def _of_type(devices: DynamicResources) -> Iterator[_Offered]:
    return ((template.driver, device) for template in devices.slices for device in template.devices)


def _published(inventory: DeviceInventory, node: str) -> Iterator[_Offered]:
    return ((s.driver, device) for s in inventory.slices if node and s.node == node for device in s.devices)
