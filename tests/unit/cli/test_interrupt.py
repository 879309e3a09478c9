"""`cutlist interrupt`: a cluster in, what is left of it without spot out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main

_DOCS = Path(__file__).resolve().parents[3] / "docs"


def run(*arguments: str) -> Result:
    files = ("-f", str(_DOCS / "examples" / "pools.yaml"), "-f", str(_DOCS / "snapshots" / "demo.yaml"))
    return CliRunner().invoke(main, ["interrupt", *files, "--region", "us-west-2", *arguments])


def test_every_spot_node_goes_and_its_pods_find_room():
    found: dict[str, Any] = json.loads(run("-o", "json").stdout)
    assert (found["lost"], found["displacedPods"]) == (["ip-10-0-2-21", "ip-10-0-3-31"], 1)
    assert (found["moves"], found["launched"], found["pending"]) == ({"ip-10-0-1-11": 1}, [], [])
    assert found["pricePerHour"]["after"] < found["pricePerHour"]["before"]


def test_one_zone_loses_only_its_own():
    result = run("--spot-in", "us-west-2b", "--width", "80")
    assert result.exit_code == 0
    assert result.output.splitlines()[0] == "Without spot in us-west-2b, as of 2026-01-05 11:40:00Z"
    assert "lost     1 node with 1 pod to place" in result.output
    assert all(len(line) <= 80 for line in result.output.splitlines())


@pytest.mark.parametrize("zone", ["us-west-2x", "eu-west-1a"])
def test_a_zone_of_another_region_is_a_mistake(zone):
    result = run("--spot-in", zone)
    assert result.exit_code == 2
    assert f"--spot-in: no zone '{zone}' in us-west-2" in result.output
    assert "us-west-2a" in result.output
