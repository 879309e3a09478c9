"""A plan as data: the frozen values that scheduling results become and that every view reads.

Nothing here decides anything. Amounts are nano-units as everywhere in the core and become Kubernetes texts in `to_dict`; prices
are USD per hour, None when unknown, never zero for unknown. Equal plans give byte-identical JSON: there is no time stamp, no
order that depends on a hash, and no number with two spellings.
"""

from __future__ import annotations

from cutlist.catalog.prices import HOURS_PER_MONTH
from cutlist.planning.model.launch import Launch, LaunchTemplate, LeftOut, Override
from cutlist.planning.model.nodes import (
    DETERMINED,
    LOWEST_PRICE,
    UNKNOWN_PRICE,
    CandidateType,
    FilledNode,
    PlannedNode,
    PodShare,
    PodSize,
)
from cutlist.planning.model.pending import PendingPods
from cutlist.planning.model.plan import Plan
from cutlist.planning.model.pool_types import PoolTypes, TypeRow
from cutlist.planning.model.spelling import amount_text_exact, amount_texts
from cutlist.planning.model.totals import Totals
from cutlist.settings.suggest import BoundKind

__all__ = [
    "DETERMINED",
    "HOURS_PER_MONTH",
    "LOWEST_PRICE",
    "UNKNOWN_PRICE",
    "BoundKind",
    "CandidateType",
    "FilledNode",
    "Launch",
    "LaunchTemplate",
    "LeftOut",
    "Override",
    "PendingPods",
    "Plan",
    "PlannedNode",
    "PodShare",
    "PodSize",
    "PoolTypes",
    "Totals",
    "TypeRow",
    "amount_text_exact",
    "amount_texts",
]
