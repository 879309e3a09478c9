"""Names that would do harm where they are shown as they are, for the tests of every view."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from cutlist.catalog.prices import Price
from cutlist.core.ledger import Inputs, OpenInput, PassedOver
from cutlist.core.notes import Note
from cutlist.planning.model import FilledNode, Launch, PendingPods, Plan, PodShare, PoolTypes
from cutlist.planning.model.addresses import SubnetUse
from cutlist.planning.model.filled_groups import FilledGroup
from cutlist.planning.model.gangs import PlannedGang
from cutlist.planning.model.scaling import ScaledPlan
from cutlist.planning.model.shared_gpus import MiscountedGpus, MissingOverlay
from cutlist.planning.model.volumes import ClaimedVolume
from tests.unit.report.samples import PLAN, SPOT, TYPES

SCRIPT: Final = "</script></style><script>alert(1)</script><img src=x onerror=alert(1)>"
ANSI: Final = "\x1b[31mred\x1b[0m\x1b]8;;http://evil.example\x07link \x9b2J \r\n\ttail"
MARKUP: Final = "[bold]x[/bold] @everyone [a](javascript:alert(1)) `code` ![i](http://x/y.png) | # <b> {{ 7*7 }} {% raw %} #12"
RIGHT_TO_LEFT: Final = "\u202egnp.exe\u2066 \u05d0\u05d1\u05d2 \u0639\u0631\u0628\u064a"
LONG: Final = "deployment/" + "a" * 240 + "-z"
FORMULA: Final = "=cmd|'/c calc'!A1"
QUOTES: Final = "\"'><svg/onload=alert(1)> &lt;b&gt; &amp; ${x} \u2028 \x00"
ALL: Final = (SCRIPT, ANSI, MARKUP, RIGHT_TO_LEFT, LONG, FORMULA, QUOTES)

texts = st.sampled_from(ALL) | st.text(max_size=60)
"""Hostile texts, and any others."""


def hostile_types(text: str) -> tuple[PoolTypes, ...]:
    """Types, their zones and sources, and NodePools of this name, one with types and one without."""
    prices = {"on_demand": Price(0.1, text), "spot": Price(0.05, text, estimated=True)}
    rows = tuple(replace(row, name=text, zones=(text,), **prices) for row in TYPES[0].types)
    return PoolTypes(text, rows, 642), PoolTypes(text, (), 0)


def hostile_plan(text: str) -> Plan:
    """Return a plan in which everything that can be named has this name."""
    node = replace(
        SPOT,
        node_pool=text,
        instance_type=text,
        capacity_type=text,
        zones=(text,),
        price=Price(0.1, text, estimated=True),
        pods=tuple(PodShare(f"{number}/{text}/x", 4) for number in range(8)),
        candidates=tuple(replace(c, instance_type=text + c.instance_type, zones=(text,)) for c in SPOT.candidates),
    )
    return replace(
        PLAN,
        region=text,
        nodes=(node,),
        pending=(PendingPods(text, 1, text, ((text, text), ("b", text)), text), PendingPods("b", 1, text)),
        existing=(FilledNode(text, (PodShare(text, 2),)),),
        volumes=(
            ClaimedVolume(text, text, 2, text, text, 5, 3000, 125, 0.1, text, estimated=True),
            ClaimedVolume(text, text, 1, unpriced=text),
        ),
        subnets=(SubnetUse(text, text, text, 59, 20, 30, 1, 2, full_in_months=1.5, full_on=text),),
        node_groups=(FilledGroup(text, text, 2, 3, text, text, Price(0.1, text), (PodShare(text, 2),), text),),
        gangs=(PlannedGang(text, text, (text,), 6, 6, 0, 2, True, False, 2, 0.1),),
        miscounted_gpus=MiscountedGpus((MissingOverlay(text, text, text, {text: 10**9}),), ScaledPlan(4, 1, 1, 0.1, True)),
        warnings=(Note("a", text),),
        assumptions=(Note("b", text),),
        launches=(Launch(text, text, text, refusal=text),),
        inputs=Inputs(3, 1, (PassedOver(text, 1),), (PassedOver(text, 1),), 3, (OpenInput(text, text, text, text),)),
    )
