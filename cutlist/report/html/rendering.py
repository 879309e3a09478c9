"""Rendering of templates to pages: every value is escaped, and characters that would act on a reader's screen are spelled
out."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, TypeVar

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from cutlist.core.wording import counted
from cutlist.planning.fleet_deltas import forecast_text
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.planning.model.extended import amounts_in_words, use_in_words
from cutlist.report import plain
from cutlist.report.columns import Figure
from cutlist.report.html import Words
from cutlist.report.html.deltas import by_reason
from cutlist.report.html.hours_chart import HOURS_STYLE
from cutlist.report.html.node_map import LEGEND, MAP_STYLE
from cutlist.report.html.types_chart import CHART_STYLE
from cutlist.report.price_sources import overlay_price_in_words
from cutlist.report.restrictions import unpriced_sentence

T = TypeVar("T")
NO_WORDS: Final[Mapping[str, Words]] = MappingProxyType({})

_WIDTHS: Final = "".join(f".v{part}{{--v:{part}}}" for part in range(101))  # no style is allowed outside the style sheet
_WITHOUT_SCRIPT: Final = (
    "tbody[hidden]{display:table-row-group!important}tr[hidden]{display:table-row!important}.more,.link{display:none}"
)

_WHOLE: Final = re.compile(r"\b[a-z]{2}(?:-[a-z]+)+-\d[a-z]?\b|\b\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\dZ)?")
_CODE: Final = re.compile("`([^`]+)`")

CHUNK: Final = 25
"""Rows that a table shows at first; the others are in the page and appear on request, in a search or in print."""
_NUMBERS: Final = ("n", "n top")
"""The classes of cells with numbers, which are our own words."""
_CELL: Final = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)
_TAG: Final = re.compile(r"<[^>]*>")
_EMPTY: Final = ("", "-")
Title = str | Sequence[str]
"""The title of a column, or the title and the class of its cells."""


def render(
    template: str,
    *,
    words: Mapping[str, Words] = NO_WORDS,
    pools: Iterable[str] = (),
    workloads: Sequence[str] = (),
    **values: Any,
) -> str:
    """Return the page of a template, in ASCII, so that no later encoding can corrupt it. Ends in a newline.

    `words` are filters that turn a value of the verb into text or columns. Rows can be filtered by `pools`.
    `workloads` are the names that rows refer to by number until they are shown.
    """
    hidden = [plain.visible(name) for name in workloads]
    page = (
        _environment(tuple(words.items()))
        .get_template(template)
        .render(pools=sorted(set(pools)), hidden_workloads=hidden, **values)
    )
    return page.encode("ascii", "xmlcharrefreplace").decode("ascii").rstrip() + "\n"


def add_script(page: str, file: str, connects: str) -> str:
    """Return a page with one more of Cutlist's scripts, which may connect to these sources."""
    script, known = _own(file), str(_environment().globals["policy"])
    policy = known.replace("script-src ", f"connect-src {connects}; script-src '{_hash(script)}' ")
    opened, end, rest = page.replace(f'content="{escape(known)}"', f'content="{escape(policy)}"', 1).rpartition("</body>")
    return f"{opened}<script>{script}</script>\n{end}{rest}"


def chunks(rows: Sequence[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    """Yield the rows in parts; without rows, one empty part."""
    for start in range(0, max(len(rows), 1), size):
        yield rows[start : start + size]


def name(text: str) -> Markup:
    """Return a name or sentence of the input; right-to-left text in it does not affect the text around it.

    Zones and instants are not broken over two lines.
    """
    shown = _WHOLE.sub(r'<span class="whole">\g<0></span>', str(escape(plain.visible(text))))
    return Markup(shown if text.isascii() else f"<bdi>{shown}</bdi>")  # noqa: S704 - what comes from outside is escaped


def prose(text: str) -> Markup:
    """Return a sentence that is not of the input; what stands between backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(name(text))))  # noqa: S704 - `name` escapes


@cache
def _environment(words: tuple[tuple[str, Words], ...] = ()) -> Environment:
    """Return the templates with these words of a verb as filters, in addition to what all pages use."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(__package__, "templates"), PackageLoader("cutlist.verbs", "")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters |= {
        "age_text": plain.age_text,
        "by_reason": by_reason,
        "chunks": chunks,
        "counted": counted,
        "instant": lambda seconds: name(plain.instant(seconds)),
        "name": name,
        "in_words": use_in_words,
        "forecast_text": forecast_text,
        "extended": lambda use, resource: amounts_in_words(resource, use),
        "overlay_price_in_words": overlay_price_in_words,
        "per_month": plain.per_month,
        "prose": prose,
        "hourly": plain.hourly,
        "month": lambda price: plain.monthly(price * HOURS_PER_MONTH),
        "monthly": lambda price: plain.per_month(price * HOURS_PER_MONTH),
        "unpriced": unpriced_sentence,
        "percent": plain.percent,
        "share": _share,
        "short_name": plain.short_name,
        "span": plain.span,
        "zone_names": plain.zone_names,
        **dict(words),
    }
    style, script = _own("page.css") + _WIDTHS + CHART_STYLE + HOURS_STYLE + MAP_STYLE, _own("page.js")
    environment.globals |= {
        "cells": page_cells,
        "filled_table": filled_table,
        "map_legend": LEGEND,
        "fragment_style": Markup(_own("notebook/style.css")),  # noqa: S704 - our own text, as the next three
        "style": Markup(style),  # noqa: S704
        "style_without_script": Markup(_WITHOUT_SCRIPT),  # noqa: S704
        "script": Markup(script),  # noqa: S704
        "policy": _policy([style, _WITHOUT_SCRIPT], script),
    }
    return environment


def _shown(value: Any) -> Any:
    return plain.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _share(part: float | None) -> str:
    """Return a fraction as a number from 0 to 100, for a bar."""
    return str(plain.percentage(min(max(part or 0.0, 0.0), 1.0)))


def _own(file: str) -> str:
    text = files(__package__).joinpath("templates", file).read_text("utf-8")
    text.encode("ascii")  # nothing in it may need escapes, which only text and attributes understand
    return text


def _policy(styles: Sequence[str], script: str) -> str:
    """Return the browser's policy for this page: apply its own styles, run its own script, and load nothing."""
    known = " ".join(f"'{_hash(style)}'" for style in styles)
    return f"default-src 'none'; style-src {known}; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def page_cells(figures: Sequence[Figure[Any]], row: Any, *, head: int | None = 0) -> Markup:
    """Return the cells of a row by the figures of its columns. The cell at `head` heads the row."""
    return Markup("").join(_cell(figure, row, at == head) for at, figure in enumerate(figures))


def _cell(figure: Figure[Any], row: Any, is_head: bool) -> Markup:
    kind = figure.class_on_page(row)
    tag, scope = ("th", ' scope="row"') if is_head else ("td", "")
    small = Markup("").join(Markup("<small>{}</small>").format(name(words)) for words in (figure.small or _nothing)(row))
    opened = Markup(f'<{tag}{scope} class="{kind}">' if kind else f"<{tag}{scope}>")  # noqa: S704 - our own names
    shown = [figure.on_page(row)] if figure.lines is None else figure.lines(row)
    words = Markup("<br>").join(escape(line) if kind in _NUMBERS else name(line) for line in shown)
    if figure.words_class is not None and (of_words := figure.words_class(row)):
        words = Markup('<span class="{}">{}</span>').format(of_words, words)
    return opened + words + small + Markup(f"</{tag}>")  # noqa: S704


def _nothing(row: Any) -> tuple[str, ...]:  # noqa: ARG001 - as any function of small words
    return ()


@dataclass(frozen=True, slots=True)
class FilledTable:
    """Titles of the columns that have something in some row, and the rows with these columns alone."""

    titles: tuple[Title, ...]
    rows: tuple[Markup, ...]


def filled_table(titles: Sequence[Title], rows: Iterable[Any], draw: Callable[[Any], Markup]) -> FilledTable:
    """Return a table of these rows, which `draw` writes, without empty columns; the first column always stays.

    Rows that have cells of several columns are left as they are.
    """
    drawn = tuple(draw(row) for row in rows)
    empty = _empty_columns(len(titles), drawn)
    if not empty:
        return FilledTable(tuple(titles), drawn)
    kept = tuple(title for at, title in enumerate(titles) if at not in empty)
    return FilledTable(kept, tuple(_without(row, empty) for row in drawn))


def _empty_columns(columns: int, rows: Sequence[Markup]) -> set[int]:
    empty = set(range(1, columns)) if rows else set()
    for row in rows:
        cells = [match[0] for match in _CELL.finditer(row)]
        if len(cells) != columns:
            return set()
        empty = {at for at in empty if _TAG.sub("", cells[at]).strip() in _EMPTY}
        if not empty:
            break
    return empty


def _without(row: Markup, columns: set[int]) -> Markup:
    cells = list(_CELL.finditer(row))
    for at in sorted(columns, reverse=True):
        row = Markup(row[: cells[at].start()] + row[cells[at].end() :])  # noqa: S704 - parts of what was escaped before
    return row
