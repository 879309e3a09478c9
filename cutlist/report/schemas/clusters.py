"""JSON Schema of what is told of a cluster: its nodes, what Karpenter does next, budgets of a week, a loss of spot."""

from __future__ import annotations

from typing import Final

from cutlist.disruption.forecast import Verdict
from cutlist.disruption.methods import Method
from cutlist.disruption.reasons import Reason
from cutlist.disruption.timeline import ForcedRemovalKind
from cutlist.disruption.trajectory import TrajectoryEnd
from cutlist.planning.model.schema_parts import (
    AMOUNTS,
    COUNT,
    COUNT_OR_NULL,
    COUNTS,
    INSTANT,
    INSTANT_OR_NULL,
    PRICE,
    REQUIREMENT,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    USD,
    Schema,
    array,
    record,
)
from cutlist.report.disrupt.json import VERSION as DISRUPT_VERSION
from cutlist.report.nodes.json import VERSION as NODES_VERSION

_MOVES: Final[Schema] = {**COUNTS, "description": "Pods that move to each node that is there."}
_ALLOWED: Final = record(
    {str(reason): {**COUNT_OR_NULL, "description": "Nodes that may go; null for no limit."} for reason in Reason},
    optional=tuple(str(reason) for reason in Reason),
)
_METHOD: Final[Schema] = {"enum": [*(str(method) for method in Method), None]}

NODES: Final = record(
    {
        "version": {"const": NODES_VERSION},
        "region": TEXT_OR_NULL,
        "at": INSTANT,
        "currency": TEXT,
        "pricePerHour": PRICE,
        "pricePerMonth": PRICE,
        "pods": record({"total": COUNT, "running": COUNT, "pending": COUNT, "bound": COUNT}),
        "launching": TEXTS,
        "nodes": array(
            record(
                {
                    "name": TEXT,
                    "nodePool": TEXT_OR_NULL,
                    "instanceType": TEXT_OR_NULL,
                    "capacityType": TEXT_OR_NULL,
                    "zone": TEXT_OR_NULL,
                    "requested": AMOUNTS,
                    "allocatable": AMOUNTS,
                    "pods": COUNT,
                    "pricePerHour": PRICE,
                    "priceSource": TEXT_OR_NULL,
                    "ageSeconds": {"type": ["number", "null"]},
                    "states": TEXTS,
                }
            )
        ),
    },
    "The nodes of a cluster: what they are, how full, and what they cost.",
)

_REPLACEMENT: Final = record(
    {
        "nodePool": TEXT,
        "capacityType": TEXT,
        "pods": COUNT,
        "requirements": array(REQUIREMENT),
        "instanceTypes": TEXTS,
        "pricesPerHour": array(PRICE),
    }
)
_COMMAND: Final = record(
    {
        "decision": {"enum": ["delete", "replace"]},
        "reason": {"enum": [str(reason) for reason in Reason]},
        "nodes": TEXTS,
        "savingsPerHour": USD,
        "replacements": array(_REPLACEMENT),
        "moves": _MOVES,
        "message": {**TEXT, "description": "As Karpenter logs it."},
    }
)
_STEP: Final = record(
    {
        "at": INSTANT,
        "method": _METHOD,
        "commands": array(_COMMAND),
        "launched": TEXTS,
        "evicted": TEXTS,
        "pricePerHour": USD,
    }
)
_COURSE: Final = record(
    {
        "end": {"enum": [str(end) for end in TrajectoryEnd]},
        "repeatsFrom": COUNT_OR_NULL,
        "steps": array(_STEP),
        "evictions": {**COUNTS, "description": "How often each pod has to move."},
        "nodes": COUNT,
    },
    "What follows, step by step; only where it was asked for.",
)
_NODE_OUTLOOK: Final = record(
    {
        "name": TEXT,
        "nodePool": TEXT,
        "instanceType": TEXT,
        "capacityType": TEXT,
        "zone": TEXT,
        "pricePerHour": USD,
        "disruptionCost": {"type": "number"},
        "pods": COUNT,
        "verdict": {"enum": [str(verdict) for verdict in Verdict]},
        "why": TEXT,
        "drifted": TEXT,
        "expires": INSTANT_OR_NULL,
    }
)
_REMOVAL: Final = record(
    {
        "at": INSTANT,
        "node": TEXT,
        "nodePool": TEXT,
        "why": {"enum": [str(force) for force in ForcedRemovalKind]},
        "goneBy": INSTANT_OR_NULL,
        "blocked": TEXT_OR_NULL,
    }
)
DISRUPT: Final = record(
    {
        "version": {"const": DISRUPT_VERSION},
        "region": TEXT,
        "at": INSTANT,
        "pricePerHour": USD,
        "paused": {**TEXTS, "description": "Nodes that are being launched, for which Karpenter waits."},
        "method": _METHOD,
        "commands": array(_COMMAND),
        "nodes": array(_NODE_OUTLOOK),
        "budgets": array(
            record(
                {
                    "nodePool": TEXT,
                    "nodes": COUNT,
                    "disrupted": COUNT,
                    "remaining": _ALLOWED,
                    "unreadableSchedules": TEXTS,
                }
            )
        ),
        "removals": array(_REMOVAL),
        "oddities": TEXTS,
        "error": {**TEXT, "description": "Why Karpenter does nothing at all; only then."},
        "course": _COURSE,
    },
    "What Karpenter does next to a cluster.",
    optional=("error", "course"),
)
BUDGETS: Final = record(
    {
        "version": {"const": DISRUPT_VERSION},
        "nodePools": array(
            record(
                {
                    "nodePool": TEXT,
                    "nodes": COUNT,
                    "spans": array(record({"from": INSTANT, "to": INSTANT, "allowed": _ALLOWED})),
                    "oddities": TEXTS,
                }
            )
        ),
    },
    "How many nodes may go at any time of a week.",
)

INTERRUPT: Final = record(
    {
        "version": {"const": DISRUPT_VERSION},
        "region": TEXT,
        "at": INSTANT,
        "zone": {**TEXT_OR_NULL, "description": "Where spot capacity ends; null for everywhere."},
        "lost": TEXTS,
        "displacedPods": COUNT,
        "moves": _MOVES,
        "launched": array(
            record(
                {
                    "name": TEXT,
                    "nodePool": TEXT,
                    "instanceType": TEXT,
                    "capacityType": TEXT,
                    "zone": TEXT,
                    "pricePerHour": USD,
                    "pods": COUNT,
                }
            )
        ),
        "replacements": array(_REPLACEMENT),
        "pending": array(record({"pod": TEXT, "count": COUNT, "why": TEXT})),
        "pricePerHour": record({"before": USD, "after": USD}),
        "error": {**TEXT, "description": "Why no pod could be placed anew; only then."},
    },
    "What comes of a cluster when all spot capacity of a zone ends.",
    optional=("error",),
)
