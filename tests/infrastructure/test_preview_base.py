"""`cutlist preview --base`: what changes in a stack since a revision, from the base's own program and stack file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.infrastructure.joined_program import NEW, OBJECTS
from tests.infrastructure.test_cluster_workloads import DEPLOYMENT
from tests.infrastructure.test_node_configuration import node_class, pool
from tests.written_project import write_project

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")
ARM = {"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}
CLUSTER = """\
import json, pulumi
from pulumi_cutlist.aws import KarpenterCluster
given = json.loads({given!r})
given["kubernetes_version"] = pulumi.Config().require("version")
KarpenterCluster("shop", given)
"""
PLANNED = """\
from pulumi_cutlist.plan import NodePlan
NodePlan("nodes", {"region": "eu-west-1", "sources": ["objects.yaml", "web.json"]})
"""


def commit(folder: Path) -> None:
    """Commit everything in a folder, which becomes a repository of git."""
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*GIT, "-C", str(folder), *words], check=True)


def preview(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["preview", "--project-dir", str(folder), "--at", "2026-11-30", *words])


def since(folder: Path, *words: str) -> dict[str, Any]:
    """Return what changes, from the JSON of an answer."""
    result = preview(folder, *words, "-o", "json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)["since"]
    return found


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """Write a project whose program makes a plan of files, and commit it."""
    web = {**DEPLOYMENT, "spec": {**DEPLOYMENT["spec"], "replicas": 2}}
    (tmp_path / "web.json").write_text(json.dumps(web))
    (tmp_path / "objects.yaml").write_text(
        "\n---\n".join([json.dumps(node_class()), f"{json.dumps(pool(requirements=[ARM]))}\n"])
    )
    commit(write_project(tmp_path, PLANNED))
    return tmp_path


@pytest.mark.slow
def test_an_edit_of_a_cluster_shows_money_nodes_and_resources(tmp_path: Path) -> None:
    """The nodes that run are those that the base's workloads get, and the version is that of the base's stack file."""
    given = {**NEW, **OBJECTS, "workloads": [DEPLOYMENT]}
    write_project(tmp_path, CLUSTER.format(given=json.dumps(given)), '{"shop:version": "1.35"}')
    commit(tmp_path)
    more = {**DEPLOYMENT, "spec": {**DEPLOYMENT["spec"], "replicas": 400}}
    (tmp_path / "__main__.py").write_text(CLUSTER.format(given=json.dumps({**given, "workloads": [more]})))
    (tmp_path / "Pulumi.dev.yaml").write_text('config: {"shop:version": "1.36"}\n')
    found = since(tmp_path, "--base", "main")
    [plan] = found["plans"]
    assert (plan["plan"], plan["before"]["pods"], plan["before"]["nodes"]) == ("shop-plan", 4, 1)
    assert plan["after"]["pods"] + plan["after"]["pending"] == 400
    first, *causes = plan["replaced"]
    assert first.startswith("1 of 1 planned node is replaced")
    assert causes == [
        "Kubernetes 1.35 becomes 1.36: all nodes of EC2NodeClass default drift, since their images are those of the version"
    ]
    changed = {of["name"]: (of["change"], of["inputs"]) for of in found["resources"]}
    assert changed["shop-cluster"] == ("changed", ["version"])
    assert "shop-network-vpc" not in changed
    assert found["costs"]["nodesPerHour"] == plan["before"]["pricePerHour"]


def test_nothing_changes_in_a_stack_that_is_as_it_was(plain: Path) -> None:
    result = preview(plain, "--base")
    assert result.exit_code == 0, result.output
    assert ", the merge base with main: money, nodes, pending pods and resources are as before." in " ".join(
        result.stdout.split()
    )


def test_an_edit_is_compared_in_every_form(plain: Path) -> None:
    """The headline, which nodes are replaced, and both plans."""
    objects = plain / "objects.yaml"
    written = objects.read_text()
    assert '"arm64"' in written
    objects.write_text(written.replace('"arm64"', '"amd64"'))
    text = " ".join(preview(plain, "--base", "HEAD").stdout.split())
    assert text.startswith("Since HEAD: ")
    assert "This replaces nodes: 1 of 1 planned node is replaced" in text
    assert "the nodes outside the new requirements of NodePool general drift: spec.template.spec.requirements" in text
    assert "- general" in text
    comment = preview(plain, "--base", "HEAD", "-o", "markdown").stdout
    assert comment.startswith("**Since HEAD: ")
    assert "- This replaces nodes: " in comment
    assert "| nodes | 1 | 1 |" in comment
    page = preview(plain, "--base", "HEAD", "-o", "html").stdout
    assert 'id="since"' in page
    assert "This replaces nodes: " in page


def test_a_stack_that_the_base_lacks_is_new(plain: Path) -> None:
    (plain / "Pulumi.prod.yaml").write_text("config: {}\n")
    assert since(plain, "--stack", "prod", "--base", "HEAD") == {"base": "HEAD", "costs": None, "plans": [], "resources": []}
    assert preview(plain, "--stack", "prod", "--base", "HEAD").stdout.startswith("New since HEAD: the stack is not there")


def test_a_base_whose_program_fails_is_no_comparison(plain: Path) -> None:
    program = plain / "__main__.py"
    good = program.read_text()
    program.write_text(good.replace("eu-west-1", "eu-wst-1"))
    commit(plain)
    program.write_text(good)
    result = preview(plain, "--base", "HEAD")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "region 'eu-wst-1' is not in the catalogue" in result.stderr


def test_a_base_has_to_exist_and_to_be_the_only_one(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    unknown = preview(plain, "--base", "nowhere")
    assert (unknown.exit_code, unknown.stderr.splitlines()[0]) == (2, "--base: this repository has no revision 'nowhere'")
    two = preview(plain, "--base", "HEAD", "--before", str(plain / "x.json"))
    assert two.exit_code == 2
    assert "leave one of them out" in two.stderr
    outside = write_project(tmp_path_factory.mktemp("outside"), PLANNED)
    assert preview(outside, "--base").exit_code == 2
