"""Nodes that were launched, out of what Karpenter's log said of them: fields of v1, and of releases before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.logs.records import Record, name_of

_LAUNCHED: Final = "launched nodeclaim"


@dataclass(frozen=True, slots=True)
class LaunchedNode:
    """A node that came at an instant (seconds since 1970). Amounts are texts as the log has them.

    The log of v1 does not name the NodePool: it is then what the claim's generated name begins with.
    """

    at: float
    claim: str
    node_pool: str
    instance_type: str
    zone: str
    capacity_type: str
    allocatable: Mapping[str, str] = field(default_factory=dict)


def launched_nodes(records: Iterable[Record]) -> tuple[LaunchedNode, ...]:
    """The nodes that were launched, in the order of the records."""
    return tuple(_launched(record) for record in records if record.message == _LAUNCHED)


def _launched(record: Record) -> LaunchedNode:
    fields = record.fields
    claim = record.about[1] if record.about[0] == "NodeClaim" else _name(fields.get("nodeclaim"))
    pool = _name(fields.get("NodePool")) or _name(fields.get("nodepool")) or claim.rpartition("-")[0]
    amounts = fields.get("allocatable")
    return LaunchedNode(
        at=record.at,
        claim=claim,
        node_pool=pool,
        instance_type=_name(fields.get("instance-type")),
        zone=_name(fields.get("zone")),
        capacity_type=_name(fields.get("capacity-type")),
        allocatable={str(k): str(v) for k, v in amounts.items()} if isinstance(amounts, Mapping) else {},
    )


def _name(written: Any) -> str:
    """A name by itself, or of an object."""
    return written if isinstance(written, str) else name_of(written)
