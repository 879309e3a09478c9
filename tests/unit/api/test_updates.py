"""What may not change once an object is there, and what may stay as it was."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.api.ec2nodeclass_rules import EC2_NODE_CLASS
from cutlist.api.nodeclaim_rules import NODE_CLAIM
from cutlist.api.nodepool_rules import NODE_POOL
from cutlist.api.validation import ObjectKind, validate
from cutlist.core.errors import Layer
from tests.unit.api.manifests import CLASS, POOL, REMOVED, changed

CLAIM: dict[str, Any] = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodeClaim",
    "metadata": {"name": "general-1"},
    "spec": {
        "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
        "requirements": [{"key": "karpenter.sh/nodepool", "operator": "In", "values": ["general"]}],
    },
}
REF = "spec.template.spec.nodeClassRef"


def said(kind: ObjectKind, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What is wrong with an update, as `path: message`."""
    return [f"{finding.path}: {finding.message}" for finding in validate(kind, new, old).findings]


@pytest.mark.parametrize("member", ["group", "kind"])
def test_the_kind_of_a_pools_class_is_forever(member):
    """V-12: not its name."""
    assert said(NODE_POOL, POOL, changed(POOL, {f"{REF}.{member}": "Other"})) == [
        f"{REF}.{member}: nodeClassRef.{member} is immutable"
    ]
    assert said(NODE_POOL, POOL, changed(POOL, {f"{REF}.name": "other"})) == []


def test_a_new_object_breaks_no_rule_on_updates():
    """V-13"""
    assert validate(NODE_POOL, POOL).findings == []
    assert validate(NODE_CLAIM, CLAIM).findings == []


def test_a_pool_stays_static_or_dynamic():
    """V-63: the number of a static one may change."""
    two, five = (changed(POOL, {"spec.replicas": number}) for number in (2, 5))
    text = "Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes"
    assert said(NODE_POOL, POOL, two) == said(NODE_POOL, two, POOL) == [f"spec.replicas: {text}"]
    assert said(NODE_POOL, two, five) == []


@pytest.mark.parametrize("change", [{"spec.expireAfter": "1h"}, {"spec.taints": []}, {"spec.requirements": []}])
def test_a_claim_cannot_change(change):
    """V-66: in nothing of its spec; a default that is written out is not a change."""
    assert said(NODE_CLAIM, CLAIM, changed(CLAIM, change)) == ["spec: spec is immutable"]
    assert said(NODE_CLAIM, CLAIM, changed(CLAIM, {"spec.expireAfter": "720h", "metadata.labels": {"a": "b"}})) == []


def test_a_claim_says_which_pool_it_is_of():
    """V-67: a key that no NodePool may use."""
    assert validate(NODE_CLAIM, CLAIM).findings == []
    requirement = {"spec.template.spec.requirements": CLAIM["spec"]["requirements"]}
    assert [finding.layer for finding in validate(NODE_POOL, changed(POOL, requirement)).findings] == [Layer.RULE]


def test_the_identity_of_a_class_may_change():
    """V-103: to another role, or to a profile."""
    assert said(EC2_NODE_CLASS, CLASS, changed(CLASS, {"spec.role": "other"})) == []
    assert said(EC2_NODE_CLASS, CLASS, changed(CLASS, {"spec.role": REMOVED, "spec.instanceProfile": "p"})) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("spec.weight", 0),
        ("spec.template.metadata.labels", {"example.com/a": "x" * 64}),
        ("spec.template.spec.requirements", [{"key": "a", "operator": "In", "values": []}]),
    ],
)
def test_what_was_wrong_before_may_stay(field, value):
    """The API server looks at what changes, and refuses only that; Karpenter looks at all of it."""
    old = changed(POOL, {field: value})
    new = changed(old, {"spec.limits": {"cpu": 10}})
    assert {f.layer for f in validate(NODE_POOL, new, old).findings} <= {Layer.RUNTIME}
    assert {f.layer for f in validate(NODE_POOL, new).findings} & {Layer.SCHEMA, Layer.RULE}


def test_a_rule_that_cannot_be_evaluated_lets_nothing_stay():
    """A requirement without any values, where the rule asks for their number."""
    old = changed(POOL, {"spec.template.spec.requirements": [{"key": "a", "operator": "In"}]})
    assert said(NODE_POOL, old, changed(old, {"spec.weight": 1})) == [
        "spec.template.spec.requirements[0]: requirements with operator 'In' must have a value defined"
    ]
