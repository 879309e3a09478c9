"""The page on extending: its component comes and goes in order, its command runs, its entry points are read."""

from __future__ import annotations

import re
import tomllib
from types import ModuleType

import pytest
from click.testing import CliRunner
from pulumi_cutlist.program.offline import Mode

from cutlist_cli import main
from tests.documentation import section
from tests.infrastructure.aws_stand_in import run
from tests.infrastructure.graph import Graph
from tests.infrastructure.projects import ROOT

PAGE = section("showing.md", "Extending Cutlist")
COMMAND, PLATFORM = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
[ENTRY_POINTS] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
POOL = "kubernetes:karpenter.sh/v1:NodePool"


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
def test_the_component_makes_a_pool_and_a_namespace_for_each_team(tmp_path, mode):
    recording = run(tmp_path, PLATFORM, mode)
    made = {one.inputs["metadata"]["name"] for one in recording.of_type(POOL)}
    assert made == {"web", "search", "burst"}
    namespaces = {one.inputs["metadata"]["name"] for one in recording.of_type("kubernetes:core/v1:Namespace")}
    assert namespaces == {"web", "search"}
    assert [log for log in recording.logs if log.severity != "info"] == []


def test_what_is_made_around_the_cluster_goes_before_its_controller(tmp_path):
    """The pool beside the cluster's own as well, and it waits for the gate that drains."""
    recording = run(tmp_path, PLATFORM)
    objects = [one for one in recording.resources.values() if one.type.startswith("kubernetes:")]
    around = [one for one in objects if "KarpenterCluster" not in one.urn]
    assert {one.inputs["metadata"]["name"] for one in around} == {"web", "search", "burst"}
    graph = Graph.of(recording)
    controller = [one for one in recording.of_type("kubernetes:helm.sh/v3:Release") if one.inputs["name"] == "karpenter"]
    assert graph.reaches(around, controller)
    assert graph.reaches(around, recording.of_type("pulumi-python:dynamic/cutlist:Drain"))


def test_the_program_is_previewed_and_passes_the_gates(tmp_path):
    """In a project that has nothing of ours but the program."""
    (tmp_path / "Pulumi.yaml").write_text("name: acme\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "__main__.py").write_text(PLATFORM)
    for command in ("preview", "gate"):
        result = CliRunner().invoke(main, [command, "--stack", "dev", "--project-dir", str(tmp_path)])
        assert result.exit_code == 0, result.output
    assert "Passed: " in result.stdout


def test_the_command_tells_what_pools_cost(monkeypatch):
    """Of the first example: one node at the price of its plan."""
    monkeypatch.chdir(ROOT)
    module = ModuleType("acme_costs")
    exec(compile(COMMAND, "docs/showing.md", "exec"), module.__dict__)  # noqa: S102 - our own page
    arguments = ["-f", "examples/shop/pools.yaml", "-f", "examples/shop/workloads.yaml", "--region", "us-west-2"]
    assert CliRunner().invoke(module.command, arguments).stdout == "general 67.29\n"


def test_entry_points_on_the_page_are_groups_that_are_read():
    groups = tomllib.loads(ENTRY_POINTS)["project"]["entry-points"]
    own = tomllib.loads((ROOT / "examples" / "own-rules" / "pyproject.toml").read_text())["project"]["entry-points"]
    assert set(groups) == {*own, "cutlist.commands"}
