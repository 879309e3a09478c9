"""What AKSNodeClasses make of a location's sizes is what the Azure provider's own code made of them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tests.conformance import azure_types
from tests.recorded import VECTORS

_FOLDER = VECTORS / "azure"


@cache
def _question() -> dict[str, Any]:
    return json.loads((_FOLDER / azure_types.QUESTION).read_text())


def _recorded(name: str) -> dict[str, Any]:
    return json.loads((_FOLDER / f"{name}.json").read_text())


# Z-27 to Z-33, Z-37 to Z-47, Z-49
@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", azure_types.CLASSES)
def test_every_size_of_a_class_is_answered_right(name: str):
    """Labels, capacity, what pods may use, offerings, the OS disk, and the hash of the class."""
    expected = _recorded(name)
    assert len(expected["sizes"]) > 500
    assert azure_types.differences(expected, azure_types.answer(_question(), name)) == []


def test_a_difference_is_noticed_wherever_it_is():
    """In each part of a size, in which sizes there are, and in the hash."""
    expected = _recorded("default")
    size = "Standard_D8s_v3"
    for part, value in (("eph", False), ("ephmax", 0), ("cap", {}), ("alloc", {}), ("offers", []), ("req", {})):
        other = {**expected, "sizes": {**expected["sizes"], size: {**expected["sizes"][size], part: value}}}
        (line,) = azure_types.differences(expected, other)
        assert line.startswith(f"{size} {part}: ")
    fewer = {name: row for name, row in expected["sizes"].items() if name != size}
    assert azure_types.differences(expected, {**expected, "sizes": fewer}) == [f"{size}: only the program has it"]
    assert azure_types.differences({**expected, "sizes": fewer}, expected) == [f"{size}: only Cutlist has it"]
    assert azure_types.differences(expected, {**expected, "hash": "1"}) == [f"hash: {expected['hash']} and 1"]


def test_the_question_can_be_asked_again():
    """Sizes go into it in the form of Azure's own records, from which the same sizes are read."""
    asked = azure_types.question("westeurope")
    assert asked.keys() == _question().keys()
    assert asked["Classes"] == _question()["Classes"]
    assert {record["name"] for record in asked["Skus"]} >= {"Standard_D8s_v3", "Standard_NC6s_v3"}
