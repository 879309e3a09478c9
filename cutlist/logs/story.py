"""What came of each command: its nodes tainted, drained, gone, with how long that took."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.logs.decisions import Decision, EndedNode, decision
from cutlist.logs.records import Record, name_of

_MATCH_WITHIN: Final = 120.0  # seconds in which the events of a node and of its claim tell of one command


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was done to a node, so many seconds after the decision."""

    after: float
    what: str


@dataclass(frozen=True, slots=True)
class Ending:
    """A node that was ended by a command, step by step."""

    node: EndedNode
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A command and what came of each of its nodes."""

    decision: Decision
    endings: tuple[Ending, ...]


def tell(records: Iterable[Record]) -> tuple[Story, ...]:
    """The commands that the records tell of, the earliest first, each with what happened to its nodes afterwards."""
    said = sorted(records, key=lambda r: r.at)
    found = _merged((d for r in said if (d := decision(r)) is not None), _claims(said))
    afterwards = _Afterwards.of(said, found)
    return tuple(Story(d, tuple(afterwards.ending(d, node) for node in d.nodes)) for d in found)


def _claims(said: Iterable[Record]) -> dict[str, str]:
    """The node of each claim, by lines that name both."""
    pairs = ((name_of(r.fields.get("NodeClaim")), name_of(r.fields.get("Node"))) for r in said)
    return {claim: node for claim, node in pairs if claim and node}


def _merged(decisions: Iterable[Decision], nodes: Mapping[str, str]) -> list[Decision]:
    """Without what is told twice: the event of a node, and that of its claim, repeat a line of the log or each other."""
    kept: list[Decision] = []
    for told in decisions:
        told = replace(told, nodes=tuple(replace(n, name=n.name or nodes.get(n.claim, "")) for n in told.nodes))
        near = bisect_left(kept, told.at - _MATCH_WITHIN, key=lambda d: d.at)
        same = next((i for i in range(near, len(kept)) if _same(kept[i], told)), None)
        if same is None:
            kept.append(told)
        elif len(kept[same].nodes) == 1:
            kept[same] = replace(kept[same], nodes=(_joined(kept[same].nodes[0], told.nodes[0]),))
    return kept


def _same(known: Decision, told: Decision) -> bool:
    return any(_is_one(n, other) for n in known.nodes for other in told.nodes)


def _is_one(node: EndedNode, other: EndedNode) -> bool:
    """Whether two tellings are of one node. On AKS a node is called like its claim, with `aks-` before it."""
    if node.name and other.name:
        return node.name == other.name
    if node.claim and other.claim:
        return node.claim == other.claim
    return f"aks-{node.claim or other.claim}" == (node.name or other.name)


def _joined(node: EndedNode, other: EndedNode) -> EndedNode:
    return EndedNode(
        node.name or other.name,
        node.claim or other.claim,
        node.instance_type or other.instance_type,
        node.capacity_type or other.capacity_type,
    )


@dataclass(frozen=True, slots=True)
class _Afterwards:
    """What was said, in the order of time: the places of what is about each name, and the times of its commands."""

    said: Sequence[Record]
    about: Mapping[str, Sequence[int]]
    commands: Mapping[str, Sequence[float]]

    @staticmethod
    def of(said: Sequence[Record], decisions: Iterable[Decision]) -> _Afterwards:
        about: defaultdict[str, list[int]] = defaultdict(list)
        for number, record in enumerate(said):
            for name in {record.about[1], name_of(record.fields.get("Node")), name_of(record.fields.get("NodeClaim"))} - {""}:
                about[name].append(number)
        commands: defaultdict[str, list[float]] = defaultdict(list)
        for told in decisions:
            for node in told.nodes:
                commands[node.name].append(told.at)
        return _Afterwards(said, about, commands)

    def ending(self, told: Decision, node: EndedNode) -> Ending:
        """The steps of one node until its name is used by another command."""
        later = (at for at in self.commands.get(node.name, ()) if at > told.at and node.name)
        end = min(later, default=float("inf"))
        places = sorted({*self.about.get(node.name, ()), *self.about.get(node.claim, ())})
        steps = [(r.at, what) for r in map(self.said.__getitem__, places) if told.at <= r.at < end and (what := _what(r))]
        return Ending(node, tuple(Step(at - told.at, what) for at, what in steps))


def _what(record: Record) -> str:
    match record.message:
        case "tainted node":
            key, value, effect = (record.fields.get(f"taint.{part}") or "" for part in ("Key", "Value", "Effect"))
            return f"tainted {key}{'=' if value else ''}{value}:{effect}" if key else "tainted"
        case "deleted node":
            return "node deleted"
        case "deleted nodeclaim":
            return f"claim {record.about[1]} deleted" if record.about[0] == "NodeClaim" else "claim deleted"
        case message if record.reason in ("Evicted", "FailedDraining", "TerminationGracePeriodExpiring"):
            return message
        case message if message == "Waiting on deletion to continue disruption":
            return "waits until it is gone"
        case _:
            return ""
