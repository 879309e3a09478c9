"""Why a workload gets its nodes, as a comment on a pull request: the sums, what waits and why, what each NodePool said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.planning.model.explanation import Answer, Explanation
from cutlist.report.comment_parts import node_table, waiting_pods, weightiest
from cutlist.report.markup import at_most, code, table, words
from cutlist.report.plain import counted, per_hour, percent, short_name

_SHOWN: Final = 2  # controllers


@dataclass(frozen=True, slots=True)
class _Room:
    """How many of each there is room for; a reason has two lines."""

    reasons: int
    nodes: int
    answers: int
    others: int


_ALONE: Final = _Room(reasons=2, nodes=5, answers=8, others=6)
_BESIDE: Final = _Room(reasons=1, nodes=1, answers=3, others=1)


def explain_markdown(found: Sequence[Explanation], region: str) -> str:
    """The explanations as Markdown of less than 60 lines. Ends in a newline."""
    room = _ALONE if len(found) == 1 else _BESIDE
    lines = [line for one in found[:_SHOWN] for line in _one(one, region, len(found) > 1, room)]
    if more := found[_SHOWN:]:
        lines.append(f"and {counted(len(more), 'more controller')}")
    return "\n".join(lines).rstrip() + "\n"


def _one(one: Explanation, region: str, several: bool, room: _Room) -> list[str]:
    besides = f" ({words(one.controller)})" if several else ""
    lines = [f"### {code(one.workload)} in {words(region)}{besides}", "", _in_short(one), ""]
    lines += waiting_pods(one.pending, room.reasons)
    lines += node_table(one.nodes, region, room.nodes)
    lines += _answers(one.answers, room.answers)
    return [*lines, *at_most(room.others, list(_others(one))), ""]


def _in_short(one: Explanation) -> str:
    parts = [
        f"**{counted(one.pods, 'pod')}**",
        f"{one.on_new_nodes:,} on new nodes",
        f"{one.on_existing:,} on nodes that are there",
    ]
    parts.append(f"**{one.waiting:,} pending**" if one.waiting else "none pending")
    if one.price is not None:
        parts.append(f"**${per_hour(one.price)}** per hour")
    if one.least is not None and one.gap is not None and one.price:
        gap = f"${per_hour(one.gap)}, {percent(one.gap / one.price)} of the price"
        parts.append(f"at least ${per_hour(one.least)} if nothing of its nodes were left over (a gap of {gap})")
    return ", ".join(parts) + "."


def _answers(answers: Sequence[Answer], room: int) -> list[str]:
    """What the NodePools said, in the order in which they are asked; those with most pods where there is no room for all."""
    titles = ["NodePool", ">weight", ">takes", "types", "why not", "what would help"]
    return [*table(titles, weightiest(answers, room, lambda a: a.took, _answer, "more NodePools")), ""]


def _answer(answer: Answer) -> list[str]:
    narrowing = " → ".join(f"{step.types:,}" for step in answer.narrowing)
    return [
        code(answer.node_pool),
        f"{answer.weight}",
        f"{answer.took:,}",
        narrowing,
        words(answer.refusal),
        words(answer.remedy),
    ]


def _others(one: Explanation) -> Iterator[str]:
    """What else decided, a line each: nodes that are there, preferences, spot capacity."""
    for name, pods in one.existing:
        yield f"{code(short_name(name))}, which is there, takes {counted(pods, 'pod')}"
    for reason, nodes in one.refusing:
        yield f"{counted(nodes, 'node')} that {'is' if nodes == 1 else 'are'} there: {words(reason)}"
    for given_up in one.given_up:
        by = f"by {counted(given_up.pods, 'pod')}" if given_up.pods else "in vain"
        yield f"given up {by}: {words(given_up.what)}"
    for text in one.spot:
        yield f"without spot: {words(text)}"
