"""Exports of bills: every row is what it is, the parts add up to the total, and files that cannot be a bill say why."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

duckdb = pytest.importorskip("duckdb")

from cutlist.catalog.bills import Bill  # noqa: E402
from cutlist.catalog.bills.charges import Kind, Reason, azure_sizes  # noqa: E402
from cutlist.catalog.bills.prices import committed_rates, paid_prices, rates_table  # noqa: E402
from cutlist.catalog.bills.queries import Detail  # noqa: E402
from cutlist.catalog.bills.reading import read_bill  # noqa: E402
from cutlist.core.errors import Problems  # noqa: E402
from tests.made_bill import write_bill  # noqa: E402

FOCUS = {
    "ChargePeriodStart": "2026-10-01T00:00:00Z",
    "BillingCurrency": "USD",
    "ChargeCategory": "Usage",
    "PricingCategory": "Standard",
    "CommitmentDiscountStatus": "",
    "ServiceName": "Amazon Elastic Compute Cloud",
    "RegionId": "us-west-2",
    "AvailabilityZone": "us-west-2a",
    "PricingUnit": "Hrs",
    "PricingQuantity": "10",
    "ListCost": "1.0",
    "EffectiveCost": "0.9",
    "SkuPriceDetails": '{"InstanceType": "m7i.large"}',
    "ResourceId": "i-1",
}
AZURE = {
    **FOCUS,
    "ServiceName": "Virtual Machines",
    "RegionId": "westeurope",
    "AvailabilityZone": "",
    "PricingUnit": "1 Hour",
    "SkuPriceDetails": "",
    "x_SkuDetails": '{"ServiceType": "Standard_D4s_v5", "ImageType": "Canonical"}',
    "x_SkuMeterName": "D4s v5",
}
CUR = {
    "line_item_usage_start_date": "2026-10-01 00:00:00",
    "line_item_line_item_type": "Usage",
    "line_item_product_code": "AmazonEC2",
    "line_item_usage_type": "USW2-BoxUsage:m7i.large",
    "line_item_operation": "RunInstances",
    "line_item_availability_zone": "us-west-2a",
    "line_item_usage_amount": "10",
    "line_item_unblended_cost": "0.9",
    "line_item_currency_code": "USD",
    "product_instance_type": "m7i.large",
    "pricing_public_on_demand_cost": "1.0",
    "reservation_effective_cost": "",
    "reservation_unused_recurring_fee": "",
    "reservation_unused_amortized_upfront_fee_for_billing_period": "",
    "savings_plan_savings_plan_effective_cost": "",
    "savings_plan_total_commitment_to_date": "",
    "savings_plan_used_commitment": "",
    "savings_plan_purchase_term": "",
}


def write(path: Path, rows: Sequence[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys(column for row in rows for column in row))
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", newline="") as file:
        table = csv.DictWriter(file, columns, restval="")
        table.writeheader()
        table.writerows(rows)
    return str(path)


def bill_of(tmp_path: Path, *rows: dict[str, Any]) -> Bill:
    problems = Problems()
    bill = read_bill([write(tmp_path / "bill.csv", rows)], problems)
    problems.raise_if_any()
    assert bill is not None
    return bill


def mistakes(*paths: str) -> str:
    problems = Problems()
    assert read_bill(paths, problems) is None
    return "\n".join(map(str, problems.found))


@pytest.mark.parametrize(
    ("changes", "kind", "reason"),
    [
        ({}, Kind.CONTRACTED, None),
        ({"PricingCategory": "Dynamic"}, Kind.SPOT, None),
        ({"PricingCategory": "Committed", "CommitmentDiscountStatus": "Used"}, Kind.COMMITTED, None),
        ({"PricingCategory": "Committed", "CommitmentDiscountStatus": "Unused"}, Kind.UNUSED, None),
        ({"ChargeCategory": "Purchase", "CommitmentDiscountStatus": "Unused"}, Kind.UNUSED, None),
        ({"CapacityReservationStatus": "Unused"}, Kind.UNUSED, None),
        ({"ChargeCategory": "Tax"}, Kind.LEFT_OUT, Reason.TAXES),
        ({"ChargeCategory": "Credit", "EffectiveCost": "-3"}, Kind.LEFT_OUT, Reason.CREDITS),
        ({"ChargeCategory": "Purchase"}, Kind.LEFT_OUT, Reason.PURCHASES),
        ({"ChargeClass": "Correction"}, Kind.LEFT_OUT, Reason.REFUNDS),
        ({"ChargeCategory": "Purchase", "ChargeClass": "Correction"}, Kind.LEFT_OUT, Reason.REFUNDS),
        ({"EffectiveCost": "-0.9"}, Kind.LEFT_OUT, Reason.NEGATIVE),
        ({"x_UsageType": "EBS:VolumeUsage.gp3"}, Kind.LEFT_OUT, Reason.DISKS),
        ({"x_UsageType": "USW2-DataTransfer-Out-Bytes"}, Kind.LEFT_OUT, Reason.TRANSFER),
        ({"x_UsageType": "USW2-DedicatedUsage:m7i.large"}, Kind.LEFT_OUT, Reason.DEDICATED),
        ({"ServiceName": "Amazon Relational Database Service"}, Kind.LEFT_OUT, Reason.SERVICES),
        ({"PricingUnit": "vCPU-Hours"}, Kind.LEFT_OUT, Reason.NOT_HOURS),
        ({"SkuPriceDetails": ""}, Kind.LEFT_OUT, Reason.NO_TYPE),
        ({"SkuPriceDetails": '{"InstanceType": "m7i.large", "OperatingSystem": "RHEL"}'}, Kind.LEFT_OUT, Reason.OTHER_OS),
        ({"PricingCategory": "Other"}, Kind.LEFT_OUT, Reason.CATEGORY),
    ],
)
def test_a_row_of_focus_is_what_its_columns_say(
    tmp_path: Path, changes: dict[str, str], kind: Kind, reason: Reason | None
) -> None:
    (charge,) = bill_of(tmp_path, {**FOCUS, **changes}).charges
    assert (charge.kind, charge.reason) == (kind, reason)
    assert charge.cost == Decimal(changes.get("EffectiveCost", "0.9"))


@pytest.mark.parametrize(
    ("changes", "kind", "cost"),
    [
        ({}, Kind.CONTRACTED, "0.9"),
        ({"line_item_net_unblended_cost": "0.8"}, Kind.CONTRACTED, "0.8"),
        ({"line_item_usage_type": "USW2-SpotUsage:m7i.large"}, Kind.SPOT, "0.9"),
        ({"line_item_line_item_type": "DiscountedUsage", "reservation_effective_cost": "0.6"}, Kind.COMMITTED, "0.6"),
        (
            {"line_item_line_item_type": "SavingsPlanCoveredUsage", "savings_plan_savings_plan_effective_cost": "0.7"},
            Kind.COMMITTED,
            "0.7",
        ),
        (
            {
                "line_item_line_item_type": "SavingsPlanRecurringFee",
                "savings_plan_total_commitment_to_date": "5",
                "savings_plan_used_commitment": "4.5",
            },
            Kind.UNUSED,
            "0.5",
        ),
        (
            {
                "line_item_line_item_type": "RIFee",
                "reservation_unused_recurring_fee": "2",
                "reservation_unused_amortized_upfront_fee_for_billing_period": "1",
            },
            Kind.UNUSED,
            "3",
        ),
        ({"line_item_line_item_type": "SavingsPlanNegation", "line_item_unblended_cost": "-0.9"}, Kind.LEFT_OUT, "0"),
        ({"line_item_line_item_type": "Credit", "line_item_unblended_cost": "-4"}, Kind.LEFT_OUT, "-4"),
        ({"line_item_usage_type": "USW2-UnusedBox:m7i.large"}, Kind.UNUSED, "0.9"),
        ({"line_item_operation": "RunInstances:0010"}, Kind.LEFT_OUT, "0.9"),
        ({"line_item_product_code": "AmazonRDS"}, Kind.LEFT_OUT, "0.9"),
    ],
)
def test_a_line_of_a_report_costs_what_is_left_once_commitments_are_spread(
    tmp_path: Path, changes: dict[str, str], kind: Kind, cost: str
) -> None:
    (charge,) = bill_of(tmp_path, {**CUR, **changes}).charges
    assert (charge.kind, charge.cost) == (kind, Decimal(cost))


def test_hours_of_azure_are_those_of_a_machine_whatever_the_block_they_are_sold_in(tmp_path: Path) -> None:
    """A unit of 100 hours counts a hundred, and so does a column with the block; an hour that was consumed is an hour."""
    bill = bill_of(
        tmp_path,
        {**AZURE, "PricingUnit": "100 Hours", "PricingQuantity": "2"},
        {**AZURE, "PricingUnit": "Hours", "x_PricingBlockSize": "10", "PricingQuantity": "20"},
        {**AZURE, "PricingQuantity": "2", "PricingUnit": "100 Hours", "ConsumedQuantity": "200", "ConsumedUnit": "Hours"},
    )
    assert [charge.hours for charge in bill.charges] == [200, 200, 200]
    assert {(charge.instance_types, charge.region, charge.zone) for charge in bill.charges} == {
        (("Standard_D4s_v5",), "westeurope", "")
    }


@pytest.mark.parametrize(
    ("meter", "sizes"),
    [
        ("D4s v5", ("Standard_D4s_v5",)),
        ("D4s v5 Spot", ("Standard_D4s_v5",)),
        ("D2 v3/D2s v3", ("Standard_D2_v3", "Standard_D2s_v3")),
        ("NC24ads A100 v4 Low Priority", ("Standard_NC24ads_A100_v4",)),
        ("Standard_B2ms", ("Standard_B2ms",)),
        ("P10 LRS Disk", ("Standard_P10_LRS_Disk",)),  # excluded by its service, which is storage
        ("General Purpose vCore", ()),
    ],
)
def test_a_meter_of_azure_names_its_sizes(meter: str, sizes: tuple[str, ...]) -> None:
    assert azure_sizes(meter) == sizes


@pytest.mark.parametrize("name", ["bill.csv", "bill.csv.gz"])
def test_the_parts_of_a_bill_add_up_to_the_sum_of_its_rows(tmp_path: Path, name: str) -> None:
    """Also with costs of many decimals, which a sum of floats would round."""
    costs = ["0.1000000001", "0.2", "-0.05", "1e-7", "12.3456789", "7"]
    categories = ["Usage", "Usage", "Credit", "Usage", "Tax", "Purchase"]
    rows = [{**FOCUS, "EffectiveCost": c, "ChargeCategory": k} for c, k in zip(costs, categories, strict=True)]
    problems = Problems()
    bill = read_bill([write(tmp_path / name, rows)], problems)
    assert bill is not None
    used = sum((charge.cost for charge in bill.used), Decimal(0))
    left_out = sum((part.cost for part in bill.left_out.values()), Decimal(0))
    assert bill.total.cost == used + bill.unused.cost + left_out == sum(map(Decimal, costs))
    assert bill.total.rows == len(rows)


def test_parquet_reads_as_csv_does_and_says_what_the_maker_put_in(tmp_path: Path) -> None:
    """The same made bill in both forms: a node in ten is spot, three in ten are committed, each at its part of the list."""
    nodes, hours = 80, 30
    sums = []
    for name in ("bill.parquet", "bill.csv"):
        write_bill(tmp_path / name, nodes, hours)
        problems = Problems()
        bill = read_bill([str(tmp_path / name)], problems)
        assert bill is not None, problems.found
        prices = paid_prices(bill)
        assert {row.bought: round(row.per_hour / 0.1008, 6) for row in prices.rows if row.instance_type == "m7i.large"} == {
            "spot": 0.35,
            "committed": 0.65,
            "contracted": 0.9,
        }
        by_kind = {kind: sum(c.hours for c in bill.used if c.kind is kind) for kind in (Kind.SPOT, Kind.COMMITTED)}
        assert by_kind == {Kind.SPOT: nodes * hours / 10, Kind.COMMITTED: nodes * hours * 3 / 10}
        sums.append((bill.total, prices.rows))
    assert sums[0] == sums[1]


def test_a_bill_by_day_has_the_node_pool_of_its_tag_or_of_the_machine(tmp_path: Path) -> None:
    rows = [
        {**FOCUS, "Tags": '{"karpenter.sh/nodepool": "general"}'},
        {**FOCUS, "Tags": '{"team": "shop"}', "ResourceId": "arn:aws:ec2:us-west-2:1:instance/i-2"},
        {**FOCUS, "ChargePeriodStart": "2026-10-02T05:00:00Z", "Tags": ""},
    ]
    problems = Problems()
    bill = read_bill([write(tmp_path / "bill.csv", rows)], problems, Detail(nodes={"i-2": "batch"}))
    assert bill is not None
    assert sorted((c.day, c.pool) for c in bill.charges) == [
        ("2026-10-01", "batch"),
        ("2026-10-01", "general"),
        ("2026-10-02", ""),
    ]


@pytest.mark.parametrize(
    ("details", "tags"),
    [
        ("MAP {'InstanceType': 'm7i.large'}", "MAP {'user:karpenter.sh/nodepool': 'general'}"),
        ("{'InstanceType': 'm7i.large'}", "{'karpenter.sh/nodepool': 'general'}"),
        ('\'{"InstanceType": "m7i.large"}\'::JSON', '\'{"karpenter.sh_nodepool": "general"}\'::JSON'),
    ],
    ids=["map", "struct", "json"],
)
def test_details_and_tags_of_parquet_may_be_objects(tmp_path: Path, details: str, tags: str) -> None:
    """The day is that of UTC, whatever the time zone of the machine."""
    texts = ("BillingCurrency", "ChargeCategory", "PricingCategory", "ServiceName", "AvailabilityZone", "PricingUnit")
    columns = [f"'{FOCUS[name]}' AS {name}" for name in texts]
    columns += ["TIMESTAMPTZ '2026-10-01 00:30:00+00' AS ChargePeriodStart", "1 AS PricingQuantity", "0.1 AS EffectiveCost"]
    path = tmp_path / "bill.parquet"
    with duckdb.connect() as connection:
        query = f"SELECT {', '.join(columns)}, {details} AS SkuPriceDetails, {tags} AS Tags"
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT PARQUET)")
    bill = read_bill([str(path)], Problems(), Detail())
    assert bill is not None
    (charge,) = bill.charges
    assert (charge.instance_types, charge.pool, charge.day, charge.region) == (
        ("m7i.large",),
        "general",
        "2026-10-01",
        "us-west-2",
    )


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([FOCUS, {**FOCUS, "BillingCurrency": "EUR"}], "the rows are in EUR and USD"),
        ([{**FOCUS, "BillingCurrency": ""}], "some rows name no currency"),
        ([{**FOCUS, "EffectiveCost": "a lot"}], "EffectiveCost is not a number in 1 row, such as 'a lot'"),
        ([{**FOCUS, "EffectiveCost": ""}], "EffectiveCost is empty in 1 of 1 row"),
        ([{**FOCUS, "ChargePeriodStart": "October"}], "ChargePeriodStart is not a time in 1 row, such as 'October'"),
        ([{"date": "2026-10-01", "cost": "1"}], "has none of the columns of an export, but date, cost"),
        ([{k: v for k, v in FOCUS.items() if k != "EffectiveCost"}], "lacks the columns EffectiveCost"),
    ],
)
def test_a_file_that_is_no_bill_says_why(tmp_path: Path, rows: list[dict[str, str]], problem: str) -> None:
    assert problem in mistakes(write(tmp_path / "bill.csv", rows))


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "head.csv").write_text(",".join(FOCUS) + "\n", "utf-8")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    (tmp_path / "folder").mkdir()
    assert "empty.csv: is empty" in mistakes(str(tmp_path / "empty.csv"))
    assert "head.csv: has no rows" in mistakes(str(tmp_path / "head.csv"))
    assert "broken.parquet: cannot be read as Parquet" in mistakes(str(tmp_path / "broken.parquet"))
    assert "folder: no file in this folder is an export" in mistakes(str(tmp_path / "folder"))
    assert "missing.csv: does not exist" in mistakes(str(tmp_path / "missing.csv"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("é".join(FOCUS).encode("latin-1"), "is not UTF-8 text"),
        ((",".join(FOCUS) + "\n" + "é," * 13 + "\n").encode("latin-1"), "line 2: Invalid unicode"),
        ((",".join(FOCUS) + "\na,b\n").encode(), "line 2: Expected Number of Columns: 14 Found: 2"),
    ],
)
def test_a_csv_that_is_broken_says_where(tmp_path: Path, text: bytes, problem: str) -> None:
    (tmp_path / "bill.csv").write_bytes(text)
    assert problem in mistakes(str(tmp_path / "bill.csv"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_cells_are_separated_as_the_header_says(tmp_path: Path, delimiter: str) -> None:
    """Also where a byte order mark begins it, as Azure writes it, where details are full of commas, and where two columns have
    names that differ by case alone."""
    path = tmp_path / "bill.csv"
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        table = csv.DictWriter(file, [*FOCUS, "x_Team", "x_team"], delimiter=delimiter)
        table.writeheader()
        table.writerows([FOCUS] * 3)
    problems = Problems()
    bill = read_bill([str(path)], problems)
    assert bill is not None, problems.found
    assert (bill.total.rows, bill.used[0].instance_types) == (3, ("m7i.large",))


def test_a_cost_that_some_rows_lack_is_that_of_another_column_in_these(tmp_path: Path) -> None:
    """Row by row, also among rows that are otherwise alike; and hours without a list price are not in a discount."""
    net = {"line_item_net_unblended_cost": "0.8"}
    bill = bill_of(tmp_path, {**CUR, **net}, {**CUR, "line_item_net_unblended_cost": ""}, {**CUR, **net})
    assert bill.total.cost == Decimal("2.5")
    mixed = bill_of(tmp_path, FOCUS, {**FOCUS, "ListCost": ""})
    (row,) = paid_prices(mixed).rows
    assert (row.hours, row.listed) == (20, 0.1)


def test_a_month_counts_once(tmp_path: Path) -> None:
    """The same rows in two files are a mistake, and so is a month in two forms; parts of a month are not."""
    first = write(tmp_path / "a.csv", [{**FOCUS, "ResourceId": f"i-{n}"} for n in range(4)])
    again = write(tmp_path / "b.csv", [{**FOCUS, "ResourceId": f"i-{n}"} for n in range(3, 8)])
    part = write(tmp_path / "c.csv", [{**FOCUS, "ResourceId": f"i-{n}"} for n in range(10, 14)])
    report = write(tmp_path / "d.csv", [CUR])
    assert "b.csv: has rows that" in mistakes(first, again)
    assert "has charges of 2026-10-01 to 2026-10-01" in mistakes(first, report)
    problems = Problems()
    bill = read_bill([first, part], problems)
    assert bill is not None
    assert bill.total.rows == 8


def test_what_commitments_saved_is_a_table_of_rates(tmp_path: Path) -> None:
    """By family, region and term; a term that the bill does not say has no rate unless it is given."""
    bill = bill_of(
        tmp_path,
        {**CUR, "line_item_line_item_type": "SavingsPlanCoveredUsage", "savings_plan_savings_plan_effective_cost": "0.7",
         "savings_plan_purchase_term": "3yr"},
        {**CUR, "line_item_line_item_type": "DiscountedUsage", "reservation_effective_cost": "0.6"},
    )  # fmt: skip
    assert [(rate.family, rate.term) for rate in committed_rates(bill)] == [("m7i", ""), ("m7i", "3y")]
    assert rates_table(bill).splitlines()[1:] == ['m7i,us-west-2,3y,30.00%,"paid, October 2026"']
    assert len(rates_table(bill, "1y").splitlines()) == 3
