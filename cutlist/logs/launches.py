"""Launched nodes, failed launches and offerings without capacity, from Karpenter's log and events (spec: disruption 11;
V15-71, V15-72)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Final

from cutlist.core.records import HIDDEN, Key, about, computed
from cutlist.logs.records import LoggedInstant, Record, claim_of, named_pool, text_or_name

_LAUNCHED: Final = frozenset({"launched nodeclaim", "launched machine", "launched new instance"})
"""Messages about a launch: releases before v0.32 call a NodeClaim a machine, and those before v0.28 have neither."""
_FAILED: Final = "failed launching nodeclaim"
_RETRIED: Final = "Reconciler error"
_LIFECYCLES: Final = frozenset({"nodeclaim.lifecycle", "machine.lifecycle"})
_LAUNCHING: Final = re.compile(r"launching (?:nodeclaim|machine), ")
_AS_MESSAGE: Final = re.compile(
    r"(?:(?:could not launch|launching) (?:node|machine|nodeclaim)|creating instance|insufficient capacity), .*"
    r"|(?:creating virtual machine|virtualMachine\.BeginCreateOrUpdate for VM) .* failed: .*",
    re.IGNORECASE | re.DOTALL,
)
"""Messages that are a launch's error themselves, as in releases before v1."""
_UNAVAILABLE: Final = "removing offering from offerings"
_EVENTS: Final = ("InsufficientCapacityError", "NodeClassNotReady")
_ON_CLAIM: Final = re.compile(r"NodeClaim (?P<claim>\S+) event: (?P<message>.*)", re.DOTALL)
_ON_POD: Final = re.compile(r"NodeClaim (?P<claim>\S+) nominated for this pod failed to launch: (?P<message>.*)", re.DOTALL)
_CUT: Final = "..."
"""The end of an event whose message is too long: the provider's text is cut after 300 characters, since 1.15 the whole message
after 1,024."""


@dataclass(frozen=True, slots=True)
class LaunchedNode:
    """A node that was launched at an instant (seconds since 1970). Amounts are texts as in the log.

    The log of v1 does not name the NodePool, which is then read from the claim's generated name.
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
    return tuple(_launched(record) for record in records if record.message in _LAUNCHED)


def _launched(record: Record) -> LaunchedNode:
    fields = record.fields
    amounts = fields.get("allocatable")
    return LaunchedNode(
        at=record.at,
        claim=claim_of(record),
        node_pool=named_pool(record) or claim_of(record).rpartition("-")[0],
        instance_type=text_or_name(fields.get("instance-type")),
        zone=text_or_name(fields.get("zone")),
        capacity_type=text_or_name(fields.get("capacity-type")),
        allocatable={str(k): str(v) for k, v in amounts.items()} if isinstance(amounts, Mapping) else {},
    )


@dataclass(frozen=True, slots=True)
class FailedLaunch:
    """A NodeClaim that could not be launched.

    `claim` is empty for releases without NodeClaims; `pool` is the NodePool if the line names it. `message` is the provider's;
    `is_cut` says that only its beginning was reported. `pods` waited for the node, as their events say since 1.15 (V15-71).
    """

    at: LoggedInstant
    claim: Annotated[str, Key("nodeClaim")]
    message: Annotated[str, about("The provider's, as far as it is reported.")]
    pods: Annotated[tuple[str, ...], about("Pods that waited for the node; events name them since Karpenter 1.15.")] = ()
    pool: Annotated[str, HIDDEN] = ""

    @property
    def node_pool(self) -> str:
        """Return the NodePool: the named one, else that in the generated name of the claim."""
        return self.pool or self.claim.rpartition("-")[0]

    @property
    @computed(after="message")
    def is_cut(self) -> Annotated[bool, about("Whether the message was too long for an event.")]:
        """Tell whether the message is only the beginning of the provider's (V15-72)."""
        return self.message.endswith(_CUT)


def failed_launches(records: Iterable[Record]) -> tuple[FailedLaunch, ...]:
    """Return the launches that failed, in order, each once, although the log and the events of claim and pods all report it."""
    by_claim: dict[str | tuple[str, str], FailedLaunch] = {}
    for record in records:
        failed = _failed(record)
        if failed is None:
            continue
        key = failed.claim or (failed.node_pool, failed.message)
        known = by_claim.get(key, failed)
        message = max(known.message, failed.message, key=_completeness)
        pods = tuple(dict.fromkeys((*known.pods, *failed.pods)))
        by_claim[key] = replace(known, message=message, pods=pods)
    return tuple(by_claim.values())


def _completeness(message: str) -> tuple[bool, int]:
    return bool(message) and not message.endswith(_CUT), len(message)


def _failed(record: Record) -> FailedLaunch | None:
    error = _error(record)
    if error is not None:
        claim, pool = claim_of(record), named_pool(record)
        return FailedLaunch(record.at, claim, error, pool=pool) if claim or pool else None
    if record.reason not in _EVENTS:
        return None
    if match := _ON_CLAIM.fullmatch(record.message):
        return FailedLaunch(record.at, match["claim"], match["message"])
    if match := _ON_POD.fullmatch(record.message):
        return FailedLaunch(record.at, match["claim"], match["message"], (record.about[1],))
    return None


def _error(record: Record) -> str | None:
    """Return the error of a launch that a line of the log reports, or None if it reports something else."""
    fields = record.fields
    error = str(fields.get("error") or "")
    if record.message == _FAILED:
        return error
    if record.message == _RETRIED and fields.get("controller") in _LIFECYCLES and (begins := _LAUNCHING.match(error)):
        return error[begins.end() :]
    is_error = fields.get("level") == "ERROR" and _AS_MESSAGE.fullmatch(record.message)
    return record.message if is_error else None


@dataclass(frozen=True, slots=True)
class UnavailableOffering:
    """An offering that Karpenter's AWS provider avoids for some minutes from an instant on (seconds since 1970), and why. The
    log has these lines at level debug only.
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
        instance_type=text_or_name(fields.get("instance-type")),
        zone=text_or_name(fields.get("zone")),
        capacity_type=text_or_name(fields.get("capacity-type")),
        reason=reason,
    )
