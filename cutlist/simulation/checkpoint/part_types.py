"""What the parts of a simulation hold where a new simulation does not show it: its collections are empty, others are null."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from cutlist.disruption.command import Command
from cutlist.disruption.methods import Method
from cutlist.simulation.autoscalers import SteppedAutoscaler
from cutlist.simulation.command_queue import RunningCommand
from cutlist.simulation.disruption_budgets import BudgetCounts
from cutlist.simulation.draining import NodeDrain
from cutlist.simulation.events import Event
from cutlist.simulation.ledger import CommandRecord, HourRecord, NodeLife
from cutlist.simulation.offerings import OfferingKey
from cutlist.simulation.recording.recorder import WaitingRound
from cutlist.simulation.workload import Workload
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import Pod

PART_TYPES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "demand": {"_upcoming": Event | None},
        "autoscalers": {"_stepped": list[SteppedAutoscaler]},
        "commands": {"_running": list[RunningCommand]},
        "controllers": {"workloads": dict[str, Workload]},
        "cronJobs": {"_last": dict[str, int]},
        "disruption": {
            "_decided": tuple[int, Method, Command, int] | None,
            "_due": int | None,
            "_evaluated": dict[Method, int],
            "_idle_since": int | None,
            "_remembered": dict[Method, float],
            "_unsettled": dict[str, float],
        },
        "draining": {"_drains": dict[str, NodeDrain]},
        "offerings": {"lost": dict[OfferingKey, int], "taken": Counter[str], "unavailable": dict[OfferingKey, int]},
        "provisioner": {"_closes": int | None, "_first": int | None, "_nominated": tuple[str, ...]},
        "world": {
            "noticed": set[str],
            "own_drift": dict[str, str],
            "planned_lives": dict[str, NodeLife],
            "ready": set[str],
            "ready_of": Counter[str],
            "starts": dict[str, int],
        },
        "cluster": {
            "_leaving": set[str],
            "_names": list[str],
            "buffered": Mapping[str, int],
            "launching": set[str],
            "nodes": dict[str, StateNode],
            "nominated": dict[str, float],
            "pending": dict[str, None],
            "placeable": tuple[Pod, ...],
            "pods": dict[str, RunningPod],
            "queued": set[str],
            "touched": list[str],
            "workload_of": dict[str, str],
        },
        "ledger": {
            "_cpu": tuple[int, int],
            "_since": dict[str, int],
            "commands": list[CommandRecord],
            "evictions": Counter[tuple[str, str]],
            "hours": list[HourRecord],
            "lives": dict[str, NodeLife],
            "never_ran": list[int],
            "timeouts": Counter[str],
            "waits": list[int],
        },
        "queue": {"_heap": list[tuple[tuple[int, int, int], Event]]},
        "recorder": {"_round": WaitingRound | None},
        "budgets": {"_counts": list[BudgetCounts]},
    }
)
"""The annotations of what the parts hold, by part and attribute."""
