"""The commands that measure: what they print, and what they say when something is missing."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from pathlib import Path

import pytest

from cutlist.verbs.nodes.answer import read_nodes
from tests.recorded import PROJECT
from tests.sample import POOLS, WORKLOADS
from tools.benchmarks import hostile, profile, simulate, stable
from tools.benchmarks.__main__ import main
from tools.benchmarks.cases import of_name, shapes
from tools.benchmarks.karpenter import VECTORS, named, release, vectors_of
from tools.benchmarks.listed_cluster import listed
from tools.benchmarks.measure import MeasuringError
from tools.benchmarks.recorded_files import located
from tools.benchmarks.redraw import redraw_seconds
from tools.benchmarks.standard_input import cluster, written

MACHINE = {
    "name": "four",
    "requirements": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["a"]}],
    "capacity": {"cpu": "4", "memory": "8Gi", "pods": "10"},
    "offerings": [
        {
            "requirements": [
                {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["a"]},
                {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
            ],
            "price": 1.0,
            "available": True,
        }
    ],
}
POD = {"metadata": {"name": "web"}, "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}
POOL = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "default"}, "spec": {}}
SCENARIO = {"provider": "aws", "instanceTypes": [MACHINE], "nodePools": [POOL], "pods": [{"count": 9, "pod": POD}]}

BENCH = """#!/bin/sh
grep -q '"count": 9' "$1" || exit 3
echo "$1: pods=9 placed=9 claims=CLAIMS errors=0 types=1 solve=2.000s cpu=2.000s"
"""


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    (tmp_path / "nine.json").write_text(json.dumps(SCENARIO))
    return str(tmp_path / "nine.json")


@pytest.fixture(params=[3, 4])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, int]:
    """A program that prints what the oracle's prints, and the claims it speaks of."""
    program = tmp_path / "bench"
    program.write_text(BENCH.replace("CLAIMS", str(request.param)))
    program.chmod(0o755)
    return str(program), request.param


def test_a_scenario_is_one_line_of_json(scenario: str, capsys: pytest.CaptureFixture[str]):
    """Nine pods of one cpu on machines of four need three claims."""
    assert main(["schedule", scenario]) == 0
    row = json.loads(capsys.readouterr().out)
    assert {name: row[name] for name in ("file", "pods", "claims")} == {"file": scenario, "pods": 9, "claims": 3}
    assert row["podsPerSecond"] == pytest.approx(9 / row["seconds"], rel=0.01)
    assert 5 < row["peakMemoryMiB"] < 500


@pytest.mark.thorough
def test_a_packed_scenario_is_read(scenario: str, capsys: pytest.CaptureFixture[str]):
    """What ends with .gz is unpacked."""
    packed = scenario + ".gz"
    Path(packed).write_bytes(gzip.compress(Path(scenario).read_bytes()))
    assert main(["schedule", packed]) == 0
    assert json.loads(capsys.readouterr().out)["claims"] == 3


@pytest.mark.thorough
@pytest.mark.slow
def test_a_file_that_is_not_there_does_not_end_the_run(scenario: str, capsys: pytest.CaptureFixture[str]):
    """Its line has an error, the next file is measured, and the exit code tells."""
    assert main(["schedule", "missing.json", scenario]) == 1
    missing, measured = map(json.loads, capsys.readouterr().out.splitlines())
    assert "missing.json: FileNotFoundError" in missing["error"]
    assert measured["claims"] == 3


def test_files_are_measured_for_another_karpenter_by_copies_that_name_it(scenario: str, monkeypatch: pytest.MonkeyPatch):
    """Also packed ones; a missing file stays what it is, and type files are found beside the originals."""
    monkeypatch.delenv(VECTORS, raising=False)
    packed = scenario + ".gz"
    Path(packed).write_bytes(gzip.compress(Path(scenario).read_bytes()))
    with named([scenario, packed, "missing.json"], release("1.15")) as copies:
        assert os.environ[VECTORS] == str(vectors_of(Path(scenario)))
        assert [json.loads(Path(copy).read_text())["karpenter"] for copy in copies[:2]] == ["1.15.0"] * 2
        assert copies[2] == "missing.json"
    assert VECTORS not in os.environ
    with named([scenario], None) as files:
        assert files == [scenario]


def test_recorded_inputs_are_found_by_name(scenario: str):
    """They are unpacked; a file that is here counts more, and a name that neither has stays what it is."""
    recorded, here, missing = located(["diverse-1000.json", scenario, "bench-merge-5000.json"])
    assert Path(recorded).is_file()
    assert (here, missing) == (scenario, "bench-merge-5000.json")


def test_a_karpenter_that_is_not_known_is_not_measured(scenario: str):
    with pytest.raises(SystemExit) as end:
        main(["schedule", "--karpenter", "9.9", scenario])
    assert end.value.code == 2


def test_without_the_oracle_the_comparison_says_how_to_build_it(
    scenario: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Exit code 2, the build command, and where to name the program."""
    monkeypatch.delenv("CUTLIST_ORACLE_BENCH", raising=False)
    assert main(["against-karpenter", scenario]) == 2
    reported = capsys.readouterr().err
    assert "go build" in reported
    assert "CUTLIST_ORACLE_BENCH" in reported


@pytest.mark.thorough
def test_the_comparison_prints_the_ratio(scenario: str, bench: tuple[str, int], capsys: pytest.CaptureFixture[str]):
    """Karpenter's 2 s over Cutlist's time; where the two open different numbers of claims the exit code is 1.

    Whoever measures sees at once whether it prints; no figure of the product depends on it.
    """
    program, claims = bench
    packed = scenario + ".gz"
    Path(packed).write_bytes(gzip.compress(Path(scenario).read_bytes()))
    assert main(["against-karpenter", "-n", "1", "--bench", program, packed]) == (claims != 3)
    row = capsys.readouterr().out.splitlines()[-1]
    assert "| 2.000 s |" in row
    ours, ratio, processor = (float(row.split("|")[n].strip(" xs").replace(",", "")) for n in (4, 8, 10))
    assert processor > ours  # of the whole process, which starts and reads the file too
    assert ratio == pytest.approx(2.0 / ours, rel=0.2)


def program(folder: Path, says: str) -> str:
    """A program that prints this for whatever it is asked."""
    made = folder / "benchdisrupt"
    made.write_text(f"#!/bin/sh\n{says}\n")
    made.chmod(0o755)
    return str(made)


@pytest.mark.parametrize(
    ("decides", "code", "reported"), [("nothing", 0, "nothing"), ("delete of 2", 1, "nothing, Karpenter 2")]
)
def test_disruption_is_measured_beside_karpenter(decides: str, code: int, reported: str, scenario: str, tmp_path: Path, capsys):
    """A row a method with both decisions; where they are not the same the exit code is 1."""
    bench = program(tmp_path, f"echo 'multi 1m2.5s 1.0s {decides}'; echo 'single 40ms 1.0s nothing'")
    assert main(["disruption", "-n", "1", "--bench", bench, scenario]) == code
    multi, single = (row.split(" | ") for row in capsys.readouterr().out.splitlines()[2:])
    assert (multi[3], multi[4], multi[7]) == ("multi", reported, "62.500 s")
    assert (single[3], single[4], single[7]) == ("single", "nothing", "0.040 s")


@pytest.mark.parametrize(
    ("says", "file", "reported"),
    [
        ("echo 'no such thing' >&2; exit 3", None, "ended with 3: no such thing"),
        ("echo nothing of use", None, "ended with 0: nothing of use"),
        ("true", "missing.json", "missing.json: FileNotFoundError"),
    ],
)
def test_a_disruption_that_cannot_be_measured_says_why(
    says: str, file: str | None, reported: str, scenario: str, tmp_path, capsys
):
    """Not a row without Karpenter, as if nobody had asked for it."""
    assert main(["disruption", "-n", "1", "--bench", program(tmp_path, says), file or scenario]) == 1
    assert reported in capsys.readouterr().err


def test_a_program_for_disruption_that_is_not_there_is_named(scenario: str, capsys: pytest.CaptureFixture[str]):
    assert main(["disruption", "--bench", "no-such-program", scenario]) == 2
    assert "no-such-program is not a file" in capsys.readouterr().err


def test_more_pods_are_replicas_of_the_same_shapes():
    """Rows of a table differ in counts alone."""
    small, large = shapes(3_000, 30), shapes(30_000, 30)
    assert [b.pod for b in small.batches] == [b.pod for b in large.batches]
    assert [b.count for b in large.batches] == [10 * b.count for b in small.batches]
    assert len({b.pod for b in small.batches}) == 30


@pytest.mark.parametrize(("name", "pods"), [("shapes:100:30", 100), ("limit:50:2", 50), ("pools:60:5", 60)])
def test_cases_have_as_many_pods_as_their_names_say(name: str, pods: int):
    """Every kind of case can be made."""
    assert sum(b.count for b in of_name(name).make().batches) == pods


@pytest.mark.thorough
def test_every_view_of_a_plan_is_measured(capsys):
    """One row a view, beside a line that says what was planned; then those of the hardest plan, beside its JSON.

    Whoever measures sees at once whether it prints; no figure of the product depends on it.
    """
    assert main(["views", "-n", "1", "--pods", "60"]) == 0
    planned, hardest = (table.splitlines() for table in capsys.readouterr().out.split("\n\n")[1::2])
    read = ["text", "Markdown", "HTML", "CSV"]
    assert [row.split(" | ")[0].strip("| ") for row in planned] == ["view", "---|---|---|---", *read, "JSON", "YAML"]
    assert [row.split(" | ")[0].strip("| ") for row in hardest] == ["view", "---|---|---|---", *read]
    assert [row.split(" | ")[2] for row in (planned[0], hardest[0])] == ["part of planning", "part of JSON"]


def test_a_cluster_is_followed_until_it_is_stable(capsys: pytest.CaptureFixture[str]):
    """A row has its nodes, its pods, the steps and the time."""
    assert stable.report([4]) == 0
    row = capsys.readouterr().out.splitlines()[2]
    nodes, pods, steps, left, end, seconds = (cell.strip() for cell in row.strip("|").split("|"))
    assert (nodes, end) == ("4", "stable")
    assert int(pods) > 4
    assert int(steps) > 0
    assert int(left) < 4
    assert seconds.endswith(" s")


def test_a_simulation_is_a_row_or_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Half a second for five commands is 100 ms for each."""

    def measured(deployments: int, replicas: int, days: float, cores: int, trace: Path) -> dict[str, float]:
        if not days:
            raise MeasuringError("0 days are no time")
        assert cores == 16
        assert len(trace.read_text().splitlines()) == 1 + deployments + 2
        return {"nodes": 2, "pods": deployments * replicas, "commands": 5, "seconds": 0.5, "peak_memory_mib": 60}

    monkeypatch.setattr(simulate, "simulation_in_child", measured)
    assert simulate.report([("a day", simulate.Case(2, 600, 1, 2)), ("none", simulate.Case(2, 600, 0, 2))]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "| a day | 2 | 1,200 | 5 | 0.5 s | 100.0 | 60 MiB |"
    assert err == "none: 0 days are no time\n"


def test_the_demand_of_a_simulation_has_as_many_changes_as_it_says():
    lines = list(simulate.Case(2, 10, 1, 5).trace())
    assert lines[:3] == ["time,workload,replicas", "0,deployment/app-0,10", "0,deployment/app-1,10"]
    assert len(lines) == 3 + 5
    assert lines == list(simulate.Case(2, 10, 1, 5).trace())


def test_a_step_changes_replicas_by_a_share_of_what_there_are():
    """And they stay between 0.6 and 1.3 times those at the start, which they reach."""
    present, seen = dict.fromkeys(("deployment/app-0", "deployment/app-1"), 100), set()
    for line in list(simulate.Case(2, 100, 7, 400, step=0.15).trace())[3:]:
        _, workload, replicas = line.split(",")
        assert abs(int(replicas) - present[workload]) <= 0.15 * present[workload] + 0.5
        present[workload] = int(replicas)
        seen.add(int(replicas))
    assert (min(seen), max(seen)) == (60, 130)


def test_a_plan_that_is_made_again_is_measured(tmp_path: Path):
    """And what is no plan is no measurement."""
    seconds = redraw_seconds((POOLS, WORKLOADS), "12", runs=1)
    assert 0 < seconds < 30
    broken = tmp_path / "broken.yaml"
    broken.write_text("kind: [\n")
    with pytest.raises(RuntimeError, match="is not YAML"):
        redraw_seconds((broken,), "12", runs=1)


@pytest.mark.thorough  # 14 s
@pytest.mark.slow
def test_large_inputs_are_answered_packed_and_unpacked(capfd: pytest.CaptureFixture[str]):
    """Small ones here: `python -m tools.benchmarks large` without options makes 10,000 kinds of pods and 10,000 nodes."""
    assert main(["large", "--kinds", "3", "--nodes", "1"]) == 0
    rows = [row.split(" | ") for row in capfd.readouterr().out.splitlines()[2:]]
    assert [row[2] for row in rows] == ["plan", "gate"] * 3 + ["nodes", "plan"] * 6
    assert all(float(row[3].removesuffix(" s")) > 0 for row in rows)


def test_a_list_is_written_object_by_object():
    nodes, pods = 2, 5
    listed = json.loads("".join(written(cluster(nodes, pods))))["items"]
    assert [item["kind"] for item in listed] == ["Node"] * nodes + ["Pod"] * pods
    assert {item["spec"]["nodeName"] for item in listed[nodes:]} == {item["metadata"]["name"] for item in listed[:nodes]}
    assert json.loads("".join(written([])))["items"] == []


def test_a_cluster_with_all_that_the_api_server_lists_is_the_same_cluster(tmp_path: Path):
    plain, whole = tmp_path / "plain.json", tmp_path / "whole.json"
    plain.write_text("".join(written(cluster(2, 6))))
    whole.write_text("".join(written(listed(2, 6))))
    assert whole.stat().st_size > 2 * plain.stat().st_size
    first, second = (read_nodes([path]) for path in (plain, whole))
    assert [(node.name, node.requested, node.allocatable, node.pods) for node in second.nodes] == [
        (node.name, node.requested, node.allocatable, node.pods) for node in first.nodes
    ]
    assert {state for node in second.nodes for state in node.states} == {"Ready"}  # which only kubelets report


def test_a_bill_is_summed_within_the_memory_that_a_month_of_many_nodes_needs(capfd):
    """A small one here: `python -m tools.benchmarks bill` without options makes that of 8,000 nodes."""
    pytest.importorskip("duckdb")
    assert main(["bill", "--nodes", "60", "--hours", "24"]) == 0
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in capfd.readouterr().out.splitlines()[-2:]]
    assert [row[:2] for row in rows] == [["for prices", "1,440"], ["by day", "1,440"]]
    assert all(float(row[-1].removesuffix(" MiB").replace(",", "")) < 500 for row in rows)


def test_a_repository_is_measured_with_the_charts_of_its_cache(capsys, monkeypatch):
    """The processor time of Cutlist and that of helm, for what the answer has."""
    monkeypatch.setenv("PATH", os.pathsep.join((str(PROJECT / ".engine/bin"), os.environ["PATH"])))
    if shutil.which("helm") is None:
        pytest.skip("helm is not installed; `make helm` builds it")
    assert main(["repository", "--files", "30", "--charts", "2"]) == 0
    rows = [line.split("|")[2:4] for line in capsys.readouterr().out.splitlines()[2:]]
    assert [[cell.strip() for cell in row] for row in rows] == [["plan", "9 pods"], ["validate", "5 Deployments"]]


@pytest.mark.parametrize(
    ("name", "cost", "code"),
    [
        ("aliases", (9.9, 499), 0),
        ("aliases", (10.1, 100), 1),
        ("aliases", (1.0, 501), 1),
        ("5,000 NodePools", (19.9, 100), 0),
        ("5,000 NodePools", (20.1, 100), 1),
    ],
)
def test_a_hostile_input_may_take_only_so_long(
    name: str, cost: tuple[float, float], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hostile, "_inputs", lambda: {name: {"input.yaml": "apiVersion: v1\n"}})
    monkeypatch.setattr(hostile, "measured", lambda *_: cost)
    assert main(["hostile"]) == code
    assert f"| {name} | {cost[0]:.1f} s | {cost[1]} MiB |" in capsys.readouterr().out


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("verb", list(profile.VERBS))
def test_the_heaviest_functions_of_a_command_are_printed(verb: str, capsys: pytest.CaptureFixture[str]):
    """Ten of them, from the one in which most time passes on; the command itself prints nothing."""
    assert profile.report(verb, 12) == 0
    first, _, _, _, *rows = capsys.readouterr().out.splitlines()
    assert first.startswith(f"cutlist {verb} ")
    seconds = [float(row.split(" | ")[2]) for row in rows]
    assert len(seconds) == 10
    assert seconds == sorted(seconds, reverse=True)
