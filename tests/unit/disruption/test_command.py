"""Commands in the words of Karpenter's log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.labels import CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT
from cutlist.core.requirements import Requirements
from cutlist.disruption.candidates import candidates
from cutlist.disruption.command import Command, Replacement, dollars
from cutlist.disruption.methods import Method
from cutlist.disruption.reasons import Reason
from tests.unit.disruption.builders import MEDIUM, cluster, command, node, pool, runs, sold
from tests.unit.scheduling.builders import label


def listing(count: int) -> str:
    types = tuple(sold(f"t{i}", 4, 1.0) for i in range(count))
    return Replacement("default", Requirements(), types).list


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, ""),
        (1, "t0"),
        (5, "t0, t1, t2, t3, t4"),
        (6, "t0, t1, t2, t3, t4 and 1 other(s)"),
        (15, "t0, t1, t2, t3, t4 and 10 other(s)"),
    ],
)
def test_five_types_are_named_and_the_others_counted(count, text):
    """As log lines do it."""
    # D-80
    assert listing(count) == text


def test_types_are_listed_by_price():
    """Not by their names: the cheapest comes first."""
    # D-80
    types = [MEDIUM, sold("zebra", 4, 0.1), sold("ant", 4, 0.3), sold("bee", 4, 0.2)]
    decision = command(Method.SINGLE, cluster(node("a", runs("x", "3")), types=types))
    assert decision.replacements[0].list == "zebra, bee, ant"


def ending(*names: str, pools: tuple[str, ...] = ("default",), **fields) -> Command:
    state = cluster(*(node(n, pool=pools[i % len(pools)]) for i, n in enumerate(names)), pools=[pool(p) for p in pools])
    by_name = candidates(state).by_name
    return Command(Reason.UNDERUTILIZED, tuple(by_name[n] for n in names), **fields)


def test_a_deletion_in_one_line():
    """Reason, decision, pools, nodes and what it saves; the pools in the order of the nodes."""
    assert ending("b", "a").text == "Underutilized: delete: nodepools=[default]: [b, a] (savings: $4.00)"
    assert ending("b", "a", pools=("two", "one")).text == "Underutilized: delete: nodepools=[two,one]: [b, a] (savings: $4.00)"


def test_a_replacement_in_one_line():
    """With the number of nodes that come."""
    one = Replacement("default", Requirements(), (MEDIUM,), (0.5,))
    assert ending("a", replacements=(one,)).text.endswith(
        ": replace: nodepools=[default]: [a] -> [1 replacement] (savings: $1.50)"
    )
    assert "[a] -> [2 replacements] (savings: $1.00)" in ending("a", replacements=(one, one)).text


@pytest.mark.parametrize("overlaid", [0.0, 0.01, 3.0])
def test_a_replacement_is_paid_at_its_list_price(overlaid):
    """Karpenter goes by what a NodeOverlay makes of it, also by nothing."""
    offerings = tuple(o._replace(price=overlaid, price_overlaid=True, list_price=o.price) for o in MEDIUM.offerings)
    comes = Replacement("default", Requirements(), (replace(MEDIUM, offerings=offerings),), (overlaid,))
    assert comes.price == overlaid
    assert comes.bill == MEDIUM.offerings[0].price


def test_a_loss_has_its_sign_after_the_dollar():
    """As Go prints a number behind a sign."""
    assert dollars(-0.5) == "$-0.50"


def test_what_has_no_price_counts_as_nothing():
    """A type that cannot be had as the claim wants it."""
    assert Replacement("default", Requirements(), (MEDIUM,), (None,)).price == 0
    assert Replacement("default", Requirements()).price == 0


@pytest.mark.parametrize(
    ("kinds", "bought"),
    [((ON_DEMAND, SPOT), SPOT), ((ON_DEMAND, SPOT, RESERVED), RESERVED), ((ON_DEMAND,), ON_DEMAND), ((), RESERVED)],
)
def test_how_a_replacement_is_bought(kinds, bought):
    """The first of reserved, spot and on-demand that it may be."""
    wanted = Requirements([label(CAPACITY_TYPE, *kinds)] if kinds else [])
    assert Replacement("default", wanted).capacity_type == bought
