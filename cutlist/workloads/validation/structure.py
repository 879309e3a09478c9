"""The decoding of an object by the API server: unknown fields, and values of the wrong type (W-1 to W-7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from cutlist.core.errors import QuantityError, nearest
from cutlist.core.quantity import nanos
from cutlist.core.shapes import anything, boolean, integer, join, kind_of, text, timestamp
from cutlist.workloads.fields.kinds import AUTOSCALER_TYPES, SHAPING_TYPES, WORKLOAD_TYPES
from cutlist.workloads.fields.pods import CONTAINER_TYPES, META_TYPES, POD_TYPES
from cutlist.workloads.fields.volumes import CLAIM_TYPES, VOLUME_TYPES
from cutlist.workloads.validation.refusals import Refusals

OLDEST: Final = 29
NEWEST: Final = 37
"""The minor versions of Kubernetes 1 whose fields are known."""

_TYPES: Final[Mapping[str, str]] = {
    **META_TYPES,
    **POD_TYPES,
    **CONTAINER_TYPES,
    **VOLUME_TYPES,
    **CLAIM_TYPES,
    **WORKLOAD_TYPES,
    **SHAPING_TYPES,
    **AUTOSCALER_TYPES,
}


@dataclass(frozen=True, slots=True)
class Decoding(Refusals):
    """Collects values of the wrong type; an object that has one is not checked further. `unknown` collects unknown fields,
    which do not stop the API server from reading the others.
    """

    unknown: Refusals = field(kw_only=True)
    empty_items: list[str] = field(default_factory=list, kw_only=True)
    """Paths of mappings in lists that are null, which the API server reads as empty ones."""


Check = Callable[[Any, str, Decoding], None]


def decode(type_name: str, minor: int | None, manifest: Mapping[str, Any], decoding: Decoding) -> None:
    """Add what the API server cannot decode. Without a minor version, every field of any known version is accepted."""
    _check_of(type_name, minor)(manifest, "", decoding)


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of a type in one version, and those of other versions only, with these versions in words."""

    checks: Mapping[str, Check]
    elsewhere: Mapping[str, str]

    def __call__(self, value: Any, path: str, decoding: Decoding) -> None:
        if not isinstance(value, Mapping):
            decoding.add(path, f"expected a mapping, found {kind_of(value)}")
            return
        for name, member in value.items():
            check = self.checks.get(name)
            if check is None:
                self._add_unknown(str(name), path, decoding.unknown)
            elif member is not None:
                check(member, f"{path}.{name}" if path else name, decoding)

    def _add_unknown(self, name: str, path: str, unknown: Refusals) -> None:
        if name in self.elsewhere:
            unknown.add(join(path, name), "is not a field in this version", self.elsewhere[name])
        else:
            unknown.add(join(path, name), "is not a field here", meant=nearest(name, self.checks))


@lru_cache
def _check_of(type_name: str, minor: int | None) -> Check:
    """Return the check of a type by its name in the notation."""
    if type_name.startswith("["):
        return _list_of(_check_of(type_name[1:-1], minor))
    if type_name.startswith("{"):
        return _map_of(_check_of(type_name[1:-1], minor))
    if type_name in _SCALARS:
        return _SCALARS[type_name]
    checks: dict[str, Check] = {}
    elsewhere: dict[str, str] = {}
    for written in _TYPES[type_name].split(", "):
        name, field_type, first, last = _field_of(written)
        if minor is None or first <= minor <= last:
            checks[name] = _check_of(field_type, minor)
        else:
            elsewhere[name] = _versions(first, last)
    return _Fields(checks, elsewhere)


def _field_of(written: str) -> tuple[str, str, int, int]:
    """Return a field's name and type, and the first and last minor versions that have it."""
    name, field_type, *versions = written.split(" ")
    first, last = OLDEST, NEWEST
    for version in versions:
        if version.startswith("-"):
            last = int(version.removeprefix("-1."))
        else:
            first = int(version.removeprefix("1.").removesuffix("+"))
    return name, field_type, first, last


def _versions(first: int, last: int) -> str:
    if last == NEWEST:
        return f"Kubernetes 1.{first} and later"
    return f"Kubernetes 1.{last}" if first == last else f"Kubernetes up to 1.{last}"


def _list_of(check: Check) -> Check:
    def check_list(value: Any, path: str, decoding: Decoding) -> None:
        if not isinstance(value, list):
            decoding.add(path, f"expected a list, found {kind_of(value)}")
            return
        for index, item in enumerate(value):
            if item is not None:
                check(item, f"{path}[{index}]", decoding)
            elif isinstance(check, _Fields):
                decoding.empty_items.append(f"{path}[{index}]")

    return check_list


def _map_of(check: Check) -> Check:
    def check_map(value: Any, path: str, decoding: Decoding) -> None:
        if not isinstance(value, Mapping):
            decoding.add(path, f"expected a mapping, found {kind_of(value)}")
            return
        for key, member in value.items():
            text(key, path, decoding)
            if member is not None:
                check(member, f"{path}.{key}", decoding)

    return check_map


def _whole(low: int, high: int) -> Check:
    check_integer = integer(low, high)

    def check(value: Any, path: str, decoding: Decoding) -> None:
        check_integer(int(value) if isinstance(value, float) and value.is_integer() else value, path, decoding)

    return check


_INT32: Final = _whole(-(2**31), 2**31 - 1)


def _int_or_text(value: Any, path: str, decoding: Decoding) -> None:
    if not isinstance(value, str):
        _INT32(value, path, decoding)


def _quantity(value: Any, path: str, decoding: Decoding) -> None:
    try:
        nanos(value)
    except QuantityError as error:
        decoding.add(path, str(error))
    except TypeError:
        example = "a number with an optional suffix, such as 500m or 1.5Gi"
        decoding.add(path, f"expected a quantity, found {kind_of(value)}", example)


_SCALARS: Final[Mapping[str, Check]] = {
    "any": anything,
    "bool": boolean,
    "int32": _INT32,
    "int64": _whole(-(2**63), 2**63 - 1),
    "int-or-text": _int_or_text,
    "quantity": _quantity,
    "text": text,
    "time": timestamp,
}
