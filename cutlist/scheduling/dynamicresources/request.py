"""Claims prepared for a search: classes resolved, selectors compiled, mode All settled (spec: R-12 to R-19, R-24 to R-33)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cutlist.devices.claims import MOST_DEVICES, AllocationMode, DeviceClass, DeviceRequest, ResourceClaim
from cutlist.devices.selectors import Selector, SelectorError, compiled
from cutlist.scheduling.dynamicresources.claim_errors import ClaimError, DistinctAttribute, MissingClass
from cutlist.scheduling.dynamicresources.constraint import MatchAttributeConstraint
from cutlist.scheduling.dynamicresources.pool import OfferedDevice, Pool

DevicesByType = Mapping[str, Sequence[OfferedDevice]]


@dataclass(slots=True)
class RequestData:
    """A request, or an alternative of it (`name` is then `request/alternative`).

    In mode All (`takes_all`), `all_published` are the published devices that it takes, and `all_of_type` those of each instance
    type, without types that cannot meet it; `count` is 0 then.
    """

    name: str
    selectors: tuple[Selector, ...] = ()
    count: int = 0
    takes_all: bool = False
    capacity: Mapping[str, int] = field(default_factory=dict)
    all_published: tuple[OfferedDevice, ...] = ()
    all_of_type: dict[str, tuple[OfferedDevice, ...]] = field(default_factory=dict)
    alternatives: tuple[RequestData, ...] = ()

    def all_devices(self, instance_type: str) -> tuple[OfferedDevice, ...]:
        """Return the devices that it takes in mode All."""
        return self.all_published + self.all_of_type.get(instance_type, ())

    def matches(self, offered: OfferedDevice) -> bool:
        """Tell whether all selectors choose a device. Raises SelectorError if one fails on it."""
        return all(selector.matches(offered.device, offered.id.driver) for selector in self.selectors)

    @property
    def tried(self) -> tuple[RequestData, ...]:
        """Return its alternatives, or itself."""
        return self.alternatives or (self,)


@dataclass(slots=True)
class ClaimData:
    """A claim with its requests and constraints."""

    claim: ResourceClaim
    requests: tuple[RequestData, ...]
    constraints: tuple[MatchAttributeConstraint, ...]


class ClaimReader:
    """Prepares claims for a node: its pools of published devices, and the devices of each instance type."""

    def __init__(self, classes: Mapping[str, DeviceClass], pools: Sequence[Pool], of_types: DevicesByType) -> None:
        self._classes = classes
        self._pools = pools
        self._of_types = of_types

    def read(self, claim: ResourceClaim, name: str) -> ClaimData:
        """Return a claim prepared. Raises ClaimError for one that cannot be met; `name` is the claim's in its words."""
        constraints = []
        for constraint in claim.spec.constraints:
            if constraint.attribute is None:
                raise ClaimError(f'claim "{name}": unsupported constraint type')
            if constraint.distinct:
                raise ClaimError(f'claim "{name}": DistinctAttribute constraints not done yet', DistinctAttribute(name))
            constraints.append(MatchAttributeConstraint(constraint.attribute, constraint.requests))
        requests = tuple(self._request(name, r) for r in claim.spec.requests)
        _keep_within_limit(name, requests)
        return ClaimData(claim, requests, tuple(constraints))

    def _request(self, claim: str, request: DeviceRequest) -> RequestData:
        if request.alternatives:
            # All of them are looked at first, so a mistake in one fails the claim.
            read = tuple(self._asked(claim, a, f"{request.name}/{a.name}") for a in request.alternatives)
            return RequestData(request.name, alternatives=read)
        if not request.mode:
            words = "only Exactly and FirstAvailable requests are supported"
            raise ClaimError(f'claim "{claim}" request "{request.name}": {words}')
        return self._asked(claim, request, request.name)

    def _asked(self, claim: str, request: DeviceRequest, full_name: str) -> RequestData:
        where = f'claim "{claim}" request "{request.name}"'
        device_class = self._classes.get(request.device_class)
        if device_class is None:
            name = request.device_class
            words = f'DeviceClass "{name}" not found: deviceclasses.resource.k8s.io "{name}" not found'
            raise ClaimError(f"{where}: {words}", MissingClass(request.name, name))
        selectors = tuple(_compiled(text, where) for text in _texts(where, device_class, request))
        if request.mode != AllocationMode.ALL:
            return RequestData(full_name, selectors, request.count, capacity=request.capacity)
        try:
            return self._taking_all(RequestData(full_name, selectors, takes_all=True, capacity=request.capacity))
        except ClaimError as error:
            raise ClaimError(f"{where}: {error}") from None

    def _taking_all(self, request: RequestData) -> RequestData:
        """Settle which devices a request in mode All takes. Raises ClaimError if a pool or a selector leaves that open."""
        published: list[OfferedDevice] = []
        for pool in self._pools:
            if pool.invalid:
                raise ClaimError(f"pool {'/'.join(pool.key)} is invalid (duplicate device names)")
            if pool.incomplete:
                raise ClaimError(f"pool {'/'.join(pool.key)} is incomplete (missing slices)")
            published += _matching(request, pool.devices)
        request.all_published = tuple(published)
        for instance_type, devices in self._of_types.items():
            matching = tuple(_matching(request, devices))
            if matching or published:
                request.all_of_type[instance_type] = matching
        return request


def _texts(where: str, device_class: DeviceClass, request: DeviceRequest) -> list[str]:
    texts = []
    for text in device_class.selectors:
        if text is None:
            words = "has unsupported selector type (only CEL is supported)"
            raise ClaimError(f'{where}: DeviceClass "{device_class.name}" {words}')
        texts.append(text)
    for text in request.selectors:
        if text is None:
            raise ClaimError(f"{where}: unsupported selector type (only CEL is supported)")
        texts.append(text)
    return texts


def _compiled(text: str, where: str) -> Selector:
    try:
        return compiled(text)
    except SelectorError as error:
        raise ClaimError(f'{where}: CEL expression "{text}" failed to compile: {error}') from None


def _matching(request: RequestData, devices: Iterable[OfferedDevice]) -> list[OfferedDevice]:
    matching = []
    for offered in devices:
        chosen = True
        for selector in request.selectors:
            try:
                chosen = selector.matches(offered.device, offered.id.driver)
            except SelectorError as error:
                raise ClaimError(f'CEL expression "{selector.text}" evaluation failed: {error}') from None
            if not chosen:
                break
        if chosen:
            matching.append(offered)
    return matching


def _keep_within_limit(claim: str, requests: Sequence[RequestData]) -> None:
    """Drop instance types on which mode All would take too many devices. Raises ClaimError if no type is left, or if too many
    are asked for on any (R-15, R-16)."""
    fixed = sum(min(part.count + len(part.all_published) for part in request.tried) for request in requests)
    if fixed > MOST_DEVICES:
        raise ClaimError(f'claim "{claim}" requests {fixed} total devices, exceeding maximum of {MOST_DEVICES}')
    types = {name for request in requests for part in request.tried for name in part.all_of_type}
    too_many = [
        name
        for name in types
        if fixed + sum(min(len(part.all_of_type.get(name, ())) for part in r.tried) for r in requests) > MOST_DEVICES
    ]
    for request in requests:
        for part in request.tried:
            for name in too_many:
                part.all_of_type.pop(name, None)
    if types and len(too_many) == len(types):
        raise ClaimError(
            f'claim "{claim}": all instance types pruned, no instance type can satisfy this claim '
            f"without exceeding the maximum of {MOST_DEVICES} devices"
        )
