"""A bill compared with what was expected: nothing differs where nothing does, and planted faults are found and named."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("duckdb")

from cutlist import read_inputs, simulate
from cutlist.core.errors import InputError
from cutlist.verbs.simulate.record import simulate_json
from cutlist.verbs.verify.bill import BillVerification, pools_of_nodes, verify_bill
from cutlist.verbs.verify.bill_columns import lines_of
from cutlist.verbs.verify.bill_figures import with_discounts
from cutlist.verbs.verify.bill_text import bill_markdown, render_bill

DAY = timedelta(days=1)
Row = dict[str, Any]
Fault = Callable[[Row], list[Row]]


def month() -> dict[str, Any]:
    """A simulated month of two NodePools, as `cutlist simulate -o json` writes its nodes: some start and end within a day."""
    nodes = []
    for number in range(12):
        pool, kind, capacity, price = (
            ("web", "c6a.2xlarge", "spot", 0.1231) if number % 3 else ("batch", "m6a.xlarge", "on-demand", 0.1728)
        )
        started = f"2026-10-{1 + number % 4:02}T{number:02}:17:13Z"
        ended = None if number % 2 else f"2026-10-{20 + number % 5:02}T05:{number:02}:00Z"
        nodes.append(
            {
                "name": f"node-{number}",
                "nodePool": pool,
                "instanceType": kind,
                "capacityType": capacity,
                "zone": "us-west-2a",
                "pricePerHour": price,
                "started": started,
                "ended": ended,
            }
        )
    return {"region": "us-west-2", "start": "2026-10-01T00:00:00Z", "end": "2026-11-01T00:00:00Z", "nodes": nodes}


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def rows_of(run: dict[str, Any]) -> list[Row]:
    """The hours of a simulated month as rows of FOCUS: one for each node and hour, whole or in part, as a cloud bills them."""
    rows = []
    for node in run["nodes"]:
        at, end = _at(node["started"]), _at(node["ended"] or run["end"])
        while at < end:
            full = at.replace(minute=0, second=0) + timedelta(hours=1)
            until = min(full, end)
            hours = (until - at).total_seconds() / 3600
            spot = node["capacityType"] == "spot"
            rows.append(
                {
                    "ChargePeriodStart": at.isoformat(),
                    "BillingCurrency": "USD",
                    "ChargeCategory": "Usage",
                    "PricingCategory": "Dynamic" if spot else "Standard",
                    "ServiceName": "Amazon Elastic Compute Cloud",
                    "RegionId": "us-west-2",
                    "AvailabilityZone": node["zone"],
                    "PricingUnit": "Hrs",
                    "PricingQuantity": hours,
                    "ListCost": "",
                    "EffectiveCost": hours * node["pricePerHour"],
                    "SkuPriceDetails": json.dumps({"InstanceType": node["instanceType"]}),
                    "Tags": json.dumps({"karpenter.sh/nodepool": node["nodePool"]}),
                    "ResourceId": node["name"],
                }
            )
            at = until
    return rows


def verified(tmp_path: Path, rows: list[Row], **options: Any) -> BillVerification:
    path = tmp_path / "bill.csv"
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    options.setdefault("run", ("run.json", json.dumps(month())))
    return verify_bill([str(path)], **options)


def cost(rows: list[Row]) -> float:
    return sum(row["EffectiveCost"] for row in rows)


def is_of(row: Row, pool: str) -> bool:
    return f'"{pool}"' in row["Tags"]


def test_a_simulated_month_as_a_bill_differs_by_nothing(tmp_path: Path) -> None:
    """To the cent, although its hours are cut at midnight and at each full hour."""
    rows = rows_of(month())
    answer = verified(tmp_path, rows)
    assert answer.is_as_expected
    assert answer.billed == answer.expected == round(cost(rows), 2)
    assert (answer.first, answer.last) == ("2026-10-01", "2026-10-31")
    assert "Nothing differs by a cent" in render_bill(answer)


def raised(row: Row) -> list[Row]:
    """From the 11th on, an hour of batch costs a quarter more."""
    later = is_of(row, "batch") and row["ChargePeriodStart"] >= "2026-10-11"
    return [{**row, "EffectiveCost": row["EffectiveCost"] * 1.25} if later else row]


def doubled(row: Row) -> list[Row]:
    """On the 5th and 6th, web has twice the hours."""
    return [row, row] if is_of(row, "web") and row["ChargePeriodStart"][:10] in ("2026-10-05", "2026-10-06") else [row]


def replaced(row: Row) -> list[Row]:
    """From the 25th on, web is on demand at the list price instead of spot."""
    if not is_of(row, "web") or row["ChargePeriodStart"] < "2026-10-25":
        return [row]
    return [{**row, "PricingCategory": "Standard", "EffectiveCost": row["PricingQuantity"] * 0.306}]


@pytest.mark.parametrize(
    ("fault", "pool", "why", "evidence"),
    [
        (raised, "batch", "price", "$0.2160 an hour with disks instead of $0.1728"),
        (doubled, "web", "hours", "on 2 days from 2026-10-05 to 2026-10-06"),
        (
            replaced,
            "web",
            "share of spot",
            "0% of the hours were spot instead of 100%, on 7 days from 2026-10-25 to 2026-10-31",
        ),
    ],
)
def test_a_planted_fault_is_the_whole_difference(tmp_path: Path, fault: Fault, pool: str, why: str, evidence: str) -> None:
    """Its cause is named with the NodePool, the days and the amount, and nothing else is."""
    before = rows_of(month())
    after = [row for one in before for row in fault(one)]
    answer = verified(tmp_path, after)
    (found,) = answer.differences
    assert (found.node_pool, found.why) == (pool, why)
    assert evidence in found.evidence
    assert found.cost == pytest.approx(cost(after) - cost(before), abs=0.0101)


def test_three_faults_at_once_are_three_differences_that_add_up(tmp_path: Path) -> None:
    """The parts are the difference of the totals to the cent, in text and in Markdown."""
    rows = rows_of(month())
    for fault in (raised, doubled, replaced):
        rows = [row for one in rows for row in fault(one)]
    answer = verified(tmp_path, rows)
    assert {(one.node_pool, one.why) for one in answer.differences} == {
        ("batch", "price"),
        ("web", "hours"),
        ("web", "share of spot"),
    }
    total = round(answer.billed * 100) - round(answer.expected * 100)
    assert sum(round(one.cost * 100) for one in answer.differences) == total
    assert round(lines_of(answer)[-1].cost * 100) == total
    assert "hours of NodePool web" in render_bill(answer)
    assert "| hours |" in bill_markdown(answer)


def test_other_types_and_node_pools_have_reasons_of_their_own(tmp_path: Path) -> None:
    """A type that was not expected is a matter of types at the price that it has; a NodePool that was not is one row."""
    rows = rows_of(month())
    other = [
        {**row, "SkuPriceDetails": '{"InstanceType": "m6a.2xlarge"}', "EffectiveCost": row["PricingQuantity"] * 0.3456}
        if is_of(row, "batch")
        else {**row, "Tags": '{"karpenter.sh/nodepool": "surprise"}'}
        for row in rows
    ]
    answer = verified(tmp_path, other)
    assert {(one.node_pool, one.why) for one in answer.differences} == {
        ("batch", "instance types"),
        ("surprise", "unplanned NodePool"),
        ("web", "NodePool without nodes"),
    }


def test_machines_have_the_node_pool_of_a_snapshot(tmp_path: Path) -> None:
    """The ids of machines count where an export has no tags."""
    rows = [{**row, "Tags": ""} for row in rows_of(month())]
    claims = [
        {
            "kind": "NodeClaim",
            "metadata": {"labels": {"karpenter.sh/nodepool": node["nodePool"]}},
            "status": {"providerID": f"aws:///us-west-2a/{node['name']}"},
        }
        for node in month()["nodes"]
    ]
    assert verified(tmp_path, rows, nodes=pools_of_nodes(claims)).is_as_expected
    with pytest.raises(InputError, match="no machine has a NodePool"):
        verified(tmp_path, rows)


def test_disks_of_a_node_pool_are_in_the_price_of_a_simulation(tmp_path: Path) -> None:
    rows = rows_of(month())
    share = 0.02
    machines = [{**row, "EffectiveCost": row["EffectiveCost"] * (1 - share)} for row in rows]
    ebs = {"ServiceName": "Amazon Elastic Block Store", "ServiceCategory": "Storage"}
    disks = [{**row, **ebs, "EffectiveCost": row["EffectiveCost"] * share} for row in rows]
    answer = verified(tmp_path, [{**row, "ServiceCategory": "Compute"} for row in machines] + disks)
    assert answer.is_as_expected


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"ChargePeriodStart": "2026-12-01T00:00:00Z"}, "is of 2026-12-01 to 2026-12-01, and the simulation of 2026-10-01"),
        ({"BillingCurrency": "EUR"}, "is in EUR, and the simulation in USD"),
        ({"Tags": '{"karpenter.sh/nodepool": "elsewhere"}'}, "has the NodePools elsewhere"),
        ({"PricingCategory": "Other"}, "has no hour of a machine"),
    ],
)
def test_a_bill_that_has_nothing_to_do_with_it_says_why(tmp_path: Path, changes: Row, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        verified(tmp_path, [{**rows_of(month())[0], **changes}])


@pytest.mark.slow
@pytest.mark.parametrize("text", ["[]", "nonsense", "{}", '{"nodes": [{}], "region": "r", "end": "2026-10-01T00:00:00Z"}'])
def test_a_file_that_is_no_simulation_says_so(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="is not a simulated cluster"):
        verified(tmp_path, rows_of(month()), run=("run.json", text))


def test_a_real_simulation_can_be_verified(tmp_path: Path) -> None:
    """What `cutlist simulate -o json` writes is what the comparison reads."""
    inputs = read_inputs(["examples/shop/bill/steady.yaml"], region="us-west-2")
    run = json.loads(simulate_json(simulate(inputs, days=1)))
    answer = verified(tmp_path, rows_of(run), run=("run.json", json.dumps(run)))
    assert answer.is_as_expected
    assert answer.billed > 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "apiVersion: cutlist/v1\nkind: Figures\nprices: {onDemandDiscount: 20%}\n"),
        (
            "# ours\napiVersion: cutlist/v1\nkind: Figures\nprices: {onDemandDiscount: 10%, surcharge: 0.01} # agreed\n",
            "# ours\napiVersion: cutlist/v1\nkind: Figures\nprices: {onDemandDiscount: 28%, surcharge: 0.01} # agreed\n",
        ),
    ],
)
def test_discounts_are_written_and_the_rest_is_kept(before: str, after: str) -> None:
    assert with_discounts(before, "figures.yaml", {"on-demand": 0.8, "spot": 1.0})[0] == after


def test_discounts_go_into_one_document_of_figures() -> None:
    with pytest.raises(InputError, match="has 0 documents of kind Figures"):
        with_discounts("kind: NodePool\n", "figures.yaml", {"on-demand": 0.8})
    assert with_discounts("", "figures.yaml", {"on-demand": 1.0}) == ("", {})
