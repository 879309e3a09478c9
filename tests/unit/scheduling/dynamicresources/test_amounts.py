"""Shares of capacity, counters and constraints, each by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.quantity import NANO
from cutlist.devices.device import AmountRange, Attribute, Capacity, Device, DeviceID, RequestPolicy
from cutlist.scheduling.dynamicresources.constraint import MatchAttributeConstraint
from cutlist.scheduling.dynamicresources.consumable_capacity import consumed_capacity
from cutlist.scheduling.dynamicresources.partitionable_devices import is_exhausted, suffices
from cutlist.scheduling.dynamicresources.pool import OfferedDevice

COUNTER = ("set", "memory")


def shared(policy: RequestPolicy | None = None, amount: int = 40) -> Device:
    return Device("gpu-0", capacity={"memory": Capacity(amount * NANO, policy)}, shared=True)


@pytest.mark.parametrize(
    ("policy", "wanted", "taken"),
    [
        (None, None, 40),
        (None, 5, 5),
        (RequestPolicy(default=8 * NANO), None, 8),
        (RequestPolicy(2 * NANO, AmountRange(2 * NANO, 20 * NANO)), 1, 2),
        (RequestPolicy(2 * NANO, AmountRange(2 * NANO, 20 * NANO, 4 * NANO)), 3, 6),
        (RequestPolicy(2 * NANO, AmountRange(2 * NANO, 20 * NANO)), 21, None),
        (RequestPolicy(2 * NANO, values=(2 * NANO, 4 * NANO)), 3, 4),
        (RequestPolicy(2 * NANO, values=(2 * NANO, 4 * NANO)), 5, None),
    ],
)
def test_a_request_takes_what_the_policy_allows(policy, wanted, taken):
    """Rounded up, or nothing."""
    asked = {} if wanted is None else {"memory": wanted * NANO}
    assert consumed_capacity(shared(policy), asked) == (None if taken is None else {"memory": taken * NANO})


def test_a_capacity_that_the_device_lacks_cannot_be_had():
    """Whatever else is asked (R-112)."""
    assert consumed_capacity(shared(), {"slots": NANO}) is None
    assert consumed_capacity(Device("gpu-0", shared=True), {}) == {}


@given(st.integers(1, 100), st.integers(1, 30), st.integers(1, 30))
def test_a_range_rounds_up_to_the_next_step(wanted, least, step):
    """Never below what is wanted, and by less than a step."""
    policy = RequestPolicy(least * NANO, AmountRange(least * NANO, None, step * NANO))
    taken = consumed_capacity(shared(policy), {"memory": wanted * NANO})
    assert taken is not None
    units = taken["memory"] // NANO
    assert units >= max(wanted, least)
    assert units - max(wanted, least) < step
    assert not (units - least) % step


@given(st.integers(0, 20), st.lists(st.integers(1, 5), max_size=6))
def test_counters_suffice_until_they_run_out(amount, draws):
    """One device after the other, and none from a counter that is not there (R-102, R-104)."""
    left, drawn = {COUNTER: amount * NANO}, {COUNTER: 0}
    for units in draws:
        fits = drawn[COUNTER] // NANO + units <= amount
        assert suffices(left, drawn, {COUNTER: units * NANO}) is fits
        drawn[COUNTER] += units * NANO if fits else 0
    assert is_exhausted(left, drawn) is (drawn[COUNTER] >= amount * NANO)
    assert not suffices(None, {}, {COUNTER: NANO})
    assert not suffices(left, {}, {("other", "memory"): NANO})


def device(name: str, value: Attribute | None) -> OfferedDevice:
    return OfferedDevice(DeviceID("d", "p", name), Device(name, {} if value is None else {"d/numa": value}))


VALUES = st.sampled_from((None, Attribute("int", 0), Attribute("int", 1), Attribute("string", "1"), Attribute("bool", True)))


@given(st.lists(VALUES, min_size=1, max_size=5))
def test_devices_under_a_constraint_have_one_value(values):
    """Of one kind; and what is added is taken back by removing (R-34, R-35, R-39)."""
    constraint = MatchAttributeConstraint("d/numa", frozenset())
    accepted = [v for n, v in enumerate(values) if constraint.add("r", device(f"gpu-{n}", v), {})]
    assert None not in accepted
    assert len({(v.kind, v.value) for v in accepted if v}) <= 1
    assert len(accepted) == sum(v == accepted[0] for v in values) if accepted else not any(values)
    for _ in accepted:
        constraint.remove("r")
    assert constraint.state({}) is None


def test_a_constraint_concerns_the_requests_that_it_names():
    """A name covers its alternatives (R-37)."""
    constraint = MatchAttributeConstraint("d/numa", frozenset({"r", "s/one"}))
    assert constraint.add("other", device("gpu-0", None), {})
    assert not constraint.add("r/any", device("gpu-0", None), {})
    assert constraint.add("s/two", device("gpu-0", None), {})
    assert not constraint.add("s/one", device("gpu-0", None), {})


def test_bound_devices_need_no_value_but_one_group():
    """And do not stand beside devices with a value (R-40, R-42)."""
    groups = {"d/numa": {DeviceID("d", "p", n): g for n, g in (("gpu-0", 1), ("gpu-1", 1), ("gpu-2", 2))}}
    constraint = MatchAttributeConstraint("d/numa", frozenset())
    assert constraint.add("r", device("gpu-0", None), groups)
    assert constraint.add("r", device("gpu-1", None), groups)
    assert not constraint.add("r", device("gpu-2", None), groups)
    assert not constraint.add("r", device("gpu-3", Attribute("int", 1)), groups)
