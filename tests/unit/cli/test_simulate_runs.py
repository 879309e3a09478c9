"""`cutlist simulate` with several seeds, and against other NodePools."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from cutlist.planning.read_inputs import read_inputs
from cutlist.runners.packing import packed, packed_member, packed_outcome, unpacked
from cutlist.settings.simulate import RESUME
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.demand import DemandFiles
from cutlist.verbs.simulate.runs import ESTIMATED, simulate_runs
from cutlist_cli import main
from cutlist_cli.answers_folder import AnswersFolder
from tests.sample import SHOP, SNAPSHOT
from tests.unit.simulation.builders import group, simulation
from tests.unit.simulation.builders import inputs as cluster_inputs

POOLS, APP = (str(SHOP / name) for name in ("pools.yaml", "workloads.yaml"))
MORNING = 1_767_599_000.0
RATES_OF_DOCS = str(SHOP / "rates.csv")
DEMO = str(SNAPSHOT)


def run(*arguments: str, days: str = "0.05"):
    return CliRunner().invoke(main, ["simulate", "-f", POOLS, "--region", "us-west-2", "--days", days, *arguments])


def other_pools(tmp_path, name: str = "general") -> str:
    """On-demand nodes alone, in a folder."""
    node_class, _, text = Path(POOLS).read_text("utf-8").partition("---\n")
    folder = tmp_path / "other"
    folder.mkdir(parents=True)
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
    (against,) = data["against"]
    mine, others = data["cluster"]["runs"], against["runs"]
    differences = [other["usd"] - this["usd"] for this, other in zip(mine, others, strict=True)]
    assert min(differences) > 0
    assert against["difference"]["usd"]["mean"] == pytest.approx(sum(differences) / 2)
    alone = json.loads(run("-f", APP, "--typical", "web", "--seed", "2", "-o", "json").stdout)
    assert (mine[1]["usd"], mine[1]["nodeHours"]) == (alone["total"]["usd"], alone["total"]["nodeHours"])


RATES = "family,region,term,discount,source\n*,*,1y,20%,an example\nt9,*,3y,50%,an example\n"


def test_rates_give_the_commitments_that_cost_least(tmp_path):
    """Nodes that run through all full hours are worth committing to, at a saving of 20%; no node is of a family t9."""
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


@pytest.mark.thorough
@pytest.mark.slow
def test_rates_count_in_runs_with_several_seeds_and_in_their_differences(tmp_path):
    """Each cluster has commitments of its own; the results of runs are kept with what commitments need."""
    rates = tmp_path / "rates.csv"
    rates.write_text(RATES)
    arguments = (
        "-f",
        APP,
        "--typical",
        "web",
        "--seeds",
        "2",
        "--workers",
        "1",
        "--rates",
        str(rates),
        "--against",
        other_pools(tmp_path),
    )
    result = run(*arguments, "--resume", str(tmp_path / "kept"), "-o", "json", days="0.1")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    (against,) = data["against"]
    mine, others = (
        [{kind["commitment"]: kind["usd"] for kind in of_run["committedUsd"]} for of_run in of["runs"]]
        for of in (data["cluster"], against)
    )
    assert [*others[0]] == ["1y savings plan", "1y reserved instances", "3y savings plan", "3y reserved instances"]
    for of_run, committed in zip(against["runs"], others, strict=True):
        assert committed["1y savings plan"] < of_run["usd"] == committed["3y savings plan"]
    difference = {kind["commitment"]: kind["mean"] for kind in against["difference"]["committedUsd"]}
    assert difference["1y savings plan"] == pytest.approx(
        sum(b["1y savings plan"] - a["1y savings plan"] for a, b in zip(mine, others, strict=True)) / 2
    )
    assert run(*arguments, "--resume", str(tmp_path / "kept"), "-o", "json", days="0.1").stdout == result.stdout


class PackedRunner:
    """Does all jobs in this process, from packed states, and answers in the reverse order."""

    @contextmanager
    def team(self, prepare, value):
        self.member = packed_member(packed((prepare, value)))
        yield self

    def outcomes(self, work, jobs, _may_go_on=None):
        outcomes = [packed_outcome(self.member, number, packed((work, job))) for number, job in enumerate(jobs)]
        return map(unpacked, reversed(outcomes))


@pytest.mark.thorough
@pytest.mark.slow
def test_the_answer_is_the_same_with_every_runner():
    inputs = read_inputs([POOLS, APP], region="us-west-2")
    ended, demand = [], DemandFiles(typical="web")
    of = {"against": {"others": inputs}, "days": 0.02, "start": MORNING}
    here = simulate_runs(inputs, demand, (3, 4), **of)
    elsewhere = simulate_runs(inputs, demand, (3, 4), **of, runner=PackedRunner(), done=ended.append)
    assert elsewhere == here
    assert here.runs == here.others[0].runs
    assert [numbers.seed for numbers in here.runs] == [3, 4]
    assert here.notes.count(ESTIMATED) == 1  # the nodes are spot
    assert [(progress.done, progress.of) for progress in ended] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert ended[0].usd is None
    assert ended[-1].usd == here.summary.usd


def test_runs_that_are_kept_are_not_run_again(tmp_path, monkeypatch):
    """Another seed is another run, and so is another length; what cannot be read is run again."""
    seeds = []
    monkeypatch.setattr("cutlist.verbs.digests.digest_of_files", lambda folder: folder.name)
    monkeypatch.setattr(
        "cutlist.verbs.simulate.answer.PreparedSimulation.run", lambda _, seed: seeds.append(seed) or quick_run(seed)
    )
    kept, inputs = AnswersFolder(str(tmp_path), RESUME), read_inputs([POOLS, APP], region="us-west-2")

    def run_again(*wanted: int, **more):
        seeds.clear()
        return simulate_runs(inputs, DemandFiles(), wanted, start=MORNING, kept=kept, **more), tuple(seeds)

    first, ran = run_again(1, 2)
    assert ran == (1, 2)
    assert run_again(1, 2) == (first, ())
    assert run_again(1, 2, 3)[1] == (3,)
    assert run_again(1, days=6)[1] == (1,)
    for file in tmp_path.iterdir():
        file.write_text("{")
    assert run_again(1, 2) == (first, (1, 2))


def quick_run(seed: int) -> ClusterSimulation:
    """What a run with a seed comes to."""
    result = simulation(cluster_inputs(group(count=seed)), hours=0.1, seed=seed).result()
    return ClusterSimulation("us-west-2", (0, 0), result, (f"a note on {seed}",))


@pytest.mark.thorough
@pytest.mark.slow
def test_each_match_of_a_pattern_is_another_cluster(tmp_path):
    """The same pools under another name cost the same; the results are kept in a folder."""
    folders = [tmp_path / "pools-a", tmp_path / "pools-b"]
    for folder in folders:
        copytree(other_pools(tmp_path / folder.name[-1]), folder)
    arguments = (
        "-f",
        APP,
        "--workers",
        "1",
        "--against",
        f"{tmp_path}/pools-*",
        "--resume",
        str(tmp_path / "kept"),
        "-o",
        "json",
    )
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    first, second = json.loads(result.stdout)["against"]
    assert [first["name"], second["name"]] == [str(folder) for folder in folders]
    assert (first["runs"], first["difference"]) == (second["runs"], second["difference"])
    assert len(list((tmp_path / "kept").iterdir())) == 2
    assert run(*arguments).stdout == result.stdout


def test_nodes_whose_node_pool_is_missing_are_refused(tmp_path):
    result = run("--from", DEMO, "--against", other_pools(tmp_path, "another"))
    assert (result.exit_code, result.stdout) == (2, "")
    shown = " ".join(result.stderr.split())
    assert "--against: nodes of NodePool general run at the start" in shown


@pytest.mark.parametrize("kinds", ["ConfigMap", "ConfigMap, Secret"])
def test_other_files_with_nothing_to_simulate_are_refused(tmp_path, kinds):
    """A difference of nothing would say that the other NodePools cost the same."""
    objects = [f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\n" for kind in kinds.split(", ")]
    (tmp_path / "other.yaml").write_text("---\n".join(objects))
    result = run("-f", APP, "--typical", "web", "--against", str(tmp_path / "other.yaml"))
    assert result.exit_code == 2
    assert f"has nothing that a simulation looks at: {kinds}" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seeds", "0"), "'--seeds'"),
        (("-f", APP, "--seeds", "1000000000"), "--seeds: 1,000,000,000 seeds are more than are run"),
        (("--workers", "2"), "are for several runs: give --seeds or --against"),
        (("--dask", "tcp://x:1"), "are for several runs: give --seeds or --against"),
        (("--against", "nowhere"), "nowhere"),
        (("--against", "nowhere-*"), "--against: no file is called nowhere-*"),
        (("--seeds", "2", "--resume", f"{APP}/kept"), "kept cannot be created"),
        (("--rates", "nowhere.csv"), "nowhere.csv"),
        (("--rates", RATES_OF_DOCS, "--seeds", "2", "--days", "0.01"), "--days: the run is shorter than the one hour"),
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
