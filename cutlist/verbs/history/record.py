"""What Karpenter did, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from cutlist.core.records import Count, InstantText, More, Price, about, form_of, json_of
from cutlist.logs import Ending, FailedLaunch, Story
from cutlist.verbs.history.answer import History

VERSION: Final = 1


def _to_the_millisecond(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_LoggedInstant = Annotated[float, form_of(InstantText).through(_to_the_millisecond)]


@dataclass(frozen=True, slots=True)
class _Step:
    after_seconds: Annotated[float, More(minimum=0)]
    what: str


@dataclass(frozen=True, slots=True)
class _EndedNode:
    name: str
    node_claim: str
    instance_type: str
    capacity_type: str
    steps: tuple[_Step, ...]


@dataclass(frozen=True, slots=True)
class _Replacement:
    count: Count
    capacity_type: str
    instance_types: tuple[str, ...]
    others: Annotated[Count, about("Types that the log counts and does not name.")]


@dataclass(frozen=True, slots=True)
class _Command:
    at: _LoggedInstant
    reason: str
    decision: str
    pods: Annotated[Count | None, about("Null where the log does not tell.")]
    savings_per_hour: Annotated[Price, about("USD; null where the log does not tell.")]
    nodes: tuple[_EndedNode, ...]
    replacements: tuple[_Replacement, ...]


@dataclass(frozen=True, slots=True)
class _FailedLaunch:
    at: _LoggedInstant
    node_claim: str
    message: Annotated[str, about("The provider's, as far as it is reported.")]
    is_cut: Annotated[bool, about("Whether the message was too long for an event.")]
    pods: Annotated[tuple[str, ...], about("Pods that waited for the node; events name them since Karpenter 1.15.")]


@dataclass(frozen=True, slots=True)
class HistoryRecord:
    """What Karpenter did: commands, what came of their nodes, and launches that failed."""

    version: Literal[1]
    commands: tuple[_Command, ...]
    failed_launches: tuple[_FailedLaunch, ...]
    passed_over: Annotated[Count, about("Lines that are neither of Karpenter's log nor events.")]
    doubles: Annotated[
        tuple[str, ...],
        about("Nodes or NodeClaims whose events repeat others, of which is not known; they are in no command."),
    ]


def history_json(answer: History) -> str:
    """Return the history as indented JSON that ends in a newline. Instants are in UTC, savings in USD/hour."""
    record = HistoryRecord(
        version=VERSION,
        commands=tuple(_command(story) for story in answer.stories),
        failed_launches=tuple(map(_failed_launch, answer.failed)),
        passed_over=answer.others,
        doubles=answer.doubles,
    )
    return json_of(record)


def _command(story: Story) -> _Command:
    decision = story.decision
    return _Command(
        at=decision.at,
        reason=decision.reason,
        decision=decision.decision,
        pods=decision.pods,
        savings_per_hour=decision.savings,
        nodes=tuple(_ended_node(ending) for ending in story.endings),
        replacements=tuple(_Replacement(new.count, new.capacity_type, tuple(new.types), new.others) for new in decision.new),
    )


def _ended_node(ending: Ending) -> _EndedNode:
    node = ending.node
    steps = tuple(_Step(round(step.after, 3), step.what) for step in ending.steps)
    return _EndedNode(node.name, node.claim, node.instance_type, node.capacity_type, steps)


def _failed_launch(launch: FailedLaunch) -> _FailedLaunch:
    return _FailedLaunch(launch.at, launch.claim, launch.message, launch.is_cut, launch.pods)
