"""Launches of nodes, those that failed and offerings without capacity, from Karpenter's log and events (spec: disruption 11;
V15-71, V15-72)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.logs.records import Record, name_of

_LAUNCHED: Final = "launched nodeclaim"
_FAILED: Final = "failed launching nodeclaim"
_UNAVAILABLE: Final = "removing offering from offerings"
_EVENTS: Final = ("InsufficientCapacityError", "NodeClassNotReady")
_ON_CLAIM: Final = re.compile(r"NodeClaim (?P<claim>\S+) event: (?P<message>.*)", re.DOTALL)
_ON_POD: Final = re.compile(r"NodeClaim (?P<claim>\S+) nominated for this pod failed to launch: (?P<message>.*)", re.DOTALL)
_CUT: Final = "..."
"""How an event ends whose message is too long: the provider's text after 300 characters, since 1.15 all after 1,024."""


@dataclass(frozen=True, slots=True)
class LaunchedNode:
    """A node that was launched at an instant (seconds since 1970). Amounts are texts as in the log.

    The log of v1 does not name the NodePool: it is then the prefix of the claim's generated name.
    """

    at: float
    claim: str
    node_pool: str
    instance_type: str
    zone: str
    capacity_type: str
    allocatable: Mapping[str, str] = field(default_factory=dict)


def launched_nodes(records: Iterable[Record]) -> tuple[LaunchedNode, ...]:
    """Return the nodes that were launched, in the order of the records."""
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
    """Return a bare name, or the name of an object."""
    return written if isinstance(written, str) else name_of(written)


@dataclass(frozen=True, slots=True)
class FailedLaunch:
    """A NodeClaim that could not be launched at an instant (seconds since 1970) and was deleted.

    `message` is the provider's, with `is_cut` where only the beginning was reported. `pods` waited for the node and have an
    event that says so: since 1.15 (V15-71).
    """

    at: float
    claim: str
    message: str
    pods: tuple[str, ...] = ()

    @property
    def is_cut(self) -> bool:
        """Tell whether the message is only the beginning of the provider's (V15-72)."""
        return self.message.endswith(_CUT)


def failed_launches(records: Iterable[Record]) -> tuple[FailedLaunch, ...]:
    """Return the launches that failed, in order; the log and the events of the claim and its pods report the same one."""
    by_claim: dict[str, FailedLaunch] = {}
    for record in records:
        failed = _failed(record)
        if failed is None:
            continue
        known = by_claim.get(failed.claim, failed)
        message = max(known.message, failed.message, key=_completeness)
        pods = tuple(dict.fromkeys((*known.pods, *failed.pods)))
        by_claim[failed.claim] = replace(known, message=message, pods=pods)
    return tuple(by_claim.values())


def _completeness(message: str) -> tuple[bool, int]:
    return bool(message) and not message.endswith(_CUT), len(message)


def _failed(record: Record) -> FailedLaunch | None:
    if record.message == _FAILED:
        claim = record.about[1] if record.about[0] == "NodeClaim" else _name(record.fields.get("nodeclaim"))
        return FailedLaunch(record.at, claim, str(record.fields.get("error") or "")) if claim else None
    if record.reason not in _EVENTS:
        return None
    if match := _ON_CLAIM.fullmatch(record.message):
        return FailedLaunch(record.at, match["claim"], match["message"])
    if match := _ON_POD.fullmatch(record.message):
        return FailedLaunch(record.at, match["claim"], match["message"], (record.about[1],))
    return None


@dataclass(frozen=True, slots=True)
class UnavailableOffering:
    """An offering that Karpenter's AWS provider leaves out for some minutes from an instant on (seconds since 1970), and why.

    The log has these lines at level debug only.
    """

    at: float
    instance_type: str
    zone: str
    capacity_type: str
    reason: str


def unavailable_offerings(records: Iterable[Record]) -> tuple[UnavailableOffering, ...]:
    """Return the offerings that had no capacity, in the order of the records."""
    return tuple(_unavailable(record) for record in records if record.message == _UNAVAILABLE)


def _unavailable(record: Record) -> UnavailableOffering:
    fields = record.fields
    reason = str(fields.get("reason") or fields.get("unavailable-reason") or fields.get("unavailable") or "")
    return UnavailableOffering(
        at=record.at,
        instance_type=_name(fields.get("instance-type")),
        zone=_name(fields.get("zone")),
        capacity_type=_name(fields.get("capacity-type")),
        reason=reason,
    )
