"""JSON Schema of what is written as JSON: plans, tables of instance types, comparisons of plans.

Every key of the form is always there, and there is no other; a new key comes without a new version, a key that changes its
meaning or goes away with one.
"""

from __future__ import annotations

from typing import Final

from cutlist.planning.model.changes import Change
from cutlist.planning.model.comparison import COMPARISON_VERSION
from cutlist.planning.model.nodes import DETERMINED, LOWEST_PRICE, UNKNOWN_PRICE
from cutlist.planning.model.plan import VERSION
from cutlist.planning.model.schema_parts import (
    AMOUNT,
    AMOUNTS,
    COUNT,
    NOTE,
    PART,
    PRICE,
    REQUIREMENT,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    YES_OR_NO,
    Schema,
    array,
    record,
)

_SHARE: Final = record({"workload": TEXT, "count": COUNT})
_TOTALS: Final = record(
    {
        "nodes": COUNT,
        "pods": COUNT,
        "pending": COUNT,
        "pricePerHour": PRICE,
        "pricePerMonth": PRICE,
        "unpricedNodes": COUNT,
        "cpuFill": PART,
        "memoryFill": PART,
    },
    "Sums, which follow from the rest.",
)
_CANDIDATE: Final = record({"instanceType": TEXT, "pricePerHour": PRICE, "capacityType": TEXT, "zones": TEXTS})
NODE: Final = record(
    {
        "nodePool": TEXT,
        "count": COUNT,
        "instanceType": {**TEXT, "description": "The cheapest candidate."},
        "certainty": {"enum": [DETERMINED, LOWEST_PRICE, UNKNOWN_PRICE]},
        "capacityType": TEXT,
        "capacityTypes": TEXTS,
        "zones": TEXTS,
        "pricePerHour": PRICE,
        "priceSource": TEXT,
        "requests": AMOUNTS,
        "allocatable": AMOUNTS,
        "pods": array(_SHARE, "Pods on one node."),
        "candidates": array(_CANDIDATE, "What the node may become, cheapest first."),
        "requirements": array(REQUIREMENT),
        "launch": {"type": ["integer", "null"], "minimum": 0, "description": "Place in launches."},
    },
    "Nodes that are alike in everything; price and amounts are of one.",
)
_OVERRIDE: Final = record({"instanceType": TEXT, "zone": TEXT, "subnetId": TEXT_OR_NULL, "priority": {"type": "number"}})
_TEMPLATE: Final = record(
    {
        "image": TEXT,
        "pods": COUNT,
        "efaInterfaces": COUNT,
        "capacityReservationId": TEXT_OR_NULL,
        "overrides": array(_OVERRIDE),
    }
)
_LAUNCH: Final = record(
    {
        "nodePool": TEXT,
        "nodeClass": TEXT,
        "capacityType": TEXT_OR_NULL,
        "targetCapacityType": TEXT_OR_NULL,
        "allocationStrategy": TEXT_OR_NULL,
        "tenancy": TEXT_OR_NULL,
        "context": TEXT_OR_NULL,
        "tags": {"type": "object", "additionalProperties": TEXT},
        "outcome": TEXTS,
        "isDetermined": YES_OR_NO,
        "lowestPricePerHour": PRICE,
        "highestPricePerHour": PRICE,
        "launchTemplates": array(_TEMPLATE),
        "leftOut": array(record({"code": TEXT, "reason": TEXT, "instanceTypes": TEXTS})),
        "refusal": TEXT_OR_NULL,
    },
    "A request for a fleet that nodes lead to.",
)
PENDING: Final = record(
    {
        "workload": TEXT,
        "count": COUNT,
        "reason": TEXT,
        "byNodePool": array(record({"nodePool": TEXT, "reason": TEXT})),
        "remedy": {**TEXT, "description": "The smallest single change that would help; empty when none was found."},
    }
)
_TYPE: Final = record(
    {
        "instanceType": TEXT,
        "cpu": AMOUNT,
        "memory": AMOUNT,
        "allocatable": AMOUNTS,
        "zones": TEXTS,
        "onDemandPerHour": PRICE,
        "onDemandSource": TEXT,
        "onDemandEstimated": YES_OR_NO,
        "spotPerHour": PRICE,
        "spotSource": TEXT,
        "spotEstimated": YES_OR_NO,
    }
)
_CHANGE: Final[Schema] = {"enum": [str(change) for change in Change]}
_BOUGHT: Final = record({"count": COUNT, "pricePerHour": PRICE, "zones": TEXTS})
_WAITING: Final = record({"count": COUNT, "reasons": TEXTS})
_SIDE: Final = record({"region": TEXT, "totals": _TOTALS})

SCHEMAS: Final[dict[str, Schema]] = {
    "plan": record(
        {
            "version": {"const": VERSION},
            "region": TEXT,
            "totals": _TOTALS,
            "passes": COUNT,
            "nodes": array(NODE),
            "launches": array(_LAUNCH),
            "podSizes": array(record({"workload": TEXT, "requests": AMOUNTS}), "What one pod of a workload asks for."),
            "existing": array(record({"name": TEXT, "pods": array(_SHARE)}), "Nodes that are there already and take pods."),
            "pending": array(PENDING),
            "assumptions": array(NOTE),
            "warnings": array(NOTE),
        },
        "Which nodes workloads will get, what they cost, and what stays pending.",
    ),
    "types": record(
        {
            "version": {"const": VERSION},
            "region": TEXT,
            "nodePools": array(record({"nodePool": TEXT, "total": COUNT, "types": array(_TYPE)})),
            "findings": array(NOTE),
        },
        "Which instance types each NodePool allows, cheapest first.",
    ),
    "comparison": record(
        {
            "version": {"const": COMPARISON_VERSION},
            "same": YES_OR_NO,
            "before": _SIDE,
            "after": _SIDE,
            "pricePerHourChange": PRICE,
            "nodes": array(
                record(
                    {
                        "change": _CHANGE,
                        "nodePool": TEXT,
                        "instanceType": TEXT,
                        "capacityType": TEXT,
                        "before": _BOUGHT,
                        "after": _BOUGHT,
                        "pricePerHourChange": PRICE,
                        "newTypes": TEXTS,
                        "lostTypes": TEXTS,
                    }
                )
            ),
            "existing": array(record({"change": _CHANGE, "node": TEXT, "workload": TEXT, "before": COUNT, "after": COUNT})),
            "pending": array(record({"change": _CHANGE, "workload": TEXT, "before": _WAITING, "after": _WAITING})),
            "newNotes": array(NOTE),
            "goneNotes": array(NOTE),
        },
        "What is different between two plans.",
    ),
}
"""The schema of each answer by its name."""
