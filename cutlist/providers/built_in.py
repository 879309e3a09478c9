"""Which of the NodePools that a cloud makes by itself are asked for, by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from cutlist.core.errors import Place, Problems, nearest


def chosen_names(names: Iterable[str], known: Collection[str], cloud: str) -> list[str]:
    """The names sorted, each once. InputError for all that are none of those that the cloud makes."""
    wanted = sorted(set(names))
    problems = Problems()
    for name in wanted:
        if name not in known:
            text = f"{name!r} is not a built-in NodePool of {cloud}"
            problems.add(Place(path="built-in NodePools"), text, ", ".join(known), nearest(name, known))
    problems.raise_if_any()
    return wanted
