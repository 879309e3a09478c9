"""Node groups are read from where people write them, as one kind of value (F-15)."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.beside.declared import DeclaredGroup
from cutlist.planning.read_inputs import read_inputs
from tests.unit.opentofu import plans
from tests.unit.planning import azure_manifests
from tests.unit.planning.beside.nodes import node
from tests.unit.planning.manifests import NODE_CLASS, pool

MODULE = """
locals { zones = ["us-west-2a", "us-west-2b"] }

module "eks" {
  source          = "terraform-aws-modules/eks/aws"
  version         = "~> 20.0"
  cluster_name    = "shop"
  cluster_version = "1.33"
  vpc_id          = module.vpc.vpc_id
  subnet_ids      = module.vpc.private_subnets

  eks_managed_node_group_defaults = { instance_types = ["m5.large"] }

  eks_managed_node_groups = {
    system = {
      min_size     = 2
      max_size     = 3
      desired_size = 2
      labels       = { role = "system" }
      taints       = { addons = { key = "CriticalAddonsOnly", value = "true", effect = "NO_SCHEDULE" } }
    }
  }

  self_managed_node_groups = {
    batch = {
      instance_type        = "c5.xlarge"
      desired_size         = 1
      bootstrap_extra_args = "--kubelet-extra-args '--node-labels=role=batch --register-with-taints=batch=yes:NoSchedule'"
    }
  }
}
"""
RESOURCE = """
variable "size" { default = 3 }

resource "aws_eks_node_group" "tools" {
  cluster_name    = aws_eks_cluster.this.name
  node_group_name = "tools"
  node_role_arn   = aws_iam_role.node.arn
  subnet_ids      = aws_subnet.private[*].id
  instance_types  = ["m5.xlarge", "m5a.xlarge"]
  capacity_type   = "SPOT"
  labels          = { role = "tools" }
  scaling_config {
    desired_size = var.size
    max_size     = 6
    min_size     = 1
  }
  taint {
    key    = "tools"
    value  = "yes"
    effect = "NO_EXECUTE"
  }
  tags = { "k8s.io/cluster-autoscaler/enabled" = "true" }
}
"""
AZURE = """
resource "azurerm_kubernetes_cluster" "shop" {
  name = "shop"
  default_node_pool {
    name                         = "system"
    vm_size                      = "Standard_D4s_v5"
    node_count                   = 2
    only_critical_addons_enabled = true
  }
}

resource "azurerm_kubernetes_cluster_node_pool" "batch" {
  name                  = "batch"
  kubernetes_cluster_id = azurerm_kubernetes_cluster.shop.id
  vm_size               = "Standard_D8s_v5"
  auto_scaling_enabled  = true
  min_count             = 1
  max_count             = 4
  node_count            = 1
  priority              = "Spot"
  node_labels           = { role = "batch" }
  node_taints           = ["batch=yes:NoSchedule"]
}
"""
EKSCTL = """
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: shop, region: us-west-2}
managedNodeGroups:
  - name: system
    instanceType: m5.large
    desiredCapacity: 2
    minSize: 2
    maxSize: 4
    labels: {role: system}
    taints: [{key: CriticalAddonsOnly, value: "true", effect: NoSchedule}]
    iam: {withAddonPolicies: {autoScaler: true}}
nodeGroups:
  - name: batch
    instancesDistribution:
      instanceTypes: [c5.xlarge, c5a.xlarge]
      onDemandBaseCapacity: 0
      onDemandPercentageAboveBaseCapacity: 0
    taints: {batch: "yes:NoSchedule"}
  - name: plain
"""
FIGURES = """
apiVersion: cutlist/v1
kind: Figures
nodeGroups:
  system: {instanceTypes: [m5.large], desired: 2, max: 4, autoscaled: true, labels: {role: system}}
"""


def groups(folder: Path, **files: str) -> dict[str, DeclaredGroup]:
    """The groups of a folder with these files beside a NodePool, by name."""
    for name, text in {"pools_yaml": f"{NODE_CLASS}---{pool()}", **files}.items():
        (folder / name.replace("_", ".")).write_text(text)
    return {group.name: group for group in read_inputs([folder], region="us-west-2").node_groups}


def short(group: DeclaredGroup) -> tuple[object, ...]:
    """What a group's nodes are, and its sizes."""
    sizes = (group.minimum, group.desired, group.maximum, group.autoscaled)
    return group.kind, group.instance_types, group.capacity_type, dict(group.labels), list(map(str, group.taints)), sizes


def test_groups_of_a_call_of_the_module_for_eks(tmp_path: Path) -> None:
    """Defaults for all groups count where a group sets nothing; labels and taints of a self-managed one are the kubelet's."""
    pytest.importorskip("hcl2")
    found = groups(tmp_path, main_tf=MODULE)
    addons = ["CriticalAddonsOnly=true:NoSchedule"]
    assert short(found["system"]) == ("eks", ("m5.large",), "on-demand", {"role": "system"}, addons, (2, 2, 3, False))
    own = {"role": "batch"}, ["batch=yes:NoSchedule"]
    assert short(found["batch"]) == ("self-managed", ("c5.xlarge",), "on-demand", *own, (1, 1, 3, False))
    assert found["system"].source == f"{tmp_path}/main.tf:4 module.eks"


def test_a_managed_node_group_of_a_configuration(tmp_path: Path) -> None:
    """Its tag says that Cluster Autoscaler manages it."""
    pytest.importorskip("hcl2")
    (tools,) = groups(tmp_path, main_tf=RESOURCE).values()
    own = {"role": "tools"}, ["tools=yes:NoExecute"]
    assert short(tools) == ("eks", ("m5.xlarge", "m5a.xlarge"), "spot", *own, (1, 3, 6, True))


def test_a_managed_node_group_of_a_plan_of_terraform(tmp_path: Path) -> None:
    """The resources of a module are in the plan, with their values."""
    after = {
        "node_group_name": None,
        "node_group_name_prefix": "system-",
        "instance_types": ["m5.large"],
        "capacity_type": "ON_DEMAND",
        "labels": {"role": "system"},
        "scaling_config": [{"desired_size": 2, "min_size": 2, "max_size": 3}],
        "taint": [{"key": "CriticalAddonsOnly", "value": "true", "effect": "NO_SCHEDULE"}],
    }
    address = 'module.eks.module.eks_managed_node_group["system"].aws_eks_node_group.this[0]'
    change = {**plans.change("aws_eks_node_group.this", after, {"id": True}), "address": address}
    (system,) = groups(tmp_path, plan_json=plans.plan(change)).values()
    addons = ["CriticalAddonsOnly=true:NoSchedule"]
    assert (system.name, *short(system)) == (
        "system",
        *("eks", ("m5.large",), "on-demand", {"role": "system"}, addons, (2, 2, 3, False)),
    )


def test_pools_of_a_cluster_on_azure(tmp_path: Path) -> None:
    """The default pool is for system pods; a spot pool has the taint that AKS gives it."""
    pytest.importorskip("hcl2")
    (tmp_path / "main.tf").write_text(AZURE)
    (tmp_path / "pools.yaml").write_text(f"{azure_manifests.CLASS}---{azure_manifests.pool()}")
    found = {group.name: group for group in read_inputs([tmp_path], region="japaneast").node_groups}
    label = {"kubernetes.azure.com/mode": "system"}
    critical = ["CriticalAddonsOnly=true:NoSchedule"]
    assert short(found["system"]) == ("aks", ("Standard_D4s_v5",), "on-demand", label, critical, (2, 2, 2, False))
    own = {"kubernetes.azure.com/mode": "user", "role": "batch"}
    taints = ["batch=yes:NoSchedule", "kubernetes.azure.com/scalesetpriority=spot:NoSchedule"]
    assert short(found["batch"]) == ("aks", ("Standard_D8s_v5",), "spot", own, taints, (1, 1, 4, True))


def test_groups_of_a_cluster_config_of_eksctl(tmp_path: Path) -> None:
    """Managed ones and others, with the defaults of eksctl: two nodes of m5.large."""
    found = groups(tmp_path, cluster_yaml=EKSCTL)
    own = {"alpha.eksctl.io/cluster-name": "shop"}
    labels = {**own, "alpha.eksctl.io/nodegroup-name": "system", "role": "system"}
    addons = ["CriticalAddonsOnly=true:NoSchedule"]
    assert short(found["system"]) == ("eksctl", ("m5.large",), "on-demand", labels, addons, (2, 2, 4, True))
    assert short(found["batch"])[:3] == ("self-managed", ("c5.xlarge", "c5a.xlarge"), "spot")
    assert list(map(str, found["batch"].taints)) == ["batch=yes:NoSchedule"]
    assert short(found["plain"])[1:3] == (("m5.large",), "on-demand")
    assert (found["plain"].minimum, found["plain"].desired, found["plain"].maximum) == (2, 2, 2)


@pytest.mark.parametrize(
    "written",
    [
        "managedNodeGroups: 5",
        "managedNodeGroups: [5, {name: 7}]",
        "nodeGroups: {system: 5}",
        "kind: aws_eks_node_group\napiVersion: terraform/v1",
    ],
)
def test_what_is_no_group_is_passed_over(tmp_path: Path, written: str) -> None:
    """Cutlist does not check what other tools read: members of another type count as missing."""
    head = "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\n" if "apiVersion" not in written else ""
    assert groups(tmp_path, cluster_yaml=f"{head}metadata: {{name: shop, region: us-west-2}}\n{written}\n") == {}


def test_members_of_another_type_are_those_of_a_group_without_them(tmp_path: Path) -> None:
    """A number of nodes that is not finite is such a one."""
    odd = "desiredCapacity: .inf, taints: 7, labels: [a], iam: x, tags: [k], instancesDistribution: 3, availabilityZones: a"
    config = "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {name: shop, region: us-west-2}\n"
    (plain,) = groups(tmp_path, cluster_yaml=f"{config}nodeGroups: [{{name: plain}}]\n").values()
    (other,) = groups(tmp_path, cluster_yaml=f"{config}nodeGroups: [{{name: plain, {odd}}}]\n").values()
    assert short(other) == short(plain)


def test_a_group_of_figures_takes_precedence_over_one_of_files(tmp_path: Path) -> None:
    """The user knows better."""
    found = groups(tmp_path, cluster_yaml=EKSCTL, figures_yaml=FIGURES)
    assert found["system"].source == "Figures"
    assert short(found["system"])[3:] == ({"role": "system"}, [], (2, 2, 4, True))
    assert set(found) == {"system", "batch", "plain"}


@pytest.mark.parametrize(
    ("group", "message"),
    [
        ("{instanceTypes: [m5.larg]}", "nodeGroups.system.instanceTypes[0]: no instance type is named 'm5.larg'"),
        ("{desired: 5, max: 2}", "nodeGroups.system: has desired 5, max 2; allowed: min <= desired <= max"),
        ("{size: 2}", "nodeGroups.system.size"),
        ("{instanceTypes: [{m5: large}]}", "nodeGroups.system.instanceTypes[0]"),
        (
            "{zones: [us-west-2z]}",
            "nodeGroups.system.zones[0]: us-west-2 has no zone 'us-west-2z'; "
            "allowed: us-west-2a, us-west-2b, us-west-2c, us-west-2d",
        ),
        ("{kind: [eks]}", "nodeGroups.system.kind"),
        (
            "{kind: aks}",
            "nodeGroups.system.kind: us-west-2 has no node groups of kind 'aks'; allowed: eks, self-managed, eksctl",
        ),
    ],
)
def test_a_mistake_in_a_group_of_figures_is_reported(tmp_path: Path, group: str, message: str) -> None:
    """With its place."""
    with pytest.raises(InputError) as raised:
        groups(tmp_path, figures_yaml=f"apiVersion: cutlist/v1\nkind: Figures\nnodeGroups: {{system: {group}}}\n")
    assert message in str(raised.value)


def test_a_group_of_figures_has_the_kind_of_the_cloud_unless_it_names_one(tmp_path: Path) -> None:
    """So a plan on Azure has the groups of Figures too."""
    groups = "{tools: {instanceTypes: [Standard_D4s_v5]}}"
    (tmp_path / "figures.yaml").write_text(f"apiVersion: cutlist/v1\nkind: Figures\nnodeGroups: {groups}\n")
    (tmp_path / "pools.yaml").write_text(f"{azure_manifests.CLASS}---{azure_manifests.pool()}")
    assert [group.kind for group in read_inputs([tmp_path], region="japaneast").node_groups] == ["aks"]
    (tmp_path / "pools.yaml").write_text(f"{NODE_CLASS}---{pool()}")
    (tmp_path / "figures.yaml").write_text("apiVersion: cutlist/v1\nkind: Figures\nnodeGroups: {tools: {}}\n")
    assert [group.kind for group in read_inputs([tmp_path], region="us-west-2").node_groups] == ["eks"]


def test_nodes_of_a_snapshot_are_groups_by_their_labels(tmp_path: Path) -> None:
    """What all nodes of a group have in common; nodes of Karpenter are of no group."""
    labels = "eks.amazonaws.com/nodegroup: system, role: system"
    nodes = [
        node("a", f"{labels}, shelf: one"),
        node("b", f"{labels}, shelf: two"),
        node("c", "karpenter.sh/nodepool: general"),
    ]
    (system,) = groups(tmp_path, snapshot_yaml="---".join(nodes)).values()
    assert (system.name, system.kind, system.running, system.initial) == ("system", "eks", 2, 0)
    assert system.labels["role"] == "system"
    assert "shelf" not in system.labels


def test_running_nodes_count_among_those_of_a_declared_group(tmp_path: Path) -> None:
    """Also where Terraform made a prefix of its name."""
    pytest.importorskip("hcl2")
    running = node("a", "eks.amazonaws.com/nodegroup: tools-20260102030405678900000001")
    (tools,) = groups(tmp_path, main_tf=RESOURCE, snapshot_yaml=running).values()
    assert (tools.desired, tools.running, tools.initial, tools.most) == (3, 1, 2, 5)


def test_a_group_that_eks_manages_is_scaled_where_cluster_autoscaler_is_a_workload(tmp_path: Path) -> None:
    """EKS tags its groups for it; it knows nothing about a self-managed one without the tag."""
    pytest.importorskip("hcl2")
    image = "registry.example.com/autoscaling/cluster-autoscaler:v1.33.0"
    autoscaler = f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: cluster-autoscaler}}
spec:
  selector: {{matchLabels: {{app: ca}}}}
  template: {{metadata: {{labels: {{app: ca}}}}, spec: {{containers: [{{name: main, image: {image}}}]}}}}
"""
    found = groups(tmp_path, main_tf=MODULE, autoscaler_yaml=autoscaler)
    assert (found["system"].autoscaled, found["batch"].autoscaled) == (True, False)


def test_a_configuration_with_groups_alone_is_not_checked(tmp_path: Path) -> None:
    """A file beside it that is not HCL was never a mistake without objects of Kubernetes."""
    pytest.importorskip("hcl2")
    assert set(groups(tmp_path, main_tf=RESOURCE, odd_tf='resource "x" {{\n')) == {"tools"}
