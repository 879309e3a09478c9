"""What Karpenter did: its log and its events, read as decisions and their results."""

from cutlist.logs.claim_nodes import Records, nominations, read_records
from cutlist.logs.decisions import Decision, EndedNode, NewNodes
from cutlist.logs.endings import EndedClaim, ended_claims, running_version
from cutlist.logs.launches import (
    FailedLaunch,
    LaunchedNode,
    UnavailableOffering,
    failed_launches,
    launched_nodes,
    unavailable_offerings,
)
from cutlist.logs.records import Record
from cutlist.logs.story import Ending, Step, Story, stories_of

__all__ = [
    "Decision",
    "EndedClaim",
    "EndedNode",
    "Ending",
    "FailedLaunch",
    "LaunchedNode",
    "NewNodes",
    "Record",
    "Records",
    "Step",
    "Story",
    "UnavailableOffering",
    "ended_claims",
    "failed_launches",
    "launched_nodes",
    "nominations",
    "read_records",
    "running_version",
    "stories_of",
    "unavailable_offerings",
]
