"""What restrictions cost: each price is the difference of two plans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.errors import Problems
from cutlist.core.records import json_of
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.planning.model import Plan
from cutlist.planning.model.explanation import Explanations
from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.verbs.explain.answer import explain
from cutlist.verbs.explain.html import explain_html
from cutlist.verbs.explain.markdown import explain_markdown
from cutlist.verbs.explain.text import render_explain
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.restriction_prices import restriction_prices, with_prices_of_restrictions, with_restriction_prices
from cutlist.verbs.plan.text import render_plan
from cutlist.verbs.rightsizing import rightsized
from cutlist.workloads.usage import UsagePolicy, read_usage
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool

POOL = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.xlarge')}]")
APART = """affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}"""
INPUTS = inputs_of(POOL, deployment("web", 3, "500m", "1Gi", APART), deployment("free", 1))
LOOSE = inputs_of(POOL, deployment("web", 3, "500m", "1Gi"), deployment("free", 1))


@pytest.fixture(scope="module")
def priced() -> Plan:
    return with_restriction_prices(plan(INPUTS), INPUTS)


def price_of(planned: Plan) -> float:
    assert planned.totals.price_per_hour is not None
    return planned.totals.price_per_hour


def test_a_restriction_costs_what_the_plan_without_it_saves(priced):
    costs = {r.what: r.price for r in priced.restrictions.priced}
    assert costs["host anti-affinity of deployment/web"] == pytest.approx(price_of(plan(INPUTS)) - price_of(plan(LOOSE)))
    assert priced.restrictions.unpriced == 0


def test_it_is_part_of_the_data_only_where_it_was_requested(priced):
    assert Plan.from_dict(priced.to_dict()) == priced
    assert plan(INPUTS).to_dict()["restrictions"] is None


def test_where_a_node_has_no_price_nothing_is_priced():
    unknown = CostAndRisk(None, 1, (), 0.0, 1, 1)
    assert restriction_prices(["zone spread"], [replace(unknown, price=1.0)], unknown) == RestrictionPrices((), 1)


@pytest.mark.parametrize("view", [render_plan, plan_markdown, plan_html])
def test_every_view_of_a_plan_has_it(view, priced):
    assert "host anti-affinity of deployment/web" in view(priced)
    assert "host anti-affinity" not in view(plan(INPUTS))


@pytest.mark.parametrize("view", [render_explain, explain_markdown, explain_html, json_of])
def test_an_explanation_has_the_restrictions_of_its_workload_alone(view):
    web = with_prices_of_restrictions(explain(INPUTS, "deployment/web"), INPUTS)
    assert [r.what for r in web[0].restrictions.priced] == ["host anti-affinity of deployment/web"]
    assert "host anti-affinity of deployment/web" in view(Explanations("us-west-2", web))


def test_a_workload_without_restrictions_says_so():
    free = with_prices_of_restrictions(explain(INPUTS, "deployment/free"), INPUTS)
    assert "no restriction costs anything" in render_explain(Explanations("us-west-2", free))


def test_requests_above_measured_use_are_a_restriction(tmp_path):
    inputs = inputs_of(POOL, deployment("web", 3, "1900m", "6Gi"))
    table = tmp_path / "use.csv"
    table.write_text("workload,cpu,memory\nweb,500m,1Gi\n")
    problems = Problems()
    usage = read_usage((str(table),), problems)
    problems.raise_if_any()
    sized = rightsized(inputs, usage, UsagePolicy(95, 0.15))
    (web,) = with_prices_of_restrictions(explain(inputs, "deployment/web"), inputs, sized)
    ((requests),) = web.restrictions.priced
    assert requests.what == "requests of deployment/web (1900m cpu, 575m by use; 6Gi memory, 1178Mi by use)"
    assert requests.price == pytest.approx(price_of(plan(inputs)) - price_of(plan(sized.inputs)))
