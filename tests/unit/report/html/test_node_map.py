"""The map of nodes: what costs more is larger, what is fuller has another colour, and every node is on it."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from cutlist.report.html.map_layout import MapNode
from cutlist.report.html.node_map import node_map
from cutlist.report.html.unnamed_nodes import unnamed_nodes

_NODE = MapNode("general", "m7g.large", "spot", 1, 0.5, 0.8, 0.1)


def _drawn(*nodes: MapNode) -> ElementTree.Element:
    return ElementTree.fromstring(str(node_map(nodes)))  # noqa: S314 - our own text


def _cells(drawing: ElementTree.Element) -> list[tuple[str, str, float]]:
    """Return the words, the class and the area of each part."""
    cells = []
    for cell in drawing.iter("g"):
        rect, title = cell.find("rect"), cell.find("title")
        area = float(rect.get("width").rstrip("%")) * float(rect.get("height"))
        cells.append((title.text, rect.get("class"), area))
    return cells


def test_areas_are_prices_and_colours_are_fills():
    drawing = _drawn(_NODE, replace(_NODE, node_pool="gpu", price=0.3, cpu=0.1, memory=0.2, extended=1.0, count=2))
    (first, large, area), (second, small, less) = _cells(drawing)
    assert (first, large) == ("gpu 2 × m7g.large spot: $219 a month; cpu 10%, memory 20%", "f4 c0 m0")
    assert (second, small) == ("general m7g.large spot: $73.00 a month; cpu 50%, memory 80%", "f3 c2 m3")
    assert area / less == pytest.approx(3, rel=0.1)
    assert drawing.get("aria-label") == (
        "Map of 3 nodes in 2 NodePools: areas are prices, colours are fills; the table below has every node."
    )


def test_nodes_of_unknown_price_are_as_large_as_others_and_hatched():
    drawing = _drawn(_NODE, replace(_NODE, node_pool="other", price=None, cpu=None, memory=None))
    (_, _, area), (words, levels, other) = _cells(drawing)
    assert (words, levels) == ("other m7g.large spot: price unknown; cpu -, memory -", "f- c- m-")
    assert other == pytest.approx(area)
    assert len([rect for rect in drawing.iter("rect") if rect.get("class") == "hatch"]) == 1


def test_without_any_price_areas_are_numbers_of_nodes():
    drawing = _drawn(replace(_NODE, price=None, count=3), replace(_NODE, node_pool="other", price=None))
    (words, _, area), (_, _, other) = _cells(drawing)
    assert words == "general 3 × m7g.large spot: cpu 50%, memory 80%"
    assert area / other == pytest.approx(3, rel=0.1)
    assert "areas are numbers of nodes" in drawing.get("aria-label")
    assert [rect for rect in drawing.iter("rect") if rect.get("class") == "hatch"] == []


def test_no_label_is_shown_where_it_would_be_cut():
    """A label needs so many pixels of its part; where the map is narrower, the style sheet hides it."""
    drawing = _drawn(_NODE, replace(_NODE, node_pool="b" * 30, price=0.02), replace(_NODE, node_pool="c", price=1e-6))
    labels = {"".join(text.itertext()): text.get("class") for text in drawing.iter("text")}
    assert labels["general $73.00"] == "of-pool w1"
    assert f"{'b' * 30} $14.60" not in labels
    assert not any("c $" in label for label in labels)
    widths = [int(re.search(r"w(\d+)", text.get("class"))[1]) for text in drawing.iter("text")]
    assert max(widths) <= 12


def test_nodes_that_look_alike_are_one_part_with_the_mean_of_their_fills():
    cells = _cells(_drawn(replace(_NODE, cpu=0.51, count=3, price=0.3), replace(_NODE, cpu=0.53), replace(_NODE, cpu=0.9)))
    assert [words for words, _, _ in cells] == [
        "general 4 × m7g.large spot: $292 a month; cpu 51%, memory 80%",
        "general m7g.large spot: $73.00 a month; cpu 90%, memory 80%",
    ]


def test_a_map_of_very_many_nodes_is_looked_at_less_closely():
    """No node is lost, and nobody looks through thousands of parts."""
    nodes = [replace(_NODE, cpu=n % 97 / 97, memory=n % 89 / 89, instance_type=f"m{n % 9}.large") for n in range(1200)]
    words = [words for words, _, _ in _cells(_drawn(*nodes))]
    assert len(words) <= 400
    counts = [re.search(r" ([\d,]+) × ", text) for text in words]
    assert sum(int(count[1].replace(",", "")) if count else 1 for count in counts) == 1200


def test_there_is_no_map_without_nodes():
    assert node_map([]) == ""


def test_nodes_without_a_name_in_the_map_are_bars_wherever_it_is_too_narrow():
    """A kind that never has room is always listed; one that needs a wider map only up to that width; one that fits is not."""
    large, small = replace(_NODE, price=5.0), replace(_NODE, instance_type="x2iedn.metal-32xlarge", price=0.001)
    bars = str(unnamed_nodes([large, small]))
    assert bars.startswith('<div class="unnamed u0">')
    assert [re.search(r"u(\d+)", kind)[1] for kind in re.findall(r'<li class="([^"]*)"', bars)] == ["0"]
    assert "$0.73</b> x2iedn.metal-32xlarge spot of general<small>80% requested</small>" in bars
    halves = str(unnamed_nodes([_NODE, replace(_NODE, instance_type="m7i-flex.2xlarge")]))
    assert re.search(r'<div class="unnamed u[2-9]">', halves)
    assert unnamed_nodes([_NODE]) == ""


def test_kinds_have_a_label_or_a_bar_at_every_width_as_many_as_can_be_read():
    nodes = [replace(_NODE, instance_type=f"m{n}.large", price=0.02 * 1.3**n) for n in range(18)]
    labels = {text.text: int(re.search(r"w(\d+)", text.get("class"))[1]) for text in _drawn(*nodes).iter("text")}
    bars = str(unnamed_nodes(nodes))
    listed = {kind: int(wide) for wide, kind in re.findall(r'u(\d+)"><b>[^<]*</b> (m\d+\.large)', bars)}
    kinds = {node.instance_type for node in nodes}
    assert {kind for kind in kinds if labels.get(kind, 0) > 1} >= {kind for kind, wide in listed.items() if wide}
    assert all(labels.get(kind, 0) == wide for kind, wide in listed.items())
    others = sum(map(int, re.findall(r"and (\d+) more kinds? in", bars)))
    assert len(listed) + others == len([kind for kind in kinds if labels.get(kind, 0) != 1])
