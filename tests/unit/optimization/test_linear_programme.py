"""The solver behind the bounds: what it prints, and how it may end."""

from __future__ import annotations

import ctypes
import os

import highspy
import numpy as np
import pytest

from cutlist.core.errors import SolverError
from cutlist.optimization.linear_programme import Entries, LinearProgramme


def programme(cost: float, least: float, most: float) -> LinearProgramme:
    """One column without an upper limit, and one row with these bounds."""
    entries = Entries(np.array([0]), np.array([0]), np.array([1.0]))
    return LinearProgramme(np.array([cost]), np.array([np.inf]), np.array([least]), np.array([most]), entries)


def test_an_optimum_of_fractions_and_one_of_whole_numbers():
    assert programme(1.0, 1.25, np.inf).solve().value == pytest.approx(1.25)
    assert programme(1.0, 1.25, np.inf).solve_whole(1, 10).bound == pytest.approx(2.0, abs=1e-4)


def test_a_search_for_whole_numbers_that_is_ended_early_has_a_lower_bound():
    random = np.random.default_rng(7)
    sizes, columns = random.uniform(0.2, 0.9, (30, 12)), 12
    rows, places = np.divmod(np.arange(sizes.size), columns)
    several = LinearProgramme(
        random.uniform(1.0, 2.0, columns),
        np.full(columns, np.inf),
        random.uniform(2.0, 9.0, 30),
        np.full(30, np.inf),
        Entries(rows, places, sizes.ravel()),
    )
    asked: list[None] = []
    ended = several.solve_whole(columns, 10_000, may_go_on=lambda: asked.append(None))
    whole = several.solve_whole(columns, 10_000)
    assert asked
    assert ended.bound < whole.bound
    assert several.solve_whole(columns, 10_000, may_go_on=lambda: True).bound == whole.bound


@pytest.mark.parametrize(("cost", "least", "most"), [(-1.0, 0.0, np.inf), (1.0, -2.0, -1.0)])
def test_no_optimum_is_an_error(cost, least, most):
    """Neither an unbounded nor an infeasible programme has a value that could be taken for a bound."""
    for solve in (LinearProgramme.solve, lambda one: one.solve_whole(1, 10)):
        with pytest.raises(SolverError, match=rf"^HiGHS {highspy.Highs().version()} ended with k\w+, so there is no bound"):
            solve(programme(cost, least, most))


def test_a_programme_without_columns_costs_nothing():
    nothing = LinearProgramme(*[np.zeros(0)] * 4, Entries(np.zeros(0, int), np.zeros(0, int), np.zeros(0)))
    assert nothing.solve().value == 0


def test_an_option_that_the_solver_does_not_know_is_an_error(monkeypatch):
    """An option that a release renames would otherwise change answers silently."""

    class Renamed(highspy.Highs):
        def setOptionValue(self, name, value):  # noqa: N802
            return super().setOptionValue("renamed" if name == "mip_max_nodes" else name, value)

    monkeypatch.setattr(highspy, "Highs", Renamed)
    with pytest.raises(SolverError, match=r"^HiGHS [\d.]+ does not accept mip_max_nodes = 10$"):
        programme(1.0, 1.25, np.inf).solve_whole(1, 10)


def test_a_banner_does_not_reach_standard_output(monkeypatch, capfd):
    """Some releases print one from C, buffered, when the first solver of a process is made."""

    class Talking(highspy.Highs):
        def __init__(self):
            super().__init__()
            ctypes.CDLL(None).puts(b"Running HiGHS")

    monkeypatch.setattr(highspy, "Highs", Talking)
    os.write(1, b"before\n")
    ctypes.CDLL(None).puts(b"buffered")
    assert programme(1.0, 1.25, np.inf).solve().value == pytest.approx(1.25)
    os.write(1, b"after\n")
    assert capfd.readouterr().out == "before\nbuffered\nafter\n"


def test_a_solver_needs_no_standard_output(monkeypatch):
    """A process without one, such as a service, solves too."""
    monkeypatch.setattr("cutlist.optimization.linear_programme._STANDARD_OUTPUT", -1)
    assert programme(1.0, 1.25, np.inf).solve().value == pytest.approx(1.25)
