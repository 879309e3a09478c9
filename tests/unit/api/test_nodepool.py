"""The structure of a NodePool: what is read, what its defaults are, and how a wrong field or type is reported."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import Budget, Disruption, NodeClassRef, NodePool
from cutlist.core import labels
from cutlist.core.errors import InputError, Problems
from cutlist.core.quantity import Quantity
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint
from cutlist.documents.parsing import parse_documents
from tests.unit.api.manifests import POOL, REMOVED, pool, pool_problems, said

FULL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: full
  labels: {team: platform}
  annotations: {note: pool}
  deletionTimestamp: "2025-02-28T12:00:00Z"
spec:
  template:
    metadata:
      labels: {tier: web}
      annotations: {note: node}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
      - {key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r], minValues: 2}
      - {key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["4"]}
      - {key: example.com/gone, operator: DoesNotExist}
      taints: [{key: dedicated, value: web, effect: NoSchedule}]
      startupTaints: [{key: example.com/not-ready, effect: NoExecute}]
      expireAfter: 336h
      terminationGracePeriod: 24h
  disruption:
    consolidationPolicy: WhenEmpty
    consolidateAfter: 30s
    budgets:
    - {nodes: "20%", reasons: [Drifted]}
    - {nodes: "0", schedule: 0 9 * * mon-fri, duration: 8h}
  limits: {cpu: 1000, memory: 1000Gi, nodes: "20", nvidia.com/gpu: 4}
  weight: 10
status:
  nodes: 3
  newer: than we are
  conditions: [{type: Ready, status: "True", reason: Ready, message: "", lastTransitionTime: "2025-02-28T12:00:00Z"}]
"""


def read(text: str) -> NodePool:
    (document,) = parse_documents(text, "pools.yaml", Problems())
    return NodePool.read(document)


def problems_of(text: str) -> list[str]:
    with pytest.raises(InputError) as error:
        read(text)
    return [said(p) for p in error.value.problems]


def test_every_field_is_read() -> None:
    """K-69, K-72, K-87 to K-98, K-101: nothing of a full pool is lost."""
    full = read(FULL)
    assert (full.name, full.pool_labels, full.pool_annotations) == ("full", {"team": "platform"}, {"note": "pool"})
    assert (full.labels, full.annotations) == ({"tier": "web"}, {"note": "node"})
    assert full.node_class_ref == NodeClassRef(group="karpenter.k8s.aws", kind="EC2NodeClass", name="default")
    assert full.requirements == (
        Expression("karpenter.k8s.aws/instance-category", "In", ("c", "m", "r"), 2),
        Expression("karpenter.k8s.aws/instance-generation", "Gt", ("4",)),
        Expression("example.com/gone", "DoesNotExist"),
    )
    assert full.taints == (Taint("dedicated", "NoSchedule", "web"),)
    assert full.startup_taints == (Taint("example.com/not-ready", "NoExecute"),)
    assert (full.expire_after, full.termination_grace_period) == ("336h", "24h")
    assert full.disruption == Disruption(
        consolidation_policy="WhenEmpty",
        consolidate_after="30s",
        budgets=(Budget(nodes="20%", reasons=("Drifted",)), Budget(nodes="0", schedule="0 9 * * mon-fri", duration="8h")),
    )
    assert full.limits["memory"] == Quantity.parse("1000Gi")
    assert list(full.limits) == ["cpu", "memory", "nodes", "nvidia.com/gpu"]
    assert (full.weight, full.replicas, full.deleting) == (10, None, True)
    assert [(c.type, c.status) for c in full.conditions] == [("Ready", "True")]


def test_what_was_written_comes_back() -> None:
    """Texts, numbers, order and the status stay as they are, and no default is added."""
    (document,) = parse_documents(FULL, "pools.yaml", Problems())
    assert NodePool.read(document).manifest() == document.data
    assert pool().manifest() == POOL


def test_the_manifest_may_be_changed_by_its_receiver() -> None:
    """It is a copy, down to the lists."""
    one = pool()
    one.manifest()["spec"]["template"]["spec"]["requirements"].clear()
    assert one.manifest() == POOL


def test_absent_fields_have_the_defaults_of_the_api_server() -> None:
    """V-3: policy, waiting time, one budget and the lifetime."""
    plain = pool()
    assert plain.disruption == Disruption(
        consolidate_after="0s", consolidation_policy="WhenEmptyOrUnderutilized", budgets=(Budget(nodes="10%"),)
    )
    assert (plain.expire_after, plain.termination_grace_period) == ("720h", None)
    assert (plain.weight, plain.limits, plain.is_static, plain.deleting) == (0, {}, False, False)


@pytest.mark.parametrize(
    ("spec", "consolidates"),
    [
        ({}, True),
        ({"disruption": {"consolidateAfter": "0s", "consolidationPolicy": "Balanced"}}, True),
        ({"disruption": {"consolidateAfter": "0s", "consolidationPolicy": "WhenEmpty"}}, False),
        ({"disruption": {"consolidateAfter": "Never"}}, False),
        ({"replicas": 3, "limits": {}}, False),
    ],
)
def test_which_pools_consolidate_nodes_that_have_pods(spec: dict[str, Any], consolidates: bool) -> None:
    """Neither static ones, nor those that wait forever or for empty nodes."""
    assert pool(spec).consolidates_pods is consolidates


def test_an_explicit_empty_budget_list_is_no_budget() -> None:
    """V-5: unlike an absent one."""
    assert pool({"disruption": {"consolidateAfter": "0s", "budgets": []}}).disruption.budgets == ()
    assert pool({"disruption": {"consolidateAfter": "0s"}}).disruption.budgets == (Budget(),)


def test_a_null_is_an_absent_field() -> None:
    """As the API server has it."""
    assert pool({"weight": None, "template.spec.taints": None}) == pool()


def test_no_requirements_are_fine_when_the_list_is_written() -> None:
    """V-2"""
    assert pool({"template.spec.requirements": []}).requirements == ()


@pytest.mark.parametrize(
    ("removed", "said"),
    [
        ("template", "template: is missing and required"),
        ("template.spec", "template.spec: is missing and required"),
        ("template.spec.nodeClassRef", "template.spec.nodeClassRef: is missing and required"),
        ("template.spec.requirements", "template.spec.requirements: is missing and required"),
        ("template.spec.nodeClassRef.name", "template.spec.nodeClassRef.name: is missing and required"),
    ],
)
def test_required_fields(removed: str, said: str) -> None:
    """V-1"""
    assert pool_problems({removed: REMOVED}) == [said]


def test_disruption_needs_consolidate_after() -> None:
    """V-4: as 1.14 has it."""
    assert pool_problems({"disruption": {"budgets": []}}) == [
        "disruption.consolidateAfter: is missing and required as soon as spec.disruption is written; "
        "allowed: a duration such as 0s, 30s or 1m; or Never"
    ]


def test_a_pool_without_a_name_is_refused() -> None:
    """Nothing could refer to it."""
    with pytest.raises(InputError, match=r"metadata\.name: is missing and required"):
        NodePool.from_manifest({**POOL, "metadata": {}})


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("template.spec.requirments", "requirements"),
        ("disruption.consolidateafter", "consolidateAfter"),
        ("limit", "limits"),
        ("expireAfter", "spec.template.spec.expireAfter"),
        ("requirements", "spec.template.spec.requirements"),
        ("template.spec.weight", "spec.weight"),
        ("template.labels", "spec.template.metadata.labels"),
    ],
)
def test_an_unknown_field_is_named_with_the_nearest_known_one(path: str, near: str) -> None:
    """V-14: the nearest may be elsewhere in the object."""
    changes: dict[str, Any] = {"disruption": {"consolidateAfter": "0s"}} if path.startswith("disruption") else {}
    (said,) = pool_problems({**changes, path: "x"})
    assert said.startswith(f"{path}: unknown field {path.rpartition('.')[2]!r}")
    assert said.endswith(f"; did you mean {near}?")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("disruption.expireAfter", "since v1 it is spec.template.spec.expireAfter"),
        ("template.spec.kubelet", "spec.kubelet of the EC2NodeClass"),
        ("template.spec.nodeClassRef.apiVersion", "v1 takes the group alone"),
        ("ttlSecondsUntilExpired", "today it is spec.template.spec.expireAfter"),
        ("template.metadata.name", "a template has only labels and annotations"),
    ],
)
def test_fields_of_the_past_are_reported_where_they_went(path: str, said: str) -> None:
    """V-15 and the fields that v1 moved."""
    changes: dict[str, Any] = {"disruption": {"consolidateAfter": "0s"}} if path.startswith("disruption") else {}
    (found,) = pool_problems({**changes, path: "1h"})
    assert found.startswith(path)
    assert said in found


def test_a_field_in_snake_case_is_unknown() -> None:
    """Python's spelling is Python's alone."""
    assert "did you mean expireAfter?" in pool_problems({"template.spec.expire_after": "1h"})[0]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("weight", "10", "weight: found the text '10' where a whole number is needed; did you mean 10?"),
        ("weight", True, "weight: found true where a whole number is needed"),
        ("weight", 0, "weight: found 0; allowed: at least 1"),
        ("weight", 101, "weight: found 101; allowed: at most 100"),
        ("replicas", -1, "replicas: found -1; allowed: at least 0"),
        ("template", [], "template: found a list where a mapping is needed"),
        ("template.spec.requirements", {}, "template.spec.requirements: found a mapping where a list is needed"),
        ("template.spec.taints", ["a"], "template.spec.taints[0]: found the text 'a' where a mapping is needed"),
        (
            "template.metadata.labels",
            {"a": True},
            'template.metadata.labels.a: found true where text is needed; did you mean "true"?',
        ),
        (
            "template.spec.expireAfter",
            720,
            'template.spec.expireAfter: found the number 720 where text is needed; did you mean "720"?',
        ),
        (
            "template.spec.expireAfter",
            "30d",
            "template.spec.expireAfter: '30d' is not valid here; "
            "allowed: whole numbers with s, m or h, such as 30s, 10m or 1h30m; or Never",
        ),
        ("limits", {"cpu": "10GB"}, "limits.cpu: '10GB' is not a quantity"),
        ("limits", {"cpu": 1.5}, "limits.cpu: found the number 1.5 where a quantity"),
        ("limits", {"cpu": ""}, "limits.cpu: '' is not a quantity"),
        (
            "disruption",
            {"consolidateAfter": "1m", "budgets": [{"nodes": 10}]},
            "disruption.budgets[0].nodes: found the number 10",
        ),
        (
            "disruption",
            {"consolidateAfter": "1m", "consolidationPolicy": "WhenUnderutilized"},
            "disruption.consolidationPolicy: found the text 'WhenUnderutilized'; "
            "allowed: WhenEmpty, WhenEmptyOrUnderutilized, Balanced; did you mean WhenEmptyOrUnderutilized?",
        ),
    ],
)
def test_wrong_types_and_values(path: str, value: object, said: str) -> None:
    """What was found, what is allowed, and the nearest right thing. V-8, V-9, V-10, V-65."""
    (found,) = pool_problems({path: value})
    assert found.startswith(said)


@pytest.mark.parametrize("text", ["0s", "30s", "1h30m", "Never"])
def test_consolidate_after_takes(text: str) -> None:
    """V-6"""
    assert pool({"disruption": {"consolidateAfter": text}}).disruption.consolidate_after == text


@pytest.mark.parametrize("text", ["1.5h", "-1s", "1d", "500ms", "never", ""])
def test_consolidate_after_refuses(text: str) -> None:
    """V-6"""
    assert "disruption.consolidateAfter" in pool_problems({"disruption": {"consolidateAfter": text}})[0]


def test_a_grace_period_cannot_be_never() -> None:
    """V-7: expiry can."""
    assert pool({"template.spec.expireAfter": "Never"}).expire_after == "Never"
    assert "'Never' is not valid here" in pool_problems({"template.spec.terminationGracePeriod": "Never"})[0]


def test_too_many_entries() -> None:
    """V-26, V-46, V-56"""
    many = [{"key": f"example.com/k{i}", "operator": "Exists"} for i in range(101)]
    assert pool({"template.spec.requirements": many[:100]}).requirements
    assert pool_problems({"template.spec.requirements": many}) == [
        "template.spec.requirements: has 101 entries; allowed: at most 100 entries"
    ]
    assert "at most 100" in pool_problems({"template.metadata.labels": {f"k{i}": "" for i in range(101)}})[0]
    assert "at most 50" in pool_problems({"disruption": {"consolidateAfter": "0s", "budgets": [{"nodes": "1"}] * 51}})[0]


def test_bare_numbers_are_refused_with_the_quoted_form() -> None:
    """V-27: each value with its line."""  # K-78
    text = FULL.replace("values: [c, m, r], minValues: 2", "values: [4, 8.5]").replace('values: ["4"]', "values: [4]")
    assert problems_of(text) == [
        "pools.yaml:16 spec.template.spec.requirements[0].values[0]: found the number 4 where text is needed; "
        'did you mean "4"?',
        "pools.yaml:16 spec.template.spec.requirements[0].values[1]: found the number 8.5 where text is needed; "
        'did you mean "8.5"?',
        "pools.yaml:17 spec.template.spec.requirements[1].values[0]: found the number 4 where text is needed; "
        'did you mean "4"?',
    ]


def test_an_unknown_field_does_not_hide_broken_rules() -> None:
    """One round shows everything."""
    problems = pool_problems({"limit": {}, "limits": {"cpu": -1}})
    assert [s.partition(":")[0] for s in problems] == ["limit", "limits.cpu"]


def test_the_registry_is_that_of_the_node_class() -> None:
    """AWS labels mean something with AWS classes only."""
    path = "template.spec.nodeClassRef.group"
    assert pool().registry is labels.AWS
    assert pool({path: "karpenter.azure.com"}).registry is labels.AZURE
    assert pool({path: "karpenter.kwok.sh"}).registry is labels.CORE
