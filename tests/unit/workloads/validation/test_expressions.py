"""Expressions that select devices are judged as the API servers of Kubernetes 1.35 and 1.37 judge them (W-87)."""

from __future__ import annotations

from typing import Final

import pytest

from cutlist.core.errors import Place, Problems
from cutlist.devices.device import Attribute, Capacity, Device
from cutlist.devices.selectors import SelectorError, compiled
from cutlist.documents.document import Document
from cutlist.workloads.validation.kinds import check_object
from tests.unit.workloads.validation.expressions import answers, device_class
from tests.unit.workloads.validation.record import MINORS

ANSWERS: Final = answers()
ACCEPTED: Final = {
    "['a','b'].join(',') == 'a,b'",
    "['a'].max() == 'a'",
    "[1,'a'].size() == 2",
    "type(5) == int",
    "type(5) == string",
    "type(device.driver) == string",
    "'a'" + 300 * ".trim()" + " == 'a'",
}
"""What the API server refuses, for a type or for more than 250 levels, and Cutlist does not (W-87)."""

DEVICE: Final = Device("a", {"memory": Attribute("int", 3)}, {"memory": Capacity(40 * 2**30 * 10**9)})


def messages_of(expression: str, minor: int = 37) -> list[str]:
    problems = Problems()
    assert check_object(Document(Place("class.yaml", 1), device_class(expression), {}), minor, problems)
    return [problem.message for problem in problems.found]


@pytest.mark.parametrize("minor", MINORS)
def test_what_the_api_server_takes_is_valid_and_what_it_refuses_is_not(minor: int) -> None:
    different = set()
    for expression, said in ANSWERS.items():
        if said[str(minor)] == bool(messages_of(expression, minor)):
            different.add(expression)
    assert different == ACCEPTED


def test_no_expression_that_the_api_server_takes_is_refused() -> None:
    assert [e for e in ACCEPTED if ANSWERS[e]["37"]] == []


@pytest.mark.parametrize(
    "expression",
    [
        "[3, 1, 2].sort() == [1, 2, 3]",
        "[1, 2, 1].distinct() == [1, 2]",
        "dyn([1, true, 1]).distinct().size() == 2",
        "[1, 2, 3].slice(1, 3) == [2, 3]",
        "[[1], [[2]]].flatten() == [1, [2]]",
        "[[1], [[2]]].flatten(2) == [1, 2]",
        "lists.range(3) == [0, 1, 2]",
        "has(device.driver) && has( device.attributes )",
        "has(device.capacity) && has(device.allowMultipleAllocations)",
        "device.attributes['gpu.example.com'].memory == 3",
    ],
)
def test_functions_of_lists_and_members_of_the_device(expression: str) -> None:
    assert compiled(expression).matches(DEVICE, "gpu.example.com")


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("[1, 2].slice(1, 5) == [2]", "list with 2 elements"),
        ("lists.range(1000001).size() > 1", "costs more than an API server allows"),
    ],
)
def test_functions_of_lists_that_fail(expression: str, said: str) -> None:
    with pytest.raises(SelectorError, match=said):
        compiled(expression).matches(DEVICE, "gpu.example.com")


def test_what_does_not_compile_is_said_on_one_line() -> None:
    """With the place in the expression."""
    said = "the expression does not compile: undefined field 'drive' at line 2, character 9"
    assert messages_of("1 == 1 &&\n  device.drive == 'a'") == [said]
