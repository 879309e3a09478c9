"""Records: dataclasses whose JSON, JSON Schema and reading back all follow from the types of their fields.

An answer is declared once. Its fields are typed, and marks beside a type say what else its JSON has:

    @dataclass(frozen=True, slots=True)
    class Row:
        '''What a reader of the schema sees.'''

        instance_type: str
        price: Annotated[Price, Key("pricePerHour")]

    data_of(Row("m7g.large", None))   # {"instanceType": "m7g.large", "pricePerHour": None}
    schema_of(Row)                    # JSON Schema
    read(Row, data, "a row")          # a Row, or InputError

Every member is always present unless its field is marked as sparse, and there are no others. The description of an object is
the first paragraph of its class's docstring.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, TypeVar, cast

from cutlist.core.errors import InputError, Problems
from cutlist.core.instants import instant_text
from cutlist.core.json_text import without_commands
from cutlist.core.records.form import (
    FLAT,
    HIDDEN,
    NEWER,
    SPARSE,
    After,
    Form,
    Key,
    More,
    Parts,
    about,
    computed,
    converted,
)
from cutlist.core.records.kinds import form_of
from cutlist.core.shapes import Paths, Report, Schema, whole

__all__ = [
    "FLAT",
    "HIDDEN",
    "NEWER",
    "SPARSE",
    "After",
    "AmountText",
    "AmountTexts",
    "Count",
    "CountOrNull",
    "Counts",
    "Form",
    "Instant",
    "InstantText",
    "Key",
    "More",
    "Part",
    "Parts",
    "Price",
    "PriceOrNull",
    "Schema",
    "TextOrNull",
    "Usd",
    "about",
    "computed",
    "converted",
    "data_of",
    "form_of",
    "json_of",
    "read",
    "schema_of",
]

_T = TypeVar("_T")
_AMOUNT: Final = "^-?[0-9]+(\\.[0-9]+)?(n|u|m|k|[KMGTPE]i?|e[0-9]+)?$"

Count = Annotated[int, whole(0)]
Counts = Annotated[Mapping[str, Count], about("Counts by name.")]
Usd = Annotated[float, about("USD.")]
Price = Annotated[float | None, about("USD; null when it is not known.")]
Part = Annotated[float | None, about("1 is all; null without any of it.")]
AmountText = Annotated[str, More(pattern=_AMOUNT), about("An amount as Kubernetes writes it, such as 1500m or 2Gi.")]
AmountTexts = Annotated[Mapping[str, AmountText], about("Amounts by resource.")]
InstantText = Annotated[str, More(format="date-time", description="In UTC.")]

_MAYBE_TEXT: Final = form_of(str | None)
TextOrNull = Annotated[
    str,
    Form(
        lambda raw, path, report: _MAYBE_TEXT(raw, path, report) or "",
        _MAYBE_TEXT.schema,
        write=lambda text: text or None,
    ),
]
"""A text; an empty text is null in JSON."""
CountOrNull = Annotated[int, form_of(Count | None).through(lambda count: count or None)]
"""A count of at least one; zero is null in JSON."""
PriceOrNull = Annotated[float, form_of(Price).through(lambda price: price or None)]
"""USD; a price of nothing, which stands for an unknown one, is null in JSON."""
Instant = Annotated[float, form_of(InstantText).through(instant_text)]
"""Seconds since 1970; an instant as Kubernetes writes it in JSON."""


def data_of(value: Any, of: Any = None) -> Any:
    """Return a record as plain data, or a list or map of records if `of` is such a type."""
    write = form_of(of or type(value)).write
    return value if write is None else write(value)


def json_of(value: Any, of: Any = None, *, allow_nan: bool = False) -> str:
    """Return `data_of` as indented JSON in ASCII that ends in a newline, byte-identical for equal records.

    Only data that users wrote may contain NaN and infinities (`allow_nan`); elsewhere they raise ValueError.
    """
    return without_commands(json.dumps(data_of(value, of), indent=2, allow_nan=allow_nan) + "\n")


def schema_of(of: Any) -> Schema:
    """Return the JSON Schema of a record's class, or of a list of them."""
    return form_of(of).schema


def read(record: type[_T], raw: Any, what: str) -> _T:
    """Return the record that `data_of` wrote. Raises InputError with every mistake; `what` names the record in the messages."""
    problems = Problems()
    value = form_of(record)(raw, "", Report(Paths(), problems))
    if problems:
        raise InputError([replace(p, message=f"not {what}: {p.message}") for p in problems.found])
    return cast("_T", value)
