"""Dataclasses with methods that are made late behave as those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

from cutlist.core import values


@values.dataclass(frozen=True, slots=True)
class Base:
    KIND: ClassVar[str] = "base"

    name: str
    size: int = 1
    tags: dict[str, str] = field(default_factory=dict)


@values.dataclass(frozen=True, slots=True)
class Derived(Base):
    note: str = field(default="", compare=False, repr=False)
    count: int = field(default=0, kw_only=True)
    length: int = field(init=False)
    fixed: int = field(default=7, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.name))


@values.dataclass(frozen=True, slots=True)
class Kept(values.KeepsHash):
    name: Any
    note: str = field(default="", compare=False)


@values.dataclass(slots=True)
class Counter:
    name: str
    count: int = 0


@values.dataclass(frozen=True, slots=True, eq=False)
class Identity:
    name: str


@values.dataclass(frozen=True, slots=True, order=True)
class Ordered:
    number: int


@values.dataclass(frozen=True, slots=True)
class Own:
    name: str

    def __repr__(self) -> str:
        return "own"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 5


def standard(cls: type[Any], *bases: type[Any], **options: bool) -> Any:
    """Return the standard library's dataclass of the same fields."""
    annotations = inspect.get_annotations(cls)
    declared = {f.name: f for f in dataclasses.fields(cls)}
    body: dict[str, Any] = {"__annotations__": annotations, "__qualname__": cls.__qualname__}
    for name in annotations.keys() & declared.keys():
        f = declared[name]
        body[name] = field(
            default=f.default, default_factory=f.default_factory, init=f.init, repr=f.repr, compare=f.compare, kw_only=f.kw_only
        )
    if "__post_init__" in vars(cls):
        body["__post_init__"] = cls.__post_init__
    return dataclasses.dataclass(**options)(type(cls.__name__, bases, body))


PLAIN_BASE = standard(Base, frozen=True, slots=True)
PLAIN = standard(Derived, PLAIN_BASE, frozen=True, slots=True)
CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("a",), {}),
    (("a", 2, {"k": "v"}, "note"), {"count": 3}),
    ((), {"name": "a", "tags": {}, "count": 1}),
    ((), {}),
    (("a", 2, {}, "note", 3), {}),
    (("a",), {"length": 1}),
    (("a",), {"name": "b"}),
]


def outcome(make: Callable[[], Any]) -> Any:
    try:
        made = make()
    except TypeError:
        return TypeError
    return repr(made), [getattr(made, f.name) for f in dataclasses.fields(made)]


@pytest.mark.parametrize(("arguments", "named"), CALLS)
def test_values_are_built_and_shown_as_the_standard_library_does(arguments: Any, named: Any):
    assert outcome(lambda: Derived(*arguments, **named)) == outcome(lambda: PLAIN(*arguments, **named))


def test_fields_slots_and_patterns_are_the_standard_librarys():
    names = [f.name for f in dataclasses.fields(Derived)]
    assert names == [f.name for f in dataclasses.fields(PLAIN)]
    assert (Derived.__slots__, Derived.__match_args__) == (PLAIN.__slots__, PLAIN.__match_args__)
    match Derived("a", 4):
        case Derived(name, size):
            assert (name, size) == ("a", 4)


def test_equal_values_have_equal_hashes():
    first, same = Derived("a", note="one"), Derived("a", note="two")
    assert (first == same, first == Derived("b"), first == Base("a"), first == "a") == (True, False, False, False)
    assert hash(Identity("a")) != hash(Identity("a"))
    assert len({Ordered(1), Ordered(1), Ordered(2)}) == 2
    with pytest.raises(TypeError):
        hash(first)  # a mapping among its values


def test_a_kept_hash_is_that_of_equal_values_and_not_that_of_changed_copies():
    value = Kept("a", "one")
    copies = [make(value) for _ in range(2) for make in (copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v)))]  # noqa: S301
    assert {hash(value), hash(Kept("a")), *map(hash, copies)} == {hash(("a",))}
    assert [hash(change(value, name="b")) for change in (values.replace, dataclasses.replace)] == [hash(("b",))] * 2
    with pytest.raises(TypeError):
        hash(Kept({}))


def test_frozen_values_do_not_change():
    value = Derived("a")
    with pytest.raises(FrozenInstanceError):
        value.name = "b"
    with pytest.raises(FrozenInstanceError):
        del value.name


def test_mutable_values_change_and_have_no_hash():
    counter = Counter("a")
    counter.count += 1
    assert counter == Counter("a", 1)
    with pytest.raises(TypeError):
        hash(counter)


def test_copies_are_equal():
    value = Derived("a", 2, {"k": "v"}, "note", count=3)
    copies = (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value)), dataclasses.replace(value, size=2))  # noqa: S301
    assert all(repr(of) == repr(value) and of.note == "note" and of.length == 1 for of in copies)


@pytest.mark.parametrize("changes", [{}, {"size": 2}, {"name": "b", "tags": {"k": "v"}}, {"colour": "red"}])
def test_a_value_is_replaced_as_the_standard_library_does(changes: dict[str, Any]):
    for value in (Base("a", 3), Derived("a"), Counter("a"), Ordered(1), Own("a")):
        assert outcome(lambda v=value: values.replace(v, **changes)) == outcome(
            lambda v=value: dataclasses.replace(v, **changes)
        )


def test_values_are_ordered_where_that_is_wanted():
    assert sorted([Ordered(2), Ordered(1)]) == [Ordered(1), Ordered(2)]


def test_methods_that_a_class_has_stay():
    assert (repr(Own("a")), Own("a") == Own("b"), hash(Own("a"))) == ("own", True, 5)


def test_a_method_is_compiled_at_its_first_call():
    @values.dataclass(frozen=True, slots=True)
    class Late:
        name: str

    before = Late.__init__
    Late("a")
    compiled = Late.__init__
    Late("b")
    assert before is not compiled
    assert compiled is Late.__init__


def test_constructors_of_like_fields_are_each_their_own():
    """They share compiled code, not names or defaults."""

    @values.dataclass(frozen=True, slots=True)
    class Point:
        x: int
        y: int = 1
        tags: list[str] = field(default_factory=list)

    @values.dataclass(frozen=True, slots=True)
    class Size:
        width: int
        height: int = 2
        marks: tuple[str, ...] = field(default_factory=tuple)

    assert (repr(Point(5)), repr(Size(width=5))) == (
        f"{Point.__qualname__}(x=5, y=1, tags=[])",
        f"{Size.__qualname__}(width=5, height=2, marks=())",
    )
    assert str(inspect.signature(Size.__init__)).startswith("(self, width, height=2, marks=")
    with pytest.raises(TypeError, match=r"Size\.__init__\(\) missing 1 required positional argument: 'width'"):
        Size()
    assert Point.__init__.__code__.co_code == Size.__init__.__code__.co_code
