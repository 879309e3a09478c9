"""The pack tells a stack of which no resource is judged, for a pass says nothing of it."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace

import pytest
from cutlist_policies.gates import gates_of
from cutlist_policies.policies import JUDGED, policies
from cutlist_policies.reading import Reader
from pulumi_policy import EnforcementLevel

_STACK = "pulumi:pulumi:Stack"


def said(*types: str) -> list[str]:
    (policy,) = (one for one in policies(gates_of({}, "cutlist"), date(2026, 1, 5), Reader()) if one.name == JUDGED)
    assert policy.enforcement_level is EnforcementLevel.ADVISORY
    messages: list[str] = []
    resources = [SimpleNamespace(resource_type=type_) for type_ in types]
    policy.validate(SimpleNamespace(resources=resources), lambda message, _: messages.append(message))
    return messages


@pytest.mark.parametrize(("types", "count"), [((_STACK,), 0), ((_STACK, "aws:dynamodb/table:Table", "random:index/id:Id"), 2)])
def test_a_stack_without_anything_to_judge_is_told_so(types, count):
    (message,) = said(*types)
    assert message.startswith("Nothing is judged: ")
    assert f"about none of {count} resources" in message


def test_a_stack_with_a_node_pool_is_judged():
    assert said(_STACK, "kubernetes:karpenter.sh/v1:NodePool", "aws:s3/bucket:Bucket") == []
