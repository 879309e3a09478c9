"""Many jobs of one kind, run in this process, in several processes of this machine, or on a Dask cluster.

All three give the same outcomes and differ only in the time that they take.
"""

from __future__ import annotations

from cutlist.runners.in_process import InProcess
from cutlist.runners.runner import Failure, JobOutcome, Runner, Team, in_order

__all__ = ["Failure", "InProcess", "JobOutcome", "Runner", "Team", "in_order"]
