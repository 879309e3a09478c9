"""Manifests read as groups of pods, with everything that shapes the pods."""

from __future__ import annotations

from cutlist.core.notes import Note
from cutlist.workloads.groups import BoundPod, DaemonSet, NotUnderstood, PodGroup
from cutlist.workloads.pods import Pod
from cutlist.workloads.read import Workloads, read_workloads
from cutlist.workloads.read_pod import read_pod

__all__ = [
    "BoundPod",
    "DaemonSet",
    "NotUnderstood",
    "Note",
    "Pod",
    "PodGroup",
    "Workloads",
    "read_pod",
    "read_workloads",
]
