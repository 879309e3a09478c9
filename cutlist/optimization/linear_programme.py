"""Linear programmes, solved by HiGHS."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, Final

import highspy
import numpy as np
from numpy.typing import NDArray

from cutlist.core.errors import SolverError

Floats = NDArray[np.float64]

_WHOLE_GAP: Final = 1e-4
"""The distance between the best solution in whole numbers and the bound at which the search ends."""
_TOLERANCE: Final = 1e-6
"""The solver's tolerance for integers, rows and costs."""
_OPTIMUM: Final = frozenset((highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kModelEmpty))
_WHOLE: Final = _OPTIMUM | {highspy.HighsModelStatus.kSolutionLimit, highspy.HighsModelStatus.kInterrupt}
"""How a search for whole numbers may end: also at its limit of nodes or by its caller, with the bound that it has proven by
then."""
_STANDARD_OUTPUT: Final = 1
_SILENCE: Final = Lock()


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
        solver = _solver(self._model(), _OPTIMUM)
        solution = solver.getSolution()
        value = float(solver.getInfo().objective_function_value)
        return Solution(value, np.array(solution.col_value), np.array(solution.row_dual), np.array(solution.col_dual))

    def solve_whole(
        self, columns: int, nodes: int, gap: float = _WHOLE_GAP, may_go_on: Callable[[], bool] | None = None
    ) -> WholeSolution:
        """Return a lower bound of all solutions whose first columns are whole numbers, and the best such solution found.

        The search ends after a fixed number of nodes of its tree, not after some time, so equal programmes give equal answers;
        unless `may_go_on` ends it.
        """
        model = self._model()
        kinds = [highspy.HighsVarType.kInteger] * columns
        model.integrality_ = [*kinds, *[highspy.HighsVarType.kContinuous] * (len(self.costs) - columns)]
        # The gap ends the search early, and the bound below is the proven one either way.
        solver = _solver(model, _WHOLE, may_go_on, mip_max_nodes=nodes, mip_rel_gap=gap)
        bound = float(solver.getInfo().mip_dual_bound)
        return WholeSolution(bound - _TOLERANCE * (1 + abs(bound)), np.array(solver.getSolution().col_value))

    def _model(self) -> Any:
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.costs), len(self.row_least)
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = self.costs, np.zeros(len(self.costs)), self.most
        lp.row_lower_, lp.row_upper_ = self.row_least, self.row_most
        # HiGHS takes the matrix column by column.
        order = np.lexsort((self.entries.rows, self.entries.columns))
        columns = self.entries.columns[order]
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.searchsorted(columns, np.arange(len(self.costs) + 1)).astype(np.int32)
        lp.a_matrix_.index_ = self.entries.rows[order].astype(np.int32)
        lp.a_matrix_.value_ = self.entries.values[order]
        return lp


def _solver(model: Any, ends: Collection[Any], may_go_on: Callable[[], bool] | None = None, **options: float) -> Any:
    """Return the solver of a model, which it has solved. Raises SolverError unless it ended in one of these ways."""
    solver = _new_solver()
    if may_go_on is not None:
        solver.cbMipInterrupt += partial(_interrupt, may_go_on)
    # The first solve of a process decides for how many threads HiGHS has a pool; a later one that names another number fails.
    for name, value in {"output_flag": False, "threads": 1, **options}.items():
        if solver.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise SolverError(f"HiGHS {solver.version()} does not accept {name} = {value}")
    solver.passModel(model)
    ran, status = solver.run(), solver.getModelStatus()
    if ran == highspy.HighsStatus.kError or status not in ends:
        raise SolverError(f"HiGHS {solver.version()} ended with {status.name}, so there is no bound of the costs")
    return solver


def _interrupt(may_go_on: Callable[[], bool], event: Any) -> None:
    event.data_in.user_interrupt = not may_go_on()


def _new_solver() -> Any:
    """Return a solver that has printed nothing: from release 1.16 on, the first one of a process prints a banner to standard
    output, before there is an object to set an option of."""
    libc = ctypes.CDLL(None)
    with _SILENCE:  # otherwise another thread could take the silence for the output to return to
        try:
            output = os.dup(_STANDARD_OUTPUT)
        except OSError:  # closed: nothing can be printed
            return highspy.Highs()  # type: ignore[no-untyped-call]
        libc.fflush(None)  # what waits in C's buffers belongs to the output; below, the banner
        silence = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(silence, _STANDARD_OUTPUT)
            return highspy.Highs()  # type: ignore[no-untyped-call]
        finally:
            libc.fflush(None)
            os.dup2(output, _STANDARD_OUTPUT)
            os.close(silence)
            os.close(output)


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
