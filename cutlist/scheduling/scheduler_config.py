"""The value of `--scheduler-config`, read as Karpenter reads it at its start (spec: karpenter-1.15, 1.4; V15-24)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, TypeGuard

from cutlist.api.terms import label_key_problems
from cutlist.core.errors import InputError, Place, Problems
from cutlist.documents.text.yaml import parse as parse_yaml
from cutlist.workloads.pods import SpreadConstraint
from cutlist.workloads.read_pod import read_spread

_INT32: Final = range(-(2**31), 2**31)
_WHEN: Final = ("DoNotSchedule", "ScheduleAnyway")
_LIST: Final = "podTopologySpread.defaultConstraints"


def read_scheduler_config(config: object, place: Place) -> tuple[SpreadConstraint, ...]:
    """Return the default constraints of a value of `--scheduler-config`: a text of YAML or JSON, or the same as data.

    Raises InputError in the words with which Karpenter ends at its start (V15-24).
    """
    if isinstance(config, str):
        config = _parsed(config, place)
    problem = next(_problems(config), "")
    if problem:
        raise InputError.one(place, f"parsing scheduler config, {problem}")
    spread = (config.get("podTopologySpread") or {}) if isinstance(config, Mapping) else {}
    return tuple(map(read_spread, spread.get("defaultConstraints") or ()))


def _parsed(text: str, place: Place) -> object:
    """Return what a text of YAML or JSON says; None for an empty one. Raises InputError where it is neither."""
    problems = Problems()
    values = [part.value for part in parse_yaml(text, place.source or place.path, problems)]
    problems.raise_if_any()
    return values[0] if values else None


def _problems(config: object) -> Iterator[str]:
    """Yield what is wrong with a configuration, in the order in which Karpenter notices it."""
    # Decoding errors come before any value is validated: Karpenter stops at the first error of all.
    spread = _members(config).get("podTopologySpread")
    constraints = _members(spread).get("defaultConstraints") or ()
    yield from (f"decoding scheduler config, {text}" for text in _undecodable(config, spread, constraints))
    pairs: list[tuple[str | None, str | None]] = []
    for index, constraint in enumerate(map(_members, constraints)):
        text = next(_mistakes(constraint), "")
        if text:
            yield f"validating scheduler config, {_LIST}[{index}]{text}"
        # Two constraints with the same key may differ in what happens without a place, as in Kubernetes.
        pair = constraint.get("topologyKey"), constraint.get("whenUnsatisfiable")
        if pair in pairs:
            same = f"{_LIST}[{index}] is a duplicate of [{pairs.index(pair)}], {{{pair[0]}, {pair[1]}}}"
            yield f"validating scheduler config, {same}"
        pairs.append(pair)


def _undecodable(config: object, spread: object, constraints: object) -> Iterator[str]:
    """Yield unknown members, and values of another type; null counts as no value."""
    decoding = "error unmarshaling JSON: while decoding JSON: json:"
    entries = constraints if _is_list(constraints) else ()
    levels = (
        (config, {"podTopologySpread"}),
        (spread, {"defaultConstraints"}),
        *((entry, _FIELDS) for entry in entries),
    )
    for value, known in levels:
        if value is not None and not isinstance(value, Mapping):
            yield f"{decoding} cannot unmarshal {value!r} into an object"
        yield from (f'{decoding} unknown field "{name}"' for name in _members(value) if name not in known)
    if entries is not constraints:
        yield f"{decoding} cannot unmarshal {constraints!r} into a list"
    for name, value in chain.from_iterable(_members(entry).items() for entry in entries):
        is_of_type, go_type = _FIELDS[name]
        if value is not None and not is_of_type(value):
            yield f"{decoding} cannot unmarshal {value!r} into Go struct field .{name} of type {go_type}"


def _mistakes(constraint: Mapping[str, Any]) -> Iterator[str]:
    key, when = constraint.get("topologyKey") or "", constraint.get("whenUnsatisfiable") or ""
    if (constraint.get("maxSkew") or 0) <= 0:
        yield ".maxSkew must be greater than 0"
    if not key:
        yield ".topologyKey must be set"
    wrong = label_key_problems(key)
    if wrong:
        yield f'.topologyKey "{key}" is not a valid label name, {", ".join(wrong)}'
    if when not in _WHEN:
        yield f'.whenUnsatisfiable "{when}" must be one of "{_WHEN[0]}" or "{_WHEN[1]}"'
    if constraint.get("labelSelector") is not None:
        yield ".labelSelector must not be set, as selectors are deduced for each pod"
    if constraint.get("matchLabelKeys"):
        yield ".matchLabelKeys must not be set, as it has no effect on default constraints"


def _members(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_int32(value: object) -> bool:
    # Python's True is an int; Go's decoder refuses it.
    return isinstance(value, int) and not isinstance(value, bool) and value in _INT32


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


_FIELDS: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "labelSelector": (lambda value: isinstance(value, Mapping), "v1.LabelSelector"),
    "matchLabelKeys": (_is_list, "[]string"),
    "maxSkew": (_is_int32, "int32"),
    "minDomains": (_is_int32, "int32"),
    "nodeAffinityPolicy": (_is_text, "v1.NodeInclusionPolicy"),
    "nodeTaintsPolicy": (_is_text, "v1.NodeInclusionPolicy"),
    "topologyKey": (_is_text, "string"),
    "whenUnsatisfiable": (_is_text, "v1.UnsatisfiableConstraintAction"),
}
"""The members of a constraint: which values each may have, and what Go calls their type."""
