"""The text views, screen by screen.

Whole screens are in `screens/`; `python -m tests.unit.report.test_text` regenerates them after a change that is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from cutlist.catalog.prices import Price
from cutlist.core.errors import Place, Problem
from cutlist.core.notes import Note
from cutlist.planning.model import Launch, PendingPods, Plan, PodShare, PoolTypes
from cutlist.report.price_sources import estimated_share
from cutlist.report.problems import render_problems
from cutlist.verbs.plan.text import render_plan
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.text import render_types
from tests.examples import examples
from tests.unit.report.samples import LAUNCHED, ON_DEMAND, PLAN, SPOT, TYPES, UNPRICED

_SCREENS = Path(__file__).parent / "screens"
_HOSTILE = "\x1b[31mred\x1b[0m [bold]not markup[/bold] \u202eevil\u2066 \r\n\ttail \u05d0\u05d1 \x9b2J"
_LONG = "deployment/" + "a" * 200 + "-the-end"
_PROBLEMS = (
    Problem(
        Place("pools.yaml", 2, 14, "spec.template.spec.requirements[0].values[1]"),
        'unknown instance type "m5.lage"',
        nearest="m5.large",
    ),
    Problem(Place("app.yaml", 1, 31, "spec.replicas"), "-3 is negative", allowed="0 and more"),
    Problem(Place(path="--region"), 'unknown region "us-west-9"', "eu-west-1, us-east-1, us-west-2", "us-west-2"),
)


def _hostile_plan() -> Plan:
    node = replace(SPOT, node_pool=_HOSTILE, instance_type=_HOSTILE, zones=(_HOSTILE,), pods=(PodShare(_HOSTILE, 4),), launch=0)
    pending = PendingPods(_HOSTILE, 1, _HOSTILE, ((_HOSTILE, _HOSTILE),))
    long = PendingPods(_LONG, 1, "No NodePool is there.")
    launch = Launch(_HOSTILE, _HOSTILE, _HOSTILE, refusal=_HOSTILE)
    return replace(PLAN, nodes=(node,), pending=(pending, long), warnings=(Note("x", _HOSTILE),), launches=(launch,))


_VIEWS: dict[str, Callable[[int], str]] = {
    "plan": lambda width: render_plan(PLAN, width),
    "launched": lambda width: render_plan(LAUNCHED, width),
    "types": lambda width: render_types(AllowedTypes("us-west-2", TYPES, limit=20), width),
    "problems": lambda width: render_problems(_PROBLEMS, width),
    "hostile": lambda width: render_plan(_hostile_plan(), width),
    "empty": lambda width: render_plan(Plan("us-west-2"), width),
}


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("view", _VIEWS)
def test_a_screen_is_as_kept(view, width):
    """Every character of a screen is where it was."""
    assert _VIEWS[view](width) == (_SCREENS / f"{view}-{width}.txt").read_text()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
@pytest.mark.parametrize("view", _VIEWS)
def test_no_line_is_wider_than_the_page(view, width):
    """A terminal of the width never wraps a line by itself, and no line ends in blanks."""
    for line in _VIEWS[view](width).splitlines():
        assert cell_len(line) <= width
        assert line == line.rstrip()


_words = st.text(max_size=80)


@examples(0.6)
@given(name=_words, other=_words, reason=_words, width=st.integers(40, 220))
def test_no_text_can_break_the_page(name, other, reason, width):
    """Whatever names hold, lines stay within the page and nothing but printable characters gets out."""
    node = replace(SPOT, node_pool=name, instance_type=other, zones=(other,), pods=(PodShare(name, 3),))
    node = replace(node, price=Price(0.1, reason))
    plan = Plan(other, (node,), (PendingPods(name, 1, reason, ((other, reason),)),), (Note("a", reason),), (Note("b", name),))
    problems = (Problem(Place(name, 1, 1, other), reason, other, name),)
    types = (PoolTypes(name, (replace(TYPES[0].types[0], name=other, on_demand=Price(0.1, reason)),), 1),)
    allowed = AllowedTypes(name, types, limit=20)
    for text in (render_plan(plan, width), render_problems(problems, width), render_types(allowed, width)):
        assert all(cell_len(line) <= width for line in text.split("\n"))
        assert text.replace("\n", "").isprintable()


def test_colour_changes_no_character():
    """The coloured page without its codes is the plain page."""
    coloured = render_plan(PLAN, 100, colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render_plan(PLAN, 100)


def test_hostile_names_are_spelled_out():
    """Escape sequences and reordering characters are readable text, brackets are left as they are."""
    text = render_plan(_hostile_plan(), 200)
    assert "\\x1b[31mred" in text
    assert "[bold]not markup[/bold]" in text
    assert "\\u202e" in text
    assert "\\u05d0" in text


def test_the_first_screen_answers():
    """Nodes, price, fill, what is pending and why come first, whatever the plan's length."""
    many = replace(PLAN, nodes=tuple(replace(SPOT, instance_type=f"m{i}.large") for i in range(300)))
    top = "\n".join(render_plan(many, 100).splitlines()[:10])
    money = ("about $13,650 a month ($13,250 to $14,450;", "600 nodes for 3,600 pods", "about $18.70 an hour", "all spot")
    for expected in (*money, "81%", "63%", "No NodePool offers"):
        assert expected in top


def test_pending_pods_of_one_reason_are_reported_once():
    """Workloads that stay pending for the same reason share it; beyond a few they are counted."""
    alike = tuple(PendingPods(f"deployment/app-{i}", 2, "No NodePool has room.") for i in range(9))
    text = render_plan(Plan("us-west-2", pending=alike), 100)
    assert text.count("No NodePool has room.") == 2  # in the summary and below
    assert "deployment/app-3" in text
    assert "and 5 more workloads with 10 pods for the same reason" in text


def test_the_summary_tells_the_reason_that_keeps_most_pods():
    """With several reasons the one of most pods is reported, the others are counted."""
    pending = (PendingPods("deployment/a", 1, "Small reason."), PendingPods("deployment/b", 7, "Large reason."))
    line = next(x for x in render_plan(Plan("us-west-2", pending=pending), 120).splitlines() if x.startswith("pending"))
    assert line.split("  ", 1)[1] == "7 pods of deployment/b: Large reason; 1 more pod for another reason"


def test_estimates_are_marked_and_explained_once():
    """An estimated price has a star in its row and in the sums, and one footnote says where it is from."""
    text = render_plan(PLAN, 100)
    assert "0.062*" in text
    assert text.count("* Estimated price: spot estimate June 2025 (2 nodes).") == 1
    assert "Estimated" not in render_plan(replace(PLAN, nodes=(ON_DEMAND,)), 100)


def test_an_unknown_price_is_never_a_number():
    """Nodes without a price say so, in their row and in the sums."""
    text = render_plan(replace(PLAN, nodes=(UNPRICED,)), 100)
    assert "price    unknown" in text
    assert "0.0000" not in text
    assert "and 1 node of unknown price" in render_plan(PLAN, 100)


def test_a_price_that_is_certain_is_not_called_at_least():
    """Only what may turn out more expensive is called "at least"."""
    assert render_plan(replace(PLAN, nodes=(ON_DEMAND,)), 100).startswith("$106 a month: 1 node for 1 pod in us-west-2\n")
    assert render_plan(replace(PLAN, nodes=(SPOT,)), 100).startswith(
        "From about $46 a month ($22 to $92; all of it spot): 2 nodes"
    )


def test_many_workloads_on_a_node_are_counted():
    """The line of a node's pods names as many workloads as fit and counts the others."""
    node = replace(ON_DEMAND, pods=tuple(PodShare(f"deployment/app-{i:02}", 1) for i in range(20)))
    line = next(x for x in render_plan(replace(PLAN, nodes=(node,)), 80).splitlines() if "app-00" in x)
    named = line.count("app-")
    assert line.endswith(f"and {20 - named} more workloads")
    assert named == 2


def test_refusing_node_pools_beyond_a_few_are_counted():
    """A pending workload names six NodePools and counts the others."""
    refused = tuple((f"pool-{i}", "taint") for i in range(8))
    text = render_plan(Plan("us-west-2", pending=(PendingPods("deployment/a", 1, "No.", refused),)), 80)
    assert "pool-5" in text
    assert "pool-6" not in text
    assert "and 2 more NodePools" in text


def test_types_are_limited_and_counted():
    """Rows beyond the limit are counted with those that were not given; 0 shows all that are given."""
    assert "and 640 more" in render_types(AllowedTypes("us-west-2", TYPES, limit=2))
    assert "m7g.metal" not in render_types(AllowedTypes("us-west-2", TYPES, limit=2))
    assert "and 638 more" in render_types(AllowedTypes("us-west-2", TYPES))


def _write_screens() -> None:
    _SCREENS.mkdir(exist_ok=True)
    for view, render in _VIEWS.items():
        for width in (80, 120, 200):
            (_SCREENS / f"{view}-{width}.txt").write_text(render(width))


def test_a_small_part_that_is_estimated_is_not_said_to_be_nothing():
    assert [estimated_share(part) for part in (None, 0.0, 0.002, 0.5, 1.0)] == [
        "",
        "",
        "less than 1% of it estimated",
        "50% of it estimated",
        "100% of it estimated",
    ]


if __name__ == "__main__":
    _write_screens()
