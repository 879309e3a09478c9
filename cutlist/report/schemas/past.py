"""JSON Schema of what Karpenter did: its commands, what came of their nodes, and what came of a plan."""

from __future__ import annotations

from typing import Final

from cutlist.answers.history import Match
from cutlist.planning.model.schema_parts import (
    AMOUNT,
    COUNT,
    COUNT_OR_NULL,
    INSTANT,
    PRICE,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    array,
    record,
)
from cutlist.report.history.text import VERSION

_ENDED: Final = record(
    {
        "name": TEXT,
        "nodeClaim": TEXT,
        "instanceType": TEXT,
        "capacityType": TEXT,
        "steps": array(record({"afterSeconds": {"type": "number", "minimum": 0}, "what": TEXT})),
    }
)
_DONE: Final = record(
    {
        "at": INSTANT,
        "reason": TEXT,
        "decision": TEXT,
        "pods": {**COUNT_OR_NULL, "description": "Null where the log does not tell."},
        "savingsPerHour": {**PRICE, "description": "USD; null where the log does not tell."},
        "nodes": array(_ENDED),
        "replacements": array(
            record(
                {
                    "count": COUNT,
                    "capacityType": TEXT,
                    "instanceTypes": TEXTS,
                    "others": {**COUNT, "description": "Types that the log counts and does not name."},
                }
            )
        ),
    }
)
_CAME: Final = record(
    {
        "at": INSTANT,
        "nodeClaim": TEXT,
        "nodePool": TEXT,
        "instanceType": TEXT,
        "zone": TEXT,
        "capacityType": TEXT,
        "kept": {"enum": [str(kept) for kept in Match]},
        "plannedType": TEXT_OR_NULL,
        "differs": array(record({"resource": TEXT, "planned": AMOUNT, "found": AMOUNT})),
    }
)
HISTORY: Final = record(
    {
        "version": {"const": VERSION},
        "commands": array(_DONE),
        "passedOver": {**COUNT, "description": "Lines that are neither of Karpenter's log nor events."},
        "launched": array(_CAME, "Nodes that came, beside a plan; only where one was given."),
        "plannedAndMissing": {**COUNT, "description": "Planned nodes that did not come; only beside a plan."},
    },
    "What Karpenter did: commands, what came of their nodes, and what came of a plan.",
    optional=("launched", "plannedAndMissing"),
)
