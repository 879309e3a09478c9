"""A real Dask cluster of two worker processes: its outcomes are those of this process, and one worker may be killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from time import sleep
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from cutlist import Allowances, DemandFiles, InputError, read_inputs, simulate_runs, suggest
from cutlist.core.records import json_of
from cutlist.planning.inputs import PlanInputs
from cutlist.runners import InProcess, in_order
from cutlist.verbs.simulate.record import simulate_runs_json
from cutlist.verbs.suggest.fleet import EnvironmentState, suggest_fleet
from cutlist.verbs.suggest.fleet_file import read_fleet
from cutlist.verbs.suggest.record import suggest_json
from cutlist_cli import main
from tests.conformance import fuzz
from tests.conformance.oracle import SCHEDULING
from tests.conformance.scenarios import scenario
from tests.fuzz.readers import READERS
from tests.fuzz.tallies import Mutants, nothing, tally_of
from tests.recorded import VECTORS
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, pool
from tests.unit.runners import jobs

distributed = pytest.importorskip("distributed", reason="Dask is not installed; the extra fleet has it")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("dask")]

from cutlist.runners.dask_cluster import DaskCluster, dask_cluster  # noqa: E402 - which needs it
from tests.sample import MANIFESTS  # noqa: E402
from tests.unit.runners.dask_worker import serve  # noqa: E402

VALUE = MappingProxyType({"factor": 10})
SEEDS = range(12)
FLEET = """
defaults: {region: us-west-2, file: [pools.yaml, web.yaml], plans: 1}
environments: [{name: shop}, {name: lost, file: none.yaml}]
"""


@pytest.fixture(scope="module")
def scheduler() -> Iterator[distributed.LocalCluster]:
    """A scheduler in this process that nobody works for yet."""
    with distributed.LocalCluster(n_workers=0, dashboard_address=None, host="127.0.0.1", silence_logs=50) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def workers(scheduler, tmp_path_factory) -> Iterator[Callable[[], str]]:
    """What gives the address of the cluster with two workers: processes of their own, new ones for those that were killed.

    They share what is imported once for all.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["distributed", "cutlist.verbs.suggest.fleet", "tests.unit.runners.dask_worker"])
    where = (scheduler.scheduler_address, str(tmp_path_factory.mktemp("workers")))
    processes: list[Any] = []

    def two_of_them() -> str:
        alive = [process for process in processes if process.is_alive()]
        new = [context.Process(target=serve, args=where, daemon=True) for _ in range(2 - len(alive))]
        for process in new:
            process.start()
        processes[:] = [*alive, *new]
        with distributed.Client(scheduler.scheduler_address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=120)
        return scheduler.scheduler_address

    yield two_of_them
    for process in processes:
        process.kill()
        process.join()


@pytest.fixture
def address(workers) -> str:
    """The address of the cluster with two workers."""
    return workers()


def test_a_cluster_without_workers_is_refused(scheduler):
    with pytest.raises(InputError, match="the cluster has no workers"), dask_cluster(scheduler.scheduler_address):
        pass


@pytest.mark.parametrize("wrong", ["nowhere", "tcp://", "tcp://host:port", ""])
def test_what_is_no_address_is_refused(wrong):
    answer = CliRunner().invoke(main, ["suggest", "--dask", wrong, *MANIFESTS, "--region", "us-west-2"])
    assert answer.exit_code == 2
    assert f"--dask: {wrong!r} is not the address of a Dask scheduler" in answer.stderr


def test_outcomes_are_those_of_this_process(address):
    with dask_cluster(address) as cluster:
        for runner in (InProcess(), cluster):
            with runner.team(jobs.prepare, VALUE) as team:
                outcomes = list(in_order(team.outcomes(jobs.times, [3, -1, 4])))
                assert (outcomes[0].value, outcomes[2].value, team.state.factor) == (30, 40, 10)
                assert outcomes[1].failure.text == "ValueError: -1 is less than 0"
                assert list(team.outcomes(jobs.times, [1], lambda: False)) == []


def test_results_of_a_worker_that_ends_before_they_are_read_are_made_again(address):
    """They are looked at while another worker makes them again."""
    with dask_cluster(address) as cluster, cluster.team(jobs.prepare, VALUE) as team:
        outcomes = team.outcomes(jobs.slowly, [0.0, 0.8, 0.8, 0.8])
        first = next(outcomes)
        sleep(2)
        os.kill(first.value[0], signal.SIGKILL)
        sleep(0.4)
        rest = {outcome.job: outcome.value[1] for outcome in outcomes}
    assert rest | {first.job: first.value[1]} == {0: 0.0, 1: 8.0, 2: 8.0, 3: 8.0}


def test_jobs_that_no_worker_takes_fail(monkeypatch):
    """Dask pauses a worker that uses most of its memory: here it has a tenth of what any process needs."""
    monkeypatch.setattr("cutlist.runners.dask_cluster._PATIENCE", 0.5)
    with in_this_process(1, memory_limit=1_000_000) as paused:
        while next(iter(paused.workers.values())).status.name != "paused":
            sleep(0.1)
        with dask_cluster(paused.scheduler_address) as cluster, cluster.team(jobs.prepare, VALUE) as team:
            outcomes = list(team.outcomes(jobs.times, [1, 2, 3, 4]))
    assert sorted(outcome.job for outcome in outcomes) == [0, 1, 2, 3]
    assert all("no worker of the Dask cluster takes jobs" in outcome.failure.text for outcome in outcomes)


@pytest.mark.parametrize(
    ("workers", "goes_on"),
    [
        pytest.param([], False, id="all have ended"),
        pytest.param([("paused", {})], False, id="paused, and says nothing"),
        pytest.param([("paused", {"task_counts": {"ready": 2}})], False, id="paused before its jobs"),
        pytest.param([("paused", {"task_counts": {"executing": 1}})], True, id="paused during a long job"),
        pytest.param([("paused", {}), ("running", {})], True, id="one of two takes jobs"),
    ],
)
def test_a_cluster_goes_on_while_a_worker_does_a_job_or_takes_one(workers, goes_on):
    listed = {str(number): {"status": status, "metrics": metrics} for number, (status, metrics) in enumerate(workers)}
    client = SimpleNamespace(status="running", scheduler_info=lambda **_: {"workers": listed})
    assert DaskCluster(client)._goes_on() is goes_on


def test_workers_with_another_cutlist_are_refused(address, monkeypatch):
    monkeypatch.setattr("cutlist.runners.dask_cluster.version", lambda _: "99.0")
    here = metadata.version("cutlist")
    with pytest.raises(InputError, match=f"has Cutlist {here}; allowed: Cutlist 99.0, as here"), dask_cluster(address):
        pass


def killing(cluster, folder: Path) -> jobs.Perilous:
    """The cluster, of which the worker that comes to the first job is killed: it leaves the file `killed`."""
    return jobs.Perilous(cluster, 0, str(folder / "killed"))


def test_a_fleet_has_the_same_bytes_where_a_worker_is_killed_on_the_way(address, tmp_path):
    narrow = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge')}]")
    files = {"pools.yaml": f"{NODE_CLASS}---{narrow}", "web.yaml": deployment(replicas=5), "fleet.yaml": FLEET}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    environments = read_fleet(tmp_path / "fleet.yaml")
    with dask_cluster(address) as cluster:
        there = suggest_fleet(environments, runner=killing(cluster, tmp_path))
    assert (tmp_path / "killed").exists()
    assert [environment.state for environment in there.environments] == [EnvironmentState.ANSWERED, EnvironmentState.FAILED]
    assert json_of(there) == json_of(suggest_fleet(environments))


def small_inputs(folder: Path) -> PlanInputs:
    narrow = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge')}]")
    (folder / "all.yaml").write_text(f"{NODE_CLASS}---{narrow}---{deployment(replicas=5)}")
    return read_inputs([folder / "all.yaml"], region="us-west-2")


def test_suggestions_have_the_same_bytes_where_a_worker_is_killed_on_the_way(address, tmp_path):
    """Workers plan the scenarios and the candidates."""
    inputs = small_inputs(tmp_path)
    with dask_cluster(address) as cluster:
        there = suggest(inputs, Allowances(), plans=3, runner=killing(cluster, tmp_path))
    assert (tmp_path / "killed").exists()
    assert suggest_json(there) == suggest_json(suggest(inputs, Allowances(), plans=3))


def test_random_inputs_are_planned_with_the_same_bytes_where_a_worker_is_killed_on_the_way(address, tmp_path):
    with dask_cluster(address) as cluster, killing(cluster, tmp_path).team(jobs.prepare, VALUE) as team:
        there = [outcome.value for outcome in in_order(team.outcomes(jobs.planned_at_random, SEEDS))]
    assert (tmp_path / "killed").exists()
    assert there == [jobs.planned_at_random(None, seed) for seed in SEEDS]


WRONG = """#!/bin/sh
for file; do
  case $file in *.json) echo '{"claims": [], "existing": {}, "errors": {}}' > "${file%.json}.answer.json";; esac
done
"""
"""An oracle of which every answer is wrong."""


def test_a_fuzz_run_has_the_same_bytes_where_a_worker_is_killed_on_the_way(address, tmp_path):
    """Each batch is a seed: what differs, in its smallest form, and what is said about it."""
    program = tmp_path / "oracle"
    program.write_text(WRONG)
    program.chmod(0o755)
    asking = fuzz.Asking(program, VECTORS, SCHEDULING, scenario, ["pods"])
    seeds = [[seed] for seed in (3, 4)]
    with dask_cluster(address) as cluster:
        there = list(fuzz.judged_in_batches(asking, seeds, killing(cluster, tmp_path)))
    assert (tmp_path / "killed").exists()
    assert there == list(fuzz.judged_in_batches(asking, seeds, InProcess()))
    assert [found.different for found in there] == [[f"random-{seed}"] for (seed,) in seeds]


def test_readers_are_tried_on_workers_of_which_one_is_killed(address, tmp_path):
    """A reader is given mutants in its own process there, so that it can be stopped and measured."""
    names = ("gates", "a document of IAM")
    mutants = [Mutants(number, 1, 2) for number, reader in enumerate(READERS) if reader.name in names]
    with dask_cluster(address) as cluster, killing(cluster, tmp_path).team(nothing, None) as team:
        tallies = [outcome.value for outcome in in_order(team.outcomes(tally_of, mutants))]
    assert (tmp_path / "killed").exists()
    assert [(tally.count, tally.failures) for tally in tallies] == [(2, []), (2, [])]


@pytest.fixture(scope="module")
def sixty_four() -> Iterator[distributed.LocalCluster]:
    """Sixty-four workers, which are threads of this process."""
    with in_this_process(64, memory_limit=0) as cluster:
        yield cluster


def in_this_process(workers: int, memory_limit: int) -> distributed.LocalCluster:
    """A cluster of workers that are threads of this process. Each has a limit for what the process as a whole uses: with a
    share of the machine's memory they would pause, all at once, after tests that need much."""
    settings = {"processes": False, "protocol": "tcp", "dashboard_address": None, "host": "127.0.0.1", "silence_logs": 50}
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, worker_dashboard_address=None, memory_limit=memory_limit, **settings
    )


@pytest.mark.thorough
def test_sixty_four_workers_of_which_one_ends_answer_with_the_same_bytes(sixty_four, tmp_path):
    """Simulations and plans of random inputs, while a worker leaves the cluster."""
    inputs, demand = small_inputs(tmp_path), DemandFiles(typical="web")
    with dask_cluster(sixty_four.scheduler_address) as cluster, cluster.team(jobs.prepare, VALUE) as team:
        outcomes = team.outcomes(jobs.planned_at_random, SEEDS)
        first = next(outcomes)
        sixty_four.scale(63)
        there = {outcome.job: outcome.value for outcome in (first, *outcomes)}
        runs = simulate_runs(inputs, demand, (1, 2, 3), days=0.2, runner=cluster)
    assert [there[job] for job in range(len(SEEDS))] == [jobs.planned_at_random(None, seed) for seed in SEEDS]
    assert simulate_runs_json(runs) == simulate_runs_json(simulate_runs(inputs, demand, (1, 2, 3), days=0.2))


def test_simulations_have_the_same_bytes_where_a_worker_is_killed_on_the_way(address, tmp_path):
    """Each run is done by one of two workers; the killed one's is done again."""
    inputs, demand = small_inputs(tmp_path), DemandFiles(typical="web")
    with dask_cluster(address) as cluster:
        there = simulate_runs(inputs, demand, (1, 2, 3), days=0.2, runner=killing(cluster, tmp_path))
    assert (tmp_path / "killed").exists()
    assert simulate_runs_json(there) == simulate_runs_json(simulate_runs(inputs, demand, (1, 2, 3), days=0.2))
