"""Karpenter's log and events, read as records in which events about a NodeClaim name its node."""

from __future__ import annotations

from dataclasses import dataclass

from cutlist.logs.claim_nodes import connected
from cutlist.logs.records import Record, parse_records


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a text in order of time, and how many lines or objects were not records.

    `doubles` are names in events that repeat others of the same moment, about a node or its NodeClaim; it is unknown which.
    """

    records: tuple[Record, ...]
    others: int
    doubles: frozenset[str] = frozenset()


def read_records(text: str) -> Records:
    """Read Karpenter's log, in each form of `cutlist.logs.lines`, or events as `kubectl get events -o json` has them.

    NodeClaims among the objects name their nodes. Everything else is counted and skipped: other programs write to the
    same stream.
    """
    parsed = parse_records(text)
    whole = connected(parsed.records, parsed.nodes)
    return Records(whole.records, parsed.others, whole.doubles)
