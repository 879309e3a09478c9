"""Linear programmes, solved by HiGHS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import highspy
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_WHOLE_GAP: Final = 1e-4
"""The distance between the best solution in whole numbers and the bound at which the search ends."""
_TOLERANCE: Final = 1e-6
"""The solver's tolerance for integers, rows and costs."""


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
        solver = _solver(self._model())
        solution = solver.getSolution()
        value = float(solver.getInfo().objective_function_value)
        return Solution(value, np.array(solution.col_value), np.array(solution.row_dual), np.array(solution.col_dual))

    def solve_whole(self, columns: int, nodes: int) -> WholeSolution:
        """Return a lower bound of all solutions whose first columns are whole numbers, and the best such solution found.

        The search ends after a fixed number of nodes of its tree, not after some time, so equal programmes give equal answers.
        """
        model = self._model()
        kinds = [highspy.HighsVarType.kInteger] * columns
        model.integrality_ = [*kinds, *[highspy.HighsVarType.kContinuous] * (len(self.costs) - columns)]
        solver = _solver(model, mip_max_nodes=nodes, mip_rel_gap=_WHOLE_GAP, threads=1)
        bound = float(solver.getInfo().mip_dual_bound)
        return WholeSolution(bound - _TOLERANCE * (1 + abs(bound)), np.array(solver.getSolution().col_value))

    def _model(self) -> Any:
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
        return lp


def _solver(model: Any, **options: float) -> Any:
    """Return the solver of a model, which it has solved."""
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    for name, value in options.items():
        solver.setOptionValue(name, value)
    solver.passModel(model)
    solver.run()
    return solver


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of an optimum, its columns, and the dual prices of rows and columns."""

    value: float
    values: Floats
    of_rows: Floats
    of_columns: Floats


@dataclass(frozen=True, slots=True)
class WholeSolution:
    """A lower bound of all solutions in whole numbers, less the solver's tolerances, and the columns of the best one found;
    empty if the search ended before it found one."""

    bound: float
    values: Floats
