"""The errors that can end reading: one region, or all of them."""

from __future__ import annotations

from cutlist.core.errors import CutlistError, Problem


class AccountError(CutlistError):
    """The account cannot be read at all, neither in this region nor in another."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class RegionError(CutlistError):
    """One region cannot be read. `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class DeniedError(RegionError):
    """One permission is missing; other calls may be allowed."""


class UnacceptedError(RegionError):
    """The region does not accept the credentials: they are wrong, or the account has not enabled the region."""
