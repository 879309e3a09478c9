"""A NodeOverlay changes what Karpenter chooses, not what is paid: every sum is at list prices, and both prices are shown."""

from __future__ import annotations

import csv
import io
import json

import pytest

from cutlist.catalog.prices import usd
from cutlist.core.records import json_of
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.verbs.nodes.answer import planned_roster, read_nodes
from cutlist.verbs.nodes.text import render_nodes
from cutlist.verbs.plan.answer import plan_with_measures
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, inputs_of, overlay, plan_of, pool

ONE_TYPE = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]", spec="limits: {cpu: 10}")
OF_TYPE = "{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}"
LISTED = usd(plan_of(ONE_TYPE, deployment()).nodes[0].price)


def price_overlay(price: str, requirements: str = OF_TYPE) -> str:
    """An overlay with a price, by default of the one type."""
    return overlay(f"{{requirements: [{requirements}], {price}}}")


CHEAP = price_overlay("priceAdjustment: '-90%'")


# S-43
@pytest.mark.parametrize("price", ["price: '0'", "price: '0.0001'", "priceAdjustment: '-100%'", "priceAdjustment: '+200%'"])
def test_a_plan_costs_its_list_price_whatever_an_overlay_says(price: str) -> None:
    before, after = plan_of(ONE_TYPE, deployment()), plan_of(ONE_TYPE, deployment(), price_overlay(price))
    assert after.totals.price_per_hour == before.totals.price_per_hour
    assert [usd(n.price) for n in after.nodes] == [usd(n.price) for n in before.nodes] == [LISTED]
    assert [usd(c.price) for n in after.nodes for c in n.candidates] == [LISTED]
    assert after.totals.overlay_price_per_hour is not None
    assert after.totals.overlay_price_per_hour != after.totals.price_per_hour
    assert before.totals.overlay_price_per_hour is None


def test_the_price_that_karpenter_goes_by_is_beside_it() -> None:
    (node,) = plan_of(ONE_TYPE, deployment(), CHEAP).nodes
    assert LISTED is not None
    assert node.overlay_price == node.ranked_price == pytest.approx(LISTED / 10)
    assert [c.overlay_price for c in node.candidates] == [node.overlay_price]


def test_an_overlay_still_decides_which_type_is_chosen() -> None:
    """What it makes cheap is chosen, and costs what it costs."""
    both = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.24xlarge')}]")
    of_large = OF_TYPE.replace("m5.large", "m5.24xlarge")
    planned = plan_of(both, deployment(), price_overlay("price: '0.0001'", of_large))
    assert planned.nodes[0].instance_type == "m5.24xlarge"
    assert (planned.totals.price_per_hour or 0) > 4


@pytest.mark.parametrize(("price", "lowered"), [("priceAdjustment: '-90%'", 90), ("priceAdjustment: '+90%'", 0)])
def test_figures_for_gates_are_at_list_prices(price: str, lowered: float) -> None:
    _, listed = plan_with_measures(inputs_of(ONE_TYPE, deployment()))
    _, overlaid = plan_with_measures(inputs_of(ONE_TYPE, deployment(), price_overlay(price)))
    assert overlaid.price_per_hour == listed.price_per_hour
    assert overlaid.pools[0].lowered_by == pytest.approx(lowered)
    if lowered:
        assert overlaid.pools[0].most_per_hour == listed.pools[0].most_per_hour


def test_both_prices_are_shown_wherever_a_plan_is() -> None:
    planned = plan_of(ONE_TYPE, deployment(), CHEAP)
    assert "ranked at $0.0096 by a NodeOverlay" in render_plan(planned)
    assert "Karpenter see it" in " ".join(render_plan(planned).split())
    assert "ranked at" in plan_markdown(planned)
    assert "ranked at" in plan_html(planned)
    (row,) = csv.DictReader(io.StringIO(plan_csv(planned)))
    assert row["overlay_price_per_hour"] == str(planned.nodes[0].overlay_price)
    (note,) = [n.text for n in planned.warnings if n.code == "overlay-prices"]
    assert note == (
        "NodeOverlays make Karpenter rank 1 node at $0.0096 an hour; you pay $0.0960, and all costs here are what you pay"
    )


def test_a_plan_without_an_overlay_says_nothing_of_it() -> None:
    planned = plan_of(ONE_TYPE, deployment())
    assert "verlay" not in planned.to_json()
    assert "verlay" not in render_plan(planned)


def test_a_plan_keeps_both_prices_in_a_file_and_differs_by_neither() -> None:
    planned = plan_of(ONE_TYPE, deployment(), CHEAP)
    assert Plan.from_dict(json.loads(planned.to_json())) == planned
    comparison = Comparison.of(plan_of(ONE_TYPE, deployment()), planned)
    assert comparison.nodes == ()
    assert [note.code for note in comparison.new_notes if "overlay" in note.code] == ["overlay-prices"]


def test_nodes_of_a_plan_have_both_prices() -> None:
    roster = planned_roster(plan_of(ONE_TYPE, deployment(), CHEAP))
    assert roster.overlay_price_per_hour is not None
    assert roster.price_per_hour is not None
    assert roster.overlay_price_per_hour < roster.price_per_hour
    assert "Karpenter see it" in " ".join(render_nodes(roster).split())
    assert json.loads(json_of(roster))["nodes"][0]["overlayPricePerHour"] == pytest.approx((LISTED or 0) / 10)


def test_running_nodes_have_both_prices() -> None:
    """The overlay is read with the cluster; nodes that it does not mean have one price."""
    node = """
apiVersion: v1
kind: Node
metadata:
  name: {name}
  labels: {{node.kubernetes.io/instance-type: {type}, karpenter.sh/capacity-type: on-demand, karpenter.sh/nodepool: general,
    topology.kubernetes.io/zone: us-west-2a}}
status: {{conditions: [{{type: Ready, status: "True"}}], allocatable: {{cpu: "2", memory: 6Gi, pods: "29"}}}}
"""
    text = "---".join(
        [node.format(name="a", type="m5.large"), node.format(name="b", type="c5.large"), ONE_TYPE, NODE_CLASS, CHEAP]
    )
    roster = read_nodes(["-"], region="us-west-2", stdin=text)
    assert [n.overlay_price for n in roster.nodes] == [pytest.approx((LISTED or 0) / 10), None]
    assert [n.price.usd_per_hour for n in roster.nodes if n.price and n.name == "a"] == [LISTED]
    without = read_nodes(["-"], region="us-west-2", stdin=text.replace("kind: NodeOverlay", "kind: ConfigMap"))
    assert without.overlay_price_per_hour is None
    assert without.price_per_hour == roster.price_per_hour
