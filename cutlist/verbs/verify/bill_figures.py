"""The discounts that would have made a plan right, written into a document of kind Figures; everything else in it stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import ON_DEMAND, SPOT
from cutlist.documents.parsing import parse_values
from cutlist.documents.text.rewriting import rewrite
from cutlist.planning.figures import KIND

_MEMBERS: Final = {ON_DEMAND: "onDemandDiscount", SPOT: "spotDiscount"}
_NEW: Final = {"apiVersion": "cutlist/v1", "kind": KIND}


def with_discounts(text: str, name: str, ratios: Mapping[str, float]) -> tuple[str, dict[str, str]]:
    """Return the text of a file with the discounts, and those that are new, by member; an empty text gets a document.

    `ratios` are what machines cost by capacity type, as a part of the expected price; the discounts of the file are in that
    price already. Machines that cost more than at list prices have no discount: that of the file, if any, is set to 0%.

    Raises InputError for a file without one document of kind Figures.
    """
    problems = Problems()
    values = list(parse_values(text, name, problems)) if text.strip() else []
    problems.raise_if_any()
    own = [value for value in values if isinstance(value, Mapping) and value.get("kind") == KIND]
    if values and len(own) != 1:
        raise InputError.one(Place(name), f"has {len(own)} documents of kind {KIND}", "one, or no file yet")
    old: Mapping[str, Any] = own[0] if own else _NEW
    prices = dict(old.get("prices") or {})
    new = {_MEMBERS[kind]: discount for kind, ratio in ratios.items() if (discount := _discount(prices, kind, ratio))}
    changed = {member: value for member, value in new.items() if prices.get(member) != value}
    if not changed:
        return text, {}
    data = {**old, "prices": {**prices, **changed}}
    if not own:
        return _document(data), changed
    return rewrite(text, [[data] if value is own[0] else None for value in values]).text, changed


def _discount(prices: Mapping[str, Any], kind: str, ratio: float) -> str | None:
    """Return the discount that fits, None where the machines cost what was expected."""
    before = float(str(prices.get(_MEMBERS[kind], "0%")).removesuffix("%")) / 100
    after = max(0.0, 1 - (1 - before) * ratio)
    shown = f"{after * 100:.2f}".rstrip("0").rstrip(".") + "%"
    return None if abs(after - before) < 0.00005 else shown


def _document(data: Mapping[str, Any]) -> str:
    prices = ", ".join(f"{member}: {value}" for member, value in data["prices"].items())
    return f"apiVersion: {data['apiVersion']}\nkind: {data['kind']}\nprices: {{{prices}}}\n"
