"""Why a workload gets its nodes, as a comment on a pull request: the sums, what waits and why, the answer of each NodePool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model.explanation import Answer, Explanation, Explanations
from cutlist.report.columns import cells, titles
from cutlist.report.comment_parts import waiting_pods, weightiest
from cutlist.report.markup import MARKED, at_most, code, table, words
from cutlist.report.plain import percent, short_name
from cutlist.report.price_sources import age_lines
from cutlist.report.restrictions import restriction_lines
from cutlist.verbs.explain.columns import COMMENT
from cutlist.verbs.explain.words import part_of_nodes
from cutlist.verbs.plan.node_table import folded_node_table

_CONTROLLERS: Final = 2  # number of controllers shown


@dataclass(frozen=True, slots=True)
class _Room:
    """The number of entries of each kind that fit; a reason has two lines."""

    reasons: int
    nodes: int
    answers: int
    others: int


_ALONE: Final = _Room(reasons=2, nodes=5, answers=8, others=6)
_BESIDE: Final = _Room(reasons=1, nodes=1, answers=3, others=1)


def explain_markdown(answer: Explanations) -> str:
    """Return the explanations as Markdown of less than 60 lines. Ends in a newline."""
    explanations, region = answer.explanations, answer.region
    room = _ALONE if len(explanations) == 1 else _BESIDE
    are_several = len(explanations) > 1
    lines = [line for shown in explanations[:_CONTROLLERS] for line in _explanation(shown, region, are_several, room)]
    if more := explanations[_CONTROLLERS:]:
        lines.append(f"and {counted(len(more), 'more controller')}")
    lines += age_lines(answer.price_age if any(explanation.nodes for explanation in explanations) else None)
    return "\n".join(lines).rstrip() + "\n"


def _explanation(explanation: Explanation, region: str, are_several: bool, room: _Room) -> list[str]:
    besides = f" ({words(explanation.controller)})" if are_several else ""
    lines = [f"### {code(explanation.workload)} in {words(region)}{besides}", "", _in_short(explanation), ""]
    lines += [
        f"**Gang {words(gang.gang)}**: {words(gang.in_words)}.\n" for gang in explanation.incomplete_gangs[: room.reasons]
    ]
    lines += waiting_pods(explanation.pending, room.reasons)
    lines += folded_node_table(explanation.nodes, region, room.nodes)
    lines += _answers(explanation.answers, room.answers)
    lines += restriction_lines(explanation.restrictions)
    return [*lines, *at_most(room.others, list(_others(explanation))), ""]


def _in_short(explanation: Explanation) -> str:
    parts = [
        f"**{counted(explanation.pods, 'pod')}**",
        f"{explanation.on_new_nodes:,} on new nodes",
        f"{explanation.on_existing:,} on existing nodes",
    ]
    parts.append(f"**{explanation.waiting:,} pending**" if explanation.waiting else "none pending")
    if explanation.price is not None:
        share = part_of_nodes(explanation, explanation.price, "\\*")
        span = f" ({share.month_span()} a month)" if share.of is not None else ""
        parts.append(f"**{share.hour()}** per hour{span}")
    if explanation.least is not None and explanation.gap is not None and explanation.price:
        least, gap = (part_of_nodes(explanation, of, "\\*").hour() for of in (explanation.least, explanation.gap))
        part = percent(explanation.gap / explanation.price)
        parts.append(f"at least {least} if nothing of its nodes were left over (a gap of {gap}, {part} of the price)")
    return ", ".join(parts) + "." + (MARKED if explanation.has_estimates else "")


def _answers(answers: Sequence[Answer], room: int) -> list[str]:
    """Return the answers of the NodePools, in the order in which they are tried; those with the most pods if not all fit."""
    rows = weightiest(answers, room, lambda a: a.took, lambda a: cells(COMMENT, a), "more NodePool")
    return [*table(titles(COMMENT), rows), ""]


def _others(explanation: Explanation) -> Iterator[str]:
    """Yield the other deciding facts, a line each: existing nodes, preferences, spot capacity."""
    for name, pods in explanation.existing:
        yield f"{code(short_name(name))}, which is there, takes {counted(pods, 'pod')}"
    for reason, nodes in explanation.refusing:
        yield f"{counted(nodes, 'node')} that {'is' if nodes == 1 else 'are'} there: {words(reason)}"
    for given_up in explanation.given_up:
        by = f"by {counted(given_up.pods, 'pod')}" if given_up.pods else "without success"
        yield f"given up {by}: {words(given_up.what)}"
    for text in explanation.spot:
        yield f"without spot: {words(text)}"
