"""What Karpenter did: its log and its events, read as decisions and their results."""

from cutlist.logs.decisions import Decision, EndedNode, LaunchedNode, NewNodes, decision, launched_nodes
from cutlist.logs.records import Record, read_records
from cutlist.logs.story import Ending, Step, Story, tell

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
