"""The wheel, installed as users install it, from the package index with its extras, and used as they use it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.documentation import section
from tests.recorded import PROJECT
from tests.release.environment import Environment
from tests.sample import POOLS, WORKLOADS
from tools.release.building import build
from tools.release.project import Project

PROGRAM = re.findall(r"```python\n(.*?)```", section("karpenter-cluster.md", "One call"), re.DOTALL)[0]
STACK = "config:\n  shop:region: eu-west-1\n"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the last commit."""
    return next(file for file in build(Project(PROJECT), tmp_path_factory.mktemp("dist")) if file.suffix == ".whl")


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel and no extra."""
    return Environment.installed(wheel, tmp_path_factory.mktemp("bare"), "")


@pytest.fixture(scope="session")
def full(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel and what a stack on AWS needs."""
    return Environment.installed(wheel, tmp_path_factory.mktemp("full"), "aws,policies")


def test_the_first_page_works_without_any_extra(bare: Environment):
    """README.md's first command, by the names under which the command is installed."""
    for file in (POOLS, WORKLOADS):
        shutil.copy(file, bare.work)
    arguments = ["plan", "-f", "pools.yaml", "-f", "workloads.yaml", "--region", "us-west-2"]
    plans = [
        subprocess.run([name, *arguments], cwd=bare.work, env=bare.variables, capture_output=True, text=True, check=True).stdout
        for name in (bare.folder / "bin" / "cutlist", bare.folder / "bin" / "kubectl-cutlist")
    ]
    assert "1 node for 12 pods" in plans[0]
    assert plans[0] == plans[1]
    assert "cutlist[kubernetes]" in bare.cutlist("preview", "--stack", "dev", status=2).stderr


def test_a_program_outside_of_the_repository_is_previewed(full: Environment):
    """That of the page on clusters, in a project of its own."""
    project = full.work / "shop"
    project.mkdir()
    (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (project / "Pulumi.dev.yaml").write_text(STACK)
    (project / "__main__.py").write_text(PROGRAM)
    shown = full.cutlist("preview", "--stack", "dev", "--project-dir", "shop", "-o", "json")
    types = [resource["type"] for resource in json.loads(shown.stdout)["resources"]]
    assert "aws:eks/cluster:Cluster" in types
    assert "kubernetes:karpenter.sh/v1:NodePool" in types


@contextmanager
def serving(environment: Environment, *command: str | Path, folder: Path) -> Iterator[str]:
    """The first line that a plugin prints, which is its port. It ends with the block."""
    variables = {**environment.variables, "PULUMI_PROJECT": "shop", "PULUMI_STACK": "dev", "PULUMI_CONFIG": "{}"}
    with subprocess.Popen(
        command, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield process.stdout.readline().strip() or process.stderr.read()
        finally:
            process.kill()


def test_the_pack_runs_from_two_files(full: Environment):
    """A folder of the user's own, which has the pack from the wheel."""
    folder = full.work / "pack"
    folder.mkdir()
    (folder / "PulumiPolicy.yaml").write_text("runtime: python\n")
    (folder / "__main__.py").write_text("from cutlist_policies.pack import serve\n\nserve()\n")
    python = full.folder / "bin" / "python"
    with serving(full, python, "-u", "-m", "pulumi.policy", "127.0.0.1:1", folder, folder=folder) as port:
        assert port.isdigit(), port


def test_the_components_are_found_on_the_path(full: Environment):
    """An engine starts the program of this name when a package is called cutlist."""
    plugin = shutil.which("pulumi-resource-cutlist", path=full.variables["PATH"].split(os.pathsep)[0])
    assert plugin
    with serving(full, plugin, "127.0.0.1:1", folder=full.work) as port:
        assert port.isdigit(), port
