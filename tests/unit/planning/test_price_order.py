"""A plan says once when the order of estimated prices is within their error."""

from __future__ import annotations

from dataclasses import replace

from cutlist.planning.aws.notes import order_notes
from tests.unit.report.samples import ON_DEMAND, SPOT


def test_one_note_names_the_types_whose_order_is_unsure():
    """The next type costs $0.0313, within the range of $0.0312; of many types three are named."""
    nodes = [replace(SPOT, instance_type=f"m{i}.large") for i in range(5)]
    (note,) = order_notes(nodes)
    assert note.code == "price-order"
    assert "m0.large, m1.large, m2.large and 2 more: Karpenter and EC2" in note.text


def test_published_prices_and_clear_differences_need_no_note():
    assert SPOT.price is not None
    clear = replace(SPOT, price=replace(SPOT.price, high=0.03125))
    assert order_notes([ON_DEMAND, clear]) == []
