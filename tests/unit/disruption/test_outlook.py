"""What disruption looks like in a cluster: the order of candidates of each method, and what differs between two clusters."""

from __future__ import annotations

from dataclasses import replace

from cutlist.disruption.evaluation import MethodInputs
from cutlist.disruption.methods import Method, evaluate, methods_of, ordered_candidates
from cutlist.disruption.outlook import OutlookComparison, outlook
from cutlist.disruption.trajectory import judged
from tests.unit.disruption.builders import LARGE, cluster, node, runs

THERE = judged(cluster(node("a", runs("web")), node("b"), node("c", runs("db", "6"), of=LARGE)))


def test_the_candidates_of_each_method_are_those_that_it_looks_at() -> None:
    """In its order, of which the command takes the first that it can."""
    inputs = MethodInputs.of(THERE)
    for method in methods_of(THERE):
        names = [candidate.name for candidate in ordered_candidates(method, inputs)]
        assert sorted(names) == sorted(candidate.name for candidate in evaluate(method, inputs).candidates)
        assert outlook(THERE).candidates[method] == tuple(names)
    [command] = evaluate(Method.EMPTINESS, inputs).commands
    assert outlook(THERE).candidates[Method.EMPTINESS] == tuple(c.name for c in command.candidates) == ("b",)


def test_an_outlook_differs_in_nothing_from_itself() -> None:
    """And the next step is in Karpenter's words."""
    there = outlook(THERE)
    assert OutlookComparison.of(there, there).is_same
    assert there.next_step == ("Empty: delete: nodepools=[default]: [b] (savings: $2.00)",)


def test_what_differs_is_named_node_by_node() -> None:
    """Nodes that must not be disrupted are not candidates, and another step comes next."""
    first = outlook(THERE)
    held = {"karpenter.sh/do-not-disrupt": "true"}
    second = outlook(replace(THERE, nodes=[replace(n, annotations=held) for n in THERE.nodes]))
    compared = OutlookComparison.of(first, second)
    assert compared.has_other_step
    assert [change.before.name for change in compared.nodes] == ["a", "b", "c"]
    assert {order.method for order in compared.orders} >= {Method.EMPTINESS, Method.SINGLE}
    assert all(order.after == () for order in compared.orders)
    assert (compared.drifting, compared.spared) == ((), ())
