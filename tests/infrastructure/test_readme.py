"""What README.md says of the whole: its commands exist, what make does is there; and the stacks that a page lists."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib

import pytest
from pulumi_cutlist.program.offline import Mode

from cutlist_cli.commands import COMMANDS
from tests.documentation import section
from tests.infrastructure.projects import ROOT, STACKS, recorded

README = (ROOT / "README.md").read_text()
LISTED = section("stacks.md", "The included stacks")


def test_the_page_of_stacks_lists_those_that_there_are():
    reported = re.findall(r"^\| `(\w+)` \|", LISTED, re.MULTILINE)
    assert sorted(reported) == sorted(STACKS)


def test_commands_that_it_names_exist():
    named = re.findall(r"`cutlist (\w+)", README)
    assert len(named) > 8
    assert set(named) <= set(COMMANDS)


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
    [said] = re.findall(r"^\| `prod` \| (.*) \|$", LISTED, re.MULTILINE)
    assert (
        said == "protected from deletion, a NAT gateway in each zone, secrets encrypted with its own key, an alarm on its queue"
    )
    recording = recorded("prod", Mode.PREVIEW)
    assert any(one.request.protect for one in recording.resources.values())
    assert len(recording.of_type("aws:ec2/natGateway:NatGateway")) == 3
    assert recording.of_type("aws:kms/key:Key")
    assert recording.of_type("aws:cloudwatch/metricAlarm:MetricAlarm")
