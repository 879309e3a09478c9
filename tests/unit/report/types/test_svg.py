"""Prices of a vCPU and a GiB as a drawing: every family with a price is a line, what is chosen has a ring and a name."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.prices import Price
from cutlist.core.quantity import NANO
from cutlist.planning.model import PoolTypes
from cutlist.report.html.types_chart import ChosenTypes, types_charts, types_svg
from tests.examples import examples
from tests.unit.report.hostile import ALL
from tests.unit.report.samples import PLAN, TYPES

_SVG = "{http://www.w3.org/2000/svg}"
_NONE = ChosenTypes({})


def _drawn(pools, chosen=_NONE):
    return ElementTree.fromstring(types_svg(pools, chosen))  # noqa: S314 - our own text


def _texts(drawing) -> list[str]:
    return ["".join(text.itertext()) for text in drawing.iter(f"{_SVG}text")]


def _lines(drawing, kind: str) -> list[int]:
    """How many families each chart has a line for, the legend aside."""
    paths = [path.get("d") for path in drawing.iter(f"{_SVG}path") if path.get("class") == f"points {kind}"]
    return [path.count("M") for path in paths[::2]]


def _rings(drawing) -> int:
    return sum(circle.get("class") is None for circle in drawing.iter(f"{_SVG}circle"))


def test_every_family_with_a_price_is_a_line_by_vcpu_and_by_gib():
    """On-demand and spot apart; a type without any price is counted in the title."""
    drawing = _drawn(TYPES)
    assert (_lines(drawing, "demand"), _lines(drawing, "spot")) == ([2, 2], [2, 2])
    texts = _texts(drawing)
    assert "NodePool general: 4 types in 3 families, 1 type without a price left out" in texts
    assert [text for text in texts if text.startswith("$/hour")] == ["$/hour of a vCPU", "$/hour of a GiB"]


def test_sizes_of_a_family_are_one_line_from_the_cheapest_to_the_most_expensive():
    """By what a unit costs: a size of the same price per unit adds nothing, so that no points lie on others."""
    base = TYPES[0].types[0]
    rows = tuple(
        replace(base, name=f"m7g.{n}xlarge", cpu=n * NANO, on_demand=Price(price, ""), spot=None)
        for n, price in ((1, 0.1), (2, 0.2), (4, 0.8))
    )
    drawing = _drawn([PoolTypes("p", rows, 3)])
    assert _lines(drawing, "demand") == [1, 1]
    path = next(path.get("d") for path in drawing.iter(f"{_SVG}path"))
    assert float(path.split("h")[1]) > 100  # from 0.1 to 0.2 a vCPU, of 0.1 to 0.5 or so


def test_the_cheapest_families_are_shown_and_those_of_the_plan():
    base = TYPES[0].types[0]
    rows = tuple(replace(base, name=f"f{n}.large", on_demand=Price(0.1 + n / 100, ""), spot=None) for n in range(40))
    texts = _texts(_drawn([PoolTypes("p", rows, 40)], ChosenTypes({"p": {("f39.large", False): 2}})))
    assert texts[0] == "NodePool p: 40 types in 40 families, of which the 14 cheapest are shown"
    assert ("f13" in texts, "f14" in texts, "f39" in texts, "2 × large" in texts) == (True, False, True, True)


def test_azure_sizes_have_a_family_without_their_number_of_cpus():
    base = TYPES[0].types[0]
    rows = tuple(replace(base, name=f"Standard_D{n}s_v5", cpu=n * NANO, on_demand=Price(n / 10, "")) for n in (2, 4, 8))
    assert _texts(_drawn([PoolTypes("p", rows, 3)]))[0] == "NodePool p: 3 types in 1 family"


def test_what_a_plan_takes_has_a_ring_and_a_name():
    drawing = _drawn(TYPES, ChosenTypes.by_plan(PLAN))
    assert _rings(drawing) == 2  # one by vCPU and one by GiB; the other types of the plan are not in this table
    assert "2 × large" in _texts(drawing)
    assert _rings(_drawn(TYPES)) == 0


def test_two_sizes_of_a_family_are_counted():
    base = TYPES[0].types[0]
    rows = tuple(replace(base, name=f"m7g.{n}xlarge", cpu=n * NANO, on_demand=Price(n / 10, "")) for n in (2, 4))
    chosen = ChosenTypes({"p": {("m7g.2xlarge", False): 3, ("m7g.4xlarge", False): 2}})
    assert "5 of 2 sizes" in _texts(_drawn([PoolTypes("p", rows, 2)], chosen))


def test_a_chart_says_in_words_what_is_chosen():
    (pool,) = types_charts(TYPES, ChosenTypes.by_plan(PLAN))
    assert [chart.count('role="img"') for chart in pool.charts] == [1, 1]
    assert "Price of a vCPU by family" in pool.charts[0]
    assert "Chosen: 1 of c7g.xlarge, 2 of m7g.large." in pool.charts[1]


def test_without_any_price_the_drawing_says_so():
    assert _texts(_drawn(TYPES[1:])) == ["No instance type with a price is allowed."]
    assert types_charts(TYPES[1:], _NONE) == ()


@examples(0.6)
@given(st.lists(st.tuples(st.floats(0.1, 1000), st.floats(1e-4, 1e4)), min_size=1, max_size=30), st.integers(0, 29))
def test_nothing_is_drawn_outside_of_the_drawing(offers, picked):
    """Whatever sizes and prices are, points, rings and words stay within the frame."""
    base = TYPES[0].types[0]
    rows = tuple(
        replace(base, name=f"t{n}", cpu=int(cpu * NANO), on_demand=Price(price, ""), spot=Price(price / 2, ""))
        for n, (cpu, price) in enumerate(offers)
    )
    drawing = _drawn([PoolTypes("p", rows, len(rows))], ChosenTypes({"p": {(f"t{picked % len(rows)}", True): 3}}))
    width, height = (float(drawing.get(of)) for of in ("width", "height"))
    for element in drawing.iter():
        for name, most in (
            ("x", width),
            ("cx", width),
            ("x1", width),
            ("x2", width),
            ("y", height),
            ("cy", height),
            ("y1", height),
        ):
            if (value := element.get(name)) is not None:
                assert 0 <= float(value) <= most
        for x, y in re.findall(r"M([\d.-]+) ([\d.-]+)", element.get("d") or ""):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_words_in_the_drawing(text):
    """The drawing is read, has no element but its own, and asks for nothing."""
    rows = tuple(replace(row, name=text) for row in TYPES[0].types[:2])
    drawn = types_svg([PoolTypes(text, rows, 2)], ChosenTypes({text: {(text, True): 1}}))
    assert drawn.isascii()
    assert drawn.replace("\n", "").isprintable()
    found = {element.tag.removeprefix(_SVG) for element in ElementTree.fromstring(drawn).iter()}  # noqa: S314
    assert found == {"svg", "style", "rect", "g", "text", "line", "path", "circle"}
    assert "href" not in drawn
