"""The figures of commands, of the nodes that they end and of failed launches, and the columns that each form has."""

from __future__ import annotations

from typing import Final

from cutlist.logs import Decision, Ending, FailedLaunch, Story
from cutlist.report.columns import Figure, Figures, only_csv
from cutlist.report.markup import code, words
from cutlist.report.plain import hourly, instant
from cutlist.verbs.history.words import ended_name, new_nodes_text

Ended = tuple[Decision, Ending]
_Ended = Figure[Ended]


def _pods(story: Story) -> str:
    return "-" if story.decision.pods is None else f"{story.decision.pods:,}"


def _savings(story: Story) -> str:
    return "-" if story.decision.savings is None else f"${hourly(story.decision.savings)}"


_TIME: Final[Figure[Story]] = Figure("time", lambda s: instant(s.decision.at))
_REASON: Final[Figure[Story]] = Figure(
    "reason", lambda s: s.decision.reason or "disruption", markdown=lambda s: words(s.decision.reason or "disruption")
)
_ENDS: Final[Figure[Story]] = Figure(
    "nodes that end",
    lambda s: ", ".join(map(ended_name, s.decision.nodes)),
    markdown=lambda s: ", ".join(code(ended_name(node)) for node in s.decision.nodes),
    page_title="Removed nodes",
    page_class="w",
)
_COMES: Final[Figure[Story]] = Figure(
    "nodes that come",
    lambda s: ", ".join(map(new_nodes_text, s.decision.new)) or "-",
    markdown=lambda s: ", ".join(words(new_nodes_text(new)) for new in s.decision.new) or "-",
    page_title="New nodes",
    page_class="w",
)
COMMENT: Final[Figures[Story]] = (_TIME, _REASON, _ENDS, _COMES)
PAGE: Final[Figures[Story]] = (
    *(_TIME, _REASON),
    Figure("does", lambda s: s.decision.decision or "end"),
    Figure("pods", _pods, "right", page_class="n"),
    *(_ENDS, _COMES),
    Figure("saves $/hour", _savings, "right", page_class="n"),
)


def _steps(row: Ended) -> str:
    return "; ".join(f"+{step.after:.1f}: {step.what}" for step in row[1].steps) or "-"


_DECIDED: Final[_Ended] = Figure("decided", lambda row: instant(row[0].at), name="time")
_NODE: Final[_Ended] = Figure(
    "node", lambda row: ended_name(row[1].node), name="node", exact=lambda row: row[1].node.name or row[1].node.claim
)
_TYPE: Final[_Ended] = Figure(
    "type", lambda row: row[1].node.instance_type or "-", name="instance_type", exact=lambda row: row[1].node.instance_type
)
_CAPACITY: Final[_Ended] = Figure(
    "capacity",
    lambda row: row[1].node.capacity_type or "-",
    name="capacity_type",
    exact=lambda row: row[1].node.capacity_type,
    page_class="k",
)
_WHAT: Final[_Ended] = Figure("what happened, in seconds after the decision", _steps, page_class="w")
ENDED_PAGE: Final[Figures[Ended]] = (_DECIDED, _NODE, _TYPE, _CAPACITY, _WHAT)
_ONLY_CSV: Final[Figures[Ended]] = (
    only_csv("reason", lambda row: row[0].reason),
    only_csv("decision", lambda row: row[0].decision),
    only_csv("last_step", lambda row: row[1].steps[-1].what if row[1].steps else None),
    only_csv("seconds", lambda row: row[1].steps[-1].after if row[1].steps else None),
    only_csv("pods", lambda row: row[0].pods),
)
ENDED_CSV: Final[Figures[Ended]] = (_DECIDED, _NODE, _TYPE, _CAPACITY, *_ONLY_CSV)

FAILED: Final[Figures[FailedLaunch]] = (
    Figure("time", lambda launch: instant(launch.at), name="time"),
    Figure(
        "NodeClaim or NodePool",
        lambda launch: launch.claim or launch.node_pool or "-",
        name="node",
        exact=lambda launch: launch.claim or launch.node_pool,
    ),
    Figure(
        "why",
        lambda launch: launch.message or "no reason reported",
        name="reason",
        exact=lambda launch: launch.message,
        page_class=lambda _: "w bad",
    ),
    Figure(
        "pods that waited",
        lambda launch: ", ".join(launch.pods) or "-",
        name="pods",
        exact=lambda launch: len(launch.pods),
        page_class="w",
    ),
)
