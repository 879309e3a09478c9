"""Write amounts and prices in JSON, with one spelling for each number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import Format, Quantity, is_bytes, nanos
from cutlist.core.records import AmountText, AmountTexts, Form, Part, Price, converted, form_of, schema_of

LARGEST: Final = (2**63 - 1) * 10**9
"""The largest amount of the API server, in nano-units."""


def amount_texts(values: Mapping[str, int]) -> dict[str, str]:
    """Return a resource list by name, each amount as the exact Kubernetes text."""
    return {name: amount_text_exact(name, values[name]) for name in sorted(values)}


def amount_text_exact(resource: str, amount: int) -> str:
    """Return an amount as a text that reads back as the same number, with binary suffixes only for bytes."""
    bytes_ = is_bytes(resource) or resource == "storage"
    return Quantity(amount, Format.BINARY_SI if bytes_ else Format.DECIMAL_SI).canonical()


def price_number(value: float | None) -> float | None:
    """Return a price as JSON has it, or None if unknown."""
    # 1 and 1.0, 0.0 and -0.0 are equal and must not print differently.
    return None if value is None else float(value) + 0.0


def rounded(digits: int, schema_from: Any) -> Form:
    """Return the form of a number that is written with this many digits and never read."""
    return form_of(schema_from).through(lambda value: None if value is None else round(value, digits))


def amount_of(resource: str) -> Form:
    """Return the form of an amount of one resource, in nano-units, that is never read."""
    return form_of(AmountText).through(lambda amount: amount_text_exact(resource, amount))


def _amount(text: Any) -> int:
    """Return an amount in nano-units. Raises QuantityError for one that is larger than the API server's largest."""
    amount = nanos(text)
    if abs(amount) > LARGEST:
        raise QuantityError(f"{text!r} is larger than any amount of Kubernetes")
    return amount


_READ_AMOUNTS: Final = form_of(Mapping[str, Annotated[int, converted(schema_of(AmountText), None, _amount)]])
_TEXTS: Final = form_of(Mapping[str, str])


def _price(value: float | None) -> float | None:
    """Return a price as it is read. Raises QuantityError for one whose sums would overflow."""
    if value is not None and not abs(value) <= LARGEST:
        raise QuantityError(f"{value!r} is not a price")
    return price_number(value)


ExactPrice = Annotated[float | None, converted(schema_of(Price), price_number, _price)]
"""USD; equal prices are written alike."""
Amounts = Annotated[Mapping[str, int], Form(_READ_AMOUNTS.rule, schema_of(AmountTexts), write=amount_texts)]
"""Nano-units by resource, exact texts in JSON."""
SortedTexts = Annotated[Mapping[str, str], Form(_TEXTS.rule, _TEXTS.schema, write=lambda of: dict(sorted(of.items())))]
"""Texts by name, in the order of names."""
RoundedPart = Annotated[float | None, rounded(4, Part)]
"""A fraction rounded to four places."""
