"""What axe finds wrong with the pages for who sees badly, or not, or uses no mouse: nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.planning.model import Plan
from cutlist.planning.model.explanation import Explanations
from cutlist.report.html.types_chart import ChosenTypes
from cutlist.verbs.budgets.html import budgets_html
from cutlist.verbs.diff.html import diff_html
from cutlist.verbs.disrupt.html import disrupt_html
from cutlist.verbs.explain.html import explain_html
from cutlist.verbs.gate.answer import GateResult
from cutlist.verbs.gate.html import gate_html
from cutlist.verbs.history.html import history_html
from cutlist.verbs.interrupt.html import interrupt_html
from cutlist.verbs.nodes.html import nodes_html
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.preview.html import preview_html
from cutlist.verbs.preview.record import ShownComponent
from cutlist.verbs.simulate.html import simulate_html
from cutlist.verbs.suggest.html import fleet_html, suggest_html
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.html import types_html
from cutlist.verbs.upgrade.html import upgrade_html
from cutlist.verbs.validate.html import validate_html
from tests.unit.policy.gates.test_judge import ENDLESS
from tests.unit.policy.gates.test_judge import report as judged
from tests.unit.policy.rules import subjects
from tests.unit.report.forecasts import nodes, to_the_end, week
from tests.unit.report.full_answers import a_bill, history, loss, validation
from tests.unit.report.hostile import ALL, hostile_plan
from tests.unit.report.plan.large import large_plan
from tests.unit.report.samples import PLAN, SPOT, TYPES
from tests.unit.report.simulate.samples import many_commands
from tests.unit.report.simulate.samples import sample as simulated
from tests.unit.report.suggestions import fleet, suggestions
from tests.unit.report.test_diff_and_explain import DIFFERENCE, EXPLANATION, hostile
from tests.unit.report.upgrade.samples import sample

pytestmark = pytest.mark.xdist_group("browser")  # one worker, one browser

# Each worker collects all tests; the one that runs these makes the pages.
PAGES = {
    "changes": lambda: plan_html(PLAN, TYPES, replace(PLAN, nodes=(SPOT,), pending=())),
    "large": lambda: plan_html(large_plan(nodes=12), TYPES),
    "disrupt": lambda: disrupt_html(to_the_end(), week()),
    "nodes": lambda: nodes_html(nodes()),
    "difference": lambda: diff_html(DIFFERENCE),
    "gate": lambda: gate_html(GateResult(judged(ENDLESS, subjects.CLASS, subjects.PLAN), (PLAN,))),
    "upgrade": lambda: upgrade_html(sample()),
    "validate": lambda: validate_html(validation()),
    "interrupt": lambda: interrupt_html(loss()),
    "history": lambda: history_html(history()),
    "preview": lambda: preview_html("dev", 2, a_bill(), [PLAN], [ShownComponent("eks", "index:Cluster", 1)], [PLAN]),
    "suggest": lambda: suggest_html(suggestions()),
    "suggest --fleet": lambda: fleet_html(fleet()),
    "budgets": lambda: budgets_html(week().weeks),
    "hostile": lambda: plan_html(hostile_plan(ALL[0])),
    "types": lambda: types_html(AllowedTypes("us-west-2", TYPES, notes=PLAN.warnings), chosen=ChosenTypes.by_plan(PLAN)),
    "explanation": lambda: explain_html(Explanations("us-west-2", (EXPLANATION,))),
    "explanations": lambda: explain_html(Explanations("us-west-2", (hostile(ALL[0])[1], EXPLANATION))),
    "simulate": lambda: simulate_html(simulated(49)),
    "simulate much": lambda: simulate_html(many_commands()),
    "empty": lambda: plan_html(Plan("us-west-2")),
}


OF_LOOKS = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
"""The rules of axe whose answers depend on colours and on the width of the window."""


@pytest.fixture(scope="module")
def axe():
    found = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed; the extra dev has it"
    )
    return found.Axe()


_SIBLINGS = frozenset({"large", "hostile", "explanations", "simulate much"})
"""Pages of a template that another page shows as well, with more rows or other names in them."""


# Colours do not depend on the width, nor the order of parts on the colours: the two pairs have each of them once.
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.thorough] * (name in _SIBLINGS)) for name in PAGES])
def test_axe_finds_nothing(opened, axe, name):
    """Contrast, names, roles, landmarks, order of headings, places that scroll; with everything open that can be."""
    page = opened(PAGES[name](), color_scheme="light", viewport={"width": 1280, "height": 900}).page
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert _faults(axe.run(page)) == []
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 400, "height": 900})
    assert _faults(axe.run(page, options={"runOnly": list(OF_LOOKS)})) == []


def _faults(results) -> list[tuple[object, ...]]:
    faults = results.response["violations"]
    return [(fault["id"], fault["help"], [node["target"] for node in fault["nodes"][:3]]) for fault in faults]


def test_axe_would_find_something(opened, axe):
    """A page without a language, a title of a part or the name of a field has faults, so that the tests above can fail."""
    page = opened("<!doctype html><body><input><div style='color:#999;background:#fff'>faint</div>").page
    assert {"html-has-lang", "label", "color-contrast"} <= {name for name, *_ in _faults(axe.run(page))}
    assert {name for name, *_ in _faults(axe.run(page, options={"runOnly": list(OF_LOOKS)}))} == {"color-contrast"}
