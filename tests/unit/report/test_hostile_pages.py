"""Hostile names on pages: they are words there, change no tag and bring nothing that cannot be seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cutlist.core.notes import Note
from cutlist.planning.model.explanation import Explanations
from cutlist.report.html.types_chart import ChosenTypes
from cutlist.report.plain import visible
from cutlist.verbs.budgets.html import budgets_html
from cutlist.verbs.explain.html import explain_html
from cutlist.verbs.nodes.html import nodes_html
from cutlist.verbs.suggest.html import fleet_html, suggest_html
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.html import types_html
from tests.unit.report.forecasts import hostile_nodes, hostile_week
from tests.unit.report.hostile import ALL, hostile_types
from tests.unit.report.pages import taken
from tests.unit.report.samples import PLAN
from tests.unit.report.suggestions import fleet, suggestions
from tests.unit.report.test_diff_and_explain import hostile

_CHOSEN = ChosenTypes.by_plan(PLAN)
_PAGES: dict[str, Callable[[str], str]] = {
    "types": lambda text: types_html(AllowedTypes(text, hostile_types(text), notes=(Note(text, text),)), chosen=_CHOSEN),
    "explain": lambda text: explain_html(Explanations(text, (hostile(text)[1],) * 2)),
    "nodes": lambda text: nodes_html(hostile_nodes(text)),
    "suggest": lambda text: suggest_html(suggestions(text)),
    "suggest --fleet": lambda text: fleet_html(fleet(text)),
    "budgets": lambda text: budgets_html(hostile_week(text).weeks),
}


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("page", _PAGES)
def test_hostile_names_are_words_on_the_page(page, text):
    made = _PAGES[page](text)
    assert taken(made).tags == taken(_PAGES[page]("x" * len(visible(text)))).tags
    assert taken(made).faults == []
    assert made.isascii()
    assert made.replace("\n", "").isprintable()


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("page", ["types", "explain"])
def test_hostile_names_are_shown_in_full(page, text):
    assert " ".join(visible(text).split()) in taken(_PAGES[page](text)).text
