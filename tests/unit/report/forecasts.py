"""What comes next for the cluster of the docs, with budgets that have something to show."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import yaml

from cutlist.catalog.prices import Price
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.infrastructure.readiness import REASONS, UnreadyClass
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.budgets.answer import Upcoming, upcoming
from cutlist.verbs.cluster_state import newest_time
from cutlist.verbs.disrupt.answer import DisruptionForecast, disrupt
from cutlist.verbs.nodes.answer import read_nodes
from cutlist.verbs.nodes.roster import Roster
from tests.sample import POOLS, SNAPSHOT

_BUDGETS = [
    {"nodes": "50%"},
    {"nodes": "0", "schedule": "0 8 * * mon-fri", "duration": "10h"},
    {"nodes": "0", "schedule": "0 0 30 2 *", "duration": "1h", "reasons": ["Drifted"]},
]


@cache
def inputs() -> PlanInputs:
    """Return the cluster of the docs; its NodePool lets half of the nodes go, but none in office hours."""
    pools = list(yaml.safe_load_all(POOLS.read_text()))
    next(o for o in pools if o["kind"] == "NodePool")["spec"]["disruption"] = {"consolidateAfter": "1m", "budgets": _BUDGETS}
    cluster = SNAPSHOT
    return read_inputs(["-", str(cluster)], region="us-west-2", stdin=yaml.safe_dump_all(pools))


@cache
def week(karpenter: Baseline = DEFAULT) -> Upcoming:
    """Return what is upcoming there."""
    chosen = replace(inputs(), options=replace(inputs().options, karpenter=karpenter))
    return upcoming(chosen, newest_time(chosen))


@cache
def to_the_end(hours: float = 12.0) -> DisruptionForecast:
    """Return the forecast with all steps, so many hours after the newest time in the files, when the office is closed."""
    return disrupt(inputs(), newest_time(inputs()) + hours * 3600, to_the_end=True)


def nodes(region: str | None = "us-west-2") -> Roster:
    """Return the nodes of the cluster; with prices where there is a region."""
    return read_nodes([SNAPSHOT], region=region)


def hostile_nodes(text: str) -> Roster:
    """Return nodes with this name for everything that has one."""
    roster = nodes()
    named = dict.fromkeys(("name", "pool", "instance_type", "capacity_type", "zone"), text)
    rows = tuple(replace(n, **named, states=(text,), price=Price(0.1, text, True)) for n in roster.nodes)
    unready = (UnreadyClass(text, REASONS[0]),)
    return replace(roster, nodes=rows, launching=(text,), unready_classes=unready, region=text)


def hostile_forecast(text: str) -> DisruptionForecast:
    """Return a forecast in which all that can be named has this name."""
    made = to_the_end()
    seen = made.forecast
    nodes = tuple(
        replace(n, name=text, pool=text, instance_type=text, capacity_type=text, zone=text, why=text, drifted=text)
        for n in seen.nodes
    )
    removals = tuple(replace(r, node=text, pool=text) for r in made.removals)
    return replace(made, region=text, removals=removals, forecast=replace(seen, nodes=nodes, launching=(text,), error=text))


def hostile_week(text: str) -> Upcoming:
    """Return what is upcoming, with this name for every NodePool, node and oddity."""
    made = week()
    weeks = tuple(replace(c, pool=text, oddities=(text,)) for c in made.weeks)
    return replace(made, weeks=weeks, removals=tuple(replace(r, node=text, pool=text) for r in made.removals))
