"""Karpenter's own log as a trace: each NodeClaim stands for the pods that it was created for, until it was removed.

A line `created nodeclaim` has what these pods request together and how many they are (DaemonSets included), so the pods of a
NodeClaim are of equal size here. The log says nothing about pods that found room on nodes that ran already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import NANO, nanos
from cutlist.logs import Record, ended_claims, read_records
from cutlist.logs.records import claim_of, node_of
from cutlist.simulation.events import SECOND

_CREATED: Final = ("created nodeclaim", "created machine")
_REMOVED: Final = ("deleted nodeclaim", "deleted machine")
_THOUSAND: Final = 1000


@dataclass(frozen=True, slots=True)
class LoggedClaim:
    """A NodeClaim of the log, in milliseconds since 1970; `ended` is None where it still runs at the end.

    `cpu` in thousandths of a core and `memory` in bytes are those of each of its `pods`.
    """

    created: int
    ended: int | None
    cpu: int
    memory: int
    pods: int


def logged_claims(text: str) -> tuple[LoggedClaim, ...]:
    """Return the NodeClaims that a log creates, in order; lines without requests and other lines are left out."""
    records = read_records(text).records
    ends = _ends(records)
    return tuple(_claims((r for r in records if r.message in _CREATED), ends))


def _claims(records: Iterable[Record], ends: Mapping[str, int]) -> Iterator[LoggedClaim]:
    for record in records:
        requests = record.fields.get("requests")
        amounts = _amounts(requests) if isinstance(requests, Mapping) else {}
        pods = amounts.get("pods", 0) // NANO
        if pods:
            # The line has sums only; DaemonSets are in both the sum and the number.
            cpu, memory = (amounts.get(resource, 0) // pods for resource in ("cpu", "memory"))
            created = round(record.at * SECOND)
            yield LoggedClaim(created, ends.get(claim_of(record)), cpu * _THOUSAND // NANO, memory // NANO, pods)


def _amounts(requests: Mapping[object, object]) -> dict[str, int]:
    """Return the requests of a line in nano-units, without what is not an amount."""
    amounts = {}
    for resource, written in requests.items():
        try:
            amounts[str(resource)] = nanos(str(written))
        except QuantityError:
            continue
    return amounts


def _ends(records: Sequence[Record]) -> dict[str, int]:
    """Return when each NodeClaim was ended, by a decision of Karpenter or else by its deletion."""
    claims = {node_of(r): claim_of(r) for r in records if node_of(r) and claim_of(r)}
    ends: dict[str, int] = {}
    for ended in ended_claims(records):
        ends.setdefault(ended.claim or claims.get(ended.node, ""), round(ended.at * SECOND))
    for record in records:
        if record.message in _REMOVED:
            ends.setdefault(claim_of(record), round(record.at * SECOND))
    return ends
