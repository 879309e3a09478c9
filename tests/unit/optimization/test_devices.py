"""Devices in the bound of a plan: what is counted, what is not because it might not hold, and what the bound then says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutlist import explain
from cutlist.verbs.plan.answer import bounded_plan
from tests.unit.planning.test_devices import GATE, inputs_of, pod, pool, template

BIG_MEMORY = "device.capacity['gpu.nvidia.com'].memory.isGreaterThan(quantity('20Gi'))"
TYPES = ("m5.4xlarge", "g4dn.xlarge", "g4dn.12xlarge", "g5.xlarge", "g5.12xlarge")


def gpus_of(claim: str, *requests: dict[str, Any]) -> dict[str, Any]:
    named = [{"name": f"r{number}", **request} for number, request in enumerate(requests)]
    return {**template(claim), "spec": {"spec": {"devices": {"requests": named}}}}


def exactly(count: int = 1, *expressions: str) -> dict[str, Any]:
    selectors = [{"cel": {"expression": text}} for text in expressions]
    return {"exactly": {"deviceClassName": "gpu", "count": count, "selectors": selectors}}


def bounded(*objects: dict[str, Any]):
    return bounded_plan(inputs_of(pool(*TYPES), *objects, feature_gates=GATE))


def test_a_pod_that_takes_a_device_costs_a_node_with_one() -> None:  # R-8 R-9
    """Ten GPUs on types with one or four: no packing is cheaper than nodes with one each."""
    whole = bounded(template(), *(pod(f"p{n}") for n in range(10)))
    single = bounded(template(), pod("p"))
    assert single.bound_per_hour == pytest.approx(single.totals.price_per_hour, rel=1e-5)
    assert 9 * (single.bound_per_hour or 0) < (whole.bound_per_hour or 0) <= (whole.totals.price_per_hour or 0)


def test_a_device_of_a_smaller_set_is_one_of_the_larger_set_as_well() -> None:
    """A pod takes the only GPU of a node by memory, another takes any GPU: they need two nodes."""
    objects = [gpus_of("any", exactly()), gpus_of("big", exactly(1, BIG_MEMORY))]
    inputs = inputs_of(pool("g5.xlarge"), *objects, pod("a", "any"), pod("b", "big"), feature_gates=GATE)
    whole = bounded_plan(inputs)
    assert whole.totals.nodes == 2
    assert whole.bound_per_hour == pytest.approx(whole.totals.price_per_hour, rel=1e-5)


def test_alternatives_and_all_devices_only_loosen_it() -> None:  # R-12 R-30
    """Such requests are not counted, so the bound is that of the pods' cpu."""
    either = {
        "firstAvailable": [
            {"name": "a", "deviceClassName": "gpu", "count": 4},
            {"name": "b", "deviceClassName": "gpu"},
        ]
    }
    for request in (either, {"exactly": {"deviceClassName": "gpu", "allocationMode": "All"}}):
        whole = bounded(gpus_of("one", request), pod("p"))
        assert whole.totals.nodes == 1
        assert 0 < (whole.bound_per_hour or 0) <= (whole.totals.price_per_hour or 0)


REQUESTS = st.lists(
    st.builds(lambda count, big: exactly(count, *([BIG_MEMORY] if big else [])), st.sampled_from((1, 1, 2, 4)), st.booleans()),
    min_size=1,
    max_size=2,
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(REQUESTS, st.integers(1, 3), st.sampled_from(("100m", "1", "6"))), min_size=1, max_size=3))
def test_no_plan_costs_less_than_its_bound(mixes: list[tuple[list[dict[str, Any]], int, str]]) -> None:
    """Whatever pods ask for: a law, not an example."""
    objects = []
    for number, (requests, count, cpu) in enumerate(mixes):
        objects.append(gpus_of(f"t{number}", *requests))
        objects += [pod(f"p{number}-{n}", f"t{number}", cpu) for n in range(count)]
    whole = bounded(*objects)
    assert (whole.bound_per_hour or 0) <= (whole.totals.price_per_hour or 0) + 1e-9


def test_explain_counts_the_types_with_devices_and_the_least_with_them() -> None:
    """Of five types four have a GPU; the cheapest for one is a g4dn.xlarge."""
    (answer,) = explain(inputs_of(pool(*TYPES), template(), pod("p"), feature_gates=GATE), "pod/p")
    steps = {step.step: step.types for step in answer.answers[0].narrowing}
    assert steps["have the devices for its claims"] == 4
    # One of the GPUs of a larger node may cost less than a node of its own.
    assert 0 < (answer.least or 0) <= (answer.price or 0)
    assert (answer.least or 0) > 0.4
