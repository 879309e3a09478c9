"""Nodes that were ended, whatever ended them, and the release that runs, from Karpenter's log and events (spec: disruption 8,
10, 11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.logs.decisions import decision
from cutlist.logs.records import Record, name_of

CONSOLIDATED: Final = frozenset({"underutilized", "empty", "consolidation", "emptiness"})
DRIFTED: Final = frozenset({"drifted", "drift"})
EXPIRED: Final = frozenset({"expired", "expiration"})
INTERRUPTED: Final = frozenset({"interrupted"})
UNHEALTHY: Final = frozenset({"unhealthy"})
NOT_REGISTERED: Final = frozenset({"registration_timeout", "launch_timeout"})

_OF_MESSAGES: Final = {
    "deleting expired nodeclaim": "expired",
    "initiating delete from interruption message": "interrupted",
    "deleting unhealthy node": "unhealthy",
}
"""Lines about a NodeClaim that is deleted without a command."""
_OF_EVENTS: Final = {
    "TerminatingOnInterruption": "interrupted",
    "SpotInterrupted": "interrupted",
}
_TIMED_OUT: Final = "terminating due to timeout"
_VERSION: Final = "discovered karpenter version"


@dataclass(frozen=True, slots=True)
class EndedClaim:
    """A NodeClaim that was ended at an instant (seconds since 1970), with the reason in lower case.

    `claim`, `node` and `instance_type` are empty where the message does not contain them. `replacements` are the types of the
    nodes that the command launched, as far as they are named, with `others` more.
    """

    at: float
    reason: str
    claim: str = ""
    node: str = ""
    instance_type: str = ""
    replacements: tuple[str, ...] = ()
    others: int = 0

    @property
    def is_replaced(self) -> bool:
        """Tell whether the command launched a node in its place."""
        return bool(self.replacements or self.others)

    @property
    def node_pool(self) -> str:
        """Return the NodePool by the generated name of the claim, or an empty string without one."""
        return self.claim.rpartition("-")[0]


def ended_claims(records: Iterable[Record]) -> tuple[EndedClaim, ...]:
    """Return the NodeClaims that were ended, in the order of the records; what reports one again is left out."""
    ended: dict[tuple[str, str], EndedClaim] = {}
    for record in records:
        for claim in _ended(record):
            key = (claim.reason, claim.claim or claim.node)
            ended.setdefault(key, claim)
    return tuple(ended.values())


def running_version(records: Iterable[Record]) -> str:
    """Return the version of Karpenter that the log names last, without its `v`, or an empty string."""
    versions = (str(record.fields.get("version") or "") for record in records if record.message == _VERSION)
    return next(reversed([version.removeprefix("v") for version in versions if version]), "")


def _ended(record: Record) -> Iterator[EndedClaim]:
    reason = _OF_MESSAGES.get(record.message) or _OF_EVENTS.get(record.reason, "")
    if record.message == _TIMED_OUT:
        reason = str(record.fields.get("reason") or "registration_timeout")
    if reason:
        claim, node = _names(record)
        yield EndedClaim(record.at, reason, claim, node)
        return
    command = decision(record)
    if command is None or command.decision == "reboot":
        return
    types = tuple(name for new in command.new for name in new.types)
    others = sum(new.others for new in command.new)
    for ended in command.nodes:
        yield EndedClaim(record.at, command.reason, ended.claim, ended.name, ended.instance_type, types, others)


def _names(record: Record) -> tuple[str, str]:
    """Return the claim and the node that a line or an event is about."""
    kind, name = record.about
    claim = name if kind == "NodeClaim" else _first(record, "NodeClaim", "nodeclaim", "nodeClaim")
    return claim, name if kind == "Node" else _first(record, "Node", "node")


def _first(record: Record, *keys: str) -> str:
    """Return the name that the first of some fields has; releases spell them differently."""
    written = next((record.fields[key] for key in keys if record.fields.get(key)), "")
    return written if isinstance(written, str) else name_of(written)
