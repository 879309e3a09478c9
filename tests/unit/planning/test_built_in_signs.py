"""Built-in NodePools that the input speaks of: read from a ClusterConfig of eksctl, proposed for other signs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cutlist.core.errors import InputError
from cutlist.core.setting import Edge
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.settings.words import spelled
from cutlist.verbs.plan.answer import plan
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool


def cluster_config(auto: str = "{enabled: true}", name: str = "lapwing", region: str = "eu-central-1") -> str:
    return f"""
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {{name: {name}, region: {region}}}
autoModeConfig: {auto}
"""


def read(*texts: str, region: str | None = "eu-central-1", **settings: object) -> PlanInputs:
    return read_inputs(["-"], stdin="\n---\n".join(texts), region=region, **settings)  # type: ignore[arg-type]


def names(inputs: PlanInputs) -> list[str]:
    return [pool.name for pool in inputs.node_pools]


@pytest.mark.parametrize(
    ("auto", "pools"),
    [
        ("{enabled: true}", ["general-purpose", "system"]),
        ("{enabled: true, nodePools: [system]}", ["system"]),
        ("{enabled: true, nodePools: [general-purpose, system]}", ["general-purpose", "system"]),
    ],
)
def test_a_cluster_config_names_the_built_in_pools(auto: str, pools: list[str]):
    inputs = read(cluster_config(auto), deployment())
    assert names(inputs) == pools
    assert any("by ClusterConfig lapwing of eksctl" in note.text for note in inputs.workloads.notes)
    assert "ClusterConfig (eksctl.io)" not in inputs.workloads.passed_over


def test_what_a_cluster_config_names_is_planned_with_its_node_groups():
    """Pods go to the built-in pools where nothing else is there, and to the group that they select."""
    group = "managedNodeGroups: [{name: tools, instanceType: m5.large, desiredCapacity: 1}]\n"
    tools = deployment("tools", extra="nodeSelector: {eks.amazonaws.com/nodegroup: tools}")
    planned = plan(read(cluster_config() + group, deployment(), tools, region=None))
    assert [(node.node_pool, [share.workload for share in node.pods]) for node in planned.nodes] == [
        ("general-purpose", ["deployment/web"])
    ]
    assert [(g.name, [share.workload for share in g.pods]) for g in planned.node_groups] == [("tools", ["deployment/tools"])]
    assert planned.pending == ()


def test_a_cluster_config_names_the_region():
    assert read(cluster_config(), deployment(), region=None).catalog.region == "eu-central-1"


def test_the_settings_take_precedence_over_a_cluster_config():
    inputs = read(cluster_config(), deployment(), region="us-west-2", built_in_pools=["system"])
    assert (names(inputs), inputs.catalog.region) == (["system"], "us-west-2")


def test_a_cluster_config_of_another_region_is_not_the_clusters():
    """Its pools are proposed, since nothing else names any."""
    with pytest.raises(InputError, match="built_in_pools general-purpose"):
        read(cluster_config(), deployment(), region="us-west-2")


def test_cluster_configs_that_disagree_decide_nothing():
    texts = cluster_config(), cluster_config(name="other", region="us-west-2"), NODE_CLASS, pool(), deployment()
    with pytest.raises(InputError, match="no region is given"):
        read(*texts, region=None)


def test_no_pools_are_read_where_auto_mode_is_off():
    assert names(read(cluster_config("{enabled: false}"), NODE_CLASS, pool(), deployment())) == ["general"]


AUTO = "--built-in-pool general-purpose and --built-in-pool system"
AKS = "--built-in-pool default and --built-in-pool system-surge"
AFFINITY = """affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
  {matchExpressions: [{key: eks.amazonaws.com/instance-category, operator: In, values: [c]}]}]}}}"""
STORAGE = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: auto}\nprovisioner: ebs.csi.eks.amazonaws.com"
AUTO_CLASS = "apiVersion: eks.amazonaws.com/v1\nkind: NodeClass\nmetadata: {name: own}\nspec: {role: r, subnetSelectorTerms: [{id: subnet-0123456789abcdef0}], securityGroupSelectorTerms: [{id: sg-0123456789abcdef0}]}"  # noqa: E501


@pytest.mark.parametrize(
    ("texts", "region", "proposed"),
    [
        ((deployment(extra="nodeSelector: {eks.amazonaws.com/compute-type: auto}"),), "eu-central-1", AUTO),
        ((deployment(extra="nodeSelector: {karpenter.sh/nodepool: system}"),), "eu-central-1", AUTO),
        ((deployment(extra=AFFINITY),), "eu-central-1", AUTO),
        ((deployment(), STORAGE), "eu-central-1", AUTO),
        ((deployment(), AUTO_CLASS), "eu-central-1", AUTO),
        ((deployment(extra="nodeSelector: {karpenter.azure.com/sku-family: D}"),), "westeurope", AKS),
        ((deployment(extra="nodeSelector: {karpenter.sh/nodepool: system-surge}"),), "westeurope", AKS),
    ],
)
def test_without_a_node_pool_the_built_in_ones_are_proposed_where_something_speaks_of_them(texts, region, proposed):
    with pytest.raises(InputError) as caught:
        read(*texts, region=region)
    (problem,) = spelled(caught.value.problems, Edge.COMMAND_LINE)
    assert "the cluster may have built-in ones" in problem.message
    assert proposed in problem.allowed


ROLE = """
apiVersion: v1
kind: ServiceAccount
metadata: {name: web, annotations: {eks.amazonaws.com/role-arn: "arn:aws:iam::111122223333:role/web"}}
"""


@pytest.mark.parametrize("texts", [(deployment(),), (deployment(), ROLE)], ids=["nothing", "a role of a service account"])
def test_nothing_is_proposed_without_a_sign(texts):
    with pytest.raises(InputError) as caught:
        read(*texts)
    assert "built_in_pools" not in str(caught.value)


def test_a_certain_sign_comes_before_the_name_of_a_pool():
    """A NodePool of one's own may be called system."""
    by_name = deployment("first", extra="nodeSelector: {karpenter.sh/nodepool: system}")
    with pytest.raises(InputError, match="StorageClass auto"):
        read(by_name, STORAGE)


def test_signs_of_another_cloud_than_the_regions_propose_nothing():
    with pytest.raises(InputError) as caught:
        read(deployment(extra="nodeSelector: {eks.amazonaws.com/compute-type: auto}"), region="westeurope")
    assert "built_in_pools" not in str(caught.value)


@pytest.mark.parametrize(
    ("resource", "region", "proposed"),
    [
        (
            'resource "aws_eks_cluster" "a" {\n  compute_config {\n    enabled = true\n    node_pools = ["system"]\n  }\n}\n',
            "eu-central-1",
            ["system"],
        ),
        (
            'module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n'
            '  compute_config = { enabled = true, node_pools = ["general-purpose"] }\n}\n',
            "eu-central-1",
            ["general-purpose"],
        ),
        (
            'resource "azurerm_kubernetes_cluster" "a" {\n  node_provisioning_profile {\n    mode = "Auto"\n  }\n}\n',
            "westeurope",
            ["default", "system-surge"],
        ),
    ],
)
def test_a_cluster_in_a_configuration_proposes_its_pools(
    resource: str, region: str, proposed: list[str], tmp_path: Path
) -> None:
    """What its resource switches on, and nothing else, is what a plan without NodePools asks for."""
    pytest.importorskip("hcl2")
    (tmp_path / "main.tf").write_text(resource)
    (tmp_path / "web.yaml").write_text(deployment())
    with pytest.raises(InputError) as error:
        read_inputs([str(tmp_path)], region=region)
    (problem,) = spelled(error.value.problems, Edge.COMMAND_LINE)
    assert re.findall(r"--built-in-pool ([\w-]+)", problem.allowed) == proposed
    assert "only 1 Deployment;" in problem.message


def test_a_cluster_without_built_in_pools_proposes_none(tmp_path: Path) -> None:
    """Auto Mode that is off, or whose pools are switched off."""
    pytest.importorskip("hcl2")
    off = 'resource "aws_eks_cluster" "a" {\n  compute_config {\n    enabled = %s\n    node_pools = %s\n  }\n}\n'
    for enabled, pools in (("false", '["system"]'), ("true", "[]")):
        (tmp_path / "main.tf").write_text(off % (enabled, pools))
        (tmp_path / "web.yaml").write_text(deployment())
        with pytest.raises(InputError) as error:
            read_inputs([str(tmp_path)], region="eu-central-1")
        assert "built-in" not in str(error.value)
