"""The laws of the range of a sum of estimated prices."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.prices import Price
from cutlist.catalog.ranges import Deviations, PriceRange

_AMOUNTS = st.floats(0.001, 50)
_PARTS = st.floats(0.1, 1.0)


@st.composite
def prices(draw: st.DrawFn) -> Price:
    amount = draw(_AMOUNTS)
    if draw(st.booleans()):
        return Price(amount, "a list")
    return Price(amount, "estimate", estimated=True, low=amount * draw(_PARTS), high=amount / draw(_PARTS))


NODES = st.lists(
    st.tuples(st.sampled_from(["m5.large", "m5.xlarge", "c7g.large", "r8i.metal-48xl"]), st.integers(1, 500), prices()),
    max_size=8,
)


def total(nodes: list[tuple[str, int, Price]]) -> float:
    return math.fsum(count * price.usd_per_hour for _, count, price in nodes)


def of(nodes: list[tuple[str, int, Price]]) -> PriceRange:
    amount = total(nodes)
    return Deviations.of(nodes).around(amount) or PriceRange(amount, amount)


def close(lower: float, higher: float) -> bool:
    return lower <= higher + 1e-9 * max(1.0, abs(higher))


@given(NODES)
def test_a_sum_is_within_its_range_and_that_within_the_extremes(nodes):
    found = of(nodes)
    lowest, highest = (
        math.fsum(count * (price.usd_per_hour if end(price) is None else end(price)) for _, count, price in nodes)
        for end in (lambda price: price.low, lambda price: price.high)
    )
    assert close(lowest, found.low)
    assert close(found.low, total(nodes))
    assert close(total(nodes), found.high)
    assert close(found.high, highest)


@given(NODES, NODES)
def test_more_nodes_never_make_either_side_narrower(nodes, more):
    first, both = of(nodes), of([*nodes, *more])
    assert close(total(nodes) - first.low, total([*nodes, *more]) - both.low)
    assert close(first.high - total(nodes), both.high - total([*nodes, *more]))


@given(NODES)
def test_nodes_of_one_family_have_the_range_of_the_extremes(nodes):
    """Their errors are the same error."""
    alike = [("m5.large", count, price) for _, count, price in nodes]
    lowest = math.fsum(count * (price.low or price.usd_per_hour) for _, count, price in alike)
    assert math.isclose(of(alike).low, lowest, rel_tol=1e-9, abs_tol=1e-9)


@given(NODES)
def test_a_plan_compared_with_itself_has_no_range(nodes):
    mine = Deviations.of(nodes)
    assert mine.minus(mine).around(0.0) is None


@given(NODES)
def test_a_difference_from_nothing_has_the_range_of_the_sum(nodes):
    nothing, mine = Deviations.of([]), Deviations.of(nodes)
    for found, expected in ((mine.minus(nothing).around(0.0), mine.around(0.0)),):
        assert (found is None) == (expected is None)
        assert found is None or expected is None or close(found.low, expected.low)


def test_a_sum_of_published_prices_has_no_range():
    assert Deviations.of([("m5.large", 3, Price(0.096, "a list"))]).around(0.288) is None
