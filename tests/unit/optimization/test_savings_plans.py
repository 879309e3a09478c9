"""Rates of savings plans: read whole, the row that says most counts, and what nodes cost under them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.catalog.prices import usd
from cutlist.core.errors import Problems
from cutlist.optimization.savings_plans import Rate, Rates, committed, read_rates
from tests.unit.report.samples import PLAN

ANY = Rate("*", "*", "1y", 0.2, "list")
FAMILY = Rate("c6a", "*", "1y", 0.3, "offer")
HERE = Rate("c6a", "us-west-2", "3y", 0.5, "offer")


def read(tmp_path, text: str) -> tuple[Rates, list[str]]:
    path, problems = tmp_path / "rates.csv", Problems()
    path.write_text(text)
    rates = read_rates([str(path)], problems)
    return rates, [str(problem).replace(f"{path}", "rates.csv") for problem in problems.found]


def test_the_row_that_says_most_counts():
    rates = Rates((ANY, FAMILY, HERE))
    assert rates.of("m5", "us-west-2", "1y") == ANY
    assert rates.of("c6a", "us-west-2", "1y") == FAMILY
    assert rates.of("c6a", "us-west-2", "3y") == HERE
    assert rates.of("c6a", "eu-west-1", "3y") is None
    assert rates.terms == ("1y", "3y")


def test_a_table_is_read(tmp_path):
    rates, problems = read(tmp_path, "family,region,term,discount,source\nc6a, us-west-2 ,3y,50%,offer\n*,*,1y,20%,list\n")
    assert (set(rates.rates), problems) == ({ANY, HERE}, [])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("family,region,term,discount\n,*,2y,100%\n", ("family is empty", "'2y' is not a term", "'100%' is not a discount")),
        ("family,region,term,rate\nc6a,*,1y,1\n", ("has the columns family, region, term, rate",)),
        ("family,region,term,discount\n", ("contains no rate",)),
        ("", ("has no columns",)),
    ],
)
def test_every_mistake_is_named(tmp_path, text, words):
    _, problems = read(tmp_path, text)
    assert len(problems) == len(words)
    assert all(word in problem for word, problem in zip(words, problems, strict=True))


def test_nodes_on_demand_cost_less_and_all_others_the_same():
    families = {node.instance_type: "c6a" for node in PLAN.nodes}
    paid = committed(replace(PLAN, region="us-west-2"), PLAN, families, Rates((HERE,)), "3y")
    rated = [n.capacity_type == "on-demand" and n.price is not None for n in PLAN.nodes]
    halves = [n.price.usd_per_hour / 2 if is_rated else usd(n.price) for n, is_rated in zip(PLAN.nodes, rated, strict=True)]
    assert [usd(n.price) for n in paid.plan.nodes] == halves
    assert [n.disk_price for n in paid.plan.nodes] == [n.disk_price for n in PLAN.nodes]
    assert paid.unrated == sum(n.count for n, is_rated in zip(PLAN.nodes, rated, strict=True) if not is_rated)
    assert (any(rated), paid.sources) == (True, ("offer",))
