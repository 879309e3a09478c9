"""How many nodes of a pool may be disrupted at once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import Budget
from cutlist.disruption.budgets import UNLIMITED, remaining
from cutlist.disruption.candidates import candidates
from cutlist.disruption.reasons import Reason, budget_reasons
from cutlist.state.statenode import INSTANCE_TERMINATING, StateNode
from tests.unit.disruption.builders import cluster, names, node, pool, runs, unmanaged

DEFAULT = (Budget(),)


def left(nodes: Sequence[StateNode], *budgets: Budget, reason: Reason = Reason.EMPTY) -> int:
    return remaining(cluster(*nodes, pools=[pool(budgets=budgets)]), reason).by_pool["default"]


def nodes(count: int, **fields) -> list[StateNode]:
    return [node(f"n-{fields.get('ready', '')}-{i}", **fields) for i in range(count)]


@pytest.mark.parametrize(("share", "count", "most"), [("10%", 10, 1), ("10%", 11, 2), ("20%", 3, 1), ("20%", 19, 4)])
def test_shares_are_rounded_up(share, count, most):
    """A tenth of eleven nodes are two."""
    # D-27
    assert left(nodes(count), Budget(nodes=share)) == most


def test_nothing_is_left_of_nothing():
    """A share of no node is none."""
    # D-27
    assert left([], Budget(nodes="10%")) == 0
    assert left(nodes(1), Budget(nodes="10%")) == 1


def test_without_budgets_nothing_is_held_back():
    """An empty list is a list; what is not written is one tenth."""
    # D-26
    assert left(nodes(3)) == UNLIMITED
    assert left(nodes(30), *DEFAULT) == 3
    assert pool(budgets=DEFAULT).disruption.budgets == (Budget(nodes="10%"),)


def test_nodes_that_are_not_ready_or_going_use_up_the_budget():
    """Each once, whichever it is."""
    # D-28
    sick, going = nodes(2, ready="False"), node("going", removed=True)
    both = node("both", removed=True, ready="Unknown")
    assert left([*nodes(17), *sick, going], Budget(nodes="20%")) == 4 - 3
    assert left([*nodes(18), *sick[:1], both], Budget(nodes="20%")) == 4 - 2
    assert left([*sick, going], Budget(nodes="1")) == 0


def test_nodes_that_come_up_or_end_count_in_neither_number():
    """Nor do Nodes of others."""
    # D-29
    coming = node("coming", initialized=False, ready="False")
    ending = node("ending", conditions=[INSTANCE_TERMINATING], removed=True)
    assert left([*nodes(10), coming, ending, unmanaged("other")], Budget(nodes="10%")) == 1
    assert left([coming, ending], Budget(nodes="100%")) == 0
    assert left([coming, ending], Budget(nodes="1")) == 1


def test_the_smallest_budget_that_applies_counts():
    """Those for other reasons do not apply."""
    # D-30
    budgets = Budget(nodes="20%", reasons=("Empty", "Drifted")), Budget(nodes="5")
    assert left(nodes(40), *budgets) == 5
    assert left(nodes(20), *budgets) == 4
    assert left(nodes(20), *budgets, reason=Reason.UNDERUTILIZED) == 5


def test_each_pool_has_its_own_budget():
    """What one has used up is no concern of another."""
    mine, other = pool(budgets=[Budget(nodes="1")]), pool("other", budgets=[Budget(nodes="2")])
    state = cluster(*nodes(3), *(node(f"o-{i}", pool="other") for i in range(3)), pools=[mine, other])
    budgets = remaining(state, Reason.EMPTY)
    assert budgets.by_pool == {"default": 1, "other": 2}
    listed = list(candidates(state).by_name.values())
    assert names(budgets.admitted(listed)) == ["n--0", "o-0", "o-1"]
    assert budgets.allows(listed[0])


def test_a_pool_without_budget_left_allows_no_node():
    """Whether one by one or in a list."""
    closed = cluster(node("a", runs()), pools=[pool(budgets=[Budget(nodes="0")])])
    (only,) = candidates(closed).by_name.values()
    assert not remaining(closed, Reason.EMPTY).allows(only)
    assert remaining(closed, Reason.EMPTY).admitted([only]) == []


BUDGETS = st.lists(
    st.builds(
        lambda nodes, reasons: Budget(nodes=nodes, reasons=reasons),
        st.one_of(st.integers(0, 20).map(str), st.integers(0, 100).map("{}%".format)),
        st.one_of(st.none(), st.lists(st.sampled_from([r.value for r in budget_reasons()]), unique=True).map(tuple)),
    ),
    max_size=4,
)


@given(BUDGETS, st.integers(0, 12), st.integers(0, 6), st.sampled_from(list(Reason)))
def test_what_is_left_is_never_negative_and_grows_with_healthy_nodes(budgets, healthy, sick, reason):
    """A sick node never adds more than it takes."""
    count = left([*nodes(healthy), *nodes(sick, ready="False")], *budgets, reason=reason)
    assert 0 <= count <= UNLIMITED
    assert count <= left([*nodes(healthy + 1), *nodes(sick, ready="False")], *budgets, reason=reason)
    assert count >= left([*nodes(healthy), *nodes(sick + 1, ready="False")], *budgets, reason=reason) - 1


@given(BUDGETS, BUDGETS, st.integers(0, 12))
def test_another_budget_never_allows_more(budgets, more, count):
    """It can only hold back."""
    # D-30
    assert left(nodes(count), *budgets, *more) <= left(nodes(count), *budgets)
