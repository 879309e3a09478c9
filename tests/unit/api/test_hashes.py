"""The hashes by which Karpenter notices that an object has changed."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import AKSNodeClass, NodePool
from cutlist.api.aksnodeclass_hash import stored_hash
from cutlist.api.nodepool_hash import stored_template_hash
from cutlist.providers import eks_auto
from tests.nodepool_hash import nodepool_hash
from tests.unit.api.manifests import POOL, changed

TAINT = {"key": "a", "effect": "NoSchedule"}


def hash_of(changes: dict[str, Any]) -> str:
    """The hash of the valid pool with some paths changed, as it is stored."""
    return stored_template_hash(NodePool.from_manifest(changed(POOL, changes)).stored()["spec"]["template"])


@pytest.mark.parametrize(("name", "number"), [("general-purpose", "4012513481623584108"), ("system", "4982684901400657622")])
def test_the_built_in_pools_have_the_hashes_that_were_seen(name, number):
    """V-112, H-3"""
    (pool,) = eks_auto.built_in_pools([name])
    assert nodepool_hash(pool) == number
    assert stored_template_hash(pool.stored()["spec"]["template"]) == number


@pytest.mark.parametrize(
    "change",
    [
        {"spec.template.spec.requirements": []},
        {"spec.limits": {"cpu": 1}},
        {"spec.weight": 3},
        {"spec.replicas": 3},
        {"spec.disruption": {"consolidateAfter": "1m", "budgets": []}},
        {"spec.template.metadata": {}},
        {"spec.template.spec.expireAfter": "43200m"},
    ],
)
def test_what_keeps_the_hash_of_a_pool(change):
    """V-133, H-4: no node drifts by it."""
    assert hash_of(change) == hash_of({}) == "6821555240594823858"


@pytest.mark.parametrize(
    "change",
    [
        {"spec.template.metadata.labels": {"a": "b"}},
        {"spec.template.spec.taints": [TAINT]},
        {"spec.template.spec.taints": []},
        {"spec.template.spec.expireAfter": "Never"},
        {"spec.template.spec.terminationGracePeriod": "0s"},
        {"spec.template.spec.nodeClassRef.name": "other"},
    ],
)
def test_what_changes_the_hash_of_a_pool(change):
    """V-133, V-136, H-4, H-6: its nodes drift."""
    assert hash_of(change) != hash_of({})


def test_the_order_of_taints_does_not_matter():
    """V-136, H-5: and two equal ones cancel each other."""
    other = {"key": "b", "effect": "NoExecute"}
    one, two = (hash_of({"spec.template.spec.taints": taints}) for taints in ([TAINT, other], [other, TAINT]))
    assert one == two


def test_the_hash_of_a_class_on_azure():
    """The one of an empty class is known; defaults written out and tags keep it, any other field changes it."""
    plain = stored_hash(AKSNodeClass(name="a").stored()["spec"])
    assert plain == "11637731675550486674"
    assert stored_hash(AKSNodeClass(name="b", image_family="Ubuntu", tags={"a": "b"}).stored()["spec"]) == plain
    assert stored_hash(AKSNodeClass(name="a", max_pods=30).stored()["spec"]) != plain
