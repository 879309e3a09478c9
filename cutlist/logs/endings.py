"""Nodes that were removed for any reason, and the running release, from Karpenter's log and events (spec: disruption 8,
10, 11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.logs.decisions import decision
from cutlist.logs.launches import failed_launches
from cutlist.logs.records import Record, claim_of, node_of

CONSOLIDATED: Final = frozenset({"underutilized", "empty", "consolidation", "emptiness"})
DRIFTED: Final = frozenset({"drifted", "drift"})
EXPIRED: Final = frozenset({"expired", "expiration"})
INTERRUPTED: Final = frozenset({"interrupted"})
UNHEALTHY: Final = frozenset({"unhealthy"})
NOT_REGISTERED: Final = frozenset({"registration_timeout", "launch_timeout"})
VANISHED: Final = frozenset({"vanished"})
_DELETED: Final = "deleted"
DELETED: Final = frozenset({_DELETED})
"""The reason of a NodeClaim that was deleted without a line that says why."""

_OF_MESSAGES: Final = {
    "deleting expired nodeclaim": "expired",
    "triggering termination for expired node after TTL": "expiration",
    "deleting unhealthy node": "unhealthy",
    "terminating due to registration ttl": "registration_timeout",
    "garbage collecting nodeclaim with no cloudprovider representation": "vanished",
}
"""Lines about a NodeClaim that is deleted without a command, in this release and earlier ones."""
_ON_INTERRUPTION: Final = re.compile(
    r"(?:initiating delete(?: for (?:node|machine|nodeclaim))?|deleted (?:node|machine)) from interruption message"
)
_REMOVED: Final = frozenset({"deleted nodeclaim", "deleted machine", "deleted node"})
"""Lines that say that something was deleted, but not why."""
_OF_EVENTS: Final = {
    "TerminatingOnInterruption": "interrupted",
    "SpotInterrupted": "interrupted",
}
_TIMED_OUT: Final = "terminating due to timeout"
_VERSION: Final = "discovered karpenter version"


@dataclass(frozen=True, slots=True)
class EndedClaim:
    """A NodeClaim that was removed at an instant (seconds since 1970), with the reason in lower case.

    `claim`, `node` and `instance_type` are empty if the message does not contain them. `replacements` are the types of the
    nodes that the command launched, as far as it names them; `others` counts the rest.
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
        """Tell whether the command launched a replacement."""
        return bool(self.replacements or self.others)

    @property
    def node_pool(self) -> str:
        """Return the NodePool from the generated name of the claim, or an empty string without one."""
        return self.claim.rpartition("-")[0]


def ended_claims(records: Sequence[Record]) -> tuple[EndedClaim, ...]:
    """Return the NodeClaims that were removed, each once, in the order of the records.

    One that was deleted without a line that says why has the reason `deleted`: someone else deleted it, or the line is at level
    debug. A NodeClaim that could not be launched does not count.
    """
    ended: dict[tuple[str, str], EndedClaim] = {}
    for record in records:
        for claim in _ended(record):
            key = (claim.reason, claim.claim or claim.node)
            ended.setdefault(key, claim)
    known = {name for claim in ended.values() for name in (claim.claim, claim.node)} | _failed_claims(records)
    for record in records:
        names = {claim_of(record), node_of(record)} - {""}
        if record.message in _REMOVED and names and not names & known:
            known |= names
            claim = EndedClaim(record.at, _DELETED, claim_of(record), node_of(record))
            ended[(_DELETED, claim.claim or claim.node)] = claim
    return tuple(sorted(ended.values(), key=lambda claim: claim.at))


def _failed_claims(records: Iterable[Record]) -> set[str]:
    return {failed.claim for failed in failed_launches(records)}


def running_version(records: Iterable[Record]) -> str:
    """Return the last version of Karpenter that the log names, without its `v`, or an empty string."""
    versions = (str(record.fields.get("version") or "") for record in records if record.message == _VERSION)
    return next(reversed([version.removeprefix("v") for version in versions if version]), "")


def _ended(record: Record) -> Iterator[EndedClaim]:
    reason = _OF_MESSAGES.get(record.message) or _OF_EVENTS.get(record.reason, "")
    if _ON_INTERRUPTION.fullmatch(record.message):
        reason = "interrupted"
    if record.message == _TIMED_OUT:
        reason = str(record.fields.get("reason") or "registration_timeout")
    if reason:
        yield EndedClaim(record.at, reason, claim_of(record), node_of(record))
        return
    command = decision(record)
    if command is None or command.decision == "reboot":
        return
    types = tuple(name for new in command.new for name in new.types)
    others = sum(new.others for new in command.new)
    for ended in command.nodes:
        yield EndedClaim(record.at, command.reason, ended.claim, ended.name, ended.instance_type, types, others)
