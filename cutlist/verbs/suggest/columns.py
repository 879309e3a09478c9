"""The figures of suggestions, and the columns that each form has of options, other circumstances and environments."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.optimization.evaluation import CostAndRisk
from cutlist.report.columns import Figure, Figures, count, csv_table, in_currency, only_csv
from cutlist.report.estimates import Money
from cutlist.report.markup import words
from cutlist.report.plain import percent, percentage
from cutlist.report.requirement_words import in_plain_words
from cutlist.verbs.suggest.fleet import FleetSuggestions, Prices
from cutlist.verbs.suggest.fleet_words import remark
from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions, WhatIf

TOTAL: Final = "all"
_LEAST: Final = 0.01
"""The smallest weight that is written exactly."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option by its number, 0 for the current NodePools, with its mean and highest price over the scenarios, and how far the
    mean is above the bound."""

    number: int
    figures: CostAndRisk
    expected: float
    worst: Money
    above_bound: float | None
    currency: str = "USD"
    is_best: bool = False
    edits: str = ""
    edit_count: int = 0

    @property
    def name(self) -> str:
        """Return the number, or `now`."""
        return str(self.number) if self.number else "now"

    @property
    def month(self) -> str:
        """Return the price of a month."""
        return self.money(self.figures.lasting or 0.0).month_cell()

    def money(self, per_hour: float) -> Money:
        """Return a price, known no more exactly than that of today."""
        return Money(self.figures.price or 0.0, self.figures.price_range, self.currency).part(per_hour)


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """A scenario with the figures of today's NodePools and of the recommended option."""

    what: str
    weight: float
    today: CostAndRisk
    then: CostAndRisk
    bound: float
    currency: str = "USD"
    lost_zone: str = ""


@dataclass(frozen=True, slots=True)
class FleetRow:
    """An environment of a fleet, or all together; `part` is its saving as a part of the largest one. `names_currency` says that
    amounts have the sign of their currency, because not all are in US dollars."""

    name: str
    region: str
    state: str
    prices: Prices | None
    remark: str = ""
    part: float | None = None
    names_currency: bool = False


def option_rows(suggestions: Suggestions) -> list[OptionRow]:
    """Return the current NodePools and the options as rows."""
    outlook, currency = suggestions.outlook, suggestions.currency
    above = suggestions.above_expected_bound
    rows = [OptionRow(0, suggestions.current, outlook.expected, _worst(suggestions), above(outlook.expected), currency)]
    for number, option in enumerate(suggestions.options):
        edits = "; ".join(edit.words for edit in option.edits)
        prices = option.expected, _worst(suggestions, option), above(option.expected, option)
        best = number == suggestions.recommended
        rows.append(OptionRow(number + 1, option.figures, *prices, currency, best, edits, option.edit_count))
    return rows


def scenario_rows(suggestions: Suggestions) -> list[ScenarioRow]:
    """Return the scenarios as rows, the present first; none if the recommended option was not judged in all."""
    outlook, best = suggestions.outlook, suggestions.best
    each = (best.figures, *best.elsewhere)
    if len(each) < len(outlook.scenarios):
        return []
    total = math.fsum(scenario.weight for scenario in outlook.scenarios)
    return [
        ScenarioRow(scenario.what, scenario.weight / total, today, then, bound, suggestions.currency, scenario.lost_zone)
        for scenario, today, then, bound in zip(outlook.scenarios, outlook.today, each, outlook.bounds, strict=True)
    ]


def _worst(suggestions: Suggestions, option: Suggestion | None = None) -> Money:
    """Return the highest price of an option in the scenarios, or of today's NodePools, as exact as it is known there."""
    outlook = suggestions.outlook
    each = outlook.today if option is None else (option.figures, *option.elsewhere)
    number = outlook.most_expensive(each) if len(each) == len(outlook.scenarios) else None
    if number is None:
        return Money(outlook.worst(outlook.today) if option is None else option.worst, None, suggestions.currency)
    of = each[number]
    return Money(of.price or 0.0, of.price_range, suggestions.currency).part(of.lasting or 0.0)


def fleet_rows(fleet: FleetSuggestions) -> list[FleetRow]:
    """Return the environments as rows, the last for all of them."""
    known = [prices for e in fleet.environments if (prices := e.prices) is not None]
    # Savings in several currencies cannot be compared.
    most = max((prices.saving for prices in known), default=0.0) if fleet.prices is not None else 0.0
    signed = any(prices.currency is not None for prices in known)
    rows = [
        FleetRow(e.name, e.region, e.state, prices, remark(e), max(0.0, prices.saving / most) if prices and most > 0 else None)
        for e in fleet.environments
        for prices in (e.prices,)
    ]
    total = FleetRow(TOTAL, "", "", fleet.prices if fleet.answered else None)
    return [replace(row, names_currency=signed) for row in (*rows, total)]


# --- options


def option_columns(rows: Sequence[OptionRow]) -> Figures[OptionRow]:
    """Return the columns of a text."""
    money = in_currency((_MONTH, _MEAN, _WORST), rows[0].currency)
    return (_OPTION, *money, _ABOVE, _NODES, _WITH_NODE, _SPOT, _EDITS)


def option_comment(rows: Sequence[OptionRow]) -> Figures[OptionRow]:
    """Return the columns in Markdown."""
    prices = in_currency(
        (_MONTH.titled("$ a month"), _MEAN.titled("$ on average"), _WORST.titled("$ at worst")), rows[0].currency
    )
    return (_OPTION, *prices, _ABOVE, _NODES, _WITH_NODE.titled("lost with a node"), _WITH_ZONE.titled("with a zone"), _SPOT)


def option_page(rows: Sequence[OptionRow]) -> Figures[OptionRow]:
    """Return the columns of pages."""
    money = in_currency((_MONTH, _MEAN, _WORST), rows[0].currency)
    return (_PAGE_OPTION, *money, _ABOVE, _NODES, _WITH_NODE, _WITH_ZONE, _SPOT, _EDITS)


def _option_csv(limit: float) -> Figures[OptionRow]:
    """Return the columns of CSV, for a bound."""
    pending: Figure[OptionRow] = only_csv("pending", lambda row: row.figures.pending_pods)
    bound: Figure[OptionRow] = only_csv("bound_per_hour", lambda _: limit)
    edits: Figure[OptionRow] = only_csv("edits", lambda row: row.edits)
    mean: Figure[OptionRow] = only_csv("expected_per_hour", lambda row: row.expected)
    worst: Figure[OptionRow] = only_csv("worst_per_hour", lambda row: row.worst.per_hour)
    return (_OPTION, _RECOMMENDED, _PRICE, mean, worst, _NODES, pending, _WITH_NODE, _WITH_ZONE, _SPOT, bound, edits)


def _marked(row: OptionRow) -> str:
    return f"{'*' if row.is_best else ''}{row.name}"


def _in_bold(row: OptionRow) -> str:
    return f"**{row.name}**" if row.is_best else row.name


_OPTION: Final[Figure[OptionRow]] = Figure("", _marked, "right", name="option", exact=lambda r: r.name, markdown=_in_bold)
_PAGE_OPTION: Final[Figure[OptionRow]] = Figure(
    "option", lambda r: f"{r.name}{' (recommended)' if r.is_best else ''}", page_class=lambda r: "good" if r.is_best else ""
)
_RECOMMENDED: Final[Figure[OptionRow]] = only_csv("recommended", lambda row: str(row.is_best).lower())
_PRICE: Final[Figure[OptionRow]] = only_csv("per_hour", lambda row: row.figures.price)
_MONTH: Final[Figure[OptionRow]] = Figure("$/month", lambda r: r.month, "right", page_class="n top", sign="$")
_MEAN: Final[Figure[OptionRow]] = Figure(
    "on average", lambda r: r.money(r.expected).month_cell(), "right", page_class="n", sign="$", page_title="$/month on average"
)
_WORST: Final[Figure[OptionRow]] = Figure(
    "at worst", lambda r: r.worst.month_cell(), "right", page_class="n", sign="$", page_title="$/month at worst"
)
_EDITS: Final[Figure[OptionRow]] = count("edits", lambda r: r.edit_count if r.number else None)
_ABOVE: Final[Figure[OptionRow]] = Figure("above least", lambda r: percent(r.above_bound), "right", page_class="n")
_NODES: Final[Figure[OptionRow]] = count("nodes", lambda r: r.figures.nodes, "nodes")
_WITH_NODE: Final[Figure[OptionRow]] = count(
    "lost with node", lambda r: r.figures.lost_with_node, "lost_with_node", page_title="Pods lost with a node"
)
_WITH_ZONE: Final[Figure[OptionRow]] = count(
    "with zone", lambda r: r.figures.lost_with_zone, "lost_with_zone", page_title="With a zone"
)
_SPOT: Final[Figure[OptionRow]] = Figure(
    "in one spot pool",
    lambda r: percent(r.figures.spot_share),
    "right",
    name="spot_share",
    exact=lambda r: round(r.figures.spot_share, 4),
    page_class="n",
)


# --- scenarios


def scenario_columns(currency: str) -> Figures[ScenarioRow]:
    """Return the columns of all forms."""

    def month(of: Callable[[ScenarioRow], CostAndRisk]) -> Callable[[ScenarioRow], str]:
        return lambda row: _month_cell(of(row), row.currency)

    money = in_currency(
        (
            Figure("today $/month", month(lambda r: r.today), "right", page_class="n", sign="$"),
            Figure("then $/month", month(lambda r: r.then), "right", page_class="n", sign="$"),
        ),
        currency,
    )
    return (
        Figure("scenario", lambda r: r.what, "left", 20, markdown=lambda r: words(r.what), page_class="w"),
        Figure("weight", lambda r: _weight(r.weight), "right", page_class="n"),
        *money,
        Figure("change", lambda r: change_in_words(r.today, r.then), "right", page_class="n"),
        count("pending today", lambda r: r.today.pending_pods, page_title="Pending pods today"),
        count("then", lambda r: r.then.pending_pods, page_title="Then"),
    )


def _weight(weight: float) -> str:
    return "-" if not weight else percent(weight) if weight >= _LEAST else f"< {percent(_LEAST)}"


def _month_cell(figures: CostAndRisk, currency: str) -> str:
    if figures.price is None:
        return "unknown"
    return Money(figures.price, figures.price_range, currency).part(figures.lasting or 0.0).month_cell()


def change_in_words(before: CostAndRisk, after: CostAndRisk) -> str:
    """Return by how much a price differs; a dash where it is of fewer pods, since a plan for no pods costs nothing."""
    if not before.lasting or after.lasting is None or after.pending_pods > before.pending_pods:
        return "-"
    change = after.lasting / before.lasting - 1
    texts = [f"{change:+.{places}%}" for places in (0, 1)]
    # A change that would be written as none has a decimal, and none has no sign.
    return next((text for text in texts if text.strip("+-.0%")), "0%")


# --- other circumstances


def what_if_columns(now: CostAndRisk, currency: str = "USD") -> Figures[WhatIf]:
    """Return the columns of a text and of pages, for today's figures."""
    month: Figure[WhatIf] = Figure("$/month", lambda w: _month_cell(w.figures, currency), "right", page_class="n")
    return (
        Figure("", lambda w: w.what, "left", 20, markdown=lambda w: words(w.what), page_title=_AS_THEY_ARE, page_class="w"),
        *in_currency((month,), currency),
        Figure("against now", lambda w: change_in_words(now, w.figures), "right", page_class="n"),
        count("nodes", lambda w: w.figures.nodes),
        count("pending", lambda w: w.figures.pending_pods, page_title="Pending pods"),
    )


def what_if_comment(now: CostAndRisk, currency: str = "USD") -> Figures[WhatIf]:
    """Return the columns in Markdown."""
    what, month, *others = what_if_columns(now, currency)
    return (what, month.titled("$ per month"), *others)


_AS_THEY_ARE: Final = "With the NodePools as they are"


# --- environments of a fleet


def _money(title: str, of: Callable[[Prices], float], page_title: str = "") -> Figure[FleetRow]:
    def exact(row: FleetRow) -> float | None:
        return None if row.prices is None else of(row.prices)

    def show(row: FleetRow) -> str:
        if row.prices is None:
            return "-"
        whole = row.prices.money
        cell = whole.part(of(row.prices)).month_cell()
        return f"{whole.sign}{cell}" if row.names_currency else cell

    return Figure(title, show, "right", name=f"{title}_per_hour", exact=exact, page_title=page_title, page_class="n")


_NAME: Final[Figure[FleetRow]] = Figure(
    "$/month", lambda r: r.name, "left", 12, "", "environment", is_name=True, page_title="Environment", page_class="w"
)
_REGION: Final[Figure[FleetRow]] = Figure("region", lambda r: r.region, "left", 8, "", "region", is_name=True)
_PRICES: Final = (
    _money("now", lambda p: p.now, "Now, a month"),
    _money("bound", lambda p: p.bound),
    _money("best", lambda p: p.best),
    _money("saving", lambda p: p.saving),
)
_SAVED: Final[Figure[FleetRow]] = Figure(
    "in %", lambda r: percent(None if r.prices is None else r.prices.part_saved), "right", page_class="n"
)
_PART: Final[Figure[FleetRow]] = Figure(
    "share of the largest saving",
    lambda r: percent(r.part),
    page_class=lambda r: "n" if r.part is None else f"cpu v{percentage(min(r.part, 1.0))}",
)
_REMARK: Final[Figure[FleetRow]] = Figure(
    "Edits, or why there is no answer",
    lambda r: r.remark,
    name="edits_or_reason",
    markdown=lambda r: words(r.remark),
    page=lambda r: in_plain_words(r.remark),
    page_class="w",
)
_A_MONTH: Final = "a month"
"""The title above names where amounts have the sign of their currency."""
MONEY: Final[Figures[FleetRow]] = (*_PRICES, _SAVED)
"""The money of all environments, as in the row of each."""
FLEET: Final[Figures[FleetRow]] = (_NAME, _REGION, *MONEY)
FLEET_COMMENT: Final[Figures[FleetRow]] = (_NAME.titled("$ per month"), _REGION.titled("Region"), *MONEY, _REMARK)
FLEET_PAGE: Final[Figures[FleetRow]] = (_NAME, _REGION, *MONEY, _PART, _REMARK)
_FLEET_CSV: Final[Figures[FleetRow]] = (_NAME, _REGION, only_csv("state", lambda r: r.state), *_PRICES, _REMARK)


def fleet_text(rows: Sequence[FleetRow]) -> Figures[FleetRow]:
    """Return the columns of a text; amounts with the sign of their currency need none in the title."""
    return (_NAME.titled(_A_MONTH), *FLEET[1:]) if rows[-1].names_currency else FLEET


def fleet_comment(rows: Sequence[FleetRow]) -> Figures[FleetRow]:
    """Return the columns in Markdown."""
    return (_NAME.titled(_A_MONTH), *FLEET_COMMENT[1:]) if rows[-1].names_currency else FLEET_COMMENT


def csv(suggestions: Suggestions) -> str:
    """Return a row for the current NodePools, and one for each option."""
    return csv_table(_option_csv(suggestions.bound), option_rows(suggestions))


def fleet_csv(fleet: FleetSuggestions) -> str:
    """Return a row for each environment, and one with the sums."""
    return csv_table(_FLEET_CSV, fleet_rows(fleet))
