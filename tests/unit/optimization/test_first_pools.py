"""A NodePool in two: a copy that is tried first, and the NodePool itself."""

from __future__ import annotations

from typing import Any

from cutlist import NodePool
from cutlist.optimization.first_pools import first_pool, may_have_copy, pools_on
from cutlist.optimization.pool_terms import FirstPool, PoolTerms

CPU = "karpenter.k8s.aws/instance-cpu"
FIRST = FirstPool(25, PoolTerms(less_cpu=16))


def pool(name: str = "general", metadata: dict[str, Any] | None = None, **spec: Any) -> NodePool:
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    template = {"metadata": {"labels": {"team": "a"}}, "spec": {"nodeClassRef": reference, "requirements": []}}
    whole = {"metadata": {"name": name, **(metadata or {})}, "spec": {"template": template, **spec}}
    return NodePool.from_manifest({"apiVersion": "karpenter.sh/v1", "kind": "NodePool", **whole})


def test_a_copy_has_its_own_terms_and_a_higher_weight_and_no_limit_that_nobody_wrote():
    whole = pool(weight=7)
    own, copy = pools_on(whole, PoolTerms(less_cpu=64, first=FIRST))
    assert own == PoolTerms(less_cpu=64).on(whole)
    assert (copy.name, copy.weight, dict(copy.limits)) == ("general-first", 8, {})
    assert [(e.key, e.values) for e in copy.requirements] == [(CPU, ("16",))]
    assert (copy.labels, copy.node_class_ref, copy.disruption) == (whole.labels, whole.node_class_ref, whole.disruption)


def test_a_copy_and_its_original_share_the_limits_in_one_proportion():
    """Cut differently for each resource, the part of one would end before that of the other."""
    limits = {"cpu": "1000", "memory": "1000Gi", "nodes": "10", "nvidia.com/gpu": "7"}
    own, copy = pools_on(pool(limits=limits), PoolTerms(first=FIRST))
    assert {name: str(limit) for name, limit in copy.limits.items()} == {
        "cpu": "250",
        "memory": "250Gi",
        "nodes": "2",
        "nvidia.com/gpu": "1",
    }
    assert {name: str(limit) for name, limit in own.limits.items()} == {
        "cpu": "750",
        "memory": "750Gi",
        "nodes": "8",
        "nvidia.com/gpu": "6",
    }


def test_a_copy_has_nothing_that_only_the_original_is():
    """A uid, a status or what kubectl applied last would be refused or wrong."""
    applied = {"kubectl.kubernetes.io/last-applied-configuration": "{}", "team": "a"}
    stored = pool(metadata={"uid": "1", "resourceVersion": "2", "annotations": applied})
    metadata = first_pool(stored, FIRST).manifest()["metadata"]
    assert metadata == {"name": "general-first", "annotations": {"team": "a"}}


def test_a_pool_has_a_copy_only_where_weights_and_names_allow_one():
    assert may_have_copy(pool(), [pool()])
    assert not may_have_copy(pool(weight=100), [])
    assert not may_have_copy(pool(replicas=2), [])
    assert not may_have_copy(pool(), [pool(), pool("general-first")])
    assert not may_have_copy(pool("a" * 58), [])
