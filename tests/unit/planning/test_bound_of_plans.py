"""The bound of a plan: in its data and in every view."""

from __future__ import annotations

import pytest

from cutlist.planning.model import Plan
from cutlist.verbs.plan.answer import bounded_plan, plan
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool

INPUTS = inputs_of(pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge')}]"), deployment(replicas=5))


@pytest.fixture(scope="module")
def bounded() -> Plan:
    return bounded_plan(INPUTS)


def test_the_bound_is_not_above_the_price(bounded):
    assert 0 < bounded.bound_per_hour <= bounded.totals.price_per_hour
    assert bounded.above_bound == pytest.approx(bounded.totals.price_per_hour / bounded.bound_per_hour - 1)


def test_it_is_part_of_the_data(bounded):
    assert Plan.from_dict(bounded.to_dict()) == bounded
    assert plan(INPUTS).to_dict()["boundPerHour"] is None


@pytest.mark.parametrize("view", [render_plan, plan_markdown, plan_html])
def test_every_view_has_it_where_it_was_computed(view, bounded):
    assert "these pods cost at least" in view(bounded)
    assert "these pods cost at least" not in view(plan(INPUTS))


def test_pods_that_stay_pending_are_not_in_it():
    """What has no node costs nothing."""
    both = inputs_of(
        pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge')}]"),
        deployment(replicas=5),
        deployment("huge", 3, cpu="60"),
    )
    made = bounded_plan(both)
    assert made.totals.pending == 3
    assert made.bound_per_hour == bounded_plan(INPUTS).bound_per_hour
