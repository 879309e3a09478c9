"""What differs among the measures of a plan, which a diff hides: they are for gates, and longer than the plan itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pulumi

from pulumi_cutlist.wire import with_whole_numbers

MEASURES: Final = "measures"
_OBJECTS: Final = "objects"
_SHOWN: Final = 6


def log_changed_measures(change: pulumi.ResourceHookArgs) -> None:
    """Show which measures of a NodePlan an update changes: what its diff hides."""
    sentence = changed_measures(change.old_inputs or {}, change.new_inputs or {})
    if sentence:
        pulumi.log.info(f"{change.name}: {sentence}")


def changed_measures(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return which measures differ between the inputs of two NodePlans; empty where none does."""
    found = list(_changes(_measures(before), _measures(after)))
    if not found:
        return ""
    more = [f"and {len(found) - _SHOWN:,} more"] if len(found) > _SHOWN else []
    return f"the hidden measures are what gates compare, and these differ: {', '.join([*found[:_SHOWN], *more])}"


def _measures(inputs: Mapping[str, Any]) -> Mapping[str, Any]:
    measures = with_whole_numbers(inputs.get(MEASURES))
    return measures if isinstance(measures, Mapping) else {}


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields of the objects that a plan is made from, then what else differs."""
    old, new = (of.get(_OBJECTS) or {} for of in (before, after))
    for key in sorted({*old, *new}):
        name = key.replace("/", " ", 1)
        if key not in old or key not in new:
            yield f"{name} is {'new' if key not in old else 'removed'}"
            continue
        paths = sorted(path for path in {*old[key], *new[key]} if old[key].get(path) != new[key].get(path))
        if paths:
            yield f"{name} {', '.join(paths)}"
    for key in sorted({*before, *after} - {_OBJECTS}):
        yield from _values(before.get(key), after.get(key), key)


def _values(before: Any, after: Any, path: str) -> Iterator[str]:
    """Yield the values below a path that differ, with both."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted({*before, *after}):
            yield from _values(before.get(key), after.get(key), f"{path}.{key}")
    elif before != after:
        yield f"{path} {_text(before)} -> {_text(after)}"


def _text(value: Any) -> str:
    if isinstance(value, Mapping | list | tuple):
        return f"{len(value):,} entries"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
