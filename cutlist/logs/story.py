"""The result of each command: its nodes tainted, drained and removed, and how long that took."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final

from cutlist.core.records import FLAT, After, Key, More, form_of
from cutlist.logs.decisions import Decision, EndedNode, decision, terminated_with
from cutlist.logs.records import Record, claim_of, node_of

_REPORTED: Final = ("Evicted", "FailedDraining", "TerminationGracePeriodExpiring", "RebootObserved", "RebootFailed")
"""Reasons of events whose text describes a step; reboots have some since 1.15 (V15-73)."""
_ENDED_WITHIN: Final = 3600.0  # seconds after which a command ends at the latest: its events come before that
_MATCH_WITHIN: Final = 120.0  # seconds within which the events of a node and of its claim belong to one command


@dataclass(frozen=True, slots=True)
class Step:
    """A step in the removal of a node, a number of seconds after the decision."""

    after: Annotated[float, form_of(Annotated[float, More(minimum=0)]).through(lambda s: round(s, 3)), Key("afterSeconds")]
    what: str


@dataclass(frozen=True, slots=True)
class Ending:
    """The removal of a node by a command, step by step."""

    node: Annotated[EndedNode, FLAT]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A command and what happened to each of its nodes."""

    decision: Annotated[Decision, FLAT]
    endings: Annotated[tuple[Ending, ...], Key("nodes"), After("decision.savings")]


def stories_of(records: Iterable[Record], doubles: Collection[str] = frozenset()) -> tuple[Story, ...]:
    """Return the commands that the records report, the earliest first, each with what happened to its nodes afterwards.

    Events about the names in `doubles` repeat others and do not count as commands.
    """
    in_order = sorted(records, key=lambda r: r.at)
    decisions = _merged(r for r in in_order if not (terminated_with(r) and r.about[1] in doubles))
    timeline = _Timeline.of(in_order, decisions)
    return tuple(Story(d, tuple(timeline.ending(d, node) for node in d.nodes)) for d in decisions)


def _merged(records: Iterable[Record]) -> list[Decision]:
    """Return decisions without repetitions: the events of a node and of its claim repeat a line of the log or each other."""
    merged: list[Decision] = []
    logged: dict[str, int] = {}
    for record in records:
        reported = decision(record)
        if reported is None:
            continue
        near = bisect_left(merged, reported.at - _MATCH_WITHIN, key=lambda d: d.at)
        same = next((i for i in range(near, len(merged)) if _same(merged[i], reported)), None)
        is_event = bool(terminated_with(record))
        if same is None and is_event:
            earlier = logged.get(claim_of(record), logged.get(node_of(record)))
            same = earlier if earlier is not None and reported.at - merged[earlier].at <= _ENDED_WITHIN else None
        if same is None:
            same = len(merged)
            merged.append(reported)
        elif len(merged[same].nodes) == 1:
            merged[same] = replace(merged[same], nodes=(_joined(merged[same].nodes[0], reported.nodes[0]),))
        if not is_event:
            logged.update((name, same) for node in reported.nodes for name in (node.claim, node.name) if name)
    return merged


def _same(known: Decision, reported: Decision) -> bool:
    return any(_is_one(n, other) for n in known.nodes for other in reported.nodes)


def _is_one(node: EndedNode, other: EndedNode) -> bool:
    """Tell whether both mean the same node. On AKS a node is named after its claim, with the prefix `aks-`."""
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
class _Timeline:
    """All records in order of time, the positions of those about each name, and the times of its commands."""

    records: Sequence[Record]
    about: Mapping[str, Sequence[int]]
    commands: Mapping[str, Sequence[float]]

    @staticmethod
    def of(records: Sequence[Record], decisions: Iterable[Decision]) -> _Timeline:
        about: defaultdict[str, list[int]] = defaultdict(list)
        for number, record in enumerate(records):
            for name in {record.about[1], claim_of(record), node_of(record)} - {""}:
                about[name].append(number)
        commands: defaultdict[str, list[float]] = defaultdict(list)
        for command in decisions:
            for node in command.nodes:
                commands[node.name].append(command.at)
        return _Timeline(records, about, commands)

    def ending(self, command: Decision, node: EndedNode) -> Ending:
        """Return the steps of one node until its name is used by another command."""
        later = (at for at in self.commands.get(node.name, ()) if at > command.at and node.name)
        end = min(later, default=float("inf"))
        places = sorted({*self.about.get(node.name, ()), *self.about.get(node.claim, ())})
        steps = [(r.at, what) for r in map(self.records.__getitem__, places) if command.at <= r.at < end and (what := _what(r))]
        return Ending(node, tuple(Step(at - command.at, what) for at, what in steps))


def _what(record: Record) -> str:
    match record.message:
        case "cordoned node" | "Cordoned node":
            return "cordoned"
        case "tainted node":
            key, value, effect = (record.fields.get(f"taint.{part}") or "" for part in ("Key", "Value", "Effect"))
            return f"tainted {key}{'=' if value else ''}{value}:{effect}" if key else "tainted"
        case "deleted node":
            return "node deleted"
        case "deleted nodeclaim" | "deleted machine":
            return f"claim {claim_of(record)} deleted" if claim_of(record) else "claim deleted"
        case "reboot reached terminal outcome":
            return f"reboot ended: {record.reason}"
        case message if record.reason in _REPORTED:
            return message
        case message if message == "Waiting on deletion to continue disruption":
            return "waits until it is deleted"
        case _:
            return ""
