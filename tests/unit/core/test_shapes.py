"""Shapes: reading, schema and words follow from one declaration, and agree."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cutlist.core.errors import Problems
from cutlist.core.shapes import (
    Below,
    Fields,
    Paths,
    Report,
    Shape,
    SoundFields,
    SoundList,
    SoundMap,
    boolean,
    closed,
    either,
    filled,
    integer,
    join,
    list_of,
    map_of,
    matching,
    nullable,
    number,
    one_of,
    quoted,
    text,
    whole,
)
from cutlist.core.shapes.scalars import Number

WHOLE = closed(
    {"name": filled("a name"), "replicas": integer(0, 10)},
    {"zones": list_of(text, at_least=1), "tags": map_of(text), "mode": one_of("fast", "slow"), "share": number(0, 1)},
)
SHAPES: dict[str, Shape] = {
    "text": text,
    "filled": filled("a name"),
    "boolean": boolean,
    "integer": integer(0, 10),
    "whole": whole(0),
    "number": number(0, 1),
    "one": one_of("only"),
    "words": one_of("fast", "slow"),
    "version": matching(r"[0-9]+\.[0-9]+", "a version", "such as 1.33"),
    "list": list_of(integer(0), at_least=1),
    "map": map_of(boolean),
    "nullable": nullable(one_of("fast", "slow")),
    "either": either(text, number()),
    "fields": WHOLE,
}
VALUES: tuple[Any, ...] = (
    *(None, "", "a", "only", "fast", "1.33", "1.33.4", True, False, 0, 1, -1, 11, 0.5, 1.5, 2.0, [], [1], [1, "a"], {}),
    *({"a": True}, {"a": 1}, {"name": "a", "replicas": 1}, {"name": "a", "replicas": 1, "zones": None}, {"name": "a"}),
    {"name": "a", "replicas": 1, "zones": ["x"], "tags": {"a": "b"}, "mode": "fast", "share": 0.5},
    *({"name": "a", "replicas": 1, "zones": []}, {"name": "a", "replicas": 1, "other": 1}, {"name": "", "replicas": 99}),
)


@pytest.mark.parametrize("name", SHAPES)
def test_the_schema_and_the_reader_accept_the_same_values(name: str):
    """Except 2.0, which JSON Schema takes for a whole number wherever it is written."""
    shape = SHAPES[name]
    validator = Draft202012Validator(shape.schema)
    for value in VALUES:
        if repr(value) != "2.0":
            assert shape.accepts(value) is validator.is_valid(value), value


def test_every_mistake_is_reported_with_its_path_and_the_nearest_word():
    problems = Problems()
    WHOLE({"name": 7, "zones": ["x", 1], "mode": "fats", "share": 2, "tag": {}}, "spec", Report(Paths(), problems))
    assert [str(problem) for problem in problems.found] == [
        "spec.replicas: is missing",
        'spec.name: 7 is not text; did you mean "7"?',
        'spec.zones[1]: 1 is not text; did you mean "1"?',
        "spec.mode: 'fats' is unknown; allowed: fast, slow; did you mean fast?",
        "spec.share: 2 is out of range; allowed: 0 to 1",
        "spec.tag: is not a field here; allowed: name, replicas, zones, tags, mode, share; did you mean tags?",
    ]


def test_a_whole_number_that_lost_its_kind_is_whole_again():
    read = whole(0)(2.0, "", Report(Paths(), Problems()))
    assert (read, type(read)) == (2, int)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (whole(0), "a whole number, 0 or more"),
        (number(0, 1), "a number, 0 to 1"),
        (list_of(boolean), "a list, each item true or false"),
    ],
)
def test_a_shape_says_what_it_allows(shape: Shape, words: str):
    assert shape.allowed == words


def test_paths_are_joined_and_names_with_dots_are_quoted():
    assert [join("", "a"), join("a", "b"), join("a", "[0]")] == ["a", "a.b", "a[0]"]
    assert quoted("tags", "a.b/c") == "tags['a.b/c']"


SOUND = SoundFields(
    {"name": filled("a name")},
    {
        "mode": one_of("fast", "slow"),
        "pools": SoundMap(SoundFields({}, {"size": integer(0), "spot": boolean}, short="size")),
        "zones": SoundList(text),
        "nodes": list_of(text),
    },
    member="a member of a fleet",
)


def test_what_is_sound_counts_beside_mistakes():
    problems = Problems()
    data = {"name": "a", "mode": "fats", "pools": {"x": {"size": -1, "spot": True}, "y": 3, "z": "3"}, "zones": ["b", 1]}
    read = SOUND({**data, "nodes": ["b", 1], "modes": "slow"}, "", Report(Paths(), problems))
    assert read == {"name": "a", "pools": {"x": {"spot": True}, "y": {"size": 3}, "z": {}}, "zones": ("b",)}
    assert [problem.place.path for problem in problems.found] == [
        *("modes", "mode", "pools.x.size", "pools.z", "zones[1]", "nodes[1]"),
    ]


def test_null_has_no_parts_unless_some_are_required():
    assert SoundFields({}, {"a": text}).accepts(None)
    problems = Problems()
    SOUND(None, "", Report(Paths(), problems))
    SOUND({}, "", Report(Below(Paths(), "fleet"), problems))
    assert [str(problem) for problem in problems.found] == [
        "expected a mapping, found nothing; allowed: a mapping with name, mode, pools, zones, nodes",
        "fleet.name: name is missing",
    ]


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_number_that_no_float_holds_is_out_of_range(is_whole: bool) -> None:
    problems = Problems()
    Number(0, 10, is_whole=is_whole)(10**400, "count", Report(Paths(), problems))
    assert ["is out of range" in problem.message for problem in problems.found] == [True]


@pytest.mark.parametrize("name", SHAPES)
def test_what_passes_the_test_of_a_shape_has_no_mistake(name: str, monkeypatch: pytest.MonkeyPatch):
    """Of values that nothing prevents from being tested, the test lets pass all that have none."""
    shape = SHAPES[name]
    test = shape.test
    if test is None:
        assert name in ("filled", "version", "either", "fields")
        return
    passed = [value for value in VALUES if test(value)]
    monkeypatch.setattr(Fields, "_fits", lambda _, __: False)
    accepted = [value for value in VALUES if shape.accepts(value)]
    assert [value for value in accepted if not isinstance(value, float)] == [v for v in passed if not isinstance(v, float)]
    assert [value for value in passed if value not in accepted] == []


def test_a_sound_shape_has_no_test():
    """What it returns is a part of the value, which a test would not make."""
    assert [shape.test for shape in (SOUND, SoundMap(text), SoundList(text))] == [None] * 3


def test_a_mapping_with_any_names_is_read_as_one_that_is_tested():
    """Names are any data, also of those that are no text, and of mappings with very many of them."""
    shape = closed({"a": text}, {"b": boolean})
    many = {f"name-{number}": "x" for number in range(200)}
    values = ({1: "x", "a": "y"}, {True: 1}, {**many, "a": "x"}, {"b": None, "a": "x"}, {"a": None}, {})
    assert [shape.accepts(value) for value in values] == [False, False, False, True, False, False]
    assert map_of(text).accepts(many)
    assert not map_of(text).accepts({1: "x"})
