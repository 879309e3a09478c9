"""The form of an add-on's own settings: JSON, with the fields of pod templates in Kubernetes (spec: aws-infrastructure 1.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from cutlist.core.errors import Place, Problem, nearest

_NO_JSON: Final = (set, frozenset, bytes, date)  # an unquoted day is a date in YAML
_PLAIN: Final = (str, int, float, bool, list, tuple, dict, type(None))
"""Types of values that are known now. EKS checks all others, such as Outputs."""
_OPERATORS: Final = ("Exists", "Equal")
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_OF_TOLERATION: Final = ("key", "operator", "value", "effect", "tolerationSeconds")


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
                yield from _FORMS[key](value, place)
            else:
                yield from form_problems(value, place)
    elif isinstance(configuration, list | tuple):
        for index, value in enumerate(configuration):
            yield from form_problems(value, at.item(index))


def _node_selector(selector: Any, at: Place) -> Iterator[Problem]:
    if not isinstance(selector, Mapping):
        yield _wrong(selector, at, "a mapping of labels to texts")
        return
    for label, value in selector.items():
        if isinstance(value, _PLAIN) and not isinstance(value, str):
            near = str(value).lower() if isinstance(value, bool | int) else ""
            yield Problem(at.member(str(label)), f"found {value!r}", "a string in quotes", near)


def _tolerations(tolerations: Any, at: Place) -> Iterator[Problem]:
    if not isinstance(tolerations, list | tuple):
        yield _wrong(tolerations, at, "a list of tolerations, [] for none")
        return
    for index, toleration in enumerate(tolerations):
        place = at.item(index)
        if isinstance(toleration, Mapping):
            yield from _toleration(toleration, place)
        elif isinstance(toleration, _PLAIN):
            yield _wrong(toleration, place, f"a mapping with {', '.join(_OF_TOLERATION)}")


def _toleration(toleration: Mapping[Any, Any], at: Place) -> Iterator[Problem]:
    for key in toleration:
        if key not in _OF_TOLERATION:
            members = ", ".join(_OF_TOLERATION)
            yield Problem(at.member(str(key)), f"a toleration has no {key!r}", members, nearest(str(key), _OF_TOLERATION))
    operator, effect, value = (toleration.get(member) for member in ("operator", "effect", "value"))
    for member, choice, allowed in (("operator", operator, _OPERATORS), ("effect", effect, _EFFECTS)):
        if choice not in (None, "", *allowed) and isinstance(choice, _PLAIN):
            yield Problem(at.member(member), f"found {choice!r}", ", ".join(allowed), nearest(str(choice), allowed))
    if operator == "Exists" and value not in (None, ""):
        yield Problem(at.member("value"), f"{value!r} with the operator Exists, which takes no value", "operator: Equal")
    elif value is not None and isinstance(value, _PLAIN) and not isinstance(value, str):
        yield Problem(at.member("value"), f"found {value!r}", "a string in quotes", str(value).lower())
    if operator in (None, "", "Equal") and toleration.get("key") in (None, ""):
        yield Problem(at.member("key"), "is missing", "the key of a taint, or operator: Exists")


def mapping_problems(value: Any, at: Place) -> Iterator[Problem]:
    """Yield a problem for a known value that is not a mapping."""
    if isinstance(value, _PLAIN) and not isinstance(value, Mapping):
        yield _wrong(value, at, "a mapping")


def _constraints(constraints: Any, at: Place) -> Iterator[Problem]:
    if not isinstance(constraints, list | tuple):
        yield _wrong(constraints, at, "a list of constraints, [] for none")
        return
    for index, constraint in enumerate(constraints):
        yield from mapping_problems(constraint, at.item(index))


def _replicas(count: Any, at: Place) -> Iterator[Problem]:
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        near = count if isinstance(count, str) and count.isdecimal() else ""
        yield Problem(at, f"found {count!r}", "a whole number, 0 or more", near)


_FORMS: Final[Mapping[str, Callable[[Any, Place], Iterator[Problem]]]] = {
    "affinity": mapping_problems,
    "nodeSelector": _node_selector,
    "replicaCount": _replicas,
    "replicas": _replicas,
    "tolerations": _tolerations,
    "topologySpreadConstraints": _constraints,
}


def _wrong(value: Any, at: Place, allowed: str) -> Problem:
    shown = "null" if value is None else repr(value)
    return Problem(at, f"found {shown}", f"{allowed}; or leave it out")
