"""The page on networks: its programs run, and what it says of sizes and endpoints is what is made."""

from __future__ import annotations

import re

import pytest
from pulumi_cutlist.program.offline import Mode, Program

from cutlist.infrastructure.endpoints import ENDPOINTS
from cutlist.infrastructure.subnets import Sizes
from tests.account.recordings import refused
from tests.documentation import section
from tests.infrastructure.aws_stand_in import AwsStandIn

PAGE = section("cluster.md", "The network", "A private cluster")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_programs_on_the_page_run(number, mode, tmp_path):
    """Each by itself, as it stands, and each registers something."""
    (tmp_path / "__main__.py").write_text(PROGRAMS[number])
    recording = Program(tmp_path, tmp_path, "shop", "dev").run(mode, AwsStandIn(mode))
    assert refused(recording) == []
    assert len(recording.resources) > 1
    assert recording.logs == []


def test_there_are_programs_on_the_page():
    assert len(PROGRAMS) == 6


def test_the_page_names_every_endpoint():
    assert [e.name for e in ENDPOINTS if f"`{e.name}`" not in PAGE] == []


def test_the_page_tells_the_sizes():
    sizes = re.findall(r"^\| (private|public|control plane) \| `/(\d+)`", PAGE, re.MULTILINE)
    assert [int(size) for _, size in sizes] == [Sizes().private, Sizes().public, Sizes().control_plane]
