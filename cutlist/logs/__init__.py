"""What Karpenter did: its log and its events, read as decisions and their results."""

from cutlist.logs.decisions import Decision, EndedNode, NewNodes, decision
from cutlist.logs.launches import FailedLaunch, LaunchedNode, failed_launches, launched_nodes
from cutlist.logs.records import Record, read_records
from cutlist.logs.story import Ending, Step, Story, tell

__all__ = [
    "Decision",
    "EndedNode",
    "Ending",
    "FailedLaunch",
    "LaunchedNode",
    "NewNodes",
    "Record",
    "Step",
    "Story",
    "decision",
    "failed_launches",
    "launched_nodes",
    "read_records",
    "tell",
]
