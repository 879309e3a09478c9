"""A user's values for the chart: those that it does not know or would not pass on (spec: aws-infrastructure 7.3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Place, Problems, nearest
from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.core.shapes import Shape
from cutlist.infrastructure.charts.keys import KEYS, LIST, NUMBER, OLDEST, RENAMED, SWITCH, TEXT, Key, keys_of

_PLAIN = (str, int, float, bool, list, tuple, Mapping)


@dataclass(frozen=True, slots=True)
class CheckedValues:
    """Values for the chart, and those that are passed through the controller's environment instead: texts by variable name."""

    values: Mapping[str, Any]
    environment: tuple[tuple[str, str], ...] = ()


def checked_values(
    user_values: Mapping[str, Any], version: KarpenterVersion, place: Place, problems: Problems
) -> CheckedValues:
    """Return the values of a user for a version's chart.

    A key that the chart does not have, a value of another shape, null, and a value that its template would leave out are added
    as problems. But if the controller has a variable for a switch, 0, false and empty text become that variable. A value that
    is not plain data, such as an output of a resource, is passed unchanged.
    """
    if version < OLDEST:
        problems.add(place, f"the values of chart {version} are not known", f"{OLDEST} or later")
        return CheckedValues({})
    known = keys_of(version)
    kept: dict[str, Any] = {}
    variables: dict[str, str] = {}
    for path, value in _entries(user_values, known):
        at = place.at(f"{place.path}.{path}" if place.path else path)
        key = known.get(path)
        if key is None:
            _unknown(path, version, known, at, problems)
        elif value is None:
            problems.add(at, "null removes nothing: it never reaches the chart", f"{key.shape.words}, or leave the key out")
        elif isinstance(value, _PLAIN) and not key.shape.accepts(value):
            problems.add(at, f"found {_shown(value)} where {key.shape.words} is needed", nearest=_as_shape(value, key.shape))
        elif key.drops_empty and isinstance(value, _PLAIN) and not value:
            _left_out(key, value, at, variables, problems)
        else:
            put(kept, path, value)
    return CheckedValues(kept, tuple(sorted(variables.items())))


@dataclass(frozen=True, slots=True)
class _Conflict:
    """A switch that excludes other values: the chart's template refuses both, or the switch would have no effect. `needs` is a
    switch that has to be on; `others` must not be written, or, with `are_on`, must not be on."""

    switch: str
    others: tuple[str, ...] = ()
    are_on: bool = False
    needs: str = ""


_GATES: Final = "settings.featureGates"
_AWS_GATES: Final = "settings.awsFeatureGates"
_CONFLICTS: Final = (
    _Conflict("settings.enableDRA", (f"{_AWS_GATES}.draNVIDIAGPU", f"{_AWS_GATES}.draEFA", "settings.ignoreDRARequests")),
    _Conflict("settings.legacyNodeRepair", (f"{_GATES}.terminateFirstRepair",), are_on=True),
    _Conflict(f"{_GATES}.terminateFirstRepair", needs=f"{_GATES}.nodeRepair"),
    _Conflict(f"{_AWS_GATES}.rebootForRepair", needs=f"{_GATES}.nodeRepair"),
)
"""Since 1.15 (VA15-112, V15-65); before, none of these keys except nodeRepair and ignoreDRARequests exists."""


def note_conflicts(values: Mapping[str, Any], version: KarpenterVersion, place: Place, problems: Problems) -> None:
    """Add a problem for each pair of values with which the template fails, and for each switch that needs another one."""
    known = keys_of(version)
    for conflict in _CONFLICTS:
        if conflict.switch not in known or value_at(values, conflict.switch) is not True:
            continue
        at = place.at(f"{place.path}.{conflict.switch}")
        for other in conflict.others:
            if (value := value_at(values, other)) is not None and (value is True or not conflict.are_on):
                problems.add(at, f"chart {version} fails with {other} written beside it", f"without {other}, or without this")
        if conflict.needs and value_at(values, conflict.needs) in (None, False):
            problems.add(at, "does nothing by itself", f"{conflict.needs}: true as well")


def value_at(values: Mapping[str, Any], path: str) -> Any:
    """Return the value at a dotted path, or None."""
    value: Any = values
    for member in path.split("."):
        value = value.get(member) if isinstance(value, Mapping) else None
    return value


def put(values: dict[str, Any], path: str, value: Any) -> None:
    """Write a value at a dotted path, creating the mappings on the way."""
    *above, last = path.split(".")
    for member in above:
        values = values.setdefault(member, {})
    values[last] = value


def _entries(user_values: Mapping[str, Any], known: Mapping[str, Key], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the user's values by the chart's keys, descending only where the chart has further keys."""
    for name, value in user_values.items():
        path = f"{above}{name}"
        if isinstance(value, Mapping) and path not in known and _has_further_keys(path, known):
            yield from _entries(value, known, f"{path}.")
        else:
            yield path, value


def _has_further_keys(path: str, known: Mapping[str, Key]) -> bool:
    return any(other.startswith(f"{path}.") for other in (*known, *RENAMED, *(key.path for key in KEYS)))


def _unknown(path: str, version: KarpenterVersion, known: Mapping[str, Key], at: Place, problems: Problems) -> None:
    if path in RENAMED:
        problems.add(at, f"chart {version} silently ignores this key", RENAMED[path], RENAMED[path])
        return
    below = [other for other in known if other.startswith(f"{path}.")]
    if below:
        names = ", ".join(sorted({other[len(path) + 1 :].partition(".")[0] for other in below}))
        problems.add(at, "holds other keys", names)
        return
    once = next((key for key in KEYS if key.path == path), None)
    if once is None:
        problems.add(at, f"chart {version} has no such key", nearest=_nearest_path(path, known))
    elif version < once.since:
        problems.add(at, f"chart {version} has no such key yet", f"since {once.since}")
    else:
        problems.add(at, f"chart {version} no longer has this key", f"until {once.until}", once.instead)


def _nearest_path(path: str, known: Mapping[str, Key]) -> str:
    """Return the known key that was probably meant: by its whole path, or by its last part when it was put in the wrong
    place."""
    last = path.rpartition(".")[2].lower()
    misplaced = [other for other in known if other.rpartition(".")[2].lower() == last]
    return misplaced[0] if len(misplaced) == 1 else nearest(path, known)


def _left_out(key: Key, value: Any, at: Place, variables: dict[str, str], problems: Problems) -> None:
    """Report false values that never reach the controller, because the template tests for truth."""
    if key.variable and isinstance(value, bool | int | float):
        variables[key.variable] = json.dumps(value)
    else:
        problems.add(at, f"the chart's template leaves out {_shown(value)}", "another value, or leave the key out")


def _shown(value: Any) -> str:
    return "a mapping" if isinstance(value, Mapping) else json.dumps(value, default=str, ensure_ascii=False)


def _as_shape(value: Any, shape: Shape) -> str:
    """Return what was probably meant, or an empty string if that is not clear."""
    if shape is SWITCH and str(value).lower() in ("true", "false"):
        return str(value).lower()
    if shape is TEXT and isinstance(value, int | float):
        return json.dumps(str(value).lower() if isinstance(value, bool) else str(value))
    if shape is LIST and isinstance(value, str):
        return json.dumps([value])
    if shape is NUMBER and isinstance(value, str) and value.strip().isdigit():
        return value.strip()
    return ""
