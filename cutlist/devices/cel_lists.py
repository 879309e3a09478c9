"""Functions on lists and sets that expressions in objects of Kubernetes may call (spec: R-124)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from cutlist.core.go_sums import sum_in_turn

_LONGEST_RANGE: Final = 1_000_000


def list_functions(declared: Callable[..., Any]) -> list[Any]:
    """Return the declarations of functions; `declared` makes one of a name and its overloads.

    indexOf and lastIndexOf are missing: those of strings take these names.
    """
    from cel_expr_python import cel

    anything, truth, whole = cel.Type.DYN, cel.Type.BOOL, cel.Type.INT
    listed = cel.Type.List(anything)

    def of_list(name: str, key: str, result: Any, gives: Callable[[list[Any]], Any]) -> Any:
        return declared(name, (key, result, [listed], True, lambda items: gives(plain(items))))

    return [
        of_list("isSorted", "list_is_sorted", truth, lambda items: items == sorted(items)),
        of_list("sum", "list_sum", anything, sum_in_turn),
        of_list("min", "list_min", anything, min),
        of_list("max", "list_max", anything, max),
        of_list("distinct", "list_distinct", listed, _distinct),
        of_list("sort", "list_sort", listed, sorted),
        of_list("reverse", "list_reverse", listed, lambda items: items[::-1]),
        declared("slice", ("list_slice", listed, [listed, whole, whole], True, _slice)),
        declared(
            "flatten",
            ("list_flatten", listed, [listed], True, lambda items: _flat(plain(items), 1)),
            ("list_flatten_int", listed, [listed, whole], True, lambda items, depth: _flat(plain(items), depth)),
        ),
        declared("lists.range", ("lists_range", listed, [whole], False, _range)),
        *_sets(declared, truth, listed),
    ]


def _sets(declared: Callable[..., Any], truth: Any, listed: Any) -> list[Any]:
    def of_sets(name: str, key: str, tells: Callable[[Any, Any], bool]) -> Any:
        return declared(f"sets.{name}", (f"list_sets_{key}_list", truth, [listed, listed], False, tells))

    return [
        of_sets("contains", "contains", _contains),
        of_sets("equivalent", "equivalent", lambda a, b: _contains(a, b) and _contains(b, a)),
        of_sets("intersects", "intersects", lambda a, b: any(x in plain(b) for x in plain(a))),
    ]


def plain(items: Any) -> list[Any]:
    """Return the items of a list of CEL as Python's values; messages stay what they are."""
    return [item.value() if hasattr(item, "plain_value") else item for item in items]


def _distinct(items: list[Any]) -> list[Any]:
    """Return each item once; true is not 1, though it is in Python."""
    found: list[tuple[bool, Any]] = []
    for item in items:
        if (kept := (isinstance(item, bool), item)) not in found:
            found.append(kept)
    return [item for _, item in found]


def _range(end: int) -> list[int]:
    if end > _LONGEST_RANGE:
        raise ValueError(f"a range of {end} numbers costs more than an API server allows")
    return list(range(end))


def _slice(items: Any, start: int, end: int) -> list[Any]:
    found = plain(items)
    if not 0 <= start <= end <= len(found):
        raise ValueError(f"cannot slice({start}, {end}) list with {len(found)} elements")
    return found[start:end]


def _flat(items: Sequence[Any], depth: int) -> list[Any]:
    if depth < 0:
        raise ValueError("level must be non-negative")
    flat: list[Any] = []
    for item in items:
        inner = depth > 0 and not isinstance(item, str | bytes) and hasattr(item, "__iter__") and hasattr(item, "__len__")
        flat += _flat(plain(item), depth - 1) if inner else [item]
    return flat


def _contains(items: Any, parts: Any) -> bool:
    found = plain(items)
    return all(part in found for part in plain(parts))
