"""Lists of types that are given have the same columns as those whose types are made when something reads them."""

from __future__ import annotations

import pytest

from cutlist.core.bits import bits
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.type_list import ChosenTypes, TypeList, type_list

SPOT, ON_DEMAND = Offering(Requirements(), 0.1), Offering(Requirements(), 0.3)
SMALL = InstanceType("small", Requirements(), {"cpu": 2, "memory": 8}, {"cpu": 1}, (ON_DEMAND,))
LARGE = InstanceType("large", Requirements(), {"cpu": 8, "gpu": 1}, {"cpu": 1}, (SPOT, ON_DEMAND), attach_limits={"ebs": 3})
GIVEN = (SMALL, LARGE)


@pytest.fixture
def listed() -> TypeList:
    return type_list(GIVEN)


def test_the_same_types_are_the_same_list(listed):
    assert type_list(GIVEN) is listed
    assert type_list(listed) is listed
    assert type_list([SMALL]) is not type_list([SMALL])  # a list may change


def test_amounts_are_those_of_the_types(listed):
    """What a type does not have is 0."""
    assert set(listed.amounts.resources(0b11)) == {"cpu", "memory", "gpu"}
    assert set(listed.amounts.resources(0b01)) == {"cpu", "memory"}
    assert list(listed.amounts.capacity("gpu").by_type()) == [0, 1]
    assert list(listed.amounts.allocatable("cpu").by_type()) == [1, 7]


def test_what_is_sold_is_that_of_the_types(listed):
    assert (listed.sold.names, listed.sold.by_name) == (("small", "large"), (1, 0))
    assert listed.sold.offerings[:] == ((ON_DEMAND,), (SPOT, ON_DEMAND))
    assert dict(listed.sold.attach_limits) == {1: {"ebs": 3}}
    assert (list(listed), listed[-1], listed[:1]) == ([SMALL, LARGE], LARGE, (SMALL,))


@pytest.mark.parametrize("mask", range(4))
def test_some_types_of_it_are_a_list_too(listed, mask):
    chosen = ChosenTypes(listed, mask)
    assert list(chosen) == [GIVEN[number] for number in bits(mask)]
    assert chosen.names == tuple(GIVEN[number].name for number in bits(mask))
    assert chosen.capacities("cpu") == {GIVEN[number].capacity["cpu"] for number in bits(mask)}


@pytest.mark.parametrize("number", [2, -3])
def test_there_is_nothing_beyond_its_ends(listed, number):
    with pytest.raises(IndexError):
        listed[number]
    with pytest.raises(IndexError):
        listed.sold.offerings[number]
