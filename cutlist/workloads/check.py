"""The shapes of a pod template and the objects around it, so that later steps may rely on them.

They follow from the tables of `cutlist.workloads.fields`. Only the parts that planning reads are checked; the rest (images,
probes, security contexts ...) passes unchecked.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import nanos
from cutlist.core.shapes import (
    Fields,
    Report,
    Rule,
    Ruled,
    anything,
    boolean,
    integer,
    list_of,
    map_of,
    one_of,
    quantity,
    shown,
    text,
    timestamp,
)
from cutlist.workloads.fields.notation import fields_of, is_closed

_STANDARD: Final = ("cpu", "memory", "ephemeral-storage", "storage")
_RESOURCES: Final = "ResourceRequirements"
_INT32: Final = 2**31 - 1
_MOST_ENTRIES: Final = 2_000
"""The most entries of a list of a pod that plans read. Karpenter drops node affinity terms and preferences one by one, with a
try after each, so the time of a plan would have no bound. Texts, such as values of an expression, have no such limit."""
_SCALARS: Final[Mapping[str, Rule]] = {
    "any": anything,
    "bool": boolean,
    "int32": integer(-(2**31)),
    "int64": integer(-(2**63), 2**63 - 1),
    "quantity": quantity,
    "text": text,
    "time": timestamp,
}


@lru_cache(maxsize=1024)
def shape_of(type_name: str) -> Rule:
    """Return the shape that plans need a type of the tables to have."""
    name = type_name.removeprefix("~")
    if name.startswith("["):
        entry = name.strip("[]+")
        most = None if entry in _SCALARS else _MOST_ENTRIES
        return list_of(shape_of(entry), at_least=1 if name.endswith("+") else 0, at_most=most)
    if name.startswith("{"):
        return map_of(shape_of(name[1:-1]))
    if "|" in name:
        return one_of(*name.split("|"))
    if bounds := name.partition("int32:")[2]:
        low, _, high = bounds.partition("..")
        return integer(int(low), int(high or _INT32))
    if name == _RESOURCES:
        return Ruled(_resources, test=_have_no_mistake)
    return _SCALARS[name] if name in _SCALARS else fields_shape(name)


@lru_cache(maxsize=1024)
def fields_shape(type_name: str) -> Fields:
    """Return the shape of a mapping with known fields, of which those that are not read may be anything."""
    known = fields_of(type_name)
    required = {field.name: shape_of(field.type) for field in known if field.is_required}
    optional = {f.name: shape_of(f.type) if f.is_read else anything for f in known if not f.is_required}
    return Fields(required, optional, closed=is_closed(type_name))


def _resources(value: Any, path: str, report: Report) -> None:
    fields_shape(_RESOURCES)(value, path, report)
    if not isinstance(value, Mapping):
        return
    requests, limits = value.get("requests"), value.get("limits")
    if not isinstance(requests, Mapping) or not isinstance(limits, Mapping):
        return
    for name in requests.keys() & limits.keys():
        if _is_above(requests[name], limits[name]):
            where = f"{path}.requests.{name}"
            report.add(
                where, f"{shown(requests[name])} is more than the limit of {shown(limits[name])}", "requests up to the limit"
            )


def _is_above(request: Any, limit: Any) -> bool:
    """Tell whether a request is more than its limit; not where one of them is no quantity, which is reported already."""
    try:
        return nanos(request) > nanos(limit)
    except QuantityError:
        return False


def _have_no_mistake(value: Any) -> bool:
    test = fields_shape(_RESOURCES).test
    if test is None or not test(value):
        return False
    requests, limits = value.get("requests") or {}, value.get("limits") or {}
    return not any(_is_above(requests[name], limits[name]) for name in requests.keys() & limits.keys())


texts: Final = shape_of("{text}")
amounts: Final = shape_of("{quantity}")
metadata: Final = shape_of("ObjectMeta")
template: Final = shape_of("PodTemplateSpec")


def unknown_resources(spec: Mapping[str, Any]) -> list[str]:
    """Return resource names that the API server refuses in a pod: without a domain only the standard ones are allowed."""
    containers = (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    lists = ((c.get("resources") or {}).get(part) or {} for c in containers for part in ("requests", "limits"))
    names = {name for amounts in lists for name in amounts}
    return sorted(n for n in names if "/" not in n and n not in _STANDARD and not n.startswith("hugepages-"))
