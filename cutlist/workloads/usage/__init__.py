"""Measured use of containers, and the requests that follow from it."""

from __future__ import annotations

from cutlist.workloads.usage.measured import Owner, Usage, UsagePolicy, UseRisk
from cutlist.workloads.usage.read import read_usage
from cutlist.workloads.usage.requests import RequestChange, with_requests_of
from cutlist.workloads.usage.resized import ResizedWorkload, resized_workloads

__all__ = [
    "Owner",
    "RequestChange",
    "ResizedWorkload",
    "Usage",
    "UsagePolicy",
    "UseRisk",
    "read_usage",
    "resized_workloads",
    "with_requests_of",
]
