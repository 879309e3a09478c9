"""Rendering of templates to pages: every value is escaped, and characters that would act on a reader's screen are spelled
out."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from cutlist.catalog.ages import PriceAge
from cutlist.catalog.prices import a_month
from cutlist.core.wording import counted
from cutlist.planning.fleet_deltas import forecast_text
from cutlist.planning.model.extended import amounts_in_words, use_in_words
from cutlist.report import plain
from cutlist.report.columns import for_rows
from cutlist.report.html import Words
from cutlist.report.html.deltas import by_reason
from cutlist.report.html.hours_chart import HOURS_STYLE
from cutlist.report.html.node_map import LEGEND, MAP_STYLE
from cutlist.report.html.tables import chunks, filled_table, page_cells
from cutlist.report.html.texts import name, prose
from cutlist.report.html.types_chart import CHART_STYLE
from cutlist.report.price_sources import age_notes, overlay_price_in_words
from cutlist.report.requirement_words import in_plain_words
from cutlist.report.restrictions import unpriced_sentence

NO_WORDS: Final[Mapping[str, Words]] = MappingProxyType({})

_WIDTHS: Final = "".join(f".v{part}{{--v:{part}}}" for part in range(101))  # no style is allowed outside the style sheet
_WITHOUT_SCRIPT: Final = (
    "tbody[hidden]{display:table-row-group!important}tr[hidden]{display:table-row!important}.more,.link{display:none}"
)


def render(
    template: str,
    *,
    words: Mapping[str, Words] = NO_WORDS,
    pools: Iterable[str] = (),
    workloads: Sequence[str] = (),
    ages: Iterable[PriceAge | None] = (),
    **values: Any,
) -> str:
    """Return the page of a template, in ASCII, so that no later encoding can corrupt it. Ends in a newline.

    `words` are filters that turn a value of the verb into text or columns. Rows can be filtered by `pools`.
    `workloads` are the names that rows refer to by number until they are shown. `ages` say which prices of the page are old.
    """
    hidden = [plain.visible(name) for name in workloads]
    page = (
        _environment(tuple(words.items()))
        .get_template(template)
        .render(pools=sorted(set(pools)), hidden_workloads=hidden, ages=age_notes(*ages), **values)
    )
    return page.encode("ascii", "xmlcharrefreplace").decode("ascii").rstrip() + "\n"


def add_script(page: str, file: str, connects: str) -> str:
    """Return a page with one more of Cutlist's scripts, which may connect to these sources."""
    script, known = _own(file), str(_environment().globals["policy"])
    policy = known.replace("script-src ", f"connect-src {connects}; script-src '{_hash(script)}' ")
    opened, end, rest = page.replace(f'content="{escape(known)}"', f'content="{escape(policy)}"', 1).rpartition("</body>")
    return f"{opened}<script>{script}</script>\n{end}{rest}"


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
        "plainly": lambda text: name(in_plain_words(text)),
        "hourly": plain.hourly,
        "month": lambda price: plain.monthly(a_month(price)),
        "monthly": lambda price: plain.per_month(a_month(price)),
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
        "for_rows": for_rows,
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
