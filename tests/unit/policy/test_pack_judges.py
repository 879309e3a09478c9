"""The pack says when no resource of a stack is judged, and that nothing bounds what NodePools cost, as the gate without an
engine does: by what resources contain."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from cutlist_policies.gates import gates_of
from cutlist_policies.policies import OWN_ADVICE, policies
from cutlist_policies.reading import Reader
from pulumi_policy import EnforcementLevel

_STACK = "pulumi:pulumi:Stack"
_NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
_MANIFEST = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "general"}, "spec": {}}


def shown(type_: str, name: str = "it", **props: Any) -> Any:
    """Return a resource as an engine shows it."""
    opts = SimpleNamespace(protect=False, ignore_changes=[])
    return SimpleNamespace(resource_type=type_, name=name, urn=f"urn:pulumi:dev::demo::{type_}::{name}", props=props, opts=opts)


def advice(*resources: Any) -> list[str]:
    gates = gates_of({"cutlist:gates": '{"profile": "recommended"}'}, "cutlist")
    (policy,) = (one for one in policies(gates, date(2026, 1, 5), Reader()) if one.name == OWN_ADVICE)
    assert policy.enforcement_level is EnforcementLevel.ADVISORY
    messages: list[str] = []
    policy.validate(SimpleNamespace(resources=[shown(_STACK), *resources]), lambda message, _: messages.append(message))
    return messages


@pytest.mark.parametrize(
    ("resources", "count"),
    [
        ((), 0),
        ((shown("aws:dynamodb/table:Table"), shown("random:index/id:Id")), 2),
        ((shown("kubernetes:core/v1:ConfigMap", metadata={"name": "settings"}),), 1),
        ((shown("kubernetes:core/v1:ConfigMapList", items=[]),), 1),
        ((shown("kubernetes:argoproj.io/v1alpha1:Application", spec={}),), 1),
    ],
    ids=["nothing", "no rule's types", "another ConfigMap", "an empty list", "what nobody can see into"],
)
def test_a_stack_without_anything_to_judge_is_reported(resources: tuple[Any, ...], count: int):
    (message,) = advice(*resources)
    assert message.startswith("Nothing is judged: ")
    assert f"concern none of the {count} resources" in message


@pytest.mark.parametrize(
    "pool",
    [
        shown(_NODE_POOL, **_MANIFEST),
        shown(f"{_NODE_POOL}List", apiVersion="karpenter.sh/v1", kind="NodePoolList", items=[_MANIFEST]),
        shown("kubernetes:yaml/v2:ConfigGroup", objs=[_MANIFEST]),
        shown("kubernetes:apiextensions.k8s.io:CustomResource", **_MANIFEST),
        shown("github:index/repositoryFile:RepositoryFile", content=str(_MANIFEST).replace("'", '"')),
    ],
    ids=["registered", "in a list", "in a group", "of any kind", "in a text"],
)
def test_a_stack_with_a_node_pool_is_judged_wherever_it_is(pool: Any):
    """Of what NodePools may cost nothing is said in these gates, which GT-08 reports."""
    (message,) = advice(pool, shown("aws:s3/bucket:Bucket"))
    assert message.startswith("GT-08 ")
