"""Ordinary set-ups are stopped for reasons that their owners accept alone, in both ways of judging; and say little else."""

from __future__ import annotations

import pytest

from cutlist.verbs.gate.text import render_gate
from tests.gates.ordinary import FOLDER, SETUPS, SetUp


@pytest.mark.sampled(one_in=6)
@pytest.mark.slow
@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.name)
def test_an_ordinary_set_up_is_stopped_for_accepted_reasons_alone(setup: SetUp):
    report = setup.report()
    assert {outcome.rule for outcome in report.stopping} == set(setup.accepted)
    assert setup.stopped_by_pack() == set(setup.accepted)
    shown = render_gate(report, 100)
    assert len(shown.splitlines()) <= 12 + 9 * report.counts["stopping"] + 6 * report.counts["advisory"]


def test_every_folder_is_a_set_up():
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(setup.name for setup in SETUPS)


def test_few_are_stopped_at_all():
    """Of 31 at most one, without a reason; and with one, not many more."""
    assert len(SETUPS) >= 31
    assert sum(bool(setup.accepted) for setup in SETUPS) <= 2
