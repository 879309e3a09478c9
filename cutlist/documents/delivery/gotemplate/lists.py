"""Functions of Sprig for lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from cutlist.documents.delivery.gotemplate.numbers import whole
from cutlist.documents.delivery.gotemplate.values import TemplateError, is_true, kind_of, printed


def as_list(value: Any) -> list[Any]:
    """Return a value that is a list. Raises TemplateError."""
    if value is None:
        return []
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TemplateError(f"{kind_of(value)} is not a list")
    return list(value)


def texts_of(value: Any) -> list[str]:
    """Return the items of a list as texts; of anything else the one text that it is."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        # Sprig drops nil items.
        return [printed(item, nested=True) for item in value if item is not None]
    return [] if value is None else [printed(value)]


def _unique(items: Iterable[Any]) -> list[Any]:
    kept: list[Any] = []
    for item in items:
        # Compared one by one, since mappings are not hashable.
        if item not in kept:
            kept.append(item)
    return kept


def _part(items: Any, *bounds: Any) -> Any:
    listed = as_list(items)
    first, last = (*map(whole, bounds), *(0, len(listed))[len(bounds) :])[:2]
    return listed[first:last]


def _chunks(size: Any, items: Any) -> list[list[Any]]:
    listed, step = as_list(items), max(whole(size), 1)
    return [listed[at : at + step] for at in range(0, len(listed), step)]


_OF_LISTS: Final[Mapping[str, Callable[..., Any]]] = {
    "first": lambda items: as_list(items)[0] if items else None,
    "last": lambda items: as_list(items)[-1] if items else None,
    "rest": lambda items: as_list(items)[1:],
    "initial": lambda items: as_list(items)[:-1],
    "append": lambda items, item: [*as_list(items), item],
    "prepend": lambda items, item: [item, *as_list(items)],
    "reverse": lambda items: as_list(items)[::-1],
    "uniq": lambda items: _unique(as_list(items)),
    "without": lambda items, *others: [item for item in as_list(items) if item not in others],
    "has": lambda item, items: item in as_list(items),
    "compact": lambda items: [item for item in as_list(items) if is_true(item)],
    "chunk": _chunks,
    "slice": _part,
}

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **_OF_LISTS,
    **{f"must{name[0].upper()}{name[1:]}": function for name, function in _OF_LISTS.items()},
    "push": _OF_LISTS["append"],
    "mustPush": _OF_LISTS["append"],
    "list": lambda *items: list(items),
    "tuple": lambda *items: list(items),
    "concat": lambda *lists: [item for items in lists for item in as_list(items)],
    "sortAlpha": lambda items: sorted(texts_of(items)),
    "join": lambda between, items: str(between).join(texts_of(items)),
    "toStrings": texts_of,
}
