"""The start-up of a run, and what a month of the rest costs."""

from __future__ import annotations

import pytest

from cutlist.simulation.comparison import RunNumbers
from cutlist.simulation.events import HOUR, MINUTE
from cutlist.simulation.ledger import CommandRecord, NodeLife
from cutlist.simulation.phases import CALM, RunPhases
from tests.unit.disruption.builders import LARGE, cluster, node
from tests.unit.simulation.builders import group, inputs, replica, simulation


def command(at: int, *nodes: str, method: str = "single-node consolidation", outcome: str = "executed") -> CommandRecord:
    return CommandRecord(at, method, "Underutilized", "delete", nodes, (), outcome=outcome)


def life(name: str, price: float, ended: int | None = None, started: int = 0) -> NodeLife:
    return NodeLife(name, "general", "m5.large", "a", "on-demand", price, started, ended)


LIVES = [life("old", 2.0, 30 * MINUTE), life("stays", 1.0)]


def test_the_start_up_ends_with_the_last_node_of_the_first_commands():
    """Until then both nodes are paid, afterwards one; a month is 730 hours of that."""
    phases = RunPhases.of([command(20 * MINUTE, "old")], LIVES, 10 * HOUR)
    assert (phases.seconds, phases.commands, phases.settles) == (30 * 60, 1, True)
    assert phases.usd == pytest.approx(1.5)
    assert phases.usd_per_hour == pytest.approx(1.0)
    assert phases.usd_per_month == pytest.approx(730.0)


@pytest.mark.parametrize(("at", "commands"), [(20 * MINUTE + CALM, 2), (20 * MINUTE + CALM + 1, 1)])
def test_a_command_after_half_an_hour_belongs_to_the_rest(at: int, commands: int):
    """The first half hour without a command is the end of the start-up."""
    listed = [command(20 * MINUTE, "old"), command(at, "stays")]
    assert RunPhases.of(listed, LIVES, 10 * HOUR).commands == commands


@pytest.mark.parametrize("of", [command(0, "old", method="event"), command(0, "old", outcome="dropped: churn")])
def test_what_karpenter_does_not_do_is_no_start_up(of: CommandRecord):
    """Neither events from outside nor commands that were dropped count."""
    phases = RunPhases.of([of], LIVES, 10 * HOUR)
    assert (phases.seconds, phases.usd, phases.commands) == (0.0, 0.0, 0)
    assert phases.usd_per_hour == pytest.approx(1.1)


def test_a_cluster_that_never_settles_has_no_month():
    """All of the run is the start-up if commands go on to its end."""
    listed = [command(n * 20 * MINUTE, "old") for n in range(6)]
    phases = RunPhases.of(listed, LIVES, 2 * HOUR)
    assert (phases.settles, phases.usd_per_hour, phases.usd_per_month) == (False, None, None)
    assert (phases.seconds, phases.usd) == (2 * 3600, pytest.approx(3.0))
    assert phases.usd_per_month_or_of_all == pytest.approx(1.5 * 730)


def test_a_run_has_its_phases():
    """The large node that is replaced by a small one does not count in what a month costs."""
    of = cluster(node("a", replica(web := group()), of=LARGE))
    result = simulation(inputs(web, of=of)).result()
    assert result.phases.commands == 1
    assert result.phases.usd_per_month == pytest.approx(730.0)
    assert result.totals.usd > result.phases.usd_per_hour * result.until / HOUR
    assert RunNumbers.of(result).usd_per_month == result.phases.usd_per_month
