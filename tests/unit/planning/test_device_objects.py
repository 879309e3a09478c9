"""Objects of dynamic resource allocation that cannot be read are named with their file and path, and nothing falls over."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import simulate
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import CORE
from cutlist.devices.inventory import DeviceInventory
from cutlist.documents.document import Document
from cutlist.planning.device_objects import device_inventory
from tests.examples import examples
from tests.unit.planning.test_devices import GATE, inputs_of, pod, pool, template

SELECTORS = [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}]
ASKED = {"deviceClassName": "gpu", "selectors": SELECTORS, "count": 1, "capacity": {"requests": {"memory": "1Gi"}}}
REQUESTS = [{"name": "a", "exactly": ASKED}, {"name": "b", "firstAvailable": [{"name": "c", **ASKED}]}]
CONSTRAINTS = [{"requests": ["a"], "matchAttribute": "gpu.example.com/numa"}]
DEVICES = {"requests": REQUESTS, "constraints": CONSTRAINTS}
RESULTS = [{"request": "a", "driver": "gpu.example.com", "pool": "n", "device": "d", "consumedCapacity": {"memory": "1Gi"}}]
TERMS = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "k", "operator": "In", "values": ["v"]}]}]}
STATUS = {"allocation": {"devices": {"results": RESULTS}, "nodeSelector": TERMS}, "reservedFor": [{"name": "p", "uid": "u"}]}
VALUES = {"a": {"string": "x"}, "b": {"int": 1}, "c": {"bool": True}, "d": {"version": "1.0.0"}}
POLICY = {"default": "1Gi", "validRange": {"min": "1Gi", "max": "8Gi", "step": "1Gi"}}
DEVICE = {
    "name": "d",
    "attributes": VALUES,
    "capacity": {"memory": {"value": "8Gi", "requestPolicy": POLICY}},
    "allowMultipleAllocations": True,
    "consumesCounters": [{"counterSet": "s", "counters": {"memory": {"value": "8Gi"}}}],
}
SLICE = {"driver": "gpu.example.com", "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1}}
OLD_DEVICE = {"name": "d", "basic": {name: part for name, part in DEVICE.items() if name != "name"}}


def made(kind: str, version: str = "v1", **parts: Any) -> dict[str, Any]:
    return {"apiVersion": f"resource.k8s.io/{version}", "kind": kind, "metadata": {"name": "n"}, **parts}


OBJECTS = [
    made("DeviceClass", spec={"selectors": SELECTORS, "extendedResourceName": "example.com/gpu"}),
    made("ResourceClaim", spec={"devices": DEVICES}, status=STATUS),
    made("ResourceClaimTemplate", spec={"spec": {"devices": DEVICES}}),
    made("ResourceSlice", spec={**SLICE, "nodeName": "n", "devices": [DEVICE]}),
    made(
        "ResourceSlice",
        spec={**SLICE, "nodeSelector": TERMS, "sharedCounters": [{"name": "s", "counters": {"memory": {"value": "8Gi"}}}]},
    ),
    made("ResourceClaim", "v1beta1", spec={"devices": {"requests": [{"name": "a", **ASKED}]}}, status=STATUS),
    made("ResourceSlice", "v1beta1", spec={**SLICE, "allNodes": True, "devices": [OLD_DEVICE]}),
]
STORED = [{**o, "metadata": {**o["metadata"], "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z"}} for o in OBJECTS]


def read(objects: list[Any]) -> tuple[DeviceInventory, list[str]]:
    problems = Problems()
    documents = [Document(Place("devices.yaml", n), o, {}) for n, o in enumerate(objects) if isinstance(o.get("kind"), str)]
    return device_inventory(documents, CORE, problems), [str(problem) for problem in problems.found]


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield (*path, key)
        yield from paths_in(member, (*path, key))


PLACES = [(n, path) for n, o in enumerate(OBJECTS) for path in paths_in(o) if path[0] in ("spec", "status")]
JUNK = st.sampled_from([None, "", "x", -1, 1.5, True, [], ["x"], [None], {}, {"x": "y"}, [[]], [{}]])


@given(st.sampled_from(PLACES), JUNK, st.booleans(), st.booleans())
@examples(1)
def test_junk_anywhere_is_read_or_reported(where: tuple[int, tuple[Any, ...]], junk: Any, gone: bool, stored: bool) -> None:
    """Also in objects of a cluster, from which nothing is reported as missing."""
    index, path = where
    objects = [copy.deepcopy(each) for each in (STORED if stored else OBJECTS)]
    at = objects[index]
    for key in path[:-1]:
        at = at[key]
    if gone:
        del at[path[-1]]
    else:
        at[path[-1]] = junk
    _, said = read(objects)
    assert all(message.startswith("devices.yaml") for message in said)


@pytest.mark.parametrize("objects", [OBJECTS, STORED])
def test_what_is_in_order_is_read(objects: list[Any]) -> None:
    inventory, said = read(objects)
    assert said == []
    assert (len(inventory.classes), len(inventory.templates), len(inventory.slices)) == (1, 1, 3)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"count": "two"}, "exactly.count: expected a whole number, found 'two'"),
        ({"selectors": [{"cel": {"expression": "device.attributes["}}]}, "cel.expression: the expression does not compile"),
        ({"selectors": "gpu"}, "exactly.selectors: expected a list"),
    ],
)
def test_a_mistake_in_a_claim_stops_a_plan(request_: dict[str, Any], said: str) -> None:
    """As it would stop the API server; the pods would wait for a reason that is Karpenter's, and hard to read."""
    with pytest.raises(InputError) as error:
        inputs_of(pool("g4dn.xlarge"), template(**request_), pod("a"), feature_gates=GATE)
    assert said in str(error.value)


def test_a_karpenter_that_knows_no_claims_cannot_plan_them() -> None:
    """The option is refused, as a feature gate of a later version is."""
    with pytest.raises(InputError, match=r"dra: Karpenter 1\.14 plans no pods with ResourceClaims; allowed: 1\.15 or a later"):
        inputs_of(pool("g4dn.xlarge"), template(), pod("a"), dra=True, karpenter="1.14")


def test_a_simulation_with_claims_is_not_recorded() -> None:
    """A recording has no devices; what can be done instead is said."""
    inputs = inputs_of(pool("g4dn.xlarge"), template(), pod("a"), feature_gates=GATE)
    with pytest.raises(InputError, match=r"record: recordings have no devices.*; allowed: a simulation without"):
        simulate(inputs, days=0.1, record=print)
