"""The form of a saved state: names that a table declares, whatever the code calls them, and nothing else is read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, is_dataclass
from enum import Enum
from math import inf, nan
from random import Random
from typing import Any

import pytest

from cutlist import InputError
from cutlist.core.requirement import Operator
from cutlist.core.requirements import Requirements
from cutlist.disruption.cluster_state import InstanceTypesByPool
from cutlist.simulation.checkpoint.member_types import NAMES
from cutlist.simulation.checkpoint.parts import PART_TYPES, PARTS, SavedParts
from cutlist.simulation.checkpoint.reader import Reader, Unreadable
from cutlist.simulation.checkpoint.types import TYPES, SavedType, table_of
from cutlist.simulation.checkpoint.ways import fields_of, ways_to
from cutlist.simulation.checkpoint.writer import Writer
from cutlist.simulation.draining import NodeDrain
from cutlist.simulation.events import NodeReady
from cutlist.simulation.ledger import HourRecord
from cutlist.simulation.simulation import Simulation
from cutlist.state.statenode import Condition
from cutlist.verbs.simulate.state import VERSION
from cutlist.workloads.pods import FrozenDict
from tests.recorded import PROJECT
from tests.unit.disruption.builders import sold
from tests.unit.simulation.builders import settings
from tests.unit.simulation.test_checkpoint import HOURS, everything

DRAIN = {"NodeDrain": {"cause": "drift", "since": 5, "due": None}}


def written(value: object, types: Mapping[str, SavedType] = TYPES) -> Any:
    writer = Writer({}, types)
    form = writer.write(value)
    return json.loads(json.dumps([writer.shared, form]))


def copied(value: object) -> Any:
    shared, form = written(value)
    return read(form, *shared)


def read(form: Any, *shared: Any, inputs: object = None, types: Mapping[str, SavedType] = TYPES) -> Any:
    return Reader(shared, inputs, types).read(form)


def mistake(form: Any, *shared: Any, inputs: object = None) -> str:
    with pytest.raises(Unreadable) as error:
        read(form, *shared, inputs=inputs)
    return f"{error.value.path}: {error.value.message}; allowed: {error.value.allowed}"


# --- what is written


@pytest.mark.parametrize(
    "value",
    [
        *("text", 7, 0.5, inf, -inf, True, None, (), (1, "a"), [1, [2]], {"a"}, frozenset({1, 2}), Operator.IN),
        *({"a": 1}, {(1, "a"): 2, None: 3}, FrozenDict({"a": 1}), Counter(a=2), NodeDrain("drift", 5, None), HourRecord()),
        *(Condition("True", 5.0), NodeReady(5, "node"), sold("a-2", 2, 0.1, 0.05)),
    ],
)
def test_what_is_written_is_read(value):
    again = copied(value)
    assert (again, type(again)) == (value, type(value))


def test_what_equality_does_not_show_is_read_too():
    """Not a number, a generator of random numbers, and the types of each NodePool."""
    assert str(copied(nan)) == "nan"
    random = Random("seed")  # noqa: S311 - it has to be the same every time
    random.gauss()
    assert copied(random).getstate() == random.getstate()
    types = copied(InstanceTypesByPool({"default": [sold("a-2", 2, 0.1, 0.05)]}))
    assert types.by_name("default")["a-2"] == sold("a-2", 2, 0.1, 0.05)
    requirements = sold("a-2", 2, 0.1, 0.05).requirements
    assert copied(requirements) == requirements
    assert type(copied(requirements)) is Requirements


def test_an_object_that_occurs_twice_is_written_once_and_is_one_object_again():
    zones = ["a"]
    shared, form = written([zones, zones, ["a"]])
    assert (shared, form) == ([{"list": ["a"]}], {"list": [{"shared": 0}, {"shared": 0}, {"list": ["a"]}]})
    first, second, equal = read(form, *shared)
    assert first is second
    assert equal is not first


def test_a_shared_object_may_be_inside_another_that_was_shared_before():
    inner = ["a"]
    outer = [inner]
    again = copied([outer, outer, inner])
    assert again[0] is again[1]
    assert again[0][0] is again[2]


def test_an_object_of_the_inputs_is_the_identical_one_again():
    inputs = {"pools": [FrozenDict({"a": 1})]}
    writer = Writer(ways_to(inputs, ()))
    form = writer.write(inputs["pools"][0])
    assert form == {"input": ["pools", 0]}
    assert read(form, inputs=inputs) is inputs["pools"][0]


def test_a_class_may_be_renamed_or_moved_and_its_attributes_too():
    @dataclass(frozen=True, slots=True)
    class Health:
        state: str
        since: float

    before = table_of({"Condition": (Condition, "status since reason")})
    after = table_of({"Condition": (Health, "status=state since")})
    assert written(Health("True", 5.0), after) == [[], {"Condition": {"status": "True", "since": 5.0}}]
    assert written(Condition("True", 5.0), before)[1]["Condition"].keys() == {"status", "since", "reason"}
    assert read({"Condition": {"status": "True", "since": 5.0}}, types=after) == Health("True", 5.0)


def test_no_name_of_a_module_is_in_a_state():
    run = Simulation(everything(), [], settings(HOURS))
    run.run(settings(HOURS).until // 2)
    saved = run.saved()
    assert "cutlist." not in json.dumps([saved.shared, saved.parts])


def test_a_type_that_the_table_lacks_is_not_written():
    with pytest.raises(TypeError, match="SavedType is not one of the types"):
        Writer({}).write(TYPES["Condition"])


# --- the tables are whole


@pytest.mark.parametrize("saved", TYPES.values(), ids=str)
def test_all_of_a_type_is_saved(saved):
    """A new field has to be saved, and the version of the form raised."""
    assert saved.attributes == (() if saved.is_enumeration else fields_of(saved.kind))


def test_all_that_a_simulation_remembers_is_saved_or_said_not_to_be():
    """What a class holds is a part itself, or is in the table, or is in its `NOT_SAVED`."""
    simulation = Simulation(everything(), [], settings(HOURS))
    saved = {id(part.of(simulation)): set(part.members.values()) for part in PARTS.values()}
    parts: list[Any] = [simulation]
    for part in parts:
        names = {name for base in type(part).__mro__ for name in getattr(base, "__slots__", ())}
        for name in names - getattr(type(part), "NOT_SAVED", frozenset()):
            value = getattr(part, name)
            if not is_part(value):
                assert name in saved[id(part)], f"{type(part).__name__}.{name}"
                saved[id(part)].remove(name)
            elif not any(value is other for other in parts):
                parts.append(value)
    assert not any(saved.values())


def is_part(value: object) -> bool:
    kind = type(value)
    if not kind.__module__.startswith("cutlist.simulation.") or isinstance(value, Enum):
        return False
    return hasattr(kind, "NOT_SAVED") or not is_dataclass(kind)


def test_the_page_names_the_version():
    page = " ".join((PROJECT / "docs" / "simulation.md").read_text().split())
    assert f"the version of the form, now {VERSION}." in page


# --- what is refused


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ([1], ": is a list; allowed: a plain value, or a mapping with one member"),
        ({}, ": is a mapping; allowed: a plain value, or a mapping with one member"),
        ({"os.system": ["ls"]}, "os.system: is of an unknown type 'os.system'; allowed: a type that a state may have"),
        ({"list": [1, {"Nodes": {}}]}, "list[1].Nodes: is of an unknown type 'Nodes'"),
        ({"NodeDrain": 5}, "NodeDrain: is 5; allowed: a mapping"),
        ({"NodeDrain": {"cause": "drift", "since": 5}}, "NodeDrain.due: is missing; allowed: all of cause, since, due"),
        ({"NodeDrain": {**DRAIN["NodeDrain"], "more": 1}}, "NodeDrain.more: is not a member; allowed: cause, since, due"),
        ({"NodeDrain": {**DRAIN["NodeDrain"], "since": "x"}}, "NodeDrain.since: is 'x'; allowed: a whole number"),
        ({"NodeDrain": {**DRAIN["NodeDrain"], "due": "x"}}, "NodeDrain.due: is 'x'; allowed: a whole number or null"),
        ({"SteppedAutoscaler": 5}, "SteppedAutoscaler: is 5; allowed: a mapping"),
        ({"BatchClosed": {"at": 5, "window": [1]}}, "BatchClosed.window: is a list; allowed: a plain value"),
        ({"Taint": {"key": "a", "effect": {"list": []}, "value": ""}}, "Taint.effect: is a list; allowed: a text"),
        ({"Curve": {"times": {"tuple": [1, "x"]}, "values": {"tuple": []}}}, "Curve.times.tuple[1]: is 'x'; allowed: a "),
        (
            {"EvictionBudgets": {"by_namespace": {"map": {"shop": {"tuple": [{"Curve": 5}]}}}}},
            "EvictionBudgets.by_namespace.map.shop.tuple[0].Curve: is 5; allowed: a mapping",
        ),
        (
            {"EvictionBudgets": {"by_namespace": {"map": {"shop": {"tuple": [5]}}}}},
            "EvictionBudgets.by_namespace.map.shop.tuple[0]: is 5; allowed: PodDisruptionBudget",
        ),
        ({"Operator": "Within"}, "Operator: is 'Within'; allowed: IN, "),
        ({"Operator": []}, "Operator: a list cannot be read: "),
        ({"tuple": "ab"}, "tuple: is 'ab'; allowed: a list"),
        ({"set": [{"list": []}]}, "set: a list cannot be read: "),
        ({"map": [[1, 2, 3]]}, "map: a list cannot be read: "),
        ({"map": {"a": {"b": {}}}}, "map.a.b: is of an unknown type 'b'"),
        ({"float": "many"}, "float: 'many' cannot be read: "),
        ({"random": [3, None, 1]}, "random: a list cannot be read: "),
        ({"shared": 1}, "shared: there is no shared object 1; allowed: a number below 1"),
        ({"shared": -1}, "shared: there is no shared object -1"),
        ({"shared": 0}, "shared.list[0].shared: the shared object 0 is inside itself"),
        ({"input": ["pools", 5]}, "input: the inputs have no pools/5; allowed: an object of the inputs"),
        ({"input": ["pools", 0, "__class__"]}, "input: the inputs have no pools/0/__class__"),
        ({"input": [["pools"]]}, "input: the inputs have no ['pools']"),
    ],
)
def test_what_is_not_of_the_form_is_refused_with_its_path(form, message):
    assert mistake(form, {"list": [{"shared": 0}]}, inputs={"pools": [NodeDrain("drift", 5, None)]}).startswith(message)


@pytest.fixture(scope="module")
def saved() -> SavedParts:
    run = Simulation(everything(), [], settings(HOURS))
    run.run(settings(HOURS).until // 2)
    return SavedParts(*json.loads(json.dumps([run.saved().shared, run.saved().parts])), "state.json")


def refused(saved: SavedParts) -> str:
    with pytest.raises(InputError) as error:
        Simulation.resumed(everything(), [], settings(HOURS), saved)
    return str(error.value)


def changed(saved: SavedParts, part: str, **members: Any) -> SavedParts:
    parts: Any = deepcopy(saved.parts)
    parts[part] |= members
    return SavedParts(saved.shared, parts, saved.source)


def test_every_part_and_member_that_is_missing_or_unknown_is_named(saved):
    parts: Any = deepcopy(saved.parts)
    del parts["queue"], parts["world"]["now"]
    parts |= {"nodes": {}}
    problems = refused(SavedParts(saved.shared, parts, "state.json")).splitlines()
    assert [problem.partition(";")[0] for problem in problems] == [
        "state.json parts.nodes: is unknown",
        "state.json parts.queue: is missing",
        "state.json parts.world.now: is missing",
    ]


def test_every_member_that_cannot_be_read_is_named_with_its_file_and_path(saved):
    wrong = changed(
        changed(saved, "draining", drains={"map": {"n1": {"Drained": {}}}}), "world", ready={"list": []}, ready_of={"map": {}}
    )
    problems = refused(wrong).splitlines()
    assert problems[0].startswith("state.json parts.draining.drains.map.n1.Drained: is of an unknown type 'Drained'")
    assert problems[1].startswith("state.json parts.world.ready: is a list; allowed: a set")
    assert problems[2].startswith("state.json parts.world.ready_of: is a map; allowed: counts")


@pytest.mark.parametrize(
    ("part", "member", "form", "message"),
    [
        ("world", "ready", {"set": ["a", 5]}, "world.ready.set: is 5; allowed: a text"),
        ("world", "starts", {"map": {"a": "soon"}}, "world.starts.map.a: is 'soon'; allowed: a whole number"),
        ("cluster", "nodes", {"map": {"n1": 7}}, "cluster.nodes.map.n1: is 7; allowed: StateNode"),
        ("cluster", "names", {"list": ["a", None]}, "cluster.names.list[1]: is nothing; allowed: a text"),
        ("ledger", "evictions", {"counts": [["a", 1]]}, "ledger.evictions.counts.a: is 'a'; allowed: a tuple"),
        ("ledger", "cpu", {"tuple": [0]}, "ledger.cpu.tuple: is a tuple; allowed: a tuple of 2"),
        (
            "offerings",
            "lost",
            {"map": [[{"tuple": ["a", "b", 3]}, 1]]},
            "offerings.lost.map[0].tuple[2]: is 3; allowed: a text",
        ),
        ("queue", "heap", {"list": [{"tuple": [5, DRAIN]}]}, "queue.heap.list[0].tuple[0]: is 5; allowed: a tuple"),
        ("disruption", "due", "x", "disruption.due: is 'x'; allowed: a whole number or null"),
    ],
)
def test_a_forged_element_of_a_collection_is_refused_where_it_is_read(saved, part, member, form, message):
    """A state with a right checksum may still have been written by hand."""
    assert message in refused(changed(saved, part, **{member: form}))


def test_what_every_collection_of_a_part_holds_is_declared():
    run = Simulation(everything(), [], settings(HOURS))
    for name, part in PARTS.items():
        owner = part.of(run)
        held = {attribute: getattr(owner, attribute) for attribute in part.members.values()}
        unknown = {attribute for attribute, value in held.items() if value is None or type(value) in NAMES}
        assert unknown == set(PART_TYPES.get(name, {})) - {a for a, v in held.items() if type(v) in (int, float)}, name


def test_parts_that_do_not_fit_together_are_refused(saved):
    assert "what the parts hold does not fit together" in refused(changed(saved, "cluster", names={"list": ["nowhere"]}))
