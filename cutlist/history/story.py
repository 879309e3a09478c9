"""What came of each command: its nodes tainted, drained, gone, with how long that took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.history.decisions import Decision, EndedNode, decision
from cutlist.history.records import Record

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
    return tuple(Story(d, tuple(_ending(d, node, found, said) for node in d.nodes)) for d in found)


def _claims(said: Iterable[Record]) -> dict[str, str]:
    """The node of each claim, by lines that name both."""
    pairs = ((_name(r.fields.get("NodeClaim")), _name(r.fields.get("Node"))) for r in said)
    return {claim: node for claim, node in pairs if claim and node}


def _merged(decisions: Iterable[Decision], nodes: Mapping[str, str]) -> list[Decision]:
    """Without what is told twice: the event of a node, and that of its claim, repeat a line of the log or each other."""
    kept: list[Decision] = []
    for told in decisions:
        told = replace(told, nodes=tuple(replace(n, name=n.name or nodes.get(n.claim, "")) for n in told.nodes))
        same = next((i for i, d in enumerate(kept) if _same(d, told)), None)
        if same is None:
            kept.append(told)
        elif len(kept[same].nodes) == 1:
            kept[same] = replace(kept[same], nodes=(_joined(kept[same].nodes[0], told.nodes[0]),))
    return kept


def _same(known: Decision, told: Decision) -> bool:
    if abs(known.at - told.at) > _MATCH_WITHIN:
        return False
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


def _ending(told: Decision, node: EndedNode, decisions: Iterable[Decision], said: Iterable[Record]) -> Ending:
    """The steps of one node until its name is used by another command."""
    later = (d.at for d in decisions if d.at > told.at and any(n.name == node.name and n.name for n in d.nodes))
    end = min(later, default=float("inf"))
    steps = [(r.at, what) for r in said if told.at <= r.at < end and _is_about(r, node) and (what := _what(r))]
    return Ending(node, tuple(Step(at - told.at, what) for at, what in steps))


def _is_about(record: Record, node: EndedNode) -> bool:
    names = {record.about[1], _name(record.fields.get("Node")), _name(record.fields.get("NodeClaim"))} - {""}
    return bool(names & {node.name, node.claim})


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


def _name(written: Any) -> str:
    return str(written.get("name", "")) if isinstance(written, dict) else ""
