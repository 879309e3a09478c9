"""Plans at the prices that the account paid: what nodes cost changes, and which nodes there are does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cutlist import nodes, plan, read_inputs
from cutlist.catalog.format import Source
from cutlist.catalog.paid import PaidPrices, PaidRow, paid_table
from cutlist.core.errors import InputError
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.savings_plans import Rate, Rates
from cutlist.planning.model import Plan
from cutlist.verbs.nodes.answer import read_nodes
from cutlist.verbs.suggest.variants import Variants
from tests.sample import SHOP

HERE = "us-west-2", "us-west-2a", "linux"
PAID = PaidPrices(
    (
        PaidRow("c6a.2xlarge", *HERE, "contracted", 100, 0.2754, 0.306),
        PaidRow("c6a.2xlarge", *HERE, "committed", 100, 0.1928, 0.306),
        PaidRow("c6a.2xlarge", *HERE, "spot", 10, 0.2),
    ),
    "USD",
    "2026-10-01",
    "2026-10-31",
)
STEADY = SHOP / "bill" / "steady.yaml"


def planned(tmp_path: Path, paid: PaidPrices = PAID, *files: str, **settings: str) -> Plan:
    path = tmp_path / "paid.tsv"
    path.write_text(paid_table(paid, Source("2026-10-31", "a bill")), "utf-8")
    return plan(read_inputs([str(STEADY), *files], region="us-west-2", paid=str(path), **settings))


@pytest.mark.parametrize(("way", "price"), [("contracted", 0.2754), ("committed", 0.1928), ("average", 0.2341)])
def test_a_node_costs_what_the_account_paid(tmp_path: Path, way: str, price: float) -> None:
    prices = {node.instance_type: node.price for node in planned(tmp_path, paid_as=way).nodes}
    assert prices["c6a.2xlarge"].usd_per_hour == pytest.approx(price)
    assert (prices["c6a.2xlarge"].estimated, prices["m6a.2xlarge"].estimated) == (False, True)
    assert prices["c6a.2xlarge"].provenance.endswith(", October 2026")
    assert "as paid for other families" in prices["m6a.2xlarge"].provenance


def test_a_running_node_costs_the_same(tmp_path: Path) -> None:
    """In the list of nodes, from files alone and from the inputs of a plan: of its type, else by the discount of its family."""
    rows = (PaidRow("c7i.2xlarge", *HERE, "contracted", 9, 0.3, 0.357), PaidRow("m7a.large", *HERE, "spot", 9, 0.01))
    path = tmp_path / "paid.tsv"
    path.write_text(paid_table(replace(PAID, rows=rows), Source("2026-10-31", "a bill")), "utf-8")
    files = [str(SHOP / "pools.yaml"), str(SHOP / "snapshot.yaml")]
    for roster in (
        read_nodes(files, region="us-west-2", paid=path),
        nodes(read_inputs(files, region="us-west-2", paid=path)),
    ):
        prices = {node.instance_type: node.price for node in roster.nodes}
        assert prices["c7i.2xlarge"].usd_per_hour == pytest.approx(0.3)
        assert prices["m7i.xlarge"].usd_per_hour == pytest.approx(0.2016 * 0.3 / 0.357, abs=1e-6)
        assert prices["m7a.large"].usd_per_hour == pytest.approx(0.01)
    with pytest.raises(InputError, match=r"nowhere\.tsv"):
        read_nodes(files, region="us-west-2", paid=tmp_path / "nowhere.tsv")


def test_rates_of_a_search_are_parts_of_list_prices(tmp_path: Path) -> None:
    """What hours under a commitment cost holds the discount already: it does not count twice."""
    path = tmp_path / "paid.tsv"
    path.write_text(paid_table(PAID, Source("2026-10-31", "a bill")), "utf-8")
    rates = Rates((Rate("c6a", "*", "1y", 0.37, ""),))
    prices = []
    for settings in ({}, {"paid": path, "paid_as": "committed"}):
        inputs = read_inputs([str(STEADY)], region="us-west-2", **settings)
        ((_, rated),) = Variants(inputs, Allowances()).under_rates(rates)
        prices.append({node.instance_type: node.price.usd_per_hour for node in rated.plan.nodes})
    assert prices[0]["c6a.2xlarge"] == prices[1]["c6a.2xlarge"] == pytest.approx(0.306 * 0.63)
    assert prices[0]["m6a.2xlarge"] > prices[1]["m6a.2xlarge"]  # without a rate: as it is paid


def test_which_nodes_there_are_stays(tmp_path: Path) -> None:
    """Also where the account paid so much that another type would cost less: Karpenter ranks by list prices."""
    high = replace(PAID, rows=(PaidRow("c6a.2xlarge", *HERE, "contracted", 1, 9.0, 0.306),))
    listed = plan(read_inputs([str(STEADY)], region="us-west-2"))
    paid = planned(tmp_path, high)
    assert [(n.instance_type, n.count, n.zones) for n in paid.nodes] == [
        (n.instance_type, n.count, n.zones) for n in listed.nodes
    ]
    assert {node.instance_type: node.price.usd_per_hour for node in paid.nodes}["c6a.2xlarge"] == pytest.approx(9.0)


def test_a_plan_names_the_prices_that_it_has(tmp_path: Path) -> None:
    texts = [note.text for note in planned(tmp_path).assumptions]
    assert any("prices of October 2026 that the account paid" in text for text in texts)


@pytest.mark.parametrize(
    ("paid", "settings", "problem"),
    [
        (replace(PAID, currency="EUR"), {}, "the account paid in EUR, and the prices of us-west-2 are in USD"),
        (PAID, {"paid_as": "commited"}, "'commited' is not what an on-demand node costs"),
    ],
)
def test_prices_that_do_not_fit_are_refused(tmp_path: Path, paid: PaidPrices, settings: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        planned(tmp_path, paid, **settings)


def test_discounts_of_figures_are_refused_beside_a_table(tmp_path: Path) -> None:
    figures = tmp_path / "figures.yaml"
    figures.write_text("apiVersion: cutlist/v1\nkind: Figures\nprices: {onDemandDiscount: 5%}\n", "utf-8")
    with pytest.raises(InputError, match="cannot be combined with the discounts of Figures"):
        planned(tmp_path, PAID, str(figures))


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.tsv"):
        read_inputs([str(STEADY)], region="us-west-2", paid=str(tmp_path / "nowhere.tsv"))
