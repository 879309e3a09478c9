"""Ids of what is in an account already, as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cutlist.core.errors import Place, Problems


def check_id(text: str, kind: str, path: str, problems: Problems) -> None:
    """Note a text that is not the id of a kind such as `subnet`, `vpc` or `sg`."""
    if not re.fullmatch(rf"{kind}-[0-9a-z]+", text):
        problems.add(Place(path=path), f"{text!r} is not the id of a {kind}", f"an id such as {kind}-0a1b2c3d")


def check_ids(placed: Iterable[tuple[str, str]], kind: str, problems: Problems) -> None:
    """Note what is no id, and what is there twice, of paths with their ids."""
    first: dict[str, str] = {}
    for path, text in placed:
        check_id(text, kind, path, problems)
        if first.setdefault(text, path) != path:
            problems.add(Place(path=path), f"{text} is there already as {first[text]}", f"each {kind} once")
