"""Simulations of a few pods, to be shown."""

from __future__ import annotations

from dataclasses import replace

from cutlist.simulation.events import MINUTE
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.verbs.simulate.answer import ClusterSimulation
from tests.unit.disruption.builders import LARGE, cluster, node
from tests.unit.simulation.builders import group, inputs, replica, simulation


def sample(hours: float = 1.5, *notes: str) -> ClusterSimulation:
    """A node that is replaced by a cheaper one, with an eviction, and later pods that need another."""
    web = group()
    of = inputs(web, of=cluster(node("a", replica(web), of=LARGE)))
    run = simulation(of, [ReplicasSet(40 * MINUTE, "deployment/web", 9)], hours=hours)
    return ClusterSimulation("us-west-2", (1, 1), run.result(), notes)


def many_commands() -> ClusterSimulation:
    """2,001 launches from noon on, one a minute, and 3,003 nodes."""
    few = sample()
    launch = next(c for c in few.result.commands if c.decision == "launch")
    commands = [replace(launch, at=n * MINUTE, launched=(f"<b>{n}",)) for n in range(2001)]
    return replace(few, result=replace(few.result, lives=few.result.lives * 1001, commands=commands))
