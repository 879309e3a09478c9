"""The plan of NodePools and workloads that a program registers as plain objects of pulumi_kubernetes, without a NodePlan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.policy_resources import recorded_resources
from pulumi_cutlist.recorded.registered_plan import RegisteredPlan, registered_plan
from pulumi_cutlist.stack.gate import gate_stack
from pulumi_cutlist.stack.preview import preview

from cutlist.policy.gates import Verdict

PROGRAM = """
import pulumi, pulumi_kubernetes as k8s
CLASS = {"role": "KarpenterNodeRole-shop", "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
         "subnetSelectorTerms": [{"tags": {"a": "b"}}], "securityGroupSelectorTerms": [{"tags": {"a": "b"}}]}
POOL = {"limits": {"cpu": 100, "memory": "400Gi"}, "template": {"spec": {
    "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
    "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]}}}
provider = k8s.Provider("cluster", kubeconfig="{}")
opts = pulumi.ResourceOptions(provider=provider)

def custom(kind, version, name, spec):
    k8s.apiextensions.CustomResource(
        f"{name}-{kind.lower()}", api_version=version, kind=kind, metadata={"name": name}, spec=spec, opts=opts)

def workload(resource_name, replicas, image="web", **metadata):
    pod = {"containers": [{"name": "web", "image": image, "resources": {"requests": {"cpu": "1", "memory": "2Gi"}}}]}
    template = {"metadata": {"labels": {"a": "b"}}, "spec": pod}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"a": "b"}}, "template": template}
    k8s.apps.v1.Deployment(resource_name, metadata=metadata, spec=spec, opts=opts)
"""
OBJECTS = """
custom("EC2NodeClass", "karpenter.k8s.aws/v1", "default", CLASS)
custom("NodePool", "karpenter.sh/v1", "general", POOL)
"""
WEB = """
first, second = (k8s.core.v1.Namespace(name, opts=opts) for name in ("first", "second"))
workload("web", 4, provider.id, name="web", namespace=first.metadata.name)
workload("other", 2, name="web", namespace=second.metadata.name)
"""
HERE = {"aws:region": "eu-west-1"}


def planned(folder: Path, body: str, config: Mapping[str, str] | None = None) -> RegisteredPlan | None:
    (folder / "__main__.py").write_text(PROGRAM + body)
    recording = Program(folder, folder, "shop", "dev", config or {}).run(Mode.PREVIEW)
    return registered_plan(recorded_resources(recording, root=folder), config or {}, "shop")


def made(folder: Path, body: str, config: Mapping[str, str] | None = None) -> Any:
    found = planned(folder, body, config)
    assert found is not None
    assert found.made is not None, found.problems
    return found.made


def test_registered_pools_and_workloads_make_a_plan(tmp_path):
    """Also where an image, or the namespace, is known only after an update."""
    plan = made(tmp_path, OBJECTS + WEB, HERE).plan
    assert (plan.region, plan.totals.pods, plan.totals.pending) == ("eu-west-1", 6, 0)
    assert {share.workload for node in plan.nodes for share in node.pods} == {"first/deployment/web", "second/deployment/web"}
    assert any(note.code == "registered-objects" for note in plan.assumptions)


def test_objects_in_files_and_a_class_that_is_elsewhere(tmp_path):
    """A file that the program names is read; the class may be made by another tool."""
    (tmp_path / "web.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: alone}\nspec: {containers: [{name: a, image: a}]}\n"
    )
    body = (
        'custom("NodePool", "karpenter.sh/v1", "general", POOL)\nk8s.yaml.v2.ConfigFile("file", file="web.yaml", opts=opts)\n'
    )
    assert made(tmp_path, body, HERE).plan.totals.pods == 1


def test_karpenter_and_its_gates_are_those_that_the_program_installs(tmp_path):
    """Of the charts, and of a cluster's component, whose region counts as well."""
    charts = """
pulumi.ComponentResource("cutlist:index:KarpenterCharts", "charts", {"karpenterVersion": "1.14.1", "region": "us-east-1",
    "featureGates": {"nodeOverlay": True}})
"""
    found = made(tmp_path, OBJECTS + WEB + charts)
    assert (found.plan.region, str(found.inputs.options.karpenter)) == ("us-east-1", "1.14.1")
    assert found.inputs.figures.controller.is_on("NodeOverlay")
    inputs = {"region": "eu-west-1", "built_in_pools": ["general-purpose"]}
    auto = f'pulumi.ComponentResource("cutlist:index:AutoModeCluster", "auto", {inputs})\n'
    assert {node.node_pool for node in made(tmp_path, WEB + auto).plan.nodes} == {"general-purpose"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (OBJECTS + 'workload("web", provider.id, name="web")\n', "Deployment/web spec.replicas expected a whole number"),
        (OBJECTS + WEB.replace("first.metadata.name", "second.metadata.name"), "is in the input twice"),
    ],
)
def test_what_keeps_the_plan_from_being_made_is_said(tmp_path, body, reason):
    found = planned(tmp_path, body, HERE)
    assert found is not None
    assert found.made is None
    assert reason in " ".join(f"{problem.place} {problem.message}" for problem in found.problems)


def test_a_program_without_pools_or_with_a_plan_of_its_own_has_none(tmp_path):
    assert planned(tmp_path, WEB, HERE) is None
    assert planned(tmp_path, OBJECTS, HERE) is None
    own = 'pulumi.ComponentResource("cutlist:index:NodePlan", "plan", {})\n'
    assert planned(tmp_path, OBJECTS + WEB + own, HERE) is None


def test_the_region_is_missing_where_nothing_names_one(tmp_path):
    """A plan for a guessed region would be wrong, so none is made."""
    found = planned(tmp_path, OBJECTS + WEB)
    assert found is not None
    assert found.made is None
    assert [*map(str, found.problems)] == [
        "region: no region is given; allowed: aws:region or azure-native:location or azure:location of the stack"
    ]


def test_a_preview_and_a_gate_have_the_plan(tmp_path):
    """Its rules about money judge it, and no rule misses it."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    gates = {"rules": {"PL-01": {"perHour": 0.0001}}}
    config = {"aws:region": "eu-west-1", "shop:gates": gates}
    (tmp_path / "Pulumi.dev.yaml").write_text(json.dumps({"config": config}))
    (tmp_path / "__main__.py").write_text(PROGRAM + OBJECTS + WEB)
    shown = preview(tmp_path, "dev")
    assert [plan.totals.pods for plan in shown.plans] == [6]
    assert shown.bill.nodes_per_hour == shown.plans[0].totals.price_per_hour
    report = gate_stack(tmp_path, "dev", date(2026, 11, 29)).report
    broken = {one.rule for one in report.outcomes if one.verdict is Verdict.VIOLATED}
    assert "PL-01" in broken
    assert "GT-03" not in broken
