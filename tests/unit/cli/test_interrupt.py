"""`cutlist disrupt --spot-ends`, and `interrupt`, its former word: a cluster in, what is left of it without spot out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist import InputError, Place, interrupt, plan_inputs, read_inputs
from cutlist_cli import main
from tests.sample import POOLS, SNAPSHOT


def run(*arguments: str) -> Result:
    files = ("-f", str(POOLS), "-f", str(SNAPSHOT))
    return CliRunner().invoke(main, ["disrupt", *files, "--region", "us-west-2", "--spot-ends", *arguments])


@pytest.mark.parametrize("zone", [(), ("us-west-2b",)])
def test_the_former_word_gives_the_same_answer_with_a_note(zone: tuple[str, ...]):
    """In every form; the note is on standard error."""
    files = ("-f", str(POOLS), "-f", str(SNAPSHOT), "--region", "us-west-2")
    for form in ("text", "json", "markdown", "csv"):
        former = CliRunner().invoke(main, ["interrupt", *files, *(("--spot-in", *zone) if zone else ()), "-o", form])
        assert former.stdout == run(*zone, "-o", form).stdout
        assert "Note: cutlist interrupt is now cutlist disrupt --spot-ends.\n" in former.stderr


def test_one_event_has_no_further_steps():
    """What follows it is no part of the answer."""
    assert "--spot-ends shows one event: leave out --until-stable" in run("--until-stable").stderr


def test_every_spot_node_goes_and_its_pods_find_room():
    found: dict[str, Any] = json.loads(run("-o", "json").stdout)
    assert (found["lost"], found["displacedPods"]) == (["ip-10-0-2-21", "ip-10-0-3-31"], 1)
    assert (found["moves"], found["launched"], found["pending"]) == ({"ip-10-0-1-11": 1}, [], [])
    assert found["pricePerHour"]["after"] < found["pricePerHour"]["before"]


def test_one_zone_loses_only_its_own():
    result = run("us-west-2b", "--width", "80")
    assert result.exit_code == 0
    assert result.output.splitlines()[0] == "Without spot in us-west-2b, as of 2026-01-05 11:40:00Z"
    assert "lost     1 node with 1 pod to place" in result.output
    assert all(len(line) <= 80 for line in result.output.splitlines())


@pytest.mark.parametrize("zone", ["us-west-2x", "eu-west-1a"])
def test_a_zone_of_another_region_is_a_mistake(zone):
    result = run(zone)
    assert result.exit_code == 2
    assert f"--spot-ends: no zone '{zone}' in us-west-2" in result.output
    assert "us-west-2a" in result.output


def test_a_zone_is_named_by_the_parameter_in_python_and_by_the_option_in_a_command():
    """Who calls the function never wrote an option."""
    inputs = read_inputs([POOLS, SNAPSHOT], region="us-west-2")
    with pytest.raises(InputError) as refused:
        interrupt(inputs, zone="us-west-2x")
    assert refused.value.problems[0].place == Place(path="zone")
    assert "error: zone:" not in run("us-west-2x").output


def test_a_cluster_without_nodes_is_named():
    """Several files are read: the mistake says which."""
    pools = str(POOLS)
    result = CliRunner().invoke(main, ["interrupt", "-f", pools, "--region", "us-west-2"])
    assert result.exit_code == 2
    assert f"{pools}: no node is in the input" in " ".join(result.stderr.split())
    words = r"^manifests: no node is in the input, only 1 EC2NodeClass, 1 NodePool; allowed: Nodes with"
    with pytest.raises(InputError, match=words):
        interrupt(read_inputs([], manifests=list(yaml.safe_load_all(Path(pools).read_text())), region="us-west-2"))
    with pytest.raises(InputError, match=r"^inputs: no node is in the input"):
        interrupt(plan_inputs([], region="us-west-2"))
