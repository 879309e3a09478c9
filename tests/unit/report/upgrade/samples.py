"""An upgrade with something to say in each of its parts, of a cluster in which all names are these."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache

from cutlist.core.karpenter.steps import Cause
from cutlist.disruption.forecast import Forecast
from cutlist.disruption.methods import Method
from cutlist.disruption.outlook import Outlook, OutlookComparison
from cutlist.disruption.restamping import Restamping
from cutlist.planning.fleet_deltas import fleet_deltas
from cutlist.planning.fleet_upgrade import FleetUpgrade, Key, outlook_differences, plan_differences
from cutlist.planning.model.comparison import Comparison
from cutlist.verbs.disrupt.answer import disrupt
from cutlist.verbs.upgrade.answer import Upgrade, upgrade
from tests.unit.report.forecasts import inputs
from tests.unit.report.hostile import hostile_plan
from tests.unit.report.samples import PLAN

CAUSES = (Cause("minValues counts only values that the claim still allows", "V15-1"), Cause("pod-deletion-cost", "V15-41"))


@cache
def _forecast() -> Forecast:
    return disrupt(inputs()).forecast


@cache
def _changes() -> Upgrade:
    return upgrade("1.14.1", "1.15.1", "1.34")


def outlooks(text: str) -> OutlookComparison:
    """Two nodes of which one stops drifting and the other is blocked for another reason; repair is a method of the later."""
    forecast = _forecast()
    first, second, *_ = forecast.nodes
    named = [replace(node, name=f"{text}{n}", pool=text) for n, node in enumerate((first, second))]
    before = replace(forecast, nodes=(replace(named[0], drifted=text), named[1]))
    after = replace(forecast, nodes=(replace(named[0], drifted=""), replace(named[1], why=text)), error=text)
    candidates = {Method.DRIFT: (f"{text}0",), Method.MULTI: (f"{text}0", f"{text}1")}
    later = {Method.REPAIR: (f"{text}1",), Method.DRIFT: (), Method.MULTI: (f"{text}1", f"{text}0")}
    return OutlookComparison.of(Outlook(before, candidates), Outlook(after, later))


def fleet(text: str = "x") -> FleetUpgrade:
    """What differs, everything by the same causes."""
    comparison, outlook = Comparison.of(PLAN, hostile_plan(text)), outlooks(text)
    keys: list[Key] = [*plan_differences(comparison), *outlook_differences(outlook)]
    stamps = Restamping("EC2NodeClass", "v5", "v6", (text, "b"), (text,), ("b",), (text,), (text,), "VA15-24")
    return FleetUpgrade(comparison, outlook, (stamps,), dict.fromkeys(keys, CAUSES))


def sample(text: str = "x") -> Upgrade:
    """The upgrade of this fleet, with a reason against it."""
    changes, of_fleet = _changes(), fleet(text)
    deltas = (*changes.deltas, *fleet_deltas(of_fleet, "1.14.1"))
    values = {field.name: getattr(changes, field.name) for field in fields(Upgrade)}
    return Upgrade(**{**values, "deltas": deltas, "obstacles": (text,), "notes": (text,), "fleet": of_fleet})
