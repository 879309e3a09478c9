"""Windows nodes cost what Linux does and a licence, by the rule that price lists follow; else their price is unknown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cutlist.catalog.embedded import all_machines, load
from cutlist.catalog.prices import Price
from cutlist.catalog.windows import windows_licence, windows_price
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import UNKNOWN_PRICE
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.nodes.answer import nodes
from cutlist.verbs.plan.answer import plan, plan_with_measures
from cutlist.verbs.types.answer import types
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, pool
from tests.unit.planning.test_existing import node

WINDOWS = "{key: kubernetes.io/os, operator: In, values: [windows]}"
FIGURES = "{apiVersion: cutlist/v1, kind: Figures, prices: {onDemandDiscount: 10%, surcharge: 0.5}}"
IIS = deployment("iis", extra="nodeSelector: {kubernetes.io/os: windows}")
M5_LARGE = 0.096
LICENCE = 2 * 0.046


@pytest.mark.parametrize(
    ("name", "usd"),
    [
        ("m5.large", 0.092),
        ("c6i.metal", 128 * 0.046),
        ("i3.metal", 2.944),
        ("m7i-flex.large", 2 * 0.0437),
        ("m7i-flex.16xlarge", 64 * 0.046),
        ("r8i-flex.16xlarge", 64 * 0.0437),
        ("t3.small", 0.0184),
        ("t3a.nano", 0.0046),
        ("t3.2xlarge", 0.1472),
        ("t3.nano", None),
        ("t2.large", None),
        ("m7g.large", None),
        ("c8ib.large", None),
    ],
)
def test_a_licence_costs_what_the_rule_of_its_family_says(name: str, usd: float | None) -> None:
    """Pairs of a price list; nothing is said of a family without one."""
    licence = windows_licence(all_machines()[name])
    assert licence == (None if usd is None else pytest.approx(usd))


def test_every_family_of_the_rule_is_x86() -> None:
    """Windows of EC2 does not run on Graviton."""
    ruled = [machine for machine in all_machines().values() if windows_licence(machine) is not None]
    assert len(ruled) > 700
    assert {a for machine in ruled for a in machine.architectures} <= {"x86_64", "i386"}


def test_a_price_in_yuan_is_not_added_to() -> None:
    """The rule is in dollars."""
    region, price = load("us-west-2"), Price(0.5, "a list")
    assert windows_price(replace(region, currency="CNY"), "m5.large", replace(price, currency="CNY")) is None
    assert windows_price(region, "m5.large", None) is None
    assert windows_price(region, "no.such", price) is None


def test_a_list_price_is_no_estimate_and_spot_adds_the_difference_of_two_list_prices() -> None:
    """Where the price for Linux is an estimate itself, spot adds the licence by its rule."""
    listed = Price(0.2, "a list", "2026-11-20")
    region = replace(load("us-west-2"), windows={"m5.large": listed})
    linux, spot = region.on_demand_price("m5.large"), Price(0.05, "history")
    assert windows_price(region, "m5.large", linux) == listed
    on_spot = windows_price(region, "m5.large", spot)
    assert on_spot is not None
    assert on_spot.usd_per_hour == pytest.approx(0.05 + 0.2 - M5_LARGE)
    assert on_spot.estimated
    guessed = replace(region, on_demand={"m5.large": Price(M5_LARGE, "a guess", estimated=True)})
    by_rule = windows_price(guessed, "m5.large", spot)
    assert by_rule is not None
    assert by_rule.usd_per_hour == pytest.approx(0.05 + LICENCE)


def inputs_of(
    *documents: str, alias: str = "windows2022@latest", of: str = "m5.large, m5.xlarge", bought: str = ON_DEMAND
) -> PlanInputs:
    node_class = re.sub(r"al2023@\w+", alias, NODE_CLASS)
    own = pool(requirements=f"[{bought}, {WINDOWS}, {TYPES.format(of)}]")
    return read_inputs(["-"], region="us-west-2", stdin="\n---\n".join((node_class, own, *documents)))


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("alias", ["windows2019@latest", "windows2022@latest", "windows2025@latest"])
@pytest.mark.parametrize(("figures", "usd"), [((), M5_LARGE + LICENCE), ((FIGURES,), M5_LARGE * 0.9 + LICENCE + 0.5)])
def test_the_price_of_a_windows_node_has_its_licence(alias: str, figures: tuple[str, ...], usd: float) -> None:
    """It is an estimate that names its rule; a discount is on the machine alone, and so is the order of the types."""
    planned = plan(inputs_of(IIS, *figures, alias=alias))
    (iis,) = planned.nodes
    assert (iis.instance_type, iis.price.usd_per_hour, iis.is_estimated) == ("m5.large", pytest.approx(usd), True)
    assert "licence of Windows" in iis.price.provenance
    assert [c.instance_type for c in iis.candidates] == ["m5.large", "m5.xlarge"]
    assert planned.totals.estimated_part == pytest.approx(usd / (planned.totals.price_per_hour or 0))
    (text,) = (note.text for note in planned.assumptions if note.code == "windows-prices")
    assert text.startswith("EC2NodeClass default: nodes run Windows; its licence is estimated at 0.046 USD per vCPU")


def test_the_licence_is_the_same_on_spot() -> None:
    """On top of the spot price."""
    spot = ON_DEMAND.replace("on-demand", "spot")
    (linux,) = plan(
        read_inputs(
            ["-"],
            region="us-west-2",
            stdin="\n---\n".join((NODE_CLASS, pool(requirements=f"[{spot}, {TYPES.format('m5.large')}]"), deployment("web"))),
        )
    ).nodes
    (windows,) = plan(inputs_of(IIS, of="m5.large", bought=spot)).nodes
    assert (linux.capacity_type, windows.capacity_type) == ("spot", "spot")
    assert linux.price is not None
    assert windows.price.usd_per_hour == pytest.approx(linux.price.usd_per_hour + LICENCE)


def test_without_a_rule_the_price_is_unknown_and_said_to_be() -> None:
    """No price for Linux stands in for it; it still ranks the types, as it does for Karpenter."""
    planned = plan(inputs_of(IIS, of="t2.large, t2.xlarge"))
    (iis,) = planned.nodes
    assert (iis.instance_type, iis.price, iis.certainty) == ("t2.large", None, UNKNOWN_PRICE)
    assert [(c.instance_type, c.price) for c in iis.candidates] == [("t2.large", None), ("t2.xlarge", None)]
    assert (planned.totals.price_per_hour, planned.totals.unpriced_nodes) == (None, 1)
    (text,) = (note.text for note in planned.assumptions if note.code == "windows-prices")
    assert "where no rule is known for a family, what its nodes cost is unknown" in text
    assert "price-ties" not in {note.code for note in planned.assumptions}


def test_neither_types_nor_bounds_have_a_price_without_a_rule() -> None:
    """What cannot be known is not bounded by Linux prices either."""
    inputs = inputs_of(IIS, of="t2.large, t2.xlarge")
    (allowed,) = types(inputs)
    assert {(row.on_demand, row.spot) for row in allowed.types} == {(None, None)}
    _, measures = plan_with_measures(inputs)
    assert measures.pools[0].most_per_hour is None
    assert measures.pools[0].unpriced_types == 2


def test_running_windows_nodes_have_it_too() -> None:
    """By the label of their operating system."""
    labels = "labels: {node.kubernetes.io/instance-type: m5.large, karpenter.sh/capacity-type: on-demand, "
    linux = node("a").replace("labels: {", labels)
    windows = node("b").replace("labels: {", f"{labels}kubernetes.io/os: windows, ")
    unknown = node("c").replace("labels: {", f"{labels}kubernetes.io/os: windows, ").replace("m5.large", "t2.large")
    rows = nodes(inputs_of(linux, windows, unknown)).nodes
    prices = {row.name: row.price for row in rows}
    assert prices["a"] is not None
    assert not prices["a"].estimated
    assert prices["b"] is not None
    assert prices["b"].estimated
    assert prices["b"].usd_per_hour == pytest.approx(prices["a"].usd_per_hour + LICENCE)
    assert prices["c"] is None
