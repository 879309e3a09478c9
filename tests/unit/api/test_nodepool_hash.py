"""The hash of a NodePool: which changes drift its nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import NodePool
from cutlist.api.nodepool_hash import stored_template_hash
from cutlist.core.errors import InputError
from cutlist.core.labels import AUTO_GROUP
from tests.nodepool_hash import nodepool_hash
from tests.recorded import VECTORS

CLASS = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
GPU = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}
EXEC = {"key": "b", "effect": "NoExecute"}


def pool(metadata: Any = None, spec: Mapping[str, Any] | None = None, **more: Any) -> NodePool:
    """A pool with a template; `more` goes beside it."""
    template: dict[str, Any] = {"spec": {"nodeClassRef": CLASS, "requirements": [], **(spec or {})}}
    if metadata is not None:
        template["metadata"] = metadata
    manifest = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "default"}}
    return NodePool.from_manifest({**manifest, "spec": {"template": template, **more}})


@pytest.mark.parametrize(
    ("metadata", "spec", "expected"),
    [
        (None, {}, "6821555240594823858"),
        ({}, {}, "6821555240594823858"),
        ({"labels": {"team": "a"}}, {}, "1617844334411263980"),
        ({"annotations": {"a": "b"}}, {}, "4269314868079315848"),
        (None, {"taints": [GPU]}, "13579916569126205748"),
        (None, {"taints": [EXEC, GPU]}, "6376482369028303063"),
        (None, {"taints": []}, "17700736223175069915"),
        (None, {"expireAfter": "Never"}, "17369979337536258260"),
        (None, {"terminationGracePeriod": "24h"}, "16144107721237908861"),
    ],
)
def test_worked_examples(metadata, spec, expected):
    """The published numbers, which Karpenter's own code gives."""
    # H-4, V-132
    assert nodepool_hash(pool(metadata, spec)) == expected


@pytest.mark.parametrize(
    "change",
    [
        {"metadata": {"labels": {"a": "b"}}},
        {"metadata": {"annotations": {"a": "b"}}},
        {"spec": {"taints": [GPU]}},
        {"spec": {"startupTaints": [GPU]}},
        {"spec": {"expireAfter": "24h"}},
        {"spec": {"expireAfter": "Never"}},
        {"spec": {"expireAfter": "0s"}},
        {"spec": {"terminationGracePeriod": "0s"}},
        {"spec": {"nodeClassRef": {**CLASS, "name": "other"}}},
    ],
)
def test_what_nodes_are_made_of_changes_the_hash(change):
    """Labels, annotations, taints, lifetime and node class."""
    # D-67, H-6
    assert nodepool_hash(pool(**change)) != nodepool_hash(pool())


@pytest.mark.parametrize(
    "change",
    [
        {"weight": 10},
        {"limits": {"cpu": "10"}},
        {"replicas": 3},
        {"disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "5m", "budgets": [{"nodes": "1"}]}},
        {"spec": {"requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}]}},
        {"spec": {"expireAfter": "43200m"}},
    ],
)
def test_what_does_not_change_the_hash(change):
    """What says when and how many, and another spelling of the same; requirements are compared in another way."""
    # D-67
    assert nodepool_hash(pool(**change)) == nodepool_hash(pool())


def test_never_and_zero_differ():
    """A node that never expires is not one that expires at once."""
    # H-6
    assert nodepool_hash(pool(spec={"expireAfter": "Never"})) != nodepool_hash(pool(spec={"expireAfter": "0s"}))


TAINTS = st.lists(
    st.fixed_dictionaries({"key": st.sampled_from("abc"), "effect": st.sampled_from(["NoSchedule", "NoExecute"])}), max_size=4
)


@given(TAINTS, st.randoms(use_true_random=False))
def test_the_order_of_taints_does_not_matter(taints, random):
    """Nor does a pair of equal ones, which cancel."""
    # H-5
    shuffled = random.sample(taints, len(taints))
    assert stored_template_hash({"spec": {"taints": taints}}) == stored_template_hash({"spec": {"taints": shuffled}})
    assert stored_template_hash({"spec": {"taints": [*taints, GPU, GPU]}}) == stored_template_hash({"spec": {"taints": taints}})


def test_pools_of_auto_mode_have_the_observed_hashes():
    """Also when its own defaults are not written: two weeks, and a day of grace."""
    # H-3, V-112, V-132
    general, system = (row["object"] for row in recorded() if row["name"] in ("observed-general-purpose", "observed-system"))
    assert nodepool_hash(NodePool.from_manifest(general)) == "4012513481623584108"
    assert nodepool_hash(NodePool.from_manifest(system)) == "4982684901400657622"
    del general["spec"]["template"]["spec"]["expireAfter"], general["spec"]["template"]["spec"]["terminationGracePeriod"]
    assert nodepool_hash(NodePool.from_manifest(general)) == "4012513481623584108"


def recorded() -> list[dict[str, Any]]:
    return list(json.loads((VECTORS / "api" / "hash" / "nodepool.json").read_text()))


def test_every_recorded_hash_is_reproduced():
    """From what the API server stores."""
    # H-1, H-2
    rows = recorded()
    assert [stored_template_hash(row["stored"]["spec"]["template"]) for row in rows] == [row["hash"] for row in rows]


def test_pools_have_the_hash_of_what_is_stored():
    """Also when defaults are not written; pools of EKS Auto Mode have defaults of their own."""
    # H-1
    checked = 0
    for row in recorded():
        try:
            own = NodePool.from_manifest(row["object"])
        except InputError:  # a pool that a cluster may have from earlier days
            continue
        if own.node_class_ref.group != AUTO_GROUP:
            assert nodepool_hash(own) == row["hash"], row["name"]
            checked += 1
    assert checked > 50
