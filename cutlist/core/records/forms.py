"""Types of members that several answers share: counts, prices, instants, amounts, and texts that may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from cutlist.core.instants import instant_text
from cutlist.core.records.form import More, about, converted
from cutlist.core.records.kinds import form_of

AMOUNT_PATTERN: Final = "^-?[0-9]+(\\.[0-9]+)?(n|u|m|k|[KMGTPE]i?|e[0-9]+)?$"

Count = Annotated[int, More(minimum=0)]
Counts = Annotated[Mapping[str, Count], about("Counts by name.")]
Usd = Annotated[float, about("USD.")]
Price = Annotated[float | None, about("USD; null when it is not known.")]
Part = Annotated[float | None, about("1 is all; null where there is none of it.")]
AmountText = Annotated[str, More(pattern=AMOUNT_PATTERN), about("An amount as Kubernetes writes it, such as 1500m or 2Gi.")]
AmountTexts = Annotated[Mapping[str, AmountText], about("Amounts by resource.")]
InstantText = Annotated[str, More(format="date-time", description="In UTC.")]

TextOrNull = Annotated[
    str, converted({"type": ["string", "null"]}, lambda text: text or None, lambda raw: "" if raw is None else _text(raw))
]
"""A text; an empty one is null in JSON."""
CountOrNull = Annotated[int, form_of(Count | None).through(lambda count: count or None)]
"""A number from one; nought is null in JSON."""
Instant = Annotated[float, form_of(InstantText).through(instant_text)]
"""Seconds since 1970; an instant as Kubernetes writes it in JSON."""


def _text(raw: object) -> str:
    if not isinstance(raw, str):
        raise TypeError(f"is {raw!r}, not a text")
    return raw
