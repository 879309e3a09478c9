"""JSON Schema of what is written as JSON: plans, tables of instance types, comparisons of plans.

Every key of the form is always there, and there is no other; a new key comes without a new version, a key that changes its
meaning or goes away with one.
"""

from __future__ import annotations

from typing import Any, Final

from cutlist.planned.comparison import COMPARISON_VERSION, Change
from cutlist.planned.nodes import DETERMINED, LOWEST_PRICE, UNKNOWN_PRICE
from cutlist.planned.plan import VERSION

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string"}
_TEXT_OR_NULL: Final[Schema] = {"type": ["string", "null"]}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_YES_OR_NO: Final[Schema] = {"type": "boolean"}
_PRICE: Final[Schema] = {"type": ["number", "null"], "description": "USD; null when it is not known."}
_PART: Final[Schema] = {"type": ["number", "null"], "description": "1 is all; null where there is none of it."}
_AMOUNT: Final[Schema] = {
    "type": "string",
    "pattern": "^-?[0-9]+(\\.[0-9]+)?(n|u|m|k|[KMGTPE]i?|e[0-9]+)?$",
    "description": "An amount as Kubernetes writes it, such as 1500m or 2Gi.",
}
_AMOUNTS: Final[Schema] = {"type": "object", "additionalProperties": _AMOUNT, "description": "Amounts by resource."}
_TEXTS: Final[Schema] = {"type": "array", "items": _TEXT}


def _list(of: Schema, told: str = "") -> Schema:
    return {"type": "array", "items": of, **({"description": told} if told else {})}


def _object(members: dict[str, Schema], told: str = "", optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in members if name not in optional]
    found: Schema = {"type": "object", "properties": members, "required": required, "additionalProperties": False}
    return {**found, "description": told} if told else found


_NOTE: Final = _object({"code": {**_TEXT, "description": "Stable, for programs."}, "text": _TEXT})
_SHARE: Final = _object({"workload": _TEXT, "count": _COUNT})
_TOTALS: Final = _object(
    {
        "nodes": _COUNT,
        "pods": _COUNT,
        "pending": _COUNT,
        "pricePerHour": _PRICE,
        "pricePerMonth": _PRICE,
        "unpricedNodes": _COUNT,
        "cpuFill": _PART,
        "memoryFill": _PART,
    },
    "Sums, which follow from the rest.",
)
_CANDIDATE: Final = _object({"instanceType": _TEXT, "pricePerHour": _PRICE, "capacityType": _TEXT, "zones": _TEXTS})
_REQUIREMENT: Final = _object(
    {"key": _TEXT, "operator": _TEXT, "values": _TEXTS, "minValues": _COUNT}, optional=("values", "minValues")
)
_NODE: Final = _object(
    {
        "nodePool": _TEXT,
        "count": _COUNT,
        "instanceType": {**_TEXT, "description": "The cheapest candidate."},
        "certainty": {"enum": [DETERMINED, LOWEST_PRICE, UNKNOWN_PRICE]},
        "capacityType": _TEXT,
        "capacityTypes": _TEXTS,
        "zones": _TEXTS,
        "pricePerHour": _PRICE,
        "priceSource": _TEXT,
        "requests": _AMOUNTS,
        "allocatable": _AMOUNTS,
        "pods": _list(_SHARE, "Pods on one node."),
        "candidates": _list(_CANDIDATE, "What the node may become, cheapest first."),
        "requirements": _list(_REQUIREMENT),
        "launch": {"type": ["integer", "null"], "minimum": 0, "description": "Place in launches."},
    },
    "Nodes that are alike in everything; price and amounts are of one.",
)
_OVERRIDE: Final = _object({"instanceType": _TEXT, "zone": _TEXT, "subnetId": _TEXT_OR_NULL, "priority": {"type": "number"}})
_TEMPLATE: Final = _object(
    {
        "image": _TEXT,
        "pods": _COUNT,
        "efaInterfaces": _COUNT,
        "capacityReservationId": _TEXT_OR_NULL,
        "overrides": _list(_OVERRIDE),
    }
)
_LAUNCH: Final = _object(
    {
        "nodePool": _TEXT,
        "nodeClass": _TEXT,
        "capacityType": _TEXT_OR_NULL,
        "targetCapacityType": _TEXT_OR_NULL,
        "allocationStrategy": _TEXT_OR_NULL,
        "tenancy": _TEXT_OR_NULL,
        "context": _TEXT_OR_NULL,
        "tags": {"type": "object", "additionalProperties": _TEXT},
        "outcome": _TEXTS,
        "isDetermined": _YES_OR_NO,
        "lowestPricePerHour": _PRICE,
        "highestPricePerHour": _PRICE,
        "launchTemplates": _list(_TEMPLATE),
        "leftOut": _list(_object({"code": _TEXT, "reason": _TEXT, "instanceTypes": _TEXTS})),
        "refusal": _TEXT_OR_NULL,
    },
    "A request for a fleet that nodes lead to.",
)
_PENDING: Final = _object(
    {
        "workload": _TEXT,
        "count": _COUNT,
        "reason": _TEXT,
        "byNodePool": _list(_object({"nodePool": _TEXT, "reason": _TEXT})),
        "remedy": {**_TEXT, "description": "The smallest single change that would help; empty when none was found."},
    }
)
_TYPE: Final = _object(
    {
        "instanceType": _TEXT,
        "cpu": _AMOUNT,
        "memory": _AMOUNT,
        "allocatable": _AMOUNTS,
        "zones": _TEXTS,
        "onDemandPerHour": _PRICE,
        "onDemandSource": _TEXT,
        "onDemandEstimated": _YES_OR_NO,
        "spotPerHour": _PRICE,
        "spotSource": _TEXT,
        "spotEstimated": _YES_OR_NO,
    }
)
_CHANGE: Final[Schema] = {"enum": [str(change) for change in Change]}
_BOUGHT: Final = _object({"count": _COUNT, "pricePerHour": _PRICE, "zones": _TEXTS})
_WAITING: Final = _object({"count": _COUNT, "reasons": _TEXTS})
_SIDE: Final = _object({"region": _TEXT, "totals": _TOTALS})

SCHEMAS: Final[dict[str, Schema]] = {
    "plan": _object(
        {
            "version": {"const": VERSION},
            "region": _TEXT,
            "totals": _TOTALS,
            "passes": _COUNT,
            "nodes": _list(_NODE),
            "launches": _list(_LAUNCH),
            "podSizes": _list(_object({"workload": _TEXT, "requests": _AMOUNTS}), "What one pod of a workload asks for."),
            "existing": _list(_object({"name": _TEXT, "pods": _list(_SHARE)}), "Nodes that are there already and take pods."),
            "pending": _list(_PENDING),
            "assumptions": _list(_NOTE),
            "warnings": _list(_NOTE),
        },
        "Which nodes workloads will get, what they cost, and what stays pending.",
    ),
    "types": _object(
        {
            "version": {"const": VERSION},
            "region": _TEXT,
            "nodePools": _list(_object({"nodePool": _TEXT, "total": _COUNT, "types": _list(_TYPE)})),
            "findings": _list(_NOTE),
        },
        "Which instance types each NodePool allows, cheapest first.",
    ),
    "comparison": _object(
        {
            "version": {"const": COMPARISON_VERSION},
            "same": _YES_OR_NO,
            "before": _SIDE,
            "after": _SIDE,
            "pricePerHourChange": _PRICE,
            "nodes": _list(
                _object(
                    {
                        "change": _CHANGE,
                        "nodePool": _TEXT,
                        "instanceType": _TEXT,
                        "capacityType": _TEXT,
                        "before": _BOUGHT,
                        "after": _BOUGHT,
                        "pricePerHourChange": _PRICE,
                        "newTypes": _TEXTS,
                        "lostTypes": _TEXTS,
                    }
                )
            ),
            "existing": _list(
                _object({"change": _CHANGE, "node": _TEXT, "workload": _TEXT, "before": _COUNT, "after": _COUNT})
            ),
            "pending": _list(_object({"change": _CHANGE, "workload": _TEXT, "before": _WAITING, "after": _WAITING})),
            "newNotes": _list(_NOTE),
            "goneNotes": _list(_NOTE),
        },
        "What is different between two plans.",
    ),
}
"""The schema of each answer by its name."""
