"""The reader of inputs: everything with another shape than a component declares is reported, and nothing else is touched."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pulumi
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.inputs.shapes import ABSENT, LATER, later_inputs, shaped
from pulumi_cutlist.package.components import COMPONENTS

from cutlist import NodePool
from cutlist.api.late_values import OUTPUT_TEXT
from cutlist.core.errors import InputError, Place, Problems
from cutlist.infrastructure.names import NameStyle
from tests.infrastructure.declared import InnerArgs, OuterArgs, Reached

POOL = NodePool(name="general", node_class="default")
RIGHT = {"cluster_name": "shop", "inner_part": {"node_count": 2}}


@pytest.fixture
def event_loop() -> Iterator[None]:
    """Outputs need one; a program has it from its language host."""
    with asyncio.Runner() as runner:
        asyncio.set_event_loop(runner.get_loop())
        yield
    asyncio.set_event_loop(None)


def reported(given_inputs: Any, declared: type[Any] = OuterArgs) -> dict[str, str]:
    """Return what is reported of inputs that cannot be used, by path."""
    with pytest.raises(InputError) as error:
        shaped(given_inputs, declared, Problems())
    return {problem.place.path: str(problem).removeprefix(f"{problem.place}: ") for problem in error.value.problems}


def test_what_is_right_comes_back_as_it_is():
    full = {
        **RIGHT,
        "zone_names": ["a", "b"],
        "hours": 1.5,
        "is_shared": True,
        "tags": {"team": "a"},
        "parts": {"x": {"node_count": 1}},
        "anything": {"deep": [1, {"very": None}]},
    }
    assert shaped(full, OuterArgs, Problems()) == full


def test_an_input_is_passed_on_untouched(event_loop):
    late = pulumi.Output.from_input("sg-1")
    read = shaped({**RIGHT, "group_id": late, "tags": {"team": late}}, OuterArgs, Problems())
    assert read["group_id"] is late
    assert read["tags"]["team"] is late


def texts_of(args: dict[str, Any]) -> list[str]:
    problems = Problems()
    with pytest.raises(InputError):
        shaped(args, Reached, problems)
    return [str(problem) for problem in problems.ordered()]


def test_a_resource_in_place_of_its_output_is_named(event_loop, monkeypatch):
    """In texts, and in what lists and mappings hold."""

    class Role(pulumi.Resource):
        def __init__(self) -> None:
            self._name = "admin"

    role = Role()
    said = "the Role admin, which is a resource; allowed: one of its outputs, such as its id, arn or name"
    assert texts_of({"name": role, "ids": ["a", role], "tags": {"owner": role}, "plain": role}) == [
        f"ids[1]: {said}",
        f"name: {said}",
        f"plain: {said}",
        f"tags.owner: {said}",
    ]


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ({"name": "a", "ids": "b"}, "ids: expected a list, found 'b'; did you mean [\"b\"]?"),
        ({"name": "a", "ids": POOL}, "ids: expected a list, found the NodePool general; allowed: a list, also of one"),
        ({"name": "a", "ids": [1]}, 'ids[0]: 1 is not text; did you mean "1"?'),
        ({"name": "a", "tags": ["b"]}, "tags: expected a mapping, found a list; allowed: a mapping: a name for each value"),
        (
            {"name": "a", "tags": POOL},
            "tags: expected a mapping, found the NodePool general; allowed: its manifest, which `.mani",
        ),
        ({"name": "a", "tags": {"tier": 1}}, 'tags.tier: 1 is not text; did you mean "1"?'),
        ({"name": b"a"}, "name: expected text, found b'a'"),
        ({"name": f"{pulumi.Output.from_input}-{OUTPUT_TEXT}"}, "name: has the text of an Output in it, and not its value"),
        ({"name": "a", "tags": object()}, "tags: expected a mapping, found an object"),
    ],
)
def test_what_may_be_known_late_has_its_form_when_it_is_known(args, text):
    [found] = texts_of(args)
    assert found.startswith(text)


def test_what_is_none_is_not_there():
    assert shaped({**RIGHT, "zone_names": None, "hours": None}, OuterArgs, Problems()) == RIGHT


@given(st.integers(-(2**53), 2**53))
def test_whole_numbers_of_other_languages_are_whole(number):
    read = shaped({**RIGHT, "inner_part": {"node_count": float(number)}}, OuterArgs, Problems())
    assert type(read["inner_part"]["node_count"]) is int
    assert read["inner_part"]["node_count"] == number


def test_a_member_of_a_closed_set_is_text():
    read = shaped({**RIGHT, "cluster_name": NameStyle.REGIONAL}, OuterArgs, Problems())
    assert read["cluster_name"] == "regional"


def test_everything_is_reported_at_once_under_the_names_of_the_wire(event_loop):
    late = pulumi.Output.from_input(2)
    wrong = {
        "inner_part": {"node_count": late, "node_cuont": 1},
        "zone_names": ["a", 5],
        "hours": "1",
        "is_shared": 1,
        "parts": {"x": {}, "y.z": 7},
        "zones_names": [],
    }
    assert reported(wrong) == {
        "clusterName": "is missing; allowed: a string in quotes",
        "innerPart.nodeCount": "known only during an update; allowed: a whole number, known before",
        "innerPart.node_cuont": "unknown input 'node_cuont'; allowed: node_count; did you mean node_count?",
        "zoneNames[1]": '5 is not text; did you mean "5"?',
        "hours": "expected a number, found '1'",
        "isShared": "expected true or false, found 1",
        "parts.x.nodeCount": "is missing; allowed: a whole number",
        "parts['y.z']": "expected a mapping, found 7; allowed: a mapping with nodeCount",
        "zones_names": (
            "unknown input 'zones_names'; allowed: cluster_name, inner_part, zone_names, hours, is_shared, group_id, tags, "
            "parts, anything; did you mean zone_names?"
        ),
    }


def test_what_comes_later_is_left_out_and_not_missing():
    inputs = {"cluster_name": LATER, "inner_part": {"node_count": LATER}, "group_id": LATER}
    assert shaped(inputs, OuterArgs, Problems()) == {"inner_part": {}}
    assert later_inputs(inputs) == {"cluster_name", "group_id"}


def test_a_misspelt_input_that_comes_later_is_reported():
    problems = Problems()
    assert shaped({**RIGHT, "group_ids": LATER}, OuterArgs, problems) == RIGHT
    assert [problem.nearest for problem in problems.found] == ["group_id"]


def test_what_a_call_lacks_is_missing_where_it_is_required():
    assert reported({**RIGHT, "cluster_name": ABSENT, "hours": ABSENT}) == {
        "clusterName": "is missing; allowed: a string in quotes"
    }


def test_a_missing_dictionary_is_reported_with_what_it_holds():
    assert list(reported({})) == ["clusterName", "innerPart.nodeCount"]


def test_true_is_no_number():
    assert reported({**RIGHT, "inner_part": {"node_count": True}, "hours": False}) == {
        "innerPart.nodeCount": "expected a whole number, found true",
        "hours": "expected a number, found false",
    }


def test_a_misspelt_key_alone_does_not_end_the_reading():
    problems = Problems()
    assert shaped({**RIGHT, "huors": 1}, OuterArgs, problems) == RIGHT
    assert [problem.nearest for problem in problems.found] == ["hours"]


@pytest.mark.parametrize(
    ("key", "right"), [("zone_name", "zone_names"), ("zoneName", "zoneNames"), ("zoneNames", "zone_names")], ids=str
)
def test_the_nearest_is_spelt_as_the_language_of_the_program_spells_it(key, right):
    """A name in the spelling of other languages that comes in unchanged was written in Python."""
    problems = Problems()
    shaped({**RIGHT, key: []}, OuterArgs, problems)
    assert [problem.nearest for problem in problems.found] == [right]


@pytest.mark.parametrize("given_inputs", ["text", [1], None])
def test_what_is_no_dictionary_is_reported(given_inputs):
    [text] = reported(given_inputs, InnerArgs).values()
    assert text.startswith("expected a mapping, found ")


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.__name__)
def test_no_component_passes_over_a_misspelt_input(component):
    """Whatever else is missing, the misspelt key is reported, and nothing is registered."""
    with pytest.raises(InputError, match="unknown input 'misspelt'"):
        component("main", {"misspelt": 1})


CLUSTER = {"cluster_name": "shop", "region": "eu-west-1", "account_id": "111122223333"}


def test_the_facts_of_a_cluster_come_out_of_inputs():
    problems = Problems()
    facts = cluster_facts(CLUSTER, problems, name_style="regional", namespace="karpenter")
    assert not problems
    assert facts.cluster_arn == "arn:aws:eks:eu-west-1:111122223333:cluster/shop"
    assert (facts.name_style, facts.namespace, facts.service_account) == (NameStyle.REGIONAL, "karpenter", "karpenter")


def test_all_mistakes_in_the_facts_are_reported_and_there_are_facts_all_the_same():
    problems = Problems()
    wrong = {"cluster_name": "-shop", "region": "", "account_id": "42"}
    facts = cluster_facts(wrong, problems, Place(path="controlPlane"), name_style="regionl")
    assert [problem.place.path for problem in problems.ordered()] == [
        "controlPlane.accountId",
        "controlPlane.clusterName",
        "controlPlane.nameStyle",
        "controlPlane.region",
    ]
    assert facts.name_style is NameStyle.KARPENTER
