"""What Karpenter did: its log and its events, read as decisions and what came of them."""

from cutlist.history.decisions import Decision, EndedNode, NewNodes, decision
from cutlist.history.launches import LaunchedNode, launched_nodes
from cutlist.history.records import Record, read_records
from cutlist.history.story import Ending, Step, Story, tell

__all__ = [
    "Decision",
    "EndedNode",
    "Ending",
    "LaunchedNode",
    "NewNodes",
    "Record",
    "Step",
    "Story",
    "decision",
    "launched_nodes",
    "read_records",
    "tell",
]
