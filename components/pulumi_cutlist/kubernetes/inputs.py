"""The inputs of a component as its arguments' type has them."""

from typing import Any

from cutlist.errors import Place, Problems, nearest


def note_misspelt(args: Any, kind: type[Any], problems: Problems) -> None:
    """Note inputs that a component does not have, and those that are missing. Raises InputError when what is missing is needed
    to look any further."""
    known = [*kind.__annotations__]
    for name in args:
        if name not in known:
            problems.add(Place(path=name), "there is no such input", nearest=nearest(name, known))
    missing = sorted(kind.__required_keys__ - set(args))
    for name in missing:
        problems.add(Place(path=name), "is missing")
    if missing:
        problems.raise_if_any()
