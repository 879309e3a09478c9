"""Manifests read as groups of pods, with everything that shapes the pods."""

from __future__ import annotations

from cutlist.workloads.groups import DaemonSet, PodGroup
from cutlist.workloads.read import Workloads, read_workloads
from cutlist.workloads.read_pod import read_pod

__all__ = [
    "DaemonSet",
    "PodGroup",
    "Workloads",
    "read_pod",
    "read_workloads",
]
