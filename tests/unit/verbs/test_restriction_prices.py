"""What restrictions cost: each price is the difference of two plans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.errors import Problems
from cutlist.core.records import json_of
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.restrictions import Restriction
from cutlist.planning.model import Plan
from cutlist.planning.model.explanation import Explanations
from cutlist.planning.model.restrictions import PricedRestriction, RestrictionPrices
from cutlist.verbs.explain.answer import explain
from cutlist.verbs.explain.html import explain_html
from cutlist.verbs.explain.markdown import explain_markdown
from cutlist.verbs.explain.text import render_explain
from cutlist.verbs.plan.answer import bounded_plan, joint_plan, plan
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.restriction_prices import (
    MOST_UNASKED,
    drivers_among,
    restriction_prices,
    with_drivers_of_few,
    with_prices_of_restrictions,
    with_restriction_prices,
)
from cutlist.verbs.plan.small_plans import is_far_above_bound
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
    assert restriction_prices(
        [Restriction("zone spread", "", INPUTS)], [replace(unknown, price=1.0)], unknown
    ) == RestrictionPrices((), 1)


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


# --- what makes a plan expensive

FIXED = "nodeSelector: {karpenter.sh/capacity-type: on-demand}"
BOTH = f"[{{key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}}, {TYPES.format('m5.large')}]"
SEVERAL = inputs_of(pool(requirements=BOTH), deployment("a", 2, extra=FIXED), deployment("b", 2, extra=FIXED), deployment("c"))


def test_a_restriction_names_its_objects_and_the_field_that_has_it(priced):
    """The most expensive restrictions come first, each with the field to look at."""
    assert [(d.objects, d.field) for d in priced.drivers] == [
        (("NodePool general",), "requirements[node.kubernetes.io/instance-type]"),
        (("NodePool general",), "requirements[karpenter.sh/capacity-type]"),
        (("deployment/web",), "affinity.podAntiAffinity[kubernetes.io/hostname]"),
    ]


def test_what_workloads_have_in_common_is_priced_together():
    """Either selector alone keeps a node on-demand; both together do not, and neither is named again."""
    planned = with_restriction_prices(plan(SEVERAL), SEVERAL)
    assert planned.drivers is not None
    on_demand = [d for d in planned.drivers if d.field == "nodeSelector[karpenter.sh/capacity-type]"]
    assert [d.objects for d in on_demand] == [("deployment/a", "deployment/b")]
    loose = inputs_of(pool(requirements=BOTH), *(deployment(name, count) for name, count in (("a", 2), ("b", 2), ("c", 1))))
    assert on_demand[0].price == pytest.approx(price_of(plan(SEVERAL)) - price_of(plan(loose)))


def test_a_part_of_what_is_named_is_not_named_again():
    """Another field, or another object, is another cause."""
    whole = PricedRestriction("on-demand of 2 workloads", 3.0, ("a", "b"), "nodeSelector[x]")
    part = PricedRestriction("on-demand of a", 2.0, ("a",), "nodeSelector[x]")
    other, elsewhere = replace(part, field="nodeSelector[y]", price=1.0), replace(part, objects=("c",), price=0.5)
    assert drivers_among([whole, part, other, elsewhere]) == (whole, other, elsewhere)
    assert len(drivers_among([replace(other, field=str(n)) for n in range(5)])) == 3


def test_the_limits_of_a_nodepool_are_a_restriction():
    """A limit sends pods to a more expensive NodePool."""
    few = pool("few", f"[{ON_DEMAND}, {TYPES.format('m5.large')}]", spec="weight: 10\n  limits: {cpu: 2}")
    other = pool("other", f"[{ON_DEMAND}, {TYPES.format('m5.4xlarge')}]")
    inputs = inputs_of(few, other, deployment("web", 2, "1500m"))
    planned = with_restriction_prices(plan(inputs), inputs)
    assert ("limits", ("NodePool few",)) in [(d.field, d.objects) for d in planned.drivers or ()]


def test_the_page_names_the_restrictions_that_cost_most(priced):
    page = plan_html(replace(priced, restrictions=None))
    assert "is the price of a restriction: instance-type in NodePool general" in page
    assert "requirements[node.kubernetes.io/instance-type]" in page


@pytest.mark.parametrize("view", [render_plan, plan_markdown])
def test_every_text_names_what_makes_the_plan_expensive(view, priced):
    """With the field and its price a month, also where nothing else of restrictions is shown."""
    words = " ".join(view(replace(priced, restrictions=None)).replace("\\", "").split())
    assert "a month for host anti-affinity of deployment/web: affinity.podAntiAffinity[kubernetes.io/hostname]" in words
    assert "affinity.podAntiAffinity" not in view(replace(priced, restrictions=None, drivers=None)).replace("\\", "")


def test_a_plan_far_above_its_bound_says_how_to_learn_why():
    """The hint is there until the causes are known, and only where there is much to explain."""
    far = bounded_plan(INPUTS)
    assert "(--restrictions says why)" in " ".join(render_plan(far).split())
    assert "says why" not in render_plan(with_restriction_prices(far, INPUTS))
    near = replace(far, bound_per_hour=price_of(far) / 1.19)
    assert "says why" not in render_plan(near)


def test_only_small_plans_far_above_their_bound_name_it_unasked():
    """A plan near its bound, or of many nodes, has nothing priced unless asked."""
    far = bounded_plan(INPUTS)
    many = replace(far, nodes=tuple(replace(node, count=30) for node in far.nodes))
    near = replace(far, bound_per_hour=price_of(far) / 1.19)
    assert [is_far_above_bound(p, INPUTS) for p in (far, near, many, plan(INPUTS))] == [True, False, False, False]


def test_unasked_only_the_most_important_restrictions_are_priced(monkeypatch):
    """Each of them costs a plan: those of NodePools come first, then those of the workload with most of the price."""
    made: list[Plan] = []

    def counted(parts):
        made.append(joint_plan(parts))
        return made[-1]

    monkeypatch.setattr("cutlist.verbs.plan.restriction_prices.joint_plan", counted)
    labels = ", ".join(f"example.com/{n}: x" for n in range(2 * MOST_UNASKED))
    labelled = POOL.replace("spec:\n      nodeClassRef", f"metadata: {{labels: {{{labels}}}}}\n    spec:\n      nodeClassRef")
    inputs = inputs_of(labelled, deployment("a", extra=f"nodeSelector: {{{labels}}}"), deployment("web", 3, extra=APART))
    drivers = with_drivers_of_few(plan(inputs), inputs).drivers
    assert len(made) == MOST_UNASKED
    assert drivers is not None
    assert "host anti-affinity of deployment/web" in [of.what for of in drivers]


def test_what_gets_no_node_makes_no_plan_expensive():
    """The selectors of pods that only wait are not priced."""
    wide = "nodeSelector: {" + ", ".join(f"example.com/{n}: x" for n in range(MOST_UNASKED + 1)) + "}"
    inputs = inputs_of(POOL, deployment("web", extra=wide), deployment("free"))
    assert with_drivers_of_few(plan(inputs), inputs).drivers is not None
