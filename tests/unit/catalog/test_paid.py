"""Prices that an account paid: what a machine costs by them, and the table that they are written to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cutlist.catalog.format import Source
from cutlist.catalog.paid import PaidPrices, PaidRow, paid_table, read_paid
from cutlist.catalog.prices import Price
from cutlist.core.errors import Problems

HERE = "us-west-2", "us-west-2a"
LISTED = Price(0.2, "a list", "2026-02-17")
PAID = PaidPrices(
    (
        PaidRow("m7i.large", *HERE, "linux", "committed", 30, 0.06, 0.1),
        PaidRow("m7i.large", *HERE, "linux", "contracted", 10, 0.09, 0.1),
        PaidRow("m7i.large", "us-west-2", "us-west-2b", "linux", "spot", 5, 0.03),
        PaidRow("c7i.large", *HERE, "linux", "contracted", 10, 0.16, 0.2),
    ),
    "USD",
    "2026-10-01",
    "2026-10-31",
)


def paid(name: str, zone: str = "us-west-2a", capacity: str = "on-demand", way: str = "average", os: str = "linux") -> float:
    price = replace(PAID, way=way).of_machine(name, "us-west-2", zone, capacity, os)
    return -1 if price is None else price.usd_per_hour


@pytest.mark.parametrize(("way", "expected"), [("contracted", 0.09), ("committed", 0.06), ("average", 0.0675)])
def test_an_on_demand_machine_costs_what_its_hours_cost(way: str, expected: float) -> None:
    """On average of the hours that count, whatever the zone: on-demand prices do not differ between zones."""
    assert paid("m7i.large", way=way) == paid("m7i.large", "us-west-2d", way=way) == expected


def test_spot_costs_what_it_cost_in_the_zone_and_elsewhere_is_an_estimate() -> None:
    here = PAID.of_machine("m7i.large", "us-west-2", "us-west-2b", "spot")
    there = PAID.of_machine("m7i.large", "us-west-2", "us-west-2c", "spot")
    assert (here.usd_per_hour, here.provenance, here.estimated) == (0.03, "paid, October 2026", False)
    assert (there.usd_per_hour, there.estimated) == (0.03, True)
    assert paid("c7i.large", capacity="spot") == -1
    assert paid("m7i.large", os="windows") == -1


def test_a_type_that_never_ran_has_the_discount_of_its_family_then_of_all() -> None:
    """Which discount it is stands in the source; spot keeps its price."""
    own, others = (PAID.discounted(LISTED, name, "on-demand") for name in ("c7i.xlarge", "r7i.large"))
    assert (own.usd_per_hour, own.estimated) == (0.16, True)
    assert own.source == "estimate: a list, 2026-02-17, less 20.0% as paid for c7i, October 2026"
    assert others.usd_per_hour == pytest.approx(0.2 * (0.9 + 1.6) / 3, abs=1e-6)
    assert "as paid for other families" in others.source
    assert PAID.discounted(LISTED, "c7i.xlarge", "spot") is LISTED
    assert replace(PAID, way="committed").discounted(LISTED, "m7i.xlarge", "on-demand").usd_per_hour == 0.12


def test_a_written_table_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "paid.tsv"
    path.write_text(paid_table(PAID, Source("2026-10-31", "a bill")), "utf-8")
    problems = Problems()
    again = read_paid(str(path), "average", problems)
    assert again is not None
    assert set(again.rows) == set(PAID.rows)
    assert (again.currency, again.period) == ("USD", "October 2026")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("# cutlist catalogue 1", "# cutlist catalogue 9", "catalogue format 9 is not known"),
        ("0.09", "0.08", "does not match the checksum"),
        ("# content: paid", "# content: region", "is a catalogue file of content 'region'"),
        ("# period: 2026-10-01 2026-10-31", "# period: October", "cannot be read"),
    ],
)
def test_another_file_says_why_it_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    path = tmp_path / "paid.tsv"
    path.write_text(paid_table(PAID, Source("2026-10-31", "a bill")).replace(old, new, 1), "utf-8")
    problems = Problems()
    assert read_paid(str(path), "average", problems) is None
    assert problem in str(problems.found[0])


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("2026-10-01", "2026-10-31", "October 2026"),
        ("2026-09-15", "2026-10-31", "September to October 2026"),
        ("2025-12-01", "2026-01-31", "December 2025 to January 2026"),
    ],
)
def test_a_period_is_named_by_its_months(first: str, last: str, words: str) -> None:
    assert replace(PAID, first=first, last=last).period == words
