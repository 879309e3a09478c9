"""Clusters and node groups in templates of Azure and in programs of Pulumi in YAML bear on plans, as those of Terraform do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutlist.core.errors import InputError
from cutlist.documents.bicep import resources_in
from cutlist.documents.pulumi_programs import resources_of_program
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool

BICEP = """param mode string = 'x'
resource aks 'Microsoft.ContainerService/managedClusters@2024-09-01' = {
  name: 'shop'
  properties: {
    nodeProvisioningProfile: {
      mode: 'Auto'
    }
  }
}
"""
CLUSTER = {
    "type": "Microsoft.ContainerService/managedClusters",
    "name": "shop",
    "properties": {
        "nodeProvisioningProfile": {"mode": "[parameters('mode')]"},
        "agentPoolProfiles": [
            {"name": "system", "mode": "System", "vmSize": "Standard_D4s_v5", "count": 2},
            {"name": "batch", "mode": "User", "vmSize": "[variables('size')]", "count": 3},
        ],
    },
}


def template(*resources: object, mode: str = "Auto") -> str:
    schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"
    return json.dumps({"$schema": schema, "parameters": {"mode": {"defaultValue": mode}}, "resources": list(resources)})


def read(folder: Path, region: str, **files: str) -> PlanInputs:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return read_inputs([folder], region=region, recursive=True)


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("main_bicep", BICEP, "main.bicep:2 aks"),
        ("main_json", template(CLUSTER), "main.json shop"),
        (
            "main_json",
            template({"type": "Microsoft.Resources/deployments", "properties": {"template": json.loads(template(CLUSTER))}}),
            "main.json shop",
        ),
    ],
)
def test_built_in_pools_are_proposed_where_a_template_of_azure_switches_them_on(
    tmp_path: Path, name: str, text: str, place: str
) -> None:
    """F-20"""
    with pytest.raises(InputError) as error:
        read(tmp_path, "westeurope", **{name: text, "web_yaml": deployment("web")})
    (problem,) = error.value.problems
    assert "no NodePool is in the input" in str(problem)
    assert f"{tmp_path}/{place}" in str(problem)
    assert "default" in problem.allowed


@pytest.mark.parametrize(("name", "text"), [("main.bicep", BICEP), ("main.json", template(CLUSTER))])
def test_a_template_of_azure_may_be_named(tmp_path: Path, name: str, text: str) -> None:
    """F-20: alone it is read as in a folder, and not as YAML."""
    (tmp_path / name).write_text(text)
    (tmp_path / "web.yaml").write_text(deployment("web"))
    with pytest.raises(InputError) as error:
        read_inputs([tmp_path / name, tmp_path / "web.yaml"], region="westeurope")
    (problem,) = error.value.problems
    assert "no NodePool is in the input" in str(problem)
    assert f"{tmp_path}/{name}" in str(problem)


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ("name: 'a', count: n, vmSize: size, mode: 'User'", ("a", 3, ("Standard_D4s_v5",), 3)),
        ("name: 'a', count: n + 1, vmSize: '${size}x'", ("a", 1, (), 1)),
        ("name: 'a', count: 1, minCount: 1, maxCount: 9, enableAutoScaling: true", ("a", 1, (), 9)),
    ],
)
@pytest.mark.parametrize("form", ["in a cluster", "inside a cluster", "beside a cluster"])
def test_pools_in_bicep_are_node_groups(
    tmp_path: Path, form: str, pool: str, expected: tuple[str, int, tuple[str, ...], int]
) -> None:
    """F-20: with what is written, and the defaults of parameters; what is computed is missing, and a loop makes none."""
    type_, name = "Microsoft.ContainerService/managedClusters", pool.partition(",")[0]
    system = "{ name: 'system', count: 1, vmSize: size }"
    parts = {
        "in a cluster": (f"[\n{system} // first\n{{ {pool} }}\n]", "", ""),
        "inside a cluster": (f"[{system}]", f"resource p 'agentPools@x' = {{ {name}\nproperties: {{ {pool} }} }}", ""),
        "beside a cluster": (
            f"[{system}]",
            "",
            f"resource p '{type_}/agentPools@x' = if (n > 2) {{\n{name}\nparent: aks\nproperties: {{ {pool} }}\n}}\n"
            f"resource q '{type_}/agentPools@x' = [for i in range(0, 9): {{\nname: 'q${{i}}'\nproperties: {{ count: 1 }}\n}}]\n"
            f"resource old '{type_}@x' existing = {{ name: 'old' }}\n",
        ),
    }
    profiles, inside, beside = parts[form]
    text = f"""@minValue(1)
param n int = 3
param size string = 'Standard_D4s_v5'
resource aks '{type_}@x' = {{
  name: 'shop'
  properties: {{
    agentPoolProfiles: {profiles}
  }}
  {inside}
}}
{beside}"""
    inputs = read(tmp_path, "westeurope", main_bicep=text, pools_yaml=AKS, web_yaml=deployment("web"))
    found = {group.name: (group.name, group.desired, group.instance_types, group.maximum) for group in inputs.node_groups}
    assert found == {"system": ("system", 1, ("Standard_D4s_v5",), 1), "a": expected}


@pytest.mark.parametrize("text", ["var x = [", "resource a 'x' = {", "resource a 'x' = [for", "resource", "param", "var a = }"])
def test_what_is_no_bicep_ends_nothing(text: str) -> None:
    """What ends early, or is too deep, is passed over, and what stands before it is read."""
    before = "resource first 'x' = { name: 'a' }"
    for deep in ("", "[" * 3_000, "{ a: " * 3_000, "resource a 'x' = { " * 3_000):
        assert next(resources_in(f"{before}\n{text}{deep}")).members == {"name": "a"}


def test_a_template_that_does_not_switch_them_on_proposes_nothing(tmp_path: Path) -> None:
    """F-20: nor does one whose mode only a deployment knows."""
    with pytest.raises(InputError) as error:
        read(tmp_path, "westeurope", main_json=template(CLUSTER, mode="Manual"), web_yaml=deployment("web"))
    (problem,) = error.value.problems
    assert problem.allowed == "at least one NodePool with its node class"


def test_pools_of_a_template_are_node_groups(tmp_path: Path) -> None:
    """F-20: a size that only a deployment knows is missing."""
    inputs = read(tmp_path, "westeurope", main_json=template(CLUSTER), pools_yaml=AKS, web_yaml=deployment("web"))
    assert {(group.name, group.desired) for group in inputs.node_groups} == {("system", 2), ("batch", 3)}


AKS = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: default}
"""
PROGRAM = """name: shop
runtime: yaml
resources:
  cluster:
    type: aws:eks:Cluster
  system:
    type: aws:eks:NodeGroup
    properties:
      clusterName: ${cluster.name}
      instanceTypes: [m5.large]
      scalingConfig: {desiredSize: 2, minSize: 1, maxSize: 4}
      labels: {nodeRole: system}
      taints: [{key: dedicated, value: system, effect: NO_SCHEDULE}]
"""


def test_a_node_group_of_a_program_of_pulumi_is_beside_karpenter(tmp_path: Path) -> None:
    """F-20: under the name of its resource, if it has no other."""
    (tmp_path / "Pulumi.yaml").write_text(PROGRAM)
    inputs = read(tmp_path, "us-west-2", all_yaml="---\n".join((NODE_CLASS, pool(), deployment("web"))))
    (group,) = inputs.node_groups
    assert (group.name, group.desired, group.instance_types) == ("system", 2, ("m5.large",))
    assert group.labels["nodeRole"] == "system"
    assert [(taint.key, taint.effect) for taint in group.taints] == [("dedicated", "NoSchedule")]


PYTHON = """import pulumi
import pulumi_aws as aws
from pulumi_aws import eks
from pulumi_azure_native import containerservice as aks
SIZES = {"desired_size": 2, "min_size": 1, "max_size": 4}
config = pulumi.Config()
for zone in config.require_object("zones"):
    eks.NodeGroup(f"of-{zone}", instance_types=["m5.large"])
def more():
    eks.NodeGroup("more", instance_types=["m5.large"])
"""


@pytest.mark.parametrize(
    ("program", "region", "expected"),
    [
        (
            'aws.eks.NodeGroup("system", cluster_name="x", instance_types=["m5.large"], scaling_config=SIZES)',
            "us-west-2",
            ("system", 2, ("m5.large",)),
        ),
        (
            'eks.NodeGroup("a", node_group_name="system", instance_types=config.require_object("types"),'
            " scaling_config=eks.NodeGroupScalingConfigArgs(desired_size=3, max_size=3, min_size=3))",
            "us-west-2",
            ("system", 3, ()),
        ),
        (
            'aks.AgentPool("system", count=3, vm_size="Standard_D4s_v5", mode=aks.AgentPoolMode.SYSTEM)',
            "westeurope",
            ("system", 3, ("Standard_D4s_v5",)),
        ),
        (
            'aks.ManagedCluster("c", agent_pool_profiles=[aks.ManagedClusterAgentPoolProfileArgs(name="system", count=2)])',
            "westeurope",
            ("system", 2, ()),
        ),
    ],
)
def test_node_groups_of_a_program_in_python_are_beside_karpenter(
    tmp_path: Path, program: str, region: str, expected: tuple[str, int, tuple[str, ...]]
) -> None:
    """F-20: without running it: what it makes once, with literals and constants."""
    (tmp_path / "infra").mkdir()
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "infra/nodes.py").write_text(PYTHON + program)
    objects = AKS if region == "westeurope" else "---\n".join((NODE_CLASS, pool()))
    inputs = read(tmp_path, region, all_yaml="---\n".join((objects, deployment("web"))))
    assert [(of.name, of.desired, of.instance_types) for of in inputs.node_groups] == [expected]


LITERAL = """
def group(name, count=1, *, types=("m5.large",)):
    return eks.NodeGroup(name, instance_types=list(types), scaling_config={**SIZES, "desired_size": count})
for zone in ("a", "b"):
    group("of-" + zone)
groups = [group(name, count) for name, count in {"c": 3, "d": 4}.items()]
class Pool(pulumi.ComponentResource):
    def __init__(self, name, size):
        self.group = eks.NodeGroup(f"{name}-nodes", instance_types=["r5.large"],
            scaling_config=eks.NodeGroupScalingConfigArgs(desired_size=size, min_size=1, max_size=9))
Pool("big", 7)
if config.get_bool("more"):
    eks.NodeGroup("maybe")
"""


def test_node_groups_in_loops_functions_and_classes_count_where_these_are_literal(tmp_path: Path) -> None:
    """F-20: others are open, with why it is not known how many there are."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PYTHON + LITERAL)
    inputs = read(tmp_path, "us-west-2", all_yaml="---\n".join((NODE_CLASS, pool(), deployment("web"))))
    groups = {of.name: (of.desired, of.instance_types[0]) for of in inputs.node_groups}
    assert groups == {
        "of-a": (1, "m5.large"),
        "of-b": (1, "m5.large"),
        "c": (3, "m5.large"),
        "d": (4, "m5.large"),
        "big-nodes": (7, "r5.large"),
    }
    reasons = {
        of.what.split()[1]: of.why.partition(": it is made ")[2] for of in inputs.account.open if of.form == "node group"
    }
    assert {"maybe": "under a condition", "more": "in the function more, which nothing here calls"}.items() <= reasons.items()
    assert "in a loop over what is computed" in reasons.values()


def test_a_program_without_an_end_is_followed_for_some_steps() -> None:
    """F-20: what it makes after them is uncertain, and no value grows forever."""
    inner = "    for b in range(200):\n        for c in range(200):\n            y = f'{x}{x}'\n"
    loops = f"x = 'a'\nfor a in range(200):\n    x = x + x\n{inner}"
    made = resources_of_program(f"{PYTHON}{loops}eks.NodeGroup('late')\ndef again():\n    again()\n    again()\nagain()\n")
    assert [of.uncertain for of in made if of.name == "late"][-1] == "in more steps than are followed"


def test_a_program_that_is_not_pulumis_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "nodes.py").write_text(f'{PYTHON}eks.NodeGroup("system")')
    inputs = read(tmp_path, "us-west-2", all_yaml="---\n".join((NODE_CLASS, pool(), deployment("web"))))
    assert inputs.node_groups == ()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (
            "main.bicep",
            "param place string = 'West Europe'\n"
            "resource aks 'Microsoft.ContainerService/managedClusters@2025-05-01' = {\n  name: 'demo'\n  location: place\n}\n",
        ),
        (
            "azuredeploy.json",
            '{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",'
            ' "parameters": {"place": {"defaultValue": "westeurope"}}, "resources": [{"name": "demo",'
            ' "type": "Microsoft.ContainerService/managedClusters", "location": "[parameters(\'place\')]"}]}',
        ),
    ],
    ids=["bicep", "arm"],
)
def test_the_location_of_a_cluster_is_the_region(file: str, text: str, tmp_path: Path) -> None:
    """F-14: where nobody gives one."""
    (tmp_path / file).write_text(text)
    (tmp_path / "all.yaml").write_text("---\n".join((AKS, deployment("web"))))
    assert read_inputs([str(tmp_path)], recursive=True).catalog.region == "westeurope"
