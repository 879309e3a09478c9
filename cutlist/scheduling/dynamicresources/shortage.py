"""What devices the instance types of a NodePool have for each request of a pod's claims, where they cannot be met.

A claim that cannot be met is met by no type at all, so this looks at types one by one, as if nothing were taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.quantity import amount_text
from cutlist.devices.claims import AllocationMode, DeviceClass, DeviceRequest, ResourceClaim
from cutlist.devices.device import Device
from cutlist.devices.selectors import chosen_by
from cutlist.devices.slices import DynamicResources, ResourceSlice

_SHOWN: Final = 5  # values of an attribute that are listed
_MEMBER: Final = re.compile(r"""device\.(attributes|capacity)\[\s*['"]([^'"]+)['"]\s*\]\.(\w+)""")
_Offered = tuple[str, Device]


@dataclass(frozen=True, slots=True)
class RequestShortage:
    """A request of a claim that no type can meet by itself. `claim` is the pod's name for the claim.

    `of_class` types have devices of its class, `chosen` types have some that all selectors choose, and the most of these that
    a type has are `most`, on `most_type`. Where none is chosen, `selector` is the first that chooses none of the class, and
    `values` are what the class has of the attribute or capacity `attribute` in it. `wanted` is 0 for all devices.
    """

    claim: str
    request: str
    device_class: str
    wanted: int
    of_class: int = 0
    chosen: int = 0
    most: int = 0
    most_type: str = ""
    selector: str = ""
    attribute: str = ""
    values: tuple[str, ...] = ()


def shortages(
    claims: Iterable[ResourceClaim],
    types: Mapping[str, DynamicResources],
    slices: Sequence[ResourceSlice],
    classes: Mapping[str, DeviceClass],
) -> tuple[RequestShortage, ...]:
    """Return the requests that no type meets, each by itself; empty if only several together cannot be met.

    Devices that several nodes reach, in `slices`, count for every type. Of alternatives the last is looked at.
    """
    shared = [(s.driver, device) for s in slices if not s.node for device in s.devices]
    return tuple(_short(claims, types, shared, classes))


def _short(
    claims: Iterable[ResourceClaim],
    types: Mapping[str, DynamicResources],
    shared: Sequence[_Offered],
    classes: Mapping[str, DeviceClass],
) -> Iterator[RequestShortage]:
    offered = {name: [*shared, *_devices(resources)] for name, resources in types.items()}
    for claim in claims:
        for request in claim.spec.requests:
            found = [_looked_at(claim, asked, offered, classes) for asked in request.alternatives or (request,)]
            if all(shortage is not None for shortage in found) and found[-1] is not None:
                yield found[-1]


def _looked_at(
    claim: ResourceClaim, request: DeviceRequest, offered: Mapping[str, Sequence[_Offered]], classes: Mapping[str, DeviceClass]
) -> RequestShortage | None:
    known = classes.get(request.device_class)
    if known is None:
        return None
    name = claim.of_pod or claim.name
    wanted = 0 if request.mode == AllocationMode.ALL else request.count
    of_class = {t: [d for d in devices if _chosen(d, known.selectors)] for t, devices in offered.items()}
    of_class = {t: devices for t, devices in of_class.items() if devices}
    chosen = {t: n for t, devices in of_class.items() if (n := sum(_chosen(d, request.selectors) for d in devices))}
    most_type = max(chosen, key=lambda t: chosen[t], default="")
    most = chosen.get(most_type, 0)
    if most >= max(wanted, 1) or (most and any(d.shared for _, d in of_class[most_type])):
        return None
    shortage = RequestShortage(name, request.name, known.name, wanted, len(of_class), len(chosen), most, most_type)
    return shortage if most or not of_class else _with_selector(shortage, request, of_class)


def _with_selector(
    shortage: RequestShortage, request: DeviceRequest, of_class: Mapping[str, Sequence[_Offered]]
) -> RequestShortage:
    devices = [device for listed in of_class.values() for device in listed]
    selector = next((s for s in request.selectors if s is not None and not any(_chosen(d, (s,)) for d in devices)), None)
    if selector is None:
        return shortage
    member = _MEMBER.search(selector)
    values = () if member is None else tuple(dict.fromkeys(_values(devices, *member.groups())))[:_SHOWN]
    return replace(shortage, selector=selector, attribute="" if member is None else member[3], values=values)


def _values(devices: Iterable[_Offered], member: str, domain: str, name: str) -> Iterator[str]:
    for driver, device in devices:
        if member == "capacity":
            held = device.capacity.get(f"{domain}/{name}") or (device.capacity.get(name) if domain == driver else None)
            if held is not None:
                yield amount_text(name, held.amount)
        elif (attribute := device.attribute(f"{domain}/{name}", driver)) is not None:
            yield str(attribute.value)


def _devices(resources: DynamicResources) -> Iterator[_Offered]:
    return ((template.driver, device) for template in resources.slices for device in template.devices)


def _chosen(offered: _Offered, selectors: Iterable[str | None]) -> bool:
    driver, device = offered
    return chosen_by(selectors, device, driver)
