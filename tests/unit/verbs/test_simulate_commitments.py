"""The commitments that cost least for a simulation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.catalog.embedded import load_chosen
from cutlist.catalog.paid import PaidPrices, PaidRow
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
    choices = commitments_of(OnDemandUse.of(replace(run, lives=lives)), catalog, None, RATES).choices
    assert [(c.instance_type, c.os, c.sources) for c in choices] == [
        ("", "", ("offer, 2026",)),
        ("m7i.large", "", ("offer, 2026",)),
        ("m7i.large", "windows", ("offer, 2026",)),
    ]
    linux = catalog.on_demand_price("m7i.large")
    windows = windows_price(catalog, "m7i.large", linux)
    per_hour = [float(c.commitment.without) / 2 / MILLION for c in choices]
    assert per_hour[1:] == [linux.usd_per_hour, windows.usd_per_hour]


def test_commitments_save_what_the_account_does_not_save_yet():
    """Rates are parts of list prices. At those without commitments there is less to save, at those under them nothing."""
    run = simulation(inputs(of=cluster(node("a"))), hours=2).result()
    lives = [
        replace(run.lives[0], name=name, instance_type=name, started=0, ended=2 * HOUR, os="")
        for name in ("m7i.large", "m7i.xlarge")
    ]
    use, catalog = OnDemandUse.of(replace(run, lives=lives)), load_chosen(None, "us-west-2")
    here = "us-west-2", "us-west-2a", "linux"
    rows = (
        PaidRow("m7i.large", *here, "contracted", 9, 0.0907, 0.1008),
        PaidRow("m7i.large", *here, "committed", 9, 0.06048, 0.1008),
    )
    paid = PaidPrices(rows, "USD", "2026-10-01", "2026-10-31", "contracted")
    for prices, large, xlarge in (
        (None, 0.1008 * 0.4, 0.2016 * 0.4),
        (paid, 0.0907 - 0.06048, 0.2016 * (0.0907 / 0.1008 - 0.6)),
        (replace(paid, way="committed"), 0, 0),
    ):
        plan, *reserved = commitments_of(use, catalog, prices, RATES).choices
        assert float(plan.commitment.saved) / 2 / MILLION == pytest.approx(large + xlarge, abs=2e-6)
        saved = {one.instance_type: float(one.commitment.saved) / 2 / MILLION for one in reserved}
        assert saved == pytest.approx({"m7i.large": large, "m7i.xlarge": xlarge} if large else {}, abs=2e-6)
