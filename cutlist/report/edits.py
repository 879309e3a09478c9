"""The effects of edits of objects on existing nodes, as text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from cutlist.disruption.drifted_nodes import DriftedNode, in_words
from cutlist.disruption.edits import MemberEdit, ObjectEdit, Reach
from cutlist.report.page import GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import escape

REACH_TEXTS: Final = {
    Reach.ALL: ("all its nodes drift", WARN),
    Reach.SOME: ("some of its nodes drift", WARN),
    Reach.UNKNOWN: ("its nodes may drift", WARN),
    Reach.NONE: ("no node drifts", GOOD),
}
"""The effect of an edit by its reach, with its style."""
REACHED_NODES: Final = {Reach.ALL: "all nodes", Reach.SOME: "some nodes", Reach.UNKNOWN: "unknown", Reach.NONE: "no node"}
"""The nodes that a member concerns, by its reach."""
_COLUMN: Final = max(map(len, REACHED_NODES.values())) + 6


def render_edits(edits: Sequence[ObjectEdit], drifted: Sequence[DriftedNode], width: int = 100, *, colour: bool = False) -> str:
    """Return, object by object, which of its nodes are replaced, and because of which members; then the NodeClaims
    concerned."""
    page = Page(width)
    list_edits(page, edits)
    for pool, nodes in groupby(drifted, key=lambda node: node.node_pool):
        page.paragraph(escape(in_words(pool, list(nodes))), indent=4, style=WARN)
    return page.text(colour=colour)


def list_edits(page: Page, edits: Sequence[ObjectEdit]) -> None:
    """Add each edited object to the page, with the effects of its members."""
    for edit in edits:
        effect, style = REACH_TEXTS[edit.reach]
        page.line((escape(f"{edit.kind} {edit.name}"), HEADING), ": ", (effect, style))
        for member in edit.members:
            first = f"    {REACHED_NODES[member.reach]}".ljust(_COLUMN)
            page.paragraph(member_text(member), first=first, indent=_COLUMN, style=QUIET if member.reach is Reach.NONE else "")


def member_text(member: MemberEdit) -> str:
    """Return a changed member, with the nodes that drift because of it unless it is all or none."""
    return f"{member.path}: {member.which}" if member.which else member.path
