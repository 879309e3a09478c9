"""Nodes that are alike are one row with the sum of their prices; the most expensive come first."""

from __future__ import annotations

from dataclasses import replace

from cutlist.report.html.node_kinds import NodeKind, node_kinds

_NODE = NodeKind("general", "m7g.large", "spot", ("a",), 3, 0.1, "", 0.5, 0.25)


def test_nodes_of_a_pool_type_and_capacity_are_one_row():
    other = replace(_NODE, zones=("b",), pods=4, price=0.2, mark="*", cpu=0.75, memory=None)
    costly = replace(_NODE, node_pool="gpu", price=3.0)
    first, second = node_kinds([_NODE, other, costly])
    assert first == costly
    assert (second.nodes, second.pods, second.zones, second.mark) == (2, 7, ("a", "b"), "*")
    assert (round(second.price or 0, 9), second.cpu, second.memory) == (0.3, 0.625, 0.25)


def test_a_price_that_is_known_of_none_stays_unknown():
    (kind,) = node_kinds([replace(_NODE, price=None)] * 2)
    assert (kind.price, kind.nodes) == (None, 2)


def test_where_no_two_nodes_are_alike_there_is_nothing_to_sum_up():
    assert node_kinds([_NODE, replace(_NODE, capacity_type="on-demand")]) == ()
