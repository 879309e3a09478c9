"""Rates of savings plans and reservations, read from the files of `--rates`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutlist.core.errors import Problems
from cutlist.optimization.savings_plans import read_rates

if TYPE_CHECKING:
    from cutlist.optimization.savings_plans import Rates


def read_rate_files(files: tuple[str, ...]) -> Rates:
    """Return the rates of some tables. Raises InputError with every mistake in them."""
    problems = Problems()
    rates = read_rates(files, problems)
    problems.raise_if_any()
    return rates
