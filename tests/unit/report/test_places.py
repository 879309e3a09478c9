"""Amounts of one column have as many decimal places each, as few as the least exact estimate has."""

from __future__ import annotations

import pytest

from cutlist.catalog.ranges import PriceRange
from cutlist.report.amounts import Amounts
from cutlist.report.columns import Figure
from cutlist.report.estimates import Step


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (("0.032*", "0.0210*"), ["0.032*", "0.021*"]),
        (("68*", "567.68"), ["68*", "568"]),
        (("0.0363", "2.61", "-"), ["0.0363", "2.6100", "-"]),
        (("17*", "0.0210*"), ["17.000*", "0.021*"]),
        (("unknown", "-"), ["unknown", "-"]),
        (("0.145", "0.16*"), ["0.15", "0.16*"]),
    ],
)
def test_a_column_has_one_number_of_places(cells: tuple[str, ...], shown: list[str]) -> None:
    """Two digits of the smallest amount are always left; exact amounts lose none but beside estimates."""
    figure: Figure[str] = Figure("$/hour", lambda cell: cell.rstrip("*"), estimated=lambda cell: cell.endswith("*"))
    column = figure.for_rows(cells)
    assert [column.in_text(cell).strip() for cell in cells] == shown


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [(11.0, 21.0, "17"), (1.6, 3.05, "2.25"), (48.0, 92.0, "68"), (0.4, 5.0, "2.20"), (9_000.0, 12_000.0, "10,000")],
)
def test_no_amount_has_one_place(low: float, high: float, shown: str) -> None:
    """A whole amount or cents, as money is written."""
    amount = {"17": 17.3, "2.25": 2.27, "68": 67.6, "2.20": 2.24, "10,000": 10_040.0}[shown]
    assert Step.of(PriceRange(low, high)).text(amount) == shown


def test_parts_of_an_estimated_sum_add_up_to_it_as_it_is_shown() -> None:
    amounts = Amounts(101.7, PriceRange(80.0, 125.0), "EUR")
    cells = amounts.cells([60.4, 33.2, 8.1])
    assert sum(map(float, cells)) == float(amounts.text(amounts.whole))
    assert amounts.with_sign(amounts.whole) == f"about EUR {amounts.text(101.7)}"
    assert amounts.span() == "EUR 80 to EUR 126"


def test_parts_of_an_exact_sum_add_up_to_the_cent() -> None:
    """Rounded each alone, they would be a cent too much."""
    amounts = Amounts(10.0)
    cells = amounts.cells([3.335, 3.335, 3.33])
    assert [f"{sum(map(float, cells)):.2f}", amounts.with_sign(10.0)] == ["10.00", "$10.00"]
