"""The form of an add-on's own settings: JSON, with the fields of pod templates in Kubernetes (spec: aws-infrastructure 1.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.shapes import Below, Report, Rule, anything, integer, list_of, map_of, quoted, text
from cutlist.core.shapes.parts import Map
from cutlist.workloads.check import shape_of

_NO_JSON: Final = (set, frozenset, bytes, date)  # an unquoted day is a date in YAML
_PLAIN: Final = (str, int, float, bool, list, tuple, dict, type(None))
"""Types of values that are known now. EKS checks all others, such as Outputs."""


def form_problems(configuration: Any, at: Place) -> Iterator[Problem]:
    """Yield the parts of an add-on's settings that EKS or Kubernetes would refuse because of their form, at any depth: node
    selectors, tolerations, affinities, spread constraints and replicas of a wrong type, and values that JSON cannot express."""
    if isinstance(configuration, _NO_JSON):
        yield Problem(at, f"{configuration!r} is not a value of JSON", "a string in quotes, a number, a list or a mapping")
    elif isinstance(configuration, Mapping):
        for key, value in configuration.items():
            place = at.member(str(key))
            if not isinstance(key, str):
                yield Problem(place, f"{key!r} is not a name", "a string in quotes")
            elif key in _FORMS and isinstance(value, _PLAIN):
                yield from _shape_problems(_FORMS[key], value, place)
                yield from _toleration_problems(value, place) if key == "tolerations" else ()
            else:
                yield from form_problems(value, place)
    elif isinstance(configuration, list | tuple):
        for index, value in enumerate(configuration):
            yield from form_problems(value, at.item(index))


def mapping_problems(value: Any, at: Place) -> Iterator[Problem]:
    """Yield a problem for a known value that is not a mapping."""
    if isinstance(value, _PLAIN):
        yield from _shape_problems(map_of(anything), value, at)


def _shape_problems(shape: Rule, value: Any, at: Place) -> Iterator[Problem]:
    problems = Problems()
    shape(_known(value), "", Report(Below(at, at.path), problems))
    yield from problems.found


def _known(value: Any) -> Any:
    """Return a value without the members that are not known now, and with {} for such entries of lists."""
    if isinstance(value, Mapping):
        return {key: _known(member) for key, member in value.items() if isinstance(member, _PLAIN)}
    if isinstance(value, list | tuple):
        return [_known(entry) if isinstance(entry, _PLAIN) else {} for entry in value]
    return value


def _toleration_problems(tolerations: Any, at: Place) -> Iterator[Problem]:
    """Yield what Kubernetes refuses in tolerations although each member has a right value."""
    for index, toleration in enumerate(tolerations if isinstance(tolerations, list | tuple) else ()):
        operator, value, key = (_member(toleration, member) for member in ("operator", "value", "key"))
        if operator == "Exists" and value not in (None, ""):
            text = f"{value!r} with the operator Exists, which takes no value"
            yield Problem(at.item(index).member("value"), text, "operator: Equal")
        if isinstance(toleration, Mapping) and operator in (None, "", "Equal") and key in (None, ""):
            yield Problem(at.item(index).member("key"), "is missing", "the key of a taint, or operator: Exists")


def _member(toleration: Any, name: str) -> Any:
    return toleration.get(name) if isinstance(toleration, Mapping) else None


_FORMS: Final[Mapping[str, Rule]] = {
    "affinity": map_of(anything),
    "nodeSelector": Map(text, quoted),
    "replicaCount": integer(0),
    "replicas": integer(0),
    "tolerations": shape_of("[Toleration]"),
    "topologySpreadConstraints": list_of(map_of(anything)),
}
