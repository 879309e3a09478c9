"""The decoding of an object by the API server: unknown fields, and values of the wrong type (W-1 to W-7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from cutlist.core.errors import nearest
from cutlist.core.shapes import (
    Report,
    Rule,
    amount,
    anything,
    boolean,
    join,
    kind_of,
    list_of,
    map_of,
    text,
    timestamp,
    whole,
)
from cutlist.workloads.fields.notation import NEWEST, fields_of, plain
from cutlist.workloads.validation.refusals import Refusals


@dataclass(frozen=True, slots=True)
class Decoding(Refusals):
    """Collects values of the wrong type; an object that has one is not checked further. `unknown` collects unknown fields,
    which do not stop the API server from reading the others.
    """

    unknown: Refusals = field(kw_only=True)
    empty_items: list[str] = field(default_factory=list, kw_only=True)
    """Paths of mappings in lists that are null, which the API server reads as empty ones."""


def decode(type_name: str, minor: int | None, manifest: Mapping[str, Any], decoding: Decoding) -> None:
    """Add what the API server cannot decode. Without a minor version, every field of any known version is accepted."""
    _check_of(type_name, minor)(manifest, "", decoding)


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of a type in one version, and those of other versions only, with these versions in words."""

    checks: Mapping[str, Rule]
    elsewhere: Mapping[str, str]

    def __call__(self, value: Any, path: str, report: Report) -> None:
        if not isinstance(value, Mapping):
            report.add(path, f"expected a mapping, found {kind_of(value)}")
            return
        unknown = report.unknown if isinstance(report, Decoding) else report
        for name, member in value.items():
            check = self.checks.get(name)
            if check is None:
                self._add_unknown(str(name), path, unknown)
            elif member is not None:
                check(member, join(path, name), report)

    def _add_unknown(self, name: str, path: str, unknown: Report) -> None:
        if name in self.elsewhere:
            unknown.add(join(path, name), "is not a field in this version", self.elsewhere[name])
        else:
            unknown.add(join(path, name), "is not a field here", meant=nearest(name, self.checks))


@dataclass(frozen=True, slots=True)
class _Item:
    """An entry of a list, or the value of a mapping, which may be null."""

    check: Rule

    def __call__(self, value: Any, path: str, report: Report) -> None:
        if value is not None:
            self.check(value, path, report)
        elif isinstance(self.check, _Fields) and isinstance(report, Decoding):
            report.empty_items.append(path)


@lru_cache
def _check_of(type_name: str, minor: int | None) -> Rule:
    """Return the check of a type by its name in the notation."""
    name = plain(type_name)
    if name.startswith("["):
        return list_of(_Item(_check_of(name[1:-1], minor)))
    if name.startswith("{"):
        return map_of(_Item(_check_of(name[1:-1], minor)))
    if name in _SCALARS:
        return _SCALARS[name]
    checks: dict[str, Rule] = {}
    elsewhere: dict[str, str] = {}
    for field_ in fields_of(name):
        if minor is None or field_.first <= minor <= field_.last:
            checks[field_.name] = _check_of(field_.type, minor)
        else:
            elsewhere[field_.name] = _versions(field_.first, field_.last)
    return _Fields(checks, elsewhere)


def _versions(first: int, last: int) -> str:
    if last == NEWEST:
        return f"Kubernetes 1.{first} and later"
    return f"Kubernetes 1.{last}" if first == last else f"Kubernetes up to 1.{last}"


_INT32: Final = whole(-(2**31), 2**31 - 1)


def _int_or_text(value: Any, path: str, report: Report) -> None:
    if not isinstance(value, str):
        _INT32(value, path, report)


_SCALARS: Final[Mapping[str, Rule]] = {
    "any": anything,
    "bool": boolean,
    "int32": _INT32,
    "int64": whole(-(2**63), 2**63 - 1),
    "int-or-text": _int_or_text,
    "quantity": amount,
    "text": text,
    "time": timestamp,
}
