"""Devices of a node or a network, as drivers publish them (spec: R-21 to R-23, R-102, R-108).

Amounts are integers in nano-units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Counters = Mapping[tuple[str, str], int]
"""Amounts by the name of a counter set and of a counter in it."""


class DeviceID(NamedTuple):
    """The name of a device: unique by driver and pool."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return "/".join(self)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value with its kind: `string`, `int`, `bool` or `version`. Values of different kinds are never equal (R-39)."""

    kind: str
    value: str | int | bool


@dataclass(frozen=True, slots=True)
class AmountRange:
    """The amounts that may be taken of a capacity: from `minimum` on, in steps, up to `maximum`; None for no such bound."""

    minimum: int | None = None
    maximum: int | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class RequestPolicy:
    """How much of a capacity one request takes. `default` is for requests that name no amount, None for all of it.

    Amounts are rounded up to the range, or to the next of the ascending `values`; a policy has at most one of the two.
    """

    default: int | None = None
    range: AmountRange | None = None
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Capacity:
    """An amount that a device has, with the policy for those who share it."""

    amount: int
    policy: RequestPolicy | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Device:
    """A device. `shared` ones may be allocated several times, as long as their capacity suffices.

    Names of attributes and capacities are as published: one without a domain belongs to the domain of the driver. `consumes`
    are amounts of the pool's shared counters. Two devices are equal only if they are the same object.
    """

    name: str
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    capacity: Mapping[str, Capacity] = field(default_factory=dict)
    shared: bool = False
    consumes: Counters = field(default_factory=dict)

    def attribute(self, name: str, driver: str) -> Attribute | None:
        """Return an attribute by its qualified name, or None; one without a domain is one of the driver's domain (R-38)."""
        found = self.attributes.get(name)
        if found is None:
            domain, separator, short = name.partition("/")
            found = self.attributes.get(short) if separator and domain == driver else None
        return found
