"""Measured use of containers, and the requests that follow from it."""

from __future__ import annotations

from cutlist.workloads.usage.measured import Owner, Usage, UsagePolicy, UseRisk
from cutlist.workloads.usage.read import read_usage
from cutlist.workloads.usage.requests import RequestChange, with_requests_of

__all__ = ["Owner", "RequestChange", "Usage", "UsagePolicy", "UseRisk", "read_usage", "with_requests_of"]
