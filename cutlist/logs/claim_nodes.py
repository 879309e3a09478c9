"""Which node a NodeClaim has: an event is about one of the two, and their names may have nothing in common.

Karpenter publishes the event of a disruption on the Node and on the NodeClaim, one right after the other with the same reason
(spec: disruption 11.3).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.logs.decisions import ended_nodes, terminated_with
from cutlist.logs.records import Record, claim_of, node_of, parse_records

_NOMINATED: Final = re.compile(r"Pod should schedule on: nodeclaim/(?P<claim>[^,\s]+), node/(?P<node>\S+)")
_SCHEDULED_ON: Final = re.compile(r"Pod should schedule on: (?:nodeclaim/(?P<claim>[^,\s]+))?(?:, )?(?:node/(?P<node>\S+))?")
_TOGETHER: Final = 1.0  # seconds: events have whole seconds, so two of one moment may differ by one


@dataclass(frozen=True, slots=True)
class Connected:
    """Records in which each event about a NodeClaim names its node, if that is known.

    `doubles` are names of NodeClaims or nodes whose events repeat others of the same moment, though it is unknown which.
    """

    records: tuple[Record, ...]
    doubles: frozenset[str] = frozenset()


def connected(records: Sequence[Record], nodes: Mapping[str, str]) -> Connected:
    """Return the records, in order of time, with the nodes of NodeClaims; `nodes` are those that the NodeClaims' own objects
    name."""
    links = {**dict(_named_together(records)), **nodes}
    doubles: set[str] = set()
    for claims, names in _moments(records):
        unknown = [claim for claim in claims if claim not in links and f"aks-{claim}" not in names]
        linked = {*links.values(), *(f"aks-{claim}" for claim in claims)}
        others = [name for name in names if name not in linked]
        if len(unknown) == len(others) == 1:
            links[unknown[0]] = others[0]
        elif unknown and others:
            doubles.update(unknown if len(unknown) <= len(others) else others)
    return Connected(tuple(_with_node(record, links) for record in records), frozenset(doubles))


def nominations(records: Iterable[Record]) -> Iterator[tuple[str, str, str]]:
    """Yield each pod that an event says where to schedule, with the NodeClaim and the node; a name is empty where none is
    known."""
    for record in records:
        if record.about[0] == "Pod" and (match := _SCHEDULED_ON.fullmatch(record.message)):
            yield record.about[1], match["claim"] or "", match["node"] or ""


def _named_together(records: Iterable[Record]) -> Iterator[tuple[str, str]]:
    """Yield each NodeClaim with its node, from lines and events that name both."""
    for record in records:
        if match := _NOMINATED.fullmatch(record.message):
            yield match["claim"], match["node"]
        pairs = ((claim_of(record), node_of(record)), *((node.claim, node.name) for node in ended_nodes(record)))
        yield from ((claim, node) for claim, node in pairs if claim and node)


def _moments(records: Iterable[Record]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the NodeClaims and nodes with events of one reason at one moment."""
    by_reason: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        if reason := terminated_with(record):
            by_reason[reason].append(record)
    for events in by_reason.values():
        moment: list[Record] = []
        for event in events:
            if moment and event.at - moment[-1].at > _TOGETHER:
                yield _claims_and_nodes(moment)
                moment = []
            moment.append(event)
        yield _claims_and_nodes(moment)


def _claims_and_nodes(events: Sequence[Record]) -> tuple[list[str], list[str]]:
    claims, nodes = (dict.fromkeys(map(of, events)) for of in (claim_of, node_of))
    return [claim for claim in claims if claim], [node for node in nodes if node]


def _with_node(record: Record, links: Mapping[str, str]) -> Record:
    claim = record.about[1] if record.about[0] == "NodeClaim" else ""
    if claim not in links or node_of(record):
        return record
    return replace(record, fields={**record.fields, "Node": {"name": links[claim]}})


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
