"""Amounts of money over a time, such as what a run cost: in their currency, rounded to what a range supports, adding up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from cutlist.catalog.ranges import PriceRange
from cutlist.core.remainders import whole_parts
from cutlist.report.estimates import Step
from cutlist.report.plain import currency_sign, currency_unit, hourly

_TO_THE_CENT = Step(0.01, 2)


@dataclass(frozen=True, slots=True)
class Amounts:
    """How parts of a sum are written, and the sum itself. `of` is its range: None for one of published prices."""

    whole: float
    of: PriceRange | None = None
    currency: str = "USD"

    @property
    def sign(self) -> str:
        """Return the sign of the currency."""
        return currency_sign(self.currency)

    @property
    def unit(self) -> str:
        """Return the currency as the title of a column has it."""
        return currency_unit(self.currency)

    def step(self, amount: float) -> Step:
        """Return what an amount is rounded to that is as exact in proportion as the sum: a cent where that is exact."""
        if self.of is None or not self.whole or not amount:
            return _TO_THE_CENT
        step = Step.of(self.of.at(abs(amount / self.whole)))
        return step if step.size >= _TO_THE_CENT.size else _TO_THE_CENT

    def text(self, amount: float) -> str:
        """Return an amount without its currency."""
        return self.step(amount).text(amount)

    def with_sign(self, amount: float) -> str:
        """Return an amount with its currency, and `about` before one that is rounded."""
        shown = f"{'-' if amount < 0 else ''}{self.sign}{self.text(abs(amount))}"
        return shown if self.of is None else f"about {shown}"

    def hour(self, amount: float) -> str:
        """Return an amount by the hour without its currency."""
        if self.of is None or not self.whole or not amount:
            return hourly(amount)
        return Step.of(self.of.at(abs(amount / self.whole))).text_as(amount, hourly)

    def span(self) -> str:
        """Return the ends of the range with their currency; empty without one."""
        if self.of is None:
            return ""
        step = Step.of(self.of)
        return f"{self.sign}{step.text(self.of.low)} to {self.sign}{step.text(self.of.high)}"

    def cells(self, amounts: Sequence[float]) -> list[str]:
        """Return parts with as many places each, which add up to the sum as `text` writes it if they are all of it.

        They are rounded as the sum is, or less where the smallest would be nothing.
        """
        step = self._step_of_parts(amounts)
        total = self.step(self.whole).rounded(self.whole)
        rest = max(0.0, self.whole - math.fsum(amounts))
        parts = [Fraction(amount / step.size + 1e-9) for amount in (*amounts, rest)]
        return [step.text(part * step.size) for part in whole_parts(parts, round(total / step.size))[:-1]]

    def column(self, amounts: Sequence[float]) -> list[str]:
        """Return amounts with as many places each that are not parts of the sum, such as those of single nodes."""
        step = self._step_of_parts(amounts)
        return [step.text(amount) for amount in amounts]

    def _step_of_parts(self, amounts: Sequence[float]) -> Step:
        step = self.step(max(map(abs, amounts), default=0.0))
        least = min((abs(amount) for amount in amounts if amount), default=math.inf)
        return step if step.size <= least else Step.below(max(least, _TO_THE_CENT.size))
