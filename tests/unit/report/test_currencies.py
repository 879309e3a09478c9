"""Where the prices of a catalogue are in another currency, every view of them names it, and none shows a dollar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from cutlist.catalog.prices import Price
from cutlist.planning.model import Plan, PlannedNode
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.explanation import Explanations
from cutlist.verbs.diff.html import diff_html
from cutlist.verbs.diff.markdown import diff_markdown
from cutlist.verbs.diff.text import render_diff
from cutlist.verbs.explain.html import explain_html
from cutlist.verbs.explain.markdown import explain_markdown
from cutlist.verbs.explain.text import render_explain
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.unit.report.pages import taken
from tests.unit.report.samples import PLAN
from tests.unit.report.test_diff_and_explain import DIFFERENCE, EXPLANATION


def _in_euro(price: Price | None) -> Price | None:
    return None if price is None else replace(price, currency="EUR")


def _nodes(nodes: tuple[PlannedNode, ...]) -> tuple[PlannedNode, ...]:
    return tuple(
        replace(
            node,
            price=_in_euro(node.price),
            disk_price=_in_euro(node.disk_price),
            candidates=tuple(replace(candidate, price=_in_euro(candidate.price)) for candidate in node.candidates),
        )
        for node in nodes
    )


def _plan(plan: Plan) -> Plan:
    return replace(plan, nodes=_nodes(plan.nodes))


_NOW, _BEFORE = _plan(PLAN), _plan(replace(PLAN, nodes=PLAN.nodes[:1]))
_WHY = Explanations("us-west-2", (replace(EXPLANATION, nodes=_nodes(EXPLANATION.nodes)),))
_CHANGE = replace(DIFFERENCE, comparison=Comparison.of(*map(_plan, DIFFERENCE.comparison.sides)))
_VIEWS: dict[str, Callable[[], str]] = {
    "plan": lambda: render_plan(_NOW, 200),
    "plan in Markdown": lambda: plan_markdown(_NOW, _BEFORE),
    "plan as a page": lambda: taken(plan_html(_NOW, (), _BEFORE)).text,
    "explain": lambda: render_explain(_WHY),
    "explain in Markdown": lambda: explain_markdown(_WHY),
    "explain as a page": lambda: taken(explain_html(_WHY)).text,
    "diff": lambda: render_diff(_CHANGE),
    "diff in Markdown": lambda: diff_markdown(_CHANGE),
    "diff as a page": lambda: taken(diff_html(_CHANGE)).text,
}


@pytest.mark.parametrize("view", _VIEWS)
def test_a_view_names_the_currency_of_prices(view: str) -> None:
    text = _VIEWS[view]()
    assert "$" not in text
    assert "EUR" in text
