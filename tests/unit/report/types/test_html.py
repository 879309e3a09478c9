"""The instance types that NodePools allow as a page: it says what the text says."""

from __future__ import annotations

from cutlist.core.notes import Note
from cutlist.report.html.types_chart import ChosenTypes
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.html import types_html
from tests.unit.report.pages import taken
from tests.unit.report.samples import PLAN, TYPES

_CHOSEN = ChosenTypes.by_plan(PLAN)


def test_types_are_listed_with_what_pods_may_use_prices_and_what_the_plan_takes():
    text = taken(types_html(AllowedTypes("us-west-2", TYPES), chosen=_CHOSEN)).text
    assert (
        "Types allowed 4 by 2 NodePools Cheapest type per month $10.80* c7g.medium spot, $0.0148* per hour Nodes of the plan 4"
        in text
    )
    assert "general 642 c7g.medium 0.0363 0.0148* nothing 0 none - -" in text
    assert "m7g.large general 2 8Gi 1930m 6903Mi 29 a b c 0.0816 0.0312* 2 spot" in text
    assert "u7in-32tb.224xlarge general 896 32Ti 895770m 31064Gi 737 a b c - - -" in text
    assert "* Estimated price: spot estimate June 2025." in text


def test_a_limit_shortens_the_list_and_not_the_chart():
    page = types_html(AllowedTypes("us-west-2", TYPES, limit=2))
    assert "The cheapest of each NodePool are listed; the charts have all." in taken(page).text
    assert "m7g.metal" not in taken(page).text
    assert "NodePool general: 4 types" in page
    assert "The cheapest of each" not in taken(types_html(AllowedTypes("us-west-2", TYPES))).text


def test_what_is_odd_about_node_pools_is_on_the_page():
    found = taken(types_html(AllowedTypes("us-west-2", TYPES, notes=(Note("a", "The pool matches nothing."),))))
    assert "Findings 1" in found.text
    assert found.text.index("Prices by family") < found.text.index("The pool matches nothing.")
