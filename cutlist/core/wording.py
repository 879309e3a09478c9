"""Small parts of sentences that messages, reasons and reports share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.core.money import money_rounded, money_text

_DIME: Final = 0.1
_HUNDRED: Final = 100.0


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 node`, `1,200 nodes`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def be(count: int) -> str:
    """Return the verb for a number of things: `is` for one, else `are`."""
    return "is" if count == 1 else "are"


def first_of(names: Sequence[str], most: int) -> str:
    """Return at most some names, and how many more there are: `a, b and 1,200 more`."""
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def listed(parts: Iterable[object]) -> str:
    """Return parts of a sentence with commas, and "and" before the last: `a, b and c`."""
    texts = list(map(str, parts))
    return " and ".join((", ".join(texts[:-1]), texts[-1])) if len(texts) > 1 else "".join(texts)


def hourly(usd: float) -> str:
    """Return a price per hour for a sentence: two decimals from a dollar on, three from a dime on, four below."""
    size = abs(usd)
    return money_text(usd, 2 if size >= 1 or not size else 3 if size >= _DIME else 4)


def hourly_apart(*prices: float) -> list[str]:
    """Return prices per hour that one sentence compares: as `hourly` writes each, but with four places if different ones would
    look alike."""
    texts, exact = [hourly(price) for price in prices], [money_text(price, 4) for price in prices]
    return texts if len(set(texts)) == len(set(exact)) else exact


def currency_sign(currency: str) -> str:
    """Return the sign that precedes an amount of money."""
    return "$" if currency == "USD" else f"{currency} "


def monthly(usd: float) -> str:
    """Return a price per month for a sentence: in whole dollars from 100 on, to the cent below."""
    cents = money_rounded(usd, 2)  # first, as answers have prices per month to the cent: all views then show the same
    return money_text(cents, 0 if abs(cents) >= _HUNDRED else 2)


def camel_case(name: str) -> str:
    """Return a name as JSON, stacks, messages and programs in other languages write it: `price_per_hour` as `pricePerHour`."""
    first, *words = name.split("_")
    return first + "".join(word.capitalize() for word in words)
