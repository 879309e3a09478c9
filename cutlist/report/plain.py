"""Text that is safe to show: hostile characters spelled out, names cut to a width, numbers in readable form."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final

from rich.cells import cell_len, set_cell_size

from cutlist.core.money import money_text
from cutlist.core.wording import currency_sign as currency_sign
from cutlist.core.wording import hourly as hourly
from cutlist.core.wording import monthly as monthly

GIB: Final = 2**30 * 10**9  # in nano-bytes
_DIME: Final = 0.1

# These would move the columns after them to the other side: the blocks that Unicode reserves for right-to-left scripts.
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
# Commands of GitHub's runner (`::error::`, `##[group]`) and of Azure's agent (`##vso[...]`); the address ::ffff:0 is not one.
_COMMANDS: Final = re.compile(r"((?<!\S):|#)(:(?=[A-Za-z])(?![0-9A-Fa-f:./]+(?:[,;]|$|\s))|#(?=\[|vso\[))")
_AGES: Final = ((86_400, "d"), (3_600, "h"), (60, "m"))
_ASCII: Final = str.maketrans({"█": "#", "░": ".", "×": "x", "…": "~", "·": "-", "–": "-"})


def escape(text: str) -> str:
    r"""Return the text on one line: characters that move the cursor, colour or reorder are shown as `\x1b`, and so is anything
    that a build server reading the line would take for a command."""
    text = no_command(text)
    if text.isprintable() and (text.isascii() or not _RIGHT_TO_LEFT.search(text)):
        return text
    return "".join(_spelled_out(c) for c in text)


def visible(text: str) -> str:
    r"""Return the text for a reader that isolates the direction of every name: only invisible characters are shown as
    `\x1b`."""
    text = no_command(text)
    return text if text.isprintable() else "".join(c if c.isprintable() else _code(c) for c in text)


def no_command(text: str) -> str:
    r"""Return the text with everything that a build server would take for a command shown as `:\x3a`."""
    if "::" not in text and "##" not in text:
        return text
    return _COMMANDS.sub(lambda match: f"{match[1]}{_code(match[2])}", text)


def _spelled_out(char: str) -> str:
    return char if char.isprintable() and not _RIGHT_TO_LEFT.match(char) else _code(char)


def _code(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shorten(text: str, width: int) -> str:
    """Return the text in at most `width` columns, cut in the middle, because generated names differ at their ends."""
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return "…"[:width]
    tail = (width - 1) // 2
    end = text[-tail:] if tail else ""
    while cell_len(end) > tail:
        end = end[1:]
    return set_cell_size(text, width - 1 - cell_len(end)) + "…" + end


def to_encoding(text: str, encoding: str) -> str:
    """Return the text in characters that a terminal of this encoding can show; columns keep their positions."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "replace").decode(encoding)
    return text


def per_hour(usd: float) -> str:
    """Return the price per hour of an instance type: four places, which distinguish the cheapest spot offers."""
    return money_text(usd, 4)


def hour_column(prices: Iterable[float | None]) -> Callable[[float], str]:
    """Return how prices per hour are written in one column: to the cent, or with the places that the lowest needs."""
    lowest = min((price for price in prices if price), default=1.0)
    places = 2 if lowest >= 1 else 3 if lowest >= _DIME else 4
    return lambda price: money_text(price, places)


def per_month(usd: float) -> str:
    """Return a price per month, to the cent."""
    return money_text(usd, 2)


def money(amount: float, currency: str) -> str:
    """Return an amount of money to the cent: `-$1,200.00`, `EUR 0.10`."""
    return f"{'-' if amount < 0 else ''}{currency_sign(currency)}{money_text(abs(amount), 2)}"


def signed_money(amount: float, currency: str) -> str:
    """Return a difference of money to the cent, with its sign."""
    return f"{'+' if amount > 0 else ''}{money(amount, currency)}"


def currency_unit(currency: str) -> str:
    """Return the currency as the title of a column has it: `$`, or the code of another one."""
    return "$" if currency == "USD" else currency


def percent(part: float | None) -> str:
    """Return a fill as a percentage, rounded down, so that only a full one says 100%."""
    return "-" if part is None else f"{percentage(part):,}%"


def percentage(part: float) -> int:
    """Return a fraction in whole percent, rounded down."""
    return math.floor(part * 100 + 1e-9)


def bar(part: float | None, width: int) -> str:
    """Return a fill as a bar; anything above zero is visible, and only a full one fills it."""
    if part is None:
        return " " * width
    cells = min(width, max(int(part * width + 1e-9), 1 if part > 0 else 0))
    return "█" * cells + "░" * (width - cells)


def instant(seconds: float) -> str:
    """Return a time, given in seconds since 1970, in UTC to the second."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def span(seconds: float) -> str:
    """Return a length of time in its two largest units: `45s`, `3m05s`, `5h00m`, `2d04h`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    days, hours_left = divmod(hours, 24)
    if days:
        return f"{days}d{hours_left:02d}h"
    if hours:
        return f"{hours}h{minutes_left:02d}m"
    return f"{minutes}m{rest:02d}s" if minutes else f"{rest}s"


def short_name(node: str) -> str:
    """Return a node's name without the domain that cloud providers append."""
    host, _, domain = node.partition(".")
    return host if domain.endswith((".internal", ".compute")) else node


def zone_names(zones: tuple[str, ...], region: str) -> str:
    """Return zones without their common region: `a b c`, or `1 2 3` on Azure; names from outside the region stay whole."""
    return " ".join(escape(z.removeprefix(region).removeprefix("-") or z) for z in zones) or "any"


def age_text(seconds: float | None) -> str:
    """Return an age as kubectl has it, in its largest unit: `3d`, `7h`, `12m`, `45s`."""
    if seconds is None:
        return "-"
    for size, unit in _AGES:
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return f"{int(seconds)}s"
