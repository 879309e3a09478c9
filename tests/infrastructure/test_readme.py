"""What README.md says of the whole: its program runs, its stacks are there, its commands exist."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib

import pulumi_cutlist.aws
import pulumi_cutlist.azure
import pytest
from pulumi_cutlist.program.offline import Mode

from cutlist_cli.commands import COMMANDS
from tests.infrastructure.aws_stand_in import run
from tests.infrastructure.projects import ROOT, STACKS, recorded

README = (ROOT / "README.md").read_text()
WORKS = README.partition("## What it does")[2].partition("\n## ")[0]


@pytest.mark.parametrize("mode", Mode)
def test_its_program_makes_a_cluster_with_a_pool(tmp_path, mode):
    [program] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    recording = run(tmp_path, program, mode)
    [pool] = recording.of_type("kubernetes:karpenter.sh/v1:NodePool")
    assert pool.inputs["metadata"]["name"] == "general"
    assert len(recording.of_type("aws:eks/cluster:Cluster")) == 1


def test_it_lists_the_stacks_that_there_are():
    reported = re.findall(r"^\| `(\w+)` \|", WORKS, re.MULTILINE)
    assert sorted(reported) == sorted(STACKS)
    assert f"{['no', 'one', 'two', 'three', 'four', 'five', 'six'][len(reported)].title()} stacks" in WORKS


def test_components_and_commands_that_it_names_exist():
    assert set(re.findall(r"`cutlist (\w+)", README)) <= set(COMMANDS)
    for name in ("KarpenterCluster", "AutoModeCluster"):
        assert f"`{name}`" in WORKS
        assert hasattr(pulumi_cutlist.aws, name)
    assert "`AksNodeProvisioning`" in WORKS
    assert hasattr(pulumi_cutlist.azure, "AksNodeProvisioning")


def test_the_pythons_that_it_names_are_those_of_the_package():  # K-31
    first, last = re.search(r"Python 3\.(\d+) to 3\.(\d+)", README).groups()
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert required == f">=3.{first},<3.{int(last) + 1}"


def test_what_it_says_make_does_is_there():
    reported = re.findall(r"^\$ make (\w+)", README, re.MULTILINE)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert reported == ["preview", "test"]
    assert set(reported) <= set(targets)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("stack", STACKS)
def test_make_preview_installs_what_the_program_of_its_stack_imports(tmp_path, stack):
    """A fresh clone has no SDK of any cloud; the stack decides which one its preview needs."""
    command = ["make", "--dry-run", "preview", f"STACK={stack}", f"VENV={tmp_path / 'venv'}"]
    planned = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"--editable '\.\[(\w+)]'", planned) == ["azure" if stack == "aks" else "aws"]
    assert f"cutlist preview --stack '{stack}'" in planned


def test_the_command_that_its_pages_use_is_put_on_the_path():
    """Nobody has `cutlist` on the path after a clone; what makes it there has to be said."""
    assert "\n$ . .venv/bin/activate\n" in README
    assert "VENV := .venv\n" in (ROOT / "Makefile").read_text()


def test_production_is_what_it_is_said_to_be():
    [said] = re.findall(r"^\| `prod` \| (.*) \|$", WORKS, re.MULTILINE)
    assert (
        said == "protected from deletion, a NAT gateway in each zone, secrets encrypted with its own key, an alarm on its queue"
    )
    recording = recorded("prod", Mode.PREVIEW)
    assert any(one.request.protect for one in recording.resources.values())
    assert len(recording.of_type("aws:ec2/natGateway:NatGateway")) == 3
    assert recording.of_type("aws:kms/key:Key")
    assert recording.of_type("aws:cloudwatch/metricAlarm:MetricAlarm")
