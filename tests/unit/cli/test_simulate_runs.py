"""`cutlist simulate` with several seeds, and against other NodePools."""

from __future__ import annotations

import json
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from cutlist.answers.simulate_demand import DemandFiles
from cutlist.answers.simulate_runs import simulate_runs
from cutlist.planning.read_inputs import read_inputs
from cutlist.runners.packing import packed, packed_member, packed_outcome, unpacked
from cutlist_cli import main
from tests.recorded import PROJECT

POOLS, APP = (str(PROJECT / "docs" / "examples" / name) for name in ("pools.yaml", "app.yaml"))
MORNING = 1_767_599_000.0
RATES_OF_DOCS = str(PROJECT / "docs" / "usage" / "rates.csv")
DEMO = str(PROJECT / "docs" / "snapshots" / "demo.yaml")


def run(*arguments: str, days: str = "0.05"):
    return CliRunner().invoke(main, ["simulate", "-f", POOLS, "--region", "us-west-2", "--days", days, *arguments])


def other_pools(tmp_path, name: str = "general") -> str:
    """On-demand nodes alone, in a folder."""
    node_class, _, text = (PROJECT / "docs" / "examples" / "pools.yaml").read_text("utf-8").partition("---\n")
    folder = tmp_path / "other"
    folder.mkdir()
    changed = text.replace("name: general", f"name: {name}").replace("[spot, on-demand]", "[on-demand]")
    (folder / "pools.yaml").write_text(changed)
    (folder / "class.yaml").write_text(node_class)
    return str(folder)


@pytest.mark.slow
def test_other_node_pools_take_the_place_of_these(tmp_path):
    """Whatever they are called. On demand costs more with each seed; a run has the numbers that it has alone."""
    result = run("-f", APP, "--typical", "web", "--seeds", "2", "--against", other_pools(tmp_path, "reserved"), "-o", "json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["seeds"] == [1, 2]
    mine, others = data["cluster"]["runs"], data["against"]["runs"]
    differences = [other["usd"] - this["usd"] for this, other in zip(mine, others, strict=True)]
    assert min(differences) > 0
    assert data["difference"]["usd"]["mean"] == pytest.approx(sum(differences) / 2)
    alone = json.loads(run("-f", APP, "--typical", "web", "--seed", "2", "-o", "json").stdout)
    assert (mine[1]["usd"], mine[1]["nodeHours"]) == (alone["total"]["usd"], alone["total"]["nodeHours"])


RATES = "family,region,term,discount,source\n*,*,1y,20%,an example\nt9,*,3y,50%,an example\n"


def test_rates_give_the_commitments_that_cost_least(tmp_path):
    """Nodes that run through all full hours are worth committing to, at a saving of 20 %; no node is of a family t9."""
    rates = tmp_path / "rates.csv"
    rates.write_text(RATES)
    folder = other_pools(tmp_path)
    arguments = ("-f", folder, "-f", APP, "--region", "us-west-2", "--days", "0.1")
    result = CliRunner().invoke(main, ["simulate", *arguments, "--rates", str(rates), "-o", "json"])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    plan, *reservations = data["commitments"]
    full = [life for life in data["nodes"] if life["capacityType"] == "on-demand"]
    assert plan["term"] == "1y"
    assert plan["instanceType"] is None
    with_disks = 2 * sum(life["pricePerHour"] for life in full)
    assert 0.98 * with_disks < plan["onDemandUsd"] < with_disks
    assert plan["savedUsd"] == pytest.approx(0.2 * plan["onDemandUsd"], rel=1e-4)
    assert {of["instanceType"] for of in reservations} == {life["instanceType"] for life in full}
    assert sum(of["savedUsd"] for of in reservations) == pytest.approx(plan["savedUsd"], rel=1e-4)
    assert any(note.startswith("for 3y there is no rate for") for note in data["notes"])


class PackedRunner:
    """Does all jobs in this process, from packed states, and answers in the reverse order."""

    @contextmanager
    def team(self, prepare, value):
        self.member = packed_member(packed((prepare, value)))
        yield self

    def outcomes(self, work, jobs, _may_go_on=None):
        outcomes = [packed_outcome(self.member, number, packed((work, job))) for number, job in enumerate(jobs)]
        return map(unpacked, reversed(outcomes))


@pytest.mark.slow
def test_the_answer_is_the_same_with_every_runner():
    inputs = read_inputs([POOLS, APP], region="us-west-2")
    ended, demand = [], DemandFiles(typical="web")
    of = {"against": inputs, "days": 0.02, "start": MORNING}
    here = simulate_runs(inputs, demand, (3, 4), **of)
    elsewhere = simulate_runs(inputs, demand, (3, 4), **of, runner=PackedRunner(), done=lambda *numbers: ended.append(numbers))
    assert elsewhere == here
    assert here.runs == here.others
    assert [numbers.seed for numbers in here.runs] == [3, 4]
    assert ended == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_nodes_whose_node_pool_is_missing_are_refused(tmp_path):
    result = run("--from", DEMO, "--against", other_pools(tmp_path, "another"))
    assert (result.exit_code, result.stdout) == (2, "")
    shown = " ".join(result.stderr.split())
    assert "--against: nodes of NodePool general run at the start" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seeds", "0"), "'--seeds'"),
        (("--workers", "2"), "are for several runs: give --seeds or --against"),
        (("--dask", "tcp://x:1"), "are for several runs: give --seeds or --against"),
        (("--against", "nowhere"), "nowhere"),
        (("--rates", "nowhere.csv"), "nowhere.csv"),
        (("--rates", RATES_OF_DOCS, "--seeds", "2"), "--rates is for a single run"),
        (("--rates", RATES_OF_DOCS, "--days", "0.01"), "--days: the run is shorter than the one hour of a commitment"),
        (("--from", APP, "--seeds", "2"), "node"),
        (("--against", APP, "-f", "-"), "--against reads files twice"),
        (("--seeds", "2", "--trace", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_mistakes_are_named(arguments, message):
    result = run("-f", APP, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
