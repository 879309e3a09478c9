"""What Karpenter did in words that several forms share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.logs import EndedNode, LaunchedNode, NewNodes
from cutlist.report.plain import short_name

_NAMED: Final = 5


def doubles_text(doubles: Sequence[str]) -> str:
    """Return a sentence if events repeat others, with the first names; else an empty text."""
    if not doubles:
        return ""
    names = ", ".join(short_name(name) for name in doubles[:_NAMED])
    more = f" and {len(doubles) - _NAMED:,} more" if len(doubles) > _NAMED else ""
    return (
        f"Events about {counted(len(doubles), 'name')} are not counted: {names}{more}. Karpenter reports a disruption of a "
        "node and of its NodeClaim, and nothing here says which of them belong together; NodeClaims among the events would"
    )


def ended_name(node: EndedNode) -> str:
    """Return the name of a node that a command ends, or that of its NodeClaim."""
    return short_name(node.name) or f"claim {node.claim}"


def launch_text(launch: LaunchedNode) -> str:
    """Return which machine a NodeClaim was launched as."""
    machine = " ".join(filter(None, (launch.instance_type, launch.capacity_type, launch.zone)))
    return f"launched {short_name(launch.claim)}{f' as {machine}' if machine else ''}"


def new_nodes_text(new: NewNodes) -> str:
    """Return how many nodes a command launches, and of which types they may be."""
    bought = f"{new.capacity_type} " if new.capacity_type else ""
    return f"{new.count} {bought}of {new.text}" if new.types else f"{new.count} {bought}node".replace("  ", " ")
