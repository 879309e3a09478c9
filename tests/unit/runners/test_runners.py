"""Runners: the same outcomes in this process and in others, whatever happens to one of them."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import pytest

from cutlist.core.errors import InputError, UnfinishedError
from cutlist.runners import InProcess, JobOutcome, Runner, in_order
from cutlist.runners.packing import packed, unpacked
from cutlist.runners.processes import Processes
from tests.unit.runners import jobs

VALUE = MappingProxyType({"factor": 10})


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes(2) as runner:
        yield runner


@pytest.fixture(params=["in process", "processes"])
def runner(request) -> Runner:
    return InProcess() if request.param == "in process" else request.getfixturevalue("processes")


pytestmark = pytest.mark.xdist_group("runners")


@pytest.mark.slow
def test_each_job_has_its_result_in_order(runner):
    with runner.team(jobs.prepare, VALUE) as team:
        assert [o.value for o in in_order(team.outcomes(jobs.times, range(9)))] == [10 * n for n in range(9)]
        assert team.state.factor == 10


def test_an_error_is_the_outcome_of_its_job_alone(runner):
    with runner.team(jobs.prepare, VALUE) as team:
        first, second, third = in_order(team.outcomes(jobs.times, [1, -1, 2]))
    assert (first.value, third.value) == (10, 20)
    assert second.failure.text == "ValueError: -1 is less than 0"
    with pytest.raises(RuntimeError, match="less than 0") as raised:
        _ = second.value
    assert "in times" in raised.value.__notes__[0]


def test_mistakes_in_the_users_input_stay_what_they_are(runner):
    with runner.team(jobs.prepare, VALUE) as team:
        [outcome] = team.outcomes(jobs.refused, [1])
    with pytest.raises(InputError, match=r"pools\.yaml: 1 is wrong; allowed: 2"):
        _ = outcome.value


def test_a_state_that_cannot_be_made_is_the_failure_of_each_job(runner):
    with runner.team(jobs.refuse, VALUE) as team:
        failures = [outcome.failure.text for outcome in team.outcomes(jobs.times, range(3))]
    assert failures == ["ValueError: no state"] * 3


def test_a_state_is_made_once_by_each_that_needs_it(runner):
    with runner.team(jobs.prepare, VALUE) as team:
        results = [outcome.value for outcome in team.outcomes(jobs.counted, range(12))]
    counts: dict[int, list[int]] = {}
    for process, count in results:
        counts.setdefault(process, []).append(count)
    assert sum(max(count) for count in counts.values()) == 12
    assert len(counts) <= 2


def test_work_ends_when_it_may_not_go_on(runner):
    with runner.team(jobs.prepare, VALUE) as team:
        assert list(team.outcomes(jobs.times, range(3), lambda: False)) == []


def test_two_teams_have_their_own_states(runner):
    other = MappingProxyType({"factor": 7})
    with runner.team(jobs.prepare, VALUE) as tens, runner.team(jobs.prepare, other) as sevens:
        assert [o.value for o in in_order(tens.outcomes(jobs.times, [1, 2]))] == [10, 20]
        assert [o.value for o in in_order(sevens.outcomes(jobs.times, [1, 2]))] == [7, 14]


def test_ctrl_c_is_for_the_process_that_has_the_others(processes):
    with processes.team(jobs.prepare, VALUE) as team:
        first, *others = (outcome.value for outcome in team.outcomes(jobs.interrupted, range(4)))
    assert len({first, *others}) <= 2  # none has ended


def test_outcomes_of_a_run_that_was_given_up_are_nobody_elses(processes):
    with processes.team(jobs.prepare, VALUE) as team:
        next(team.outcomes(jobs.times, range(50)))
        assert [o.value for o in in_order(team.outcomes(jobs.times, range(100, 104)))] == [1000, 1010, 1020, 1030]


def test_a_job_whose_process_is_killed_is_done_by_another(processes, tmp_path):
    with jobs.Perilous(processes, 2, str(tmp_path / "killed")).team(jobs.prepare, VALUE) as team:
        assert [o.value for o in in_order(team.outcomes(jobs.times, range(6)))] == [10 * n for n in range(6)]
    assert (tmp_path / "killed").exists()


@pytest.mark.slow
def test_a_job_that_kills_every_process_is_lost_and_no_other(processes):
    with processes.team(jobs.prepare, VALUE) as team:
        first, second, third = in_order(team.outcomes(jobs.killed, range(3)))
    assert (first.value, third.value) == (0, 20)
    with pytest.raises(UnfinishedError, match="its process ended 3 times"):
        _ = second.value


def test_a_result_that_cannot_be_sent_is_a_failure(processes):
    with processes.team(jobs.prepare, VALUE) as team:
        [outcome] = team.outcomes(jobs.without_form, [1])
    assert "pickle" in outcome.failure.text


def test_outcomes_are_put_in_order():
    mixed = [JobOutcome(n, n) for n in (2, 0, 1, 4)]
    assert [outcome.job for outcome in in_order(iter(mixed))] == [0, 1, 2]


def test_read_only_mappings_are_packed():
    value = MappingProxyType({"a": MappingProxyType({"b": 1})})
    assert unpacked(packed(value)) == value
