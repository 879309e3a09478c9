"""Quantities, versions and addresses as values of CEL: messages of the types that the API server has (spec: R-22, R-23)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from cutlist.core.quantity import Quantity
from cutlist.devices.versions import Version

QUANTITY: Final = "kubernetes.Quantity"
SEMVER: Final = "kubernetes.Semver"
IP: Final = "net.IP"
CIDR: Final = "net.CIDR"
_TEXT: Final = 9  # the number of the type `string` in descriptors


class Messages(NamedTuple):
    """The types: their descriptors, and the classes of their values by name."""

    pool: Any
    classes: Mapping[str, Any]


@lru_cache(maxsize=1)
def messages() -> Messages:
    """Return the types. Two values are equal in CEL if their texts are: the amount in nano-units, the version without build."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory  # imported late: few inputs have selectors

    names = (QUANTITY, SEMVER, IP, CIDR)
    pool = descriptor_pool.DescriptorPool()
    for package in dict.fromkeys(name.partition(".")[0] for name in names):
        file = descriptor_pb2.FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
        for name in names:
            if name.startswith(f"{package}."):
                message = file.message_type.add(name=name.rpartition(".")[2])
                message.field.add(name="text", number=1, type=_TEXT, label=1)
        pool.AddSerializedFile(file.SerializeToString())
    return Messages(pool, {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(name)) for name in names})


def quantity_value(nanos: int) -> Any:
    """Return an amount in nano-units as a value of CEL."""
    return messages().classes[QUANTITY](text=str(nanos))


def nanos_of(value: Any) -> int:
    """Return the nano-units of a quantity in CEL."""
    return int(value.text)


def quantity_of(text: str) -> Any:
    """Return what `quantity(text)` is. Raises QuantityError for a text that is no quantity."""
    return quantity_value(Quantity.parse(text).nanos)


def version_value(version: Version) -> Any:
    """Return a version as a value of CEL."""
    before = f"-{'.'.join(version.before)}" if version.before else ""
    return messages().classes[SEMVER](text=f"{version.major}.{version.minor}.{version.patch}{before}")


def address_value(address: object) -> Any:
    """Return an IP address as a value of CEL."""
    return messages().classes[IP](text=str(address))


def network_value(interface: object) -> Any:
    """Return an address with the length of its network's prefix as a value of CEL."""
    return messages().classes[CIDR](text=str(interface))
