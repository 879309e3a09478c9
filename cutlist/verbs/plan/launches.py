"""The requests that launch nodes, as text: what EC2 is asked for, how it decides, and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from cutlist.core.labels import RESERVED
from cutlist.core.wording import counted
from cutlist.planning.model import Launch, Plan, PlannedNode
from cutlist.report.page import BAD, HEADING, QUIET, Page
from cutlist.report.plain import escape, hourly, zone_names

_LABEL: Final = 11  # indent and name of a line
_TYPES_NAMED: Final = 3
_RESERVATIONS_NAMED: Final = 3


def launch_section(page: Page, plan: Plan) -> None:
    """Add the launches to the page, each with the nodes that use it; or nothing if none is known."""
    if not plan.launches:
        return
    page.blank()
    page.line(("Launches", HEADING))
    for number, launch in enumerate(plan.launches):
        _launch(page, launch, [n for n in plan.nodes if n.launch == number], plan.region)


def _launch(page: Page, launch: Launch, nodes: Sequence[PlannedNode], region: str) -> None:
    counts: Counter[str] = Counter()
    for node in nodes:
        counts[node.instance_type] += node.count
    shown = ", ".join(f"{count:,} × {escape(name)}" for name, count in counts.items())
    bought = f", {launch.capacity_type}" if launch.capacity_type else ""
    page.line((f"NodePool {launch.node_pool}: {shown}{bought}", HEADING))
    if launch.refusal:
        page.paragraph(f"nothing: {launch.refusal}", first="  gets", indent=_LABEL, style=BAD)
        return
    page.paragraph(_asked(launch, region), first="  asks for", indent=_LABEL)
    mark = "*" if any(n.is_estimated for n in nodes) else ""
    page.paragraph(_outcome(launch, mark), first="  gets", indent=_LABEL)
    if launch.left_out:
        left_out = ", ".join(f"{len(group.instance_types)} {group.reason}" for group in launch.left_out)
        page.paragraph(left_out, first="  left out", indent=_LABEL, style=QUIET)


def _asked(launch: Launch, region: str) -> str:
    types = counted(len(launch.instance_types), "type")
    zones = zone_names(launch.zones, region)
    templates = counted(len(launch.templates), "launch template")
    how = f", {launch.allocation_strategy}" if launch.allocation_strategy else ""
    return f"{types} in {'zone' if len(launch.zones) == 1 else 'zones'} {zones} by {templates}{how}"


def _outcome(launch: Launch, mark: str) -> str:
    first = launch.outcome[0]
    if launch.capacity_type == RESERVED:
        return f"{_named(launch.outcome)} from {_reservations(launch)}"
    lowest, highest = launch.price_range or (0.0, 0.0)
    price = f"${hourly(lowest)}{mark}"
    if launch.is_determined:
        more = ", while EC2 has it" if len(launch.overrides) > 1 else ""
        return f"{escape(first)} at {price} an hour{more}"
    if not launch.is_spot:
        return f"{_named(launch.outcome)}, which cost the same: {price} an hour"
    span = f"{price} to ${hourly(highest)}{mark}" if highest != lowest else price
    return f"{_named(launch.outcome)} at {span} an hour; EC2 decides, by spare capacity and price"


def _named(types: Sequence[str]) -> str:
    if len(types) == 1:
        return escape(types[0])
    named = ", ".join(escape(t) for t in types[:_TYPES_NAMED])
    hidden = len(types) - _TYPES_NAMED
    return f"one of {named}" + (f" and {hidden:,} more" if hidden > 0 else "")


def _reservations(launch: Launch) -> str:
    ids = sorted({t.reservation for t in launch.templates if t.reservation})
    named = ", ".join(escape(i) for i in ids[:_RESERVATIONS_NAMED])
    hidden = len(ids) - _RESERVATIONS_NAMED
    return f"reservation {named}" + (f" or {hidden} more" if hidden > 0 else "")
