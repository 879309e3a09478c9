"""Linear programmes, solved by HiGHS."""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries of a matrix by place."""

    rows: NDArray[np.int_]
    columns: NDArray[np.int_]
    values: Floats


@dataclass(frozen=True, slots=True)
class LinearProgramme:
    """Minimise costs of columns from 0 up to their limits, so that each row lies between its bounds."""

    costs: Floats
    most: Floats
    row_least: Floats
    row_most: Floats
    entries: Entries

    def solve(self) -> Solution:
        """Return the optimum with its dual prices."""
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.costs), len(self.row_least)
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = self.costs, np.zeros(len(self.costs)), self.most
        lp.row_lower_, lp.row_upper_ = self.row_least, self.row_most
        order = np.lexsort((self.entries.rows, self.entries.columns))
        columns = self.entries.columns[order]
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.searchsorted(columns, np.arange(len(self.costs) + 1)).astype(np.int32)
        lp.a_matrix_.index_ = self.entries.rows[order].astype(np.int32)
        lp.a_matrix_.value_ = self.entries.values[order]
        solver = highspy.Highs()  # type: ignore[no-untyped-call]
        solver.setOptionValue("output_flag", False)
        solver.passModel(lp)
        solver.run()
        solution = solver.getSolution()
        value = float(solver.getInfo().objective_function_value)
        return Solution(value, np.array(solution.row_dual), np.array(solution.col_dual))


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of an optimum, and the dual prices of rows and columns."""

    value: float
    of_rows: Floats
    of_columns: Floats
