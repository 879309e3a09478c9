"""Price against size as a drawing: every type with a price is a point, what is chosen has a ring and a name."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.quantity import NANO
from cutlist.planning.model import PoolTypes
from cutlist.report.types.svg import ChosenTypes, types_charts, types_svg
from tests.examples import examples
from tests.unit.report.hostile import ALL
from tests.unit.report.samples import PLAN, TYPES

_SVG = "{http://www.w3.org/2000/svg}"
_NONE = ChosenTypes({})


def _drawn(pools, chosen=_NONE):
    return ElementTree.fromstring(types_svg(pools, chosen))  # noqa: S314 - our own text


def _texts(drawing) -> list[str]:
    return ["".join(text.itertext()) for text in drawing.iter(f"{_SVG}text")]


def _points(drawing, kind: str) -> int:
    return sum(path.get("d").count("M") for path in drawing.iter(f"{_SVG}path") if path.get("class") == f"points {kind}") - 1


def test_every_type_with_a_price_is_a_point():
    """On-demand and spot apart; a type without any price is counted in the title."""
    drawing = _drawn(TYPES)
    assert (_points(drawing, "demand"), _points(drawing, "spot")) == (3, 2)
    assert "NodePool general: 4 types, 1 type without a price left out" in _texts(drawing)


def test_what_a_plan_takes_has_a_ring_and_a_name():
    drawing = _drawn(TYPES, ChosenTypes.by_plan(PLAN))
    assert len(list(drawing.iter(f"{_SVG}circle"))) == 1  # the other types of the plan are not in this table
    assert "2 × m7g.large" in _texts(drawing)
    assert list(_drawn(TYPES).iter(f"{_SVG}circle")) == []


def test_a_chart_says_in_words_what_is_chosen():
    (chart,) = types_charts(TYPES, ChosenTypes.by_plan(PLAN))
    assert 'role="img"' in chart
    assert "Chosen: 1 of c7g.xlarge, 2 of m7g.large." in chart


def test_without_any_price_the_drawing_says_so():
    assert _texts(_drawn(TYPES[1:])) == ["No instance type with a price is allowed."]
    assert types_charts(TYPES[1:], _NONE) == ()


@examples(0.6)
@given(st.lists(st.tuples(st.floats(0.1, 1000), st.floats(1e-4, 1e4)), min_size=1, max_size=30), st.integers(0, 29))
def test_nothing_is_drawn_outside_of_the_drawing(offers, picked):
    """Whatever sizes and prices are, points, rings and words stay within the frame."""
    base = TYPES[0].types[0]
    rows = tuple(
        replace(base, name=f"t{n}", cpu=int(cpu * NANO), on_demand=price, spot=price / 2)
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


def test_names_of_what_is_chosen_do_not_cover_each_other():
    """Twelve types of nearly the same price: six names, a line apart."""
    base = TYPES[0].types[0]
    rows = tuple(replace(base, name=f"t{n}", on_demand=0.1 + n * 1e-4, spot=None) for n in range(12))
    drawing = _drawn([PoolTypes("p", rows, 12)], ChosenTypes({"p": {(f"t{n}", False): n + 1 for n in range(12)}}))
    heights = sorted(float(t.get("y")) for t in drawing.iter(f"{_SVG}text") if t.get("class") == "chosen")
    assert len(heights) == 6
    assert all(later - earlier >= 12 for earlier, later in pairwise(heights))


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
