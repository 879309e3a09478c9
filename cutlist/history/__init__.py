"""What Karpenter did: its log and its events, read as decisions and what came of them."""

from cutlist.history.decisions import Decision, EndedNode, NewNodes, decision
from cutlist.history.records import Record, read_records
from cutlist.history.story import Ending, Step, Story, tell

__all__ = ["Decision", "EndedNode", "Ending", "NewNodes", "Record", "Step", "Story", "decision", "read_records", "tell"]
