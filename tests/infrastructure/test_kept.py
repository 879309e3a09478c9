"""What comes back from a cloud: filled in where a program says nothing, in another order and spelling, and never a change."""

from __future__ import annotations

import importlib
import inspect
import json
from functools import cache
from typing import Any

import pytest
from pulumi import _types as pulumi_types
from pulumi_cutlist.program.offline import Mode

from tests.account.kept import KEPT, changes, read_back, refreshed
from tests.account.values import UNKNOWN, plain
from tests.infrastructure.projects import STACKS, recorded
from tests.infrastructure.sdk_inputs import argument_class

pytestmark = pytest.mark.xdist_group("stacks")  # one worker records them and imports the SDKs

QUEUE, CLUSTER, ROLE = "aws:sqs/queue:Queue", "aws:eks/cluster:Cluster", "aws:iam/role:Role"
GROUP = "aws:eks/nodeGroup:NodeGroup"


@cache
def outputs(type_: str) -> dict[str, Any]:
    """Return the outputs of a type of resource, with what the SDK declares of each."""
    name = type_.rpartition(":")[2]
    class_ = getattr(importlib.import_module(argument_class(type_).__module__), name)
    getters = {name: value for name, value in inspect.getmembers(class_) if isinstance(value, property)}
    return {_camel(name): getter.fget.__annotations__["return"] for name, getter in getters.items()}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


@pytest.mark.parametrize("type_", sorted(KEPT))
def test_what_the_cloud_fills_in_is_computed_in_the_sdk(type_):
    """An output that is always there, of an input that may be left out: what the provider takes from the cloud as it is."""
    optional = outputs(type_)
    assert [path for path in KEPT[type_].cloud if "." not in path and "Optional" in str(optional[path])] == []


@pytest.mark.parametrize("type_", sorted(KEPT))
def test_paths_of_what_is_kept_are_inputs_of_the_sdk(type_):
    known = pulumi_types.input_type_types(argument_class(type_)).keys()
    kept = KEPT[type_]
    paths = {*kept.cloud, *kept.provider, *kept.sets, *kept.documents, *kept.spelled}
    assert {path.partition(".")[0] for path in paths} <= known


@pytest.mark.parametrize("stack", STACKS)
def test_nothing_that_comes_back_is_a_change(stack):
    """Neither after an update nor after a refresh, of any resource of a stack."""
    resources = [(r.type, plain(r.inputs)) for r in recorded(stack, Mode.UPDATE).resources.values() if r.type in KEPT]
    states = [(type_, inputs, read_back(type_, inputs)) for type_, inputs in resources]
    assert [(type_, paths) for type_, inputs, state in states if (paths := changes(type_, inputs, state, inputs))] == []
    fresh = [(type_, inputs, refreshed(inputs, state), state) for type_, inputs, state in states]
    assert [(type_, paths) for type_, inputs, olds, state in fresh if (paths := changes(type_, olds, state, inputs))] == []


CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any], set[str]]] = {
    "the same": (QUEUE, {"delaySeconds": 1}, {"delaySeconds": 1}, set()),
    "another number": (QUEUE, {"delaySeconds": 1}, {"delaySeconds": 2}, {"delaySeconds"}),
    "a default, written": (QUEUE, {}, {"delaySeconds": 0}, set()),
    "another than the default": (QUEUE, {}, {"delaySeconds": 5}, {"delaySeconds"}),
    "left to the cloud again": (QUEUE, {"sqsManagedSseEnabled": True}, {}, set()),
    "a tag less": (QUEUE, {"tags": {"a": "1", "b": "2"}}, {"tags": {"a": "1"}}, {"tags.b"}),
    "no tags": (QUEUE, {"tags": {"a": "1"}}, {}, {"tags"}),
    "subnets in another order": (
        *(CLUSTER, {"vpcConfig": {"subnetIds": ["subnet-a", "subnet-b"]}}),
        *({"vpcConfig": {"subnetIds": ["subnet-b", "subnet-a"]}}, set()),
    ),
    "another subnet": (
        *(CLUSTER, {"vpcConfig": {"subnetIds": ["subnet-a", "subnet-b"]}}),
        *({"vpcConfig": {"subnetIds": ["subnet-a", "subnet-c"]}}, {"vpcConfig.subnetIds"}),
    ),
    "instance types in another order": (
        *(GROUP, {"instanceTypes": ["m7g.large", "m6g.large"]}),
        *({"instanceTypes": ["m6g.large", "m7g.large"]}, {"instanceTypes"}),
    ),
    "a taint less": (
        *(GROUP, {"taints": [{"key": "a", "effect": "NO_SCHEDULE"}]}),
        *({"taints": []}, {"taints"}),
    ),
    "a pattern in another spelling": (
        *("aws:cloudwatch/eventRule:EventRule", {"eventPattern": '{"source": ["aws.ec2"], "detail": {"a": ["b"]}}'}),
        *({"eventPattern": '{"detail":{"a":["b"]},"source":["aws.ec2"]}'}, set()),
    ),
    "another issuer, with its scheme": (
        *("aws:iam/openIdConnectProvider:OpenIdConnectProvider", {"url": "https://a.example"}, {"url": "https://b.example"}),
        {"url"},
    ),
    "known after the update": (ROLE, {"name": "nodes"}, {"name": UNKNOWN}, {"name"}),
}


@pytest.mark.parametrize(("type_", "old", "new", "paths"), CASES.values(), ids=list(CASES))
def test_a_change_is_what_a_provider_takes_for_one(type_, old, new, paths):
    state = read_back(type_, old)
    assert changes(type_, old, state, new) == changes(type_, refreshed(old, state), state, new) == paths


def trust(**statement: Any) -> dict[str, str]:
    """Return the inputs of a role that a statement lets take it on."""
    return {"assumeRolePolicy": json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})}


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        (trust(Action=["b", "a"]), trust(Action=["a", "b"]), True),
        (trust(Action=["a"]), trust(Action="a"), True),
        (trust(Principal={"AWS": "111122223333"}), trust(Principal={"AWS": "arn:aws:iam::111122223333:root"}), True),
        (trust(Condition={"Bool": {"a": True}}), trust(Condition={"Bool": {"a": "true"}}), True),
        (trust(Action=["a", "b"]), trust(Action=["a", "c"]), False),
        (trust(Principal={"AWS": "111122223333"}), trust(Principal={"AWS": "444455556666"}), False),
    ],
)
def test_documents_are_compared_by_what_they_say(old, new, is_same):
    state = read_back(ROLE, old)
    assert state["assumeRolePolicy"] != old["assumeRolePolicy"]
    assert (changes(ROLE, old, state, new) == set()) is is_same
