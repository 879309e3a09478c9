"""`cutlist new` in a folder without a project: its files, what it asks, and that nothing is left behind."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from pulumi_cutlist.stack.stack_file import load
from pulumi_cutlist.starter.adopted import read_snapshot
from pulumi_cutlist.starter.choices import StarterChoices
from pulumi_cutlist.starter.node_pools import IMAGES
from pulumi_cutlist.starter.project import adopting_project, new_project, with_advisory_rules
from pulumi_cutlist.starter.stack_files import KUBERNETES

from cutlist.catalog.images import image_releases
from cutlist.core.errors import InputError, Place
from cutlist_cli import gate, new, preview
from tests.infrastructure.projects import ROOT

SHOP = ROOT / "examples/shop"
ON_AWS = ("--cloud", "aws", "--region", "eu-west-1", "--account", "111122223333")


def run(folder: Path, *arguments: str, answers: str = "", command=new.command) -> Result:
    return CliRunner().invoke(command, [*arguments, "--project-dir", str(folder)], input=answers)


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def snapshot(folder: Path) -> Path:
    """Return a file with the shop's cluster, as `cutlist snapshot` writes it."""
    controller = {"name": "controller", "image": "public.ecr.aws/karpenter/controller:1.14.1@sha256:0"}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "karpenter-0"}, "spec": {"containers": [controller]}}
    file = folder / "cluster.yaml"
    parts = [(SHOP / "pools.yaml").read_text(), (SHOP / "snapshot.yaml").read_text(), yaml.safe_dump(pod)]
    file.write_text("\n---\n".join(parts))
    return file


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Path, Result]:
    """Return the folder of a new project, and what the command said."""
    folder = tmp_path_factory.mktemp("first")
    return folder, run(folder, "shop", *ON_AWS)


def test_a_project_is_written_and_passes_its_own_gates(made):
    """Program, stacks, NodePools, gates, workflow and owners."""
    folder, result = made
    assert result.exit_code == 0, result.output
    for file in ("__main__.py", "stacks/Pulumi.prod.yaml", "stacks/dev/node-pools.yaml", ".github/CODEOWNERS"):
        assert file in files(folder)
        assert f"{file}" in result.output
    assert "stack: [dev, prod]" in (folder / ".github/workflows/cutlist.yml").read_text()
    assert "prod  3 nodes, $" in result.output
    assert "who runs Pulumi" in result.output


def test_the_next_commands_need_no_option(made, tmp_path, monkeypatch):
    """They are about all stacks of the project, and about the only one where there is one. What can be of one stack only is of
    the one that is selected in Pulumi, which gates pass over."""
    folder = shutil.copytree(made[0], tmp_path / "first")
    monkeypatch.setenv("PULUMI_STACK", "acme/shop/dev")
    judged = run(folder, command=gate.command)
    assert judged.exit_code == 0, judged.output
    assert "Passed: 2 environments" in judged.output
    assert "`cutlist gate --stack NAME`" in judged.output
    one = run(folder, "-o", "json", command=preview.command)
    assert (one.exit_code, one.stderr) == (0, "Note: stack dev, which is selected in Pulumi; --stack names another.\n")
    assert "::shop::pulumi:pulumi:Stack" in one.stdout
    monkeypatch.setenv("PULUMI_STACK", "elsewhere")
    refused = run(folder, "-o", "json", command=preview.command)
    assert "--stack is missing: -o json shows one of dev, prod, and none of them is selected in Pulumi" in refused.output
    (folder / "stacks/Pulumi.prod.yaml").unlink()
    shown = run(folder, command=preview.command)
    assert shown.exit_code == 0, shown.output
    assert "stack shop-dev" in shown.output


def test_settings_of_another_project_are_named(made, tmp_path):
    """Those of pages have the project `cutlist` before them."""
    folder = shutil.copytree(made[0], tmp_path / "first")
    file = folder / "stacks/Pulumi.dev.yaml"
    file.write_text(file.read_text().replace("shop:nodePools", "cutlist:nodePools"))
    result = run(folder, "--stack", "dev", command=preview.command)
    assert "nothing reads 'nodePools' of 'cutlist'" in str(result.exception)
    assert "did you mean shop:nodePools?" in str(result.exception)


@pytest.mark.parametrize(
    ("cloud", "region", "account"),
    [("auto-mode", "us-west-2", "111122223333"), ("aks", "eastus", "11111111-2222-3333-4444-555555555555")],
)
def test_other_kinds_of_clusters(tmp_path, cloud, region, account):
    """Nobody is asked for what a region says: a location of Azure is one of AKS."""
    known = () if cloud == "aks" else ("--cloud", cloud)
    result = run(tmp_path, "shop", *known, "--region", region, "--account", account)
    assert result.exit_code == 0, result.output
    assert f"{'aksCluster' if cloud == 'aks' else 'autoModeCluster'}:" in (tmp_path / "stacks/Pulumi.dev.yaml").read_text()


def test_the_version_of_kubernetes_has_the_images():
    assert image_releases().missing(IMAGES, KUBERNETES) is None


def test_what_is_missing_is_asked(tmp_path):
    """The folder's name is the name by default, and a wrong answer ends it before anything is written."""
    folder = tmp_path / "My shop"
    folder.mkdir()
    result = run(folder, answers="\n\nus-west-22\n12\n")
    assert isinstance(result.exception, InputError)
    assert "[my-shop]" in result.output
    assert "did you mean us-west-2?" in str(result.exception)
    assert "account '12' has 2 digits" in str(result.exception)
    assert files(folder) == set()


def test_where_nobody_answers_all_that_is_missing_is_named(tmp_path):
    result = run(tmp_path, "--cloud", "aws")
    assert result.exit_code == 2
    assert "a new project needs NAME, --region, --account; --like copies a stack" in " ".join(result.output.split())
    assert files(tmp_path) == set()


def test_a_region_of_another_cloud_is_refused(tmp_path):
    result = run(tmp_path, "shop", "--cloud", "aks", "--region", "us-east-1", "--account", "111122223333")
    assert "'us-east-1' is not a region of --cloud aks" in str(result.exception)
    assert "'111122223333' is not the id of a subscription" in str(result.exception)


@pytest.mark.parametrize("file", ["stacks", ".github"])
def test_a_file_in_the_place_of_a_folder_is_named(tmp_path, file):
    (tmp_path / file).write_text("mine")
    result = run(tmp_path, "shop", *ON_AWS)
    assert str(result.exception).startswith(f"{tmp_path / file}: is not a folder")
    assert [path.name for path in tmp_path.iterdir()] == [file]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path, monkeypatch):
    def write(path: str, text: str) -> None:
        if path.endswith("Pulumi.prod.yaml"):
            raise InputError.one(Place(path), "cannot be written: no space left on device")
        Path(path).write_text(text)

    monkeypatch.setattr("cutlist_cli.new_starter.write_file", write)
    result = run(tmp_path, "shop", *ON_AWS)
    assert "no space left on device" in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_no_cluster_can_have_is_answered_by_one(tmp_path):
    result = run(tmp_path, "My Shop", *ON_AWS)
    assert "'My Shop' cannot be the name of a project and its clusters" in str(result.exception)
    assert "did you mean my-shop?" in str(result.exception)


def test_nothing_is_replaced(tmp_path):
    (tmp_path / "__main__.py").write_text("print()")
    result = run(tmp_path, "shop", *ON_AWS)
    assert [(p.place.source, p.message) for p in result.exception.problems] == [
        (str(tmp_path / "__main__.py"), "exists already")
    ]
    assert files(tmp_path) == {"__main__.py"}


def test_a_project_that_does_not_pass_is_not_left_behind(tmp_path):
    """What no level of a rule can allow stops it: a NodePool of the cluster that cannot be read."""
    cluster = snapshot(tmp_path)
    cluster.write_text(cluster.read_text().replace("operator: In", "operator: Inn", 1))
    folder = tmp_path / "adopted"
    folder.mkdir()
    result = run(folder, "shop", "--cluster", str(cluster))
    assert "stack prod: GT-04" in str(result.exception)
    assert "'Inn'" in str(result.exception)
    assert files(folder) == set()


def test_a_cluster_that_runs_is_adopted(tmp_path):
    """One stack with its NodePools, its Karpenter and its pods, which are planned without the nodes that they are on."""
    folder = tmp_path / "adopted"
    folder.mkdir()
    result = run(folder, "shop", "--cluster", str(snapshot(tmp_path)))
    assert result.exit_code == 0, result.output
    config = load(folder, "prod").config
    assert (config["shop:region"], config["shop:karpenterVersion"]) == ("us-west-2", "1.14.1")
    assert "shop:karpenterCluster" not in config
    assert "prod  1 node, about $" in result.output
    workloads = (folder / "stacks/prod/workloads.yaml").read_text()
    kinds = {manifest["kind"] for manifest in yaml.safe_load_all(workloads)}
    assert kinds == {"Pod", "PodDisruptionBudget"}
    assert "nodeName" not in workloads


def test_rules_that_a_running_cluster_breaks_advise_with_a_reason(tmp_path):
    """Its NodePool has no limits today; the gates hold for all other rules."""
    cluster = snapshot(tmp_path)
    text = cluster.read_text()
    assert "limits:" in text
    manifests = [m for m in yaml.safe_load_all(text) if m]
    for manifest in manifests:
        if manifest["kind"] == "NodePool":
            del manifest["spec"]["limits"]
    cluster.write_text(yaml.safe_dump_all(manifests))
    folder = tmp_path / "adopted"
    folder.mkdir()
    result = run(folder, "shop", "--cluster", str(cluster))
    assert result.exit_code == 0, result.output
    assert 'NP-01: {level: advisory, reason: "as the cluster was adopted"}' in (folder / "stacks/Pulumi.prod.yaml").read_text()


def test_a_snapshot_without_nodepools_is_refused(tmp_path):
    shutil.copy(SHOP / "snapshot.yaml", tmp_path)
    with pytest.raises(InputError, match="has no NodePool to adopt"):
        read_snapshot(str(tmp_path / "snapshot.yaml"))


def test_objects_are_adopted_as_a_team_would_write_them(tmp_path):
    """Without what the API server and controllers add; NodePools of EKS's own are switched on instead."""
    pool = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {
            "name": "own",
            "uid": "1",
            "resourceVersion": "7",
            "annotations": {"karpenter.sh/nodepool-hash": "1", "karpenter.sh/nodepool-hash-version": "v3", "team": "shop"},
        },
        "spec": {"template": {"spec": {"nodeClassRef": {"kind": "NodeClass", "name": "default"}}}},
        "status": {"resources": {"cpu": "1"}},
    }
    built_in = {**pool, "metadata": {"name": "system"}}
    of_node = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "agent-1", "ownerReferences": [{"kind": "DaemonSet", "name": "agent"}]},
        "spec": {"containers": []},
    }
    file = tmp_path / "cluster.yaml"
    file.write_text(yaml.safe_dump_all([pool, built_in, of_node]))
    adopted = read_snapshot(str(file))
    assert (adopted.cloud, adopted.built_in) == ("auto-mode", ("system",))
    (written,) = yaml.safe_load_all(adopted.node_pools)
    assert written["metadata"] == {"name": "own", "annotations": {"team": "shop"}}
    assert "status" not in written
    assert "agent-1" not in adopted.workloads


def pod(name: str, node: str, phase: str = "Running") -> dict[str, Any]:
    """Return a pod of a snapshot."""
    spec = {"nodeName": node, "containers": [{"name": "app", "image": "app:1"}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec, "status": {"phase": phase}}


def node(name: str, **labels: str) -> dict[str, Any]:
    """Return a node of a snapshot."""
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": {}, "status": {}}


def test_pods_that_have_ended_or_run_beside_karpenter_are_not_planned(tmp_path):
    """A Job's last pod, and Karpenter's own on nodes of a managed group; one without a node yet is planned."""
    cluster = snapshot(tmp_path)
    more = [
        node("system-1"),
        node("general-9", **{"karpenter.sh/nodepool": "general"}),
        pod("migration-1", "general-9", "Succeeded"),
        pod("migration-0", "general-9", "Failed"),
        pod("controller-1", "system-1"),
        pod("web-1", "general-9"),
        pod("web-2", "", "Pending"),
    ]
    cluster.write_text(f"{cluster.read_text()}---\n{yaml.safe_dump_all(more)}")
    written = [
        of["metadata"]["name"] for of in yaml.safe_load_all(read_snapshot(str(cluster)).workloads) if of["kind"] == "Pod"
    ]
    assert {"web-1", "web-2", "checkout-1"} <= set(written)
    assert not {"migration-1", "migration-0", "controller-1"} & set(written)


def test_the_zones_in_which_classes_have_subnets_are_those_of_the_plan(tmp_path):
    cluster = snapshot(tmp_path)
    manifests = [m for m in yaml.safe_load_all(cluster.read_text()) if m]
    for manifest in manifests:
        if manifest["kind"] == "EC2NodeClass":
            manifest["status"] = {"subnets": [{"id": f"subnet-{z}", "zone": f"us-west-2{z}", "zoneID": z} for z in "ba"]}
    cluster.write_text(yaml.safe_dump_all(manifests))
    adopted = read_snapshot(str(cluster))
    made = adopting_project(StarterChoices("shop", "aws", "us-west-2", ""), adopted, "1.0.0")
    assert "  shop:zones: [us-west-2a, us-west-2b]\n" in made.texts["stacks/Pulumi.prod.yaml"]
    elsewhere = adopting_project(StarterChoices("shop", "aws", "eu-west-1", ""), adopted, "1.0.0")
    assert "shop:zones" not in elsewhere.texts["stacks/Pulumi.prod.yaml"]


def test_lowered_rules_are_in_the_file():
    made = new_project(StarterChoices("shop", "aws", "eu-west-1", "1" * 12), "1.0.0")
    assert set(made.stacks) == {"dev", "prod"}
    assert "    rules: # those" in with_advisory_rules("x:\n    rules: {}\n", ["NP-01"])


def test_a_folder_without_a_project_is_answered_by_the_way_to_one(tmp_path):
    result = CliRunner().invoke(preview.command, ["--project-dir", str(tmp_path)])
    assert result.exit_code == 2
    said = "".join(result.output.split())
    assert f"{tmp_path}/Pulumi.yamldoesnotexist;" in said
    assert "startone:cutlistnewNAME" in said
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    result = CliRunner().invoke(preview.command, ["--project-dir", str(tmp_path)])
    assert (result.exit_code, "hasnostack;" in "".join(result.output.split())) == (2, True)
