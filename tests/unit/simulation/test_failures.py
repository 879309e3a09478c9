"""Spot instances that a cloud takes back."""

from __future__ import annotations

import json
from dataclasses import replace

from cutlist import Budget
from cutlist.core.errors import Problems
from cutlist.simulation.events import HOUR
from cutlist.simulation.failures import InterruptionRates, read_interruption_rates
from tests.unit.disruption.builders import cluster, node, pool
from tests.unit.simulation.builders import group, inputs, simulation


def rates_of(folder, text):
    problems = Problems()
    (folder / "rates.csv").write_text(text)
    rates = read_interruption_rates(str(folder / "rates.csv"), "us-west-2", problems)
    return rates, [str(p).replace(f"{folder}/", "") for p in problems.ordered()]


def test_the_row_that_says_most_counts(tmp_path):
    rates, problems = rates_of(
        tmp_path,
        "instance_type,zone,monthly\n*,*,<5%\n*,us-west-2a,5-10%\nm7g.large,*,>20%\nm7g.large,us-west-2a,1.5%\n",
    )
    assert problems == []
    places = [
        ("c7g.large", "us-west-2b"),
        ("c7g.large", "us-west-2a"),
        ("m7g.large", "us-west-2b"),
        ("m7g.large", "us-west-2a"),
    ]
    assert [rates.of(*place) for place in places] == [0.025, 0.075, 0.25, 0.015]
    assert InterruptionRates({}).of("m7g.large", "us-west-2a") == 0


ADVICE = {
    "global_rate": "<10%",
    "instance_types": {"m7g.large": {"emr": True, "cores": 2, "ram_gb": 8.0}},
    "ranges": [{"index": 0, "label": "<5%", "dots": 0, "max": 5}, {"index": 4, "label": ">20%", "dots": 4, "max": 100}],
    "spot_advisor": {
        "us-west-2": {"Linux": {"m7g.large": {"s": 60, "r": 0}, "m7i.large": {"s": 50, "r": 0}}},
        "eu-west-1": {"Linux": {}},
    },
}


def advised(**systems):
    return {**ADVICE, "spot_advisor": {"us-west-2": systems}}


def test_the_file_of_the_spot_instance_advisor_is_read(tmp_path):
    """Windows has bands of its own; a row of a table for a zone says more than the Advisor, which knows no zones."""
    linux = {"m7i.large": {"s": 50, "r": 0}}
    rates, problems = rates_of(tmp_path, json.dumps(advised(Linux=linux, Windows={"m7i.large": {"s": 10, "r": 4}})))
    assert problems == []
    assert (rates.of("m7i.large", "us-west-2a"), rates.of("m7i.large", "us-west-2a", "windows")) == (0.025, 0.25)
    of_zone = rates.merged(InterruptionRates({("m7i.large", "us-west-2a"): 0.5}))
    assert [of_zone.of("m7i.large", "us-west-2a", os) for os in ("linux", "windows")] == [0.5, 0.5]
    assert of_zone.of("m7i.large", "us-west-2b", "windows") == 0.25


def test_mistakes_in_the_file_of_the_advisor_are_named(tmp_path):
    rows = [
        ("{", "rates.csv: is not the file of the Spot Instance Advisor; allowed: JSON with ranges and spot_advisor"),
        ("{}", "rates.csv: is not the file of the Spot Instance Advisor"),
        (json.dumps({**ADVICE, "spot_advisor": {"us-west-1": {}}}), "rates.csv spot_advisor: has nothing about us-west-2"),
        (json.dumps(advised(Solaris={})), "rates.csv spot_advisor.us-west-2.Solaris: is not an operating system"),
        (
            json.dumps(advised(Linux={"m7g.large": {"r": 3}})),
            "rates.csv spot_advisor.us-west-2.Linux.m7g.large: {'r': 3} names",
        ),
        (json.dumps(advised(Linux={"m7g.large": {"r": []}})), "rates.csv spot_advisor.us-west-2.Linux.m7g.large: {'r': []}"),
        (json.dumps(advised(Linux={})), "rates.csv: contains no rate"),
    ]
    for text, mistake in rows:
        (first, *_) = rates_of(tmp_path, text)[1]
        assert first.startswith(mistake), first


def test_mistakes_are_named_by_line(tmp_path):
    header = "instance_type,zone,monthly\n"
    rows = [
        ("type,rate\n", "rates.csv:1: has the columns type, rate; allowed: instance_type, zone, monthly"),
        ("", "rates.csv:1: has no columns"),
        (header, "rates.csv: contains no rate"),
        (f"{header}*,*,often\n", "rates.csv:2: 'often' is not a rate; allowed: one of <5%, 5-10%"),
        (f"{header}*,*,100%\n", "rates.csv:2: '100%' is not a rate"),
        (f"{header}*,*\n", "rates.csv:2: is not a row of the table"),
        (f"{header},*,5%\n", "rates.csv:2: instance_type is empty"),
        (f"{header}*,*,5%\n*,*,6%\n", "rates.csv:3: * in * has another rate above"),
    ]
    for text, mistake in rows:
        (first, *others) = rates_of(tmp_path, text)[1]
        assert first.startswith(mistake)
        assert others == []


def interrupted(capacity: str, rate: float, seed: int = 1, count: int = 40) -> list[float]:
    """The hours at which nodes of a cluster are interrupted within ten days."""
    of = cluster(*(node(f"n{i}", kind=capacity) for i in range(count)), pools=[pool(budgets=[Budget(nodes="0")])])
    run = simulation(replace(inputs(of=of), interruptions=InterruptionRates({("*", "*"): rate})), hours=240, seed=seed)
    return [life.ended / HOUR for life in run.result().lives if life.cause == "Interrupted" and life.ended is not None]


def test_spot_instances_are_interrupted_at_their_rate():
    """Of forty, half within a month: about eight within ten days. Another seed draws others; on-demand instances stay."""
    hours = interrupted("spot", 0.5)
    assert 3 <= len(hours) <= 14
    assert hours != interrupted("spot", 0.5, seed=2)
    assert interrupted("spot", 0.0) == interrupted("on-demand", 0.5) == []


def test_what_is_launched_may_be_interrupted():
    """Almost every machine within a month: each is replaced for its pods, and the next one as well."""
    of = inputs(group(count=3), of=cluster(pools=[pool(kinds=["spot"])]))
    run = simulation(replace(of, interruptions=InterruptionRates({("*", "*"): 0.99})), hours=480)
    assert sum(life.cause == "Interrupted" for life in run.result().lives) >= 2
    assert run.world.cluster.pending == {}
