"""The commitments that cost least for a simulation."""

from __future__ import annotations

from dataclasses import replace

from cutlist.catalog import load_chosen
from cutlist.catalog.windows import windows_price
from cutlist.optimization.savings_plans import Rate, Rates
from cutlist.simulation.commitments import MILLION
from cutlist.simulation.events import HOUR
from cutlist.simulation.on_demand_use import OnDemandUse
from cutlist.verbs.simulate.commitments import commitments_of
from tests.unit.disruption.builders import cluster, node
from tests.unit.simulation.builders import inputs, simulation

RATES = Rates((Rate("*", "*", "1y", 0.3, "price list, 2026"), Rate("m7i", "*", "1y", 0.4, "offer, 2026")))


def test_instances_with_windows_have_their_own_price():
    """Two instances of a type run, one with Windows: each is a reservation of its own, with the source of its rate."""
    run = simulation(inputs(of=cluster(node("a"))), hours=2).result()
    lives = [
        replace(run.lives[0], name=os, instance_type="m7i.large", started=0, ended=2 * HOUR, os=os) for os in ("", "windows")
    ]
    catalog = load_chosen(None, "us-west-2")
    choices = commitments_of(OnDemandUse.of(replace(run, lives=lives)), catalog, RATES).choices
    assert [(c.instance_type, c.os, c.sources) for c in choices] == [
        ("", "", ("offer, 2026",)),
        ("m7i.large", "", ("offer, 2026",)),
        ("m7i.large", "windows", ("offer, 2026",)),
    ]
    linux = catalog.on_demand_price("m7i.large")
    windows = windows_price(catalog, "m7i.large", linux)
    per_hour = [float(c.commitment.without) / 2 / MILLION for c in choices]
    assert per_hour[1:] == [linux.usd_per_hour, windows.usd_per_hour]
