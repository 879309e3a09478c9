"""The plans of all environments in one table: text, Markdown, CSV, a page and JSON."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from cutlist.core.errors import Place, Problem
from cutlist.core.ledger import Inputs, OpenInput
from cutlist.core.records import json_of
from cutlist.verbs.plan.environment_columns import environments_csv, state_sentence, verdict
from cutlist.verbs.plan.environments import EnvironmentPlan, EnvironmentPlans
from cutlist.verbs.plan.environments_first import EnvironmentsFirst
from cutlist.verbs.plan.html import environments_html
from cutlist.verbs.plan.markdown import environments_markdown
from cutlist.verbs.plan.text import render_environments
from tests.unit.report.full_answers import full_plan
from tests.unit.report.pages import taken
from tests.unit.report.samples import PLAN

MISTAKE = Problem(Place("dev/pools.yaml", 1, 3, "spec"), "is missing")
TEMPLATE = OpenInput("queue.yaml.tpl", "template", "a template that is not rendered")
PROD = EnvironmentPlan("prod", "cutlist plan -f prod", PLAN)
PARTLY = EnvironmentPlan("qa", "cutlist plan -f qa", replace(PLAN, inputs=Inputs(2, 1, open=(TEMPLATE,))))
FAILED = EnvironmentPlan("dev", "cutlist plan -f dev", None, (MISTAKE,))
PLANS = EnvironmentPlans((PROD, PARTLY, FAILED))
MONTH = PLAN.totals.price_per_month or 0.0


def line_of(text: str, name: str) -> list[str]:
    """The cells of a row of a text."""
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [name])


def test_a_text_has_a_row_for_each_environment_and_their_sums():
    text = render_environments(PLANS, width=120)
    pending, warnings = str(PLAN.totals.pending), str(len(PLAN.warnings))
    assert line_of(text, "prod") == ["prod", PLAN.region, str(PLAN.totals.nodes), "152*", pending, warnings, "0"]
    assert line_of(text, "qa")[3:6] == ["at", "least", "152*"]
    assert line_of(text, "dev") == ["dev", "-", "-", "-", "-", "-", "failed"]
    assert line_of(text, "all")[2:6] == [str(2 * PLAN.totals.nodes), "at", "least", "305*"]


def test_an_estimate_has_a_star_that_is_explained():
    assert "* partly estimated" in render_environments(PLANS)
    exact = replace(
        PLAN, nodes=tuple(replace(node, price=replace(node.price, estimated=False)) for node in PLAN.nodes if node.price)
    )
    text = render_environments(EnvironmentPlans((EnvironmentPlan("prod", "", exact),)))
    assert "*" not in text


def test_what_is_open_and_why_there_is_no_plan_stand_below_the_row():
    text = render_environments(PLANS, width=120)
    assert "not in this answer: queue.yaml.tpl, a template that is not rendered" in text
    assert "dev/pools.yaml:3 spec: is missing" in text
    assert "1 environment failed." in text


def test_the_first_line_is_a_lower_bound_where_a_plan_is_missing_or_partly_known():
    assert verdict(EnvironmentPlans((PROD,))).startswith("From about $")
    assert verdict(EnvironmentPlans((PROD, PARTLY))).startswith("At least about $")
    assert verdict(EnvironmentPlans((PROD, FAILED))).startswith("At least about $")
    assert verdict(EnvironmentPlans((FAILED,))) == "No plan for the only environment"
    assert (state_sentence(EnvironmentPlans((PROD,))), state_sentence(PLANS)) == ("", "1 environment failed")


def test_the_first_line_counts_the_pods_on_new_nodes_and_the_sums_count_all():
    """As the headline and the totals of each plan do."""
    more = replace(PLAN, node_groups=full_plan().node_groups, existing=full_plan().existing)
    plans = EnvironmentPlans((PROD, EnvironmentPlan("more", "", more)))
    assert f"8 nodes for {2 * PLAN.totals.pods} pods in 2 environments" in verdict(plans)
    assert plans.totals.pods == PLAN.totals.pods + more.totals.pods > 2 * PLAN.totals.pods


def test_markdown_has_the_same_rows():
    lines = environments_markdown(PLANS).splitlines()
    assert lines[0].startswith("### At least")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert [row[0] for row in rows[2:]] == ["`prod`", "`qa`", "`dev`", "`all`"]
    assert "is missing" in rows[4][-1]


def test_csv_has_exact_values_and_nothing_where_there_is_no_plan():
    rows = list(csv.DictReader(io.StringIO(environments_csv(PLANS))))
    assert [row["environment"] for row in rows] == ["prod", "qa", "dev", "all"]
    assert float(rows[0]["usd_per_month"]) == pytest.approx(MONTH)
    assert [row["complete"] for row in rows] == ["yes", "no", "no", "no"]
    assert (rows[2]["state"], rows[2]["nodes"], rows[2]["usd_per_month"]) == ("failed", "", "")
    assert rows[1]["open"] == "1"


def test_a_page_names_each_environment():
    page = environments_html(PLANS)
    assert page.isascii()
    assert all(f">{name}<" in page for name in ("prod", "qa", "dev"))
    assert "queue.yaml.tpl" in page


def test_json_has_the_sums_of_each_plan_and_of_all():
    data = json.loads(json_of(PLANS))
    assert [of["state"] for of in data["environments"]] == ["planned", "planned", "failed"]
    assert data["environments"][0]["totals"]["nodes"] == PLAN.totals.nodes
    assert data["environments"][2]["totals"] is None
    assert data["environments"][2]["problems"][0]["message"] == "is missing"
    assert data["totals"]["pending"] == 2 * PLAN.totals.pending
    assert (data["planned"], data["failed"], data["complete"]) == (2, 1, False)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_text_keeps_its_width(width):
    assert all(len(line) <= width for line in render_environments(PLANS, width=width).splitlines())


def test_a_page_begins_with_the_price_the_environments_that_cost_most_and_what_to_do():
    """Each amount once; what failed, what waits and what is open names its environments, and the command that says why."""
    first = EnvironmentsFirst.of(PLANS)
    assert first.title == f"{2 * PLAN.totals.nodes} nodes for {2 * PLAN.pods_on_new_nodes} pods in 3 environments"
    (month,) = first.sums
    assert month.amount.startswith("At least about $305")
    assert month.small[-2:] == ("without 1 environment that failed", "without 2 nodes of unknown price")
    assert [(driver.what, driver.share) for driver in first.drivers] == [
        (f"is {name}: {PLAN.totals.nodes} nodes in us-west-2", 0.5) for name in ("prod", "qa")
    ]
    assert first.to_do == (
        "No plan for dev: the table says why.",
        f"{2 * PLAN.totals.pending} pods get no node, in prod, qa; `cutlist plan -f prod` says why.",
        "1 input is not in the plans, in qa: the table says which.",
    )
    assert first.risks[-1] == f"{2 * len(PLAN.warnings)} warnings, the most in prod."
    text = taken(environments_html(PLANS)).text
    places = [text.index(words) for words in ("What it costs", "Why it costs that", "What to do", "Risk", "Environments of")]
    assert places == sorted(places)


def test_the_environment_of_the_folder_itself_has_words_for_its_dot():
    first = EnvironmentsFirst.of(EnvironmentPlans((EnvironmentPlan(".", "cutlist plan -f .", PLAN),)))
    assert " get no node, in the folder itself; `cutlist plan -f .` says why." in first.to_do[0]
    assert first.risks[-1].endswith("the most in the folder itself.")


def test_a_page_without_a_plan_has_no_amount():
    first = EnvironmentsFirst.of(EnvironmentPlans((FAILED,)))
    assert (first.title, first.sums, first.drivers, first.risks) == ("No plan for 1 environment", (), (), ())
    assert "Every pod finds a node" not in environments_html(EnvironmentPlans((FAILED,)))


def test_prices_in_several_currencies_have_no_sum_on_a_page():
    yuan = replace(
        PLAN, nodes=tuple(replace(node, price=replace(node.price, currency="CNY")) for node in PLAN.nodes if node.price)
    )
    first = EnvironmentsFirst.of(EnvironmentPlans((PROD, EnvironmentPlan("cn", "", yuan))))
    assert [(month.amount, month.small) for month in first.sums] == [("no sum", ("prices are in CNY and USD",))]
    assert first.drivers == ()
