"""Records: what is written, its schema and what reads back follow from one declaration; mistakes are named by path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from cutlist.core.errors import InputError
from cutlist.core.records import (
    FLAT,
    HIDDEN,
    NEWER,
    SPARSE,
    After,
    Count,
    Instant,
    Key,
    Parts,
    TextOrNull,
    about,
    computed,
    data_of,
    form_of,
    json_of,
    read,
    schema_of,
)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Pair(NamedTuple):
    name: str
    many: int


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a whole.

    This paragraph is for those who read the code.
    """

    node_pool: str
    colour: Colour | None = None
    note: TextOrNull = ""


@dataclass(frozen=True, slots=True)
class Whole:
    name: str
    parts: tuple[Part, ...]
    pairs: Annotated[tuple[tuple[str, int], ...], form_of(tuple[Pair, ...])]
    counts: Mapping[str, Count]
    unwritten: Annotated[str, HIDDEN] = "x"
    first: Annotated[int | None, After("total"), about("The first.")] = None
    later: Annotated[tuple[str, ...], NEWER] = ()
    error: Annotated[str | None, SPARSE] = None

    @property
    @computed(after="name")
    def total(self) -> Annotated[int, Key("sum")]:
        """The sum."""
        return sum(self.counts.values())

    @property
    @computed(after="")
    def version(self) -> Literal[1]:
        """The version."""
        return 1


WHOLE = Whole("a", (Part("general", Colour.RED), Part("batch", None, "n")), (("p", 1),), {"x": 2, "a.b/c": 3}, first=7)
DATA = {
    "version": 1,
    "name": "a",
    "sum": 5,
    "first": 7,
    "parts": [{"nodePool": "general", "colour": "red", "note": None}, {"nodePool": "batch", "colour": None, "note": "n"}],
    "pairs": [{"name": "p", "many": 1}],
    "counts": {"x": 2, "a.b/c": 3},
    "later": [],
}


def test_members_are_written_in_the_order_of_the_fields_but_where_a_mark_says_otherwise():
    assert data_of(WHOLE) == DATA
    assert [*data_of(WHOLE)] == [*DATA]
    assert json_of(WHOLE) == json.dumps(DATA, indent=2) + "\n"


def test_a_sparse_member_is_there_when_it_says_something():
    assert data_of(Whole("a", (), (), {}, error="no"))["error"] == "no"


def test_what_was_written_reads_back():
    assert read(Whole, DATA, "a whole") == WHOLE
    older = {key: value for key, value in DATA.items() if key != "later"}
    assert read(Whole, older, "a whole") == WHOLE


def test_numbers_that_lost_their_kind_on_the_way_are_whole_again():
    whole = read(Whole, {**DATA, "first": 7.0}, "a whole")
    assert (whole.first, type(whole.first)) == (7, int)


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        ({"name": 7}, 'name: not a whole: 7 is not text; did you mean "7"?'),
        ({"parts": {}}, "parts: not a whole: expected a list, found a mapping"),
        (
            {"parts": [{"nodePool": "x", "colour": "green"}]},
            "parts[0].colour: not a whole: 'green' is unknown; allowed: red, blue",
        ),
        ({"parts": [DATA["parts"][0], {}]}, "parts[1].nodePool: not a whole: is missing"),
        ({"pairs": ["p"]}, "pairs[0]: not a whole: expected a mapping, found 'p'"),
        ({"counts": {"a.b/c": 1.5}}, "counts.a.b/c: not a whole: expected a whole number, found 1.5"),
        ({"counts": {"x": True}}, "counts.x: not a whole: expected a whole number, found true"),
        ({"counts": {"x": -1}}, "counts.x: not a whole: -1 is out of range; allowed: 0 or more"),
        ({"later": "text"}, "later: not a whole: expected a list, found 'text'"),
    ],
)
def test_mistakes_are_named_by_their_path(change, mistake):
    with pytest.raises(InputError) as refused:
        read(Whole, {**DATA, **change}, "a whole")
    assert mistake in str(refused.value)


def test_all_mistakes_are_reported_together():
    with pytest.raises(InputError) as refused:
        read(Whole, {"name": 1, "parts": 2}, "a whole")
    assert [problem.place.path for problem in refused.value.problems] == ["name", "first", "parts", "pairs", "counts"]


def _refused(data: Any, of: Any = Whole) -> bool:
    return not Draft202012Validator(schema_of(of)).is_valid(data)


def test_the_schema_allows_what_is_written_and_nothing_else():
    assert not _refused(DATA)
    assert not _refused({**DATA, "error": "no"})
    for change in ({"version": 2}, {"first": "x"}, {"counts": {"x": -1}}, {"other": 1}, {"pairs": [{}]}, {"error": None}):
        assert _refused({**DATA, **change}), change
    for key in DATA:
        assert _refused({name: value for name, value in DATA.items() if name != key}), key


def test_the_first_paragraph_of_a_docstring_describes_an_object():
    assert schema_of(Part)["description"] == "A part of a whole."
    assert "description" not in schema_of(Whole)
    assert schema_of(Whole)["properties"]["first"] == {"type": ["integer", "null"], "description": "The first."}


@dataclass(frozen=True, slots=True)
class Owner:
    label: str
    whole: Annotated[Part, FLAT]
    note: str


def test_a_flat_record_lends_its_members_and_a_later_one_replaces_them():
    assert data_of(Owner("l", Part("general", note="inner"), "outer")) == {
        "label": "l",
        "nodePool": "general",
        "colour": None,
        "note": "outer",
    }
    assert schema_of(Owner)["properties"]["note"] == {"type": "string"}


@dataclass(frozen=True, slots=True)
class Summed:
    whole: Annotated[Part, FLAT]

    @property
    @computed(after="whole")
    def note(self) -> Annotated[str, about("Of all.")]:
        return "of all"


def test_a_computed_member_replaces_one_of_a_flat_record():
    """In its place, once, in the schema too."""
    assert list(data_of(Summed(Part("general", note="inner")))) == ["nodePool", "colour", "note"]
    assert data_of(Summed(Part("general")))["note"] == "of all"
    assert schema_of(Summed)["properties"]["note"] == {"type": "string", "description": "Of all."}
    assert schema_of(Summed)["required"] == ["nodePool", "colour", "note"]


@dataclass(frozen=True, slots=True)
class Money:
    amount: float
    source: str


@dataclass(frozen=True, slots=True)
class MoneyParts:
    amount: Annotated[float | None, Key("pricePerHour")] = None
    source: Annotated[str, Key("priceSource"), NEWER] = ""


def _split(price: Money | None) -> Money | MoneyParts:
    return price or MoneyParts()


def _money(amount: float | None, source: str) -> Money | None:
    return None if amount is None else Money(amount, source)


@dataclass(frozen=True, slots=True)
class Priced:
    label: str
    price: Annotated[Money | None, Parts(MoneyParts, _split, _money), After("")]
    note: Annotated[str, After("price.amount")]


@pytest.mark.parametrize("price", [Money(1.5, "a list"), None])
def test_a_field_in_parts_is_several_members_and_reads_back(price):
    """Its members are among those of its owner, others may stand between them, and a missing newer one has its default."""
    priced = Priced("l", price, "n")
    data = data_of(priced)
    amount, source = (None, "") if price is None else (1.5, "a list")
    assert list(data.items()) == [("pricePerHour", amount), ("note", "n"), ("priceSource", source), ("label", "l")]
    assert read(Priced, data, "a priced thing") == priced
    del data["priceSource"]
    assert read(Priced, data, "a priced thing").price == (None if price is None else Money(1.5, ""))


@dataclass(frozen=True, slots=True)
class Others:
    at: Instant
    by: Mapping[Colour, int | None]
    part: Part | None
    anything: Mapping[str, Any]
    from_: bool


def test_keys_of_an_enumeration_instants_and_what_may_be_null():
    data = data_of(Others(0.0, {Colour.BLUE: None}, None, {"k": [1]}, True))
    assert data == {"at": "1970-01-01T00:00:00Z", "by": {"blue": None}, "part": None, "anything": {"k": [1]}, "from": True}
    assert not _refused(data, Others)
    assert _refused({**data, "by": {"green": 1}}, Others)
    assert _refused({**data, "part": {}}, Others)


def test_a_list_of_records_is_written_by_its_type():
    assert data_of([Pair("p", 1)], tuple[Pair, ...]) == [{"name": "p", "many": 1}]
    assert schema_of(tuple[Pair, ...])["type"] == "array"


@pytest.mark.parametrize("hint", [set[str], bytes, complex])
def test_a_type_without_a_form_is_refused(hint):
    with pytest.raises(TypeError, match="has no form in JSON"):
        form_of(hint)
