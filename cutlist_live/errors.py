"""The errors of reading and cleaning up accounts and clusters: a branch of the tree in `cutlist.core.errors`.

CutlistError
├── AccountError          the account cannot be read at all
├── RegionError           one region cannot be read
│   ├── DeniedError       one permission is missing
│   └── UnacceptedError   the region does not accept the credentials
├── FailedCallError       AWS finally refused a call
├── NotListedError        one kind of a cluster cannot be listed
├── UnreachableError      a cluster's API cannot be reached
├── RefusedError          a guard of a sweep refused
├── NotDrainedError       NodePools or NodeClaims are left
└── NotSweptError         something is left over, or a guard refused
"""

from __future__ import annotations

from typing import Final

from cutlist.core.errors import CutlistError, Problem
from cutlist.infrastructure.teardown.steps import ErrorMeaning, SweepStep

NOT_LISTED: Final = {403: "may not be listed", 404: "are not there"}
"""The HTTP statuses after which only one kind is left out, in words."""


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


class NotListedError(CutlistError):
    """One kind cannot be listed: it is left out, and the others are read. The text says why, `status` is the HTTP status."""

    def __init__(self, resource: str, status: int) -> None:
        super().__init__(f"{resource} {NOT_LISTED[status]} ({status})")
        self.resource = resource
        self.status = status


class UnreachableError(CutlistError):
    """A cluster's API cannot be reached. The text says why."""


class RefusedError(CutlistError):
    """A guard refused. The text says what was found and what would be right."""


class NotDrainedError(CutlistError):
    """Pools or claims are left. The text names them, and the pods that hold their nodes."""


class FailedCallError(CutlistError):
    """A call that AWS finally refused."""

    def __init__(self, step: SweepStep, code: str, message: str) -> None:
        super().__init__(f"{step.action}: {code or 'no code'}: {message}")
        self.step, self.code, self.message = step, code, message

    @property
    def is_denied(self) -> bool:
        """Tell whether a permission is missing."""
        return self.step.outcome(self.code) is ErrorMeaning.DENIED


class NotSweptError(CutlistError):
    """Something is left over, or a guard refused. The text is the sweep's report."""
