"""A whole cluster of a program in another language shows its nodes by itself, and is compared with a NodePlan beside it."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from pulumi import automation

from tests.engine.engine import ROOT, Engine
from tests.engine.yaml_program import register

pytestmark = pytest.mark.xdist_group("engine-yaml")

Preview: TypeAlias = Callable[[dict[str, Any]], str]
POOL = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "own"},
    "spec": {
        "limits": {"cpu": 100},
        "template": {
            "spec": {
                "nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"},
                "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}],
            }
        },
    },
}
CLUSTER = {
    "type": "cutlist:AutoModeCluster",
    "properties": {
        "clusterName": "batch",
        "region": "eu-west-1",
        "accountId": "111122223333",
        "kubernetesVersion": "1.35",
        "admins": {"deployer": "arn:aws:iam::111122223333:role/Deployer"},
        "publicAccessCidrs": ["203.0.113.7/32"],
        "builtInPools": ["system"],
        "nodePools": [POOL],
        "workloads": ["web.yaml"],
        "nodePlan": {"replicas": ["deployment/web=3"]},
    },
}


def plan(**inputs: Any) -> dict[str, Any]:
    known = {"region": "eu-west-1", "sources": ["web.yaml"], "manifests": [POOL], "builtInPools": ["system"]}
    return {"type": "cutlist:NodePlan", "properties": {**known, **inputs}}


@pytest.fixture(scope="module")
def preview(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Preview:
    """What the preview of a program of these resources shows, in one line."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    shutil.copy(ROOT / "examples" / "shop" / "workloads.yaml", folder / "web.yaml")
    stack = engine.stack("yaml", folder, lambda: None)

    def shown(resources: dict[str, Any]) -> str:
        data = json.loads(json.dumps({"resources": resources}))
        return re.sub(r"\s+", " ", stack.preview(color="never", program=lambda: register(data)).stdout)

    return shown


def test_the_cluster_shows_its_nodes(preview: Preview):
    """With settings of the plan, and with a NodePlan for the same cluster beside it."""
    said = preview({"batch": CLUSTER, "plan": plan()})
    found = re.findall(r"for (\d+) pods? in eu-west-1", said)
    assert {"4", "13"} <= set(found), found
    assert "no `workloads`" not in said


def test_without_workloads_a_line_says_what_would_show_them(preview: Preview):
    bare = copy.deepcopy(CLUSTER)
    del bare["properties"]["workloads"], bare["properties"]["nodePlan"]
    assert "AutoModeCluster batch has no `workloads`" in preview({"batch": bare})


@pytest.mark.parametrize("before", [True, False])
def test_a_plan_for_another_region_is_refused(preview: Preview, before: bool):
    resources = {"plan": plan(region="us-west-2"), "batch": CLUSTER}
    ordered = resources if before else dict(reversed(resources.items()))
    with pytest.raises(automation.CommandError) as error:
        preview(ordered)
    text = re.sub(r"\s+", " ", str(error.value))
    assert "the plan is for us-west-2, and AutoModeCluster batch beside it has eu-west-1" in text


def test_a_mistake_among_workloads_is_an_error_of_the_input(preview: Preview):
    spoilt = copy.deepcopy(CLUSTER)
    spoilt["properties"]["workloads"] = ["missing.yaml"]
    with pytest.raises(automation.CommandError) as error:
        preview({"batch": spoilt})
    assert "missing.yaml" in str(error.value)
