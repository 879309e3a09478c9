"""Clusters of one repository: root modules of Terraform, and folders of Flux."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.planning.manifests import NODE_CLASS, deployment, pool
from tests.unit.repositories.commands import Answer, run_in
from tests.unit.repositories.test_environments import EUROPE, write

_CLUSTER = 'module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  eks_managed_node_groups = {}\n}\n'
_FLUX = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: apps, namespace: flux-system}}
spec: {{interval: 10m, path: ./apps/{0}, prune: true, sourceRef: {{kind: GitRepository, name: flux-system}}}}
"""


def first(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Answer:
    """Run the first command in a folder."""
    return run_in(folder, monkeypatch, "plan", "-f", ".", "-R", *EUROPE, *words)


def test_root_modules_with_a_cluster_each_are_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-27: with the files that are in none of them; a root module without a cluster is not one."""
    for name in ("blue", "green"):
        write(tmp_path / f"terraform/{name}/eks.tf", _CLUSTER)
        write(tmp_path / f"terraform/{name}/{name}.yaml", deployment(name))
    write(tmp_path / "terraform/dns/main.tf", 'resource "aws_route53_zone" "a" {}\n')
    write(tmp_path / "pools/all.yaml", "---\n".join((NODE_CLASS, pool())))
    answer = first(tmp_path, monkeypatch)
    assert answer.exit_code == 2
    assert "terraform/blue: is one of 2 environments" in answer.text
    assert "1 cluster of EKS" in answer.text
    assert "allowed: cutlist plan -f pools -f terraform/green -R" in answer.text
    rows = first(tmp_path, monkeypatch, "--all", "-o", "json").data["environments"]
    assert [of["totals"]["pods"] for of in rows] == [1, 1]


def test_one_root_module_with_a_cluster_is_no_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-27: nor are the root modules beside it, or one that another one calls."""
    write(tmp_path / "live/main.tf", 'module "cluster" {\n  source = "../modules/cluster"\n}\n')
    write(tmp_path / "modules/cluster/eks.tf", _CLUSTER)
    write(tmp_path / "dns/main.tf", 'resource "aws_route53_zone" "a" {}\n')
    write(tmp_path / "all.yaml", "---\n".join((NODE_CLASS, pool(), deployment("web"))))
    assert first(tmp_path, monkeypatch, "-o", "json").pods() == {"deployment/web": 1}


def test_a_module_for_others_is_no_root_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-27: its cluster is not one more than that of the root module, unless there is no other."""
    write(tmp_path / "main.tf", _CLUSTER)
    write(tmp_path / "modules/eks/eks.tf", _CLUSTER)
    for name, count in (("dev", 1), ("prod", 3)):
        write(tmp_path / f"{name}.tfvars", f"size = {count}\n")
    write(
        tmp_path / "nodes.tf",
        'variable "size" {}\nresource "aws_eks_node_group" "a" {\n  scaling_config {\n    desired_size = var.size\n  }\n}\n',
    )
    assert "(1 cluster of EKS, 1 node group of EKS)" in " ".join(first(tmp_path, monkeypatch).text.split())


def test_an_environment_of_many_files_has_a_short_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-30: that of the call, with its name; it can be pasted."""
    for number in range(10):
        write(tmp_path / f"part-{number}/all.yaml", deployment(f"part-{number}"))
    write(tmp_path / "part-0/pools.yaml", "---\n".join((NODE_CLASS, pool())))
    for name in ("dev", "prod"):
        write(tmp_path / f"clusters/{name}/web.yaml", deployment("web"))
    answer = first(tmp_path, monkeypatch)
    (command,) = (line.strip() for line in answer.text.splitlines() if line.endswith("--environment prod"))
    assert command == "allowed: cutlist plan -f . -R --region eu-west-1 --environment prod"
    words = command.removeprefix("allowed: cutlist ").split()
    assert run_in(tmp_path, monkeypatch, *words, "-o", "json").data["totals"]["pods"] == 11


def test_clusters_of_flux_that_are_named_together_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-26: they are two clusters, however they are named; one alone is the cluster that was asked for."""
    for name in ("dev", "prod"):
        write(tmp_path / f"clusters/{name}/apps.yaml", _FLUX.format(name))
        write(tmp_path / f"clusters/{name}/pools.yaml", "---\n".join((NODE_CLASS, pool(), deployment(name))))
    both = run_in(tmp_path, monkeypatch, "plan", "-f", "clusters/dev", "-f", "clusters/prod", "-R", *EUROPE)
    assert both.exit_code == 2
    assert "clusters/prod: is one of 2 environments" in both.text
    one = run_in(tmp_path, monkeypatch, "plan", "-f", "clusters/dev", "-R", *EUROPE, "-o", "json")
    assert one.pods() == {"deployment/dev": 1}


def test_what_no_cluster_of_flux_applies_is_not_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-26: a file elsewhere that cannot be read as it is does not make the only folder of Flux the answer."""
    write(tmp_path / "demo/flux/apps.yaml", _FLUX.format("prod"))
    write(tmp_path / "lab/web.yaml", deployment("web").replace("replicas: 1", "replicas: ${REPLICAS}"))
    write(tmp_path / "lab/all.yaml", "---\n".join((NODE_CLASS, pool(), deployment("other"))))
    answer = first(tmp_path, monkeypatch, "-o", "json")
    assert answer.pods() == {"deployment/other": 1}
