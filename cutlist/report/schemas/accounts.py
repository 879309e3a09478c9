"""JSON Schema of what is told of stacks and accounts: resources with their costs, what a cluster left, other catalogues."""

from __future__ import annotations

from typing import Final

from cutlist.core.records import schema_of
from cutlist.infrastructure.costs import State
from cutlist.infrastructure.teardown.cluster_state import ClusterState
from cutlist.infrastructure.teardown.leftovers import Kind
from cutlist.infrastructure.teardown.report import Result, Stop
from cutlist.planning.model import Plan
from cutlist.planning.model.schema_parts import (
    ANYTHING,
    COUNT,
    INSTANT_OR_NULL,
    PRICE,
    TEXT,
    TEXTS,
    USD,
    YES_OR_NO,
    array,
    or_null,
    record,
)
from cutlist.report.preview.json import VERSION as PREVIEW_VERSION
from cutlist.report.sweep.text import VERSION as SWEEP_VERSION

_CHARGE: Final = record(
    {
        "what": TEXT,
        "count": COUNT,
        "state": {"enum": [state.value for state in State]},
        "pricePerHour": {**PRICE, "description": "USD for all of them; null unless the charge is known."},
        "source": TEXT,
        "note": TEXT,
    }
)
_BILL: Final = record(
    {
        "hoursPerMonth": COUNT,
        "components": array(record({"name": TEXT, "type": TEXT, "charges": array(_CHARGE)})),
        "resourcesPerHour": USD,
        "nodesPerHour": {**PRICE, "description": "USD of the planned nodes; null without nodes, or when no price is known."},
        "totalPerHour": USD,
        "totalPerMonth": USD,
        "complete": {**YES_OR_NO, "description": "Whether nothing is left out of the sum."},
    }
)
PREVIEW: Final = record(
    {
        "version": {"const": PREVIEW_VERSION},
        "resources": array(record({"urn": TEXT, "type": TEXT, "name": TEXT, "parent": TEXT}), "By URN."),
        "exports": {**ANYTHING, "description": "What the program exports, by name."},
        "costs": _BILL,
        "plans": array(schema_of(Plan)),
    },
    "The resources of a stack, what they cost, and its node plans.",
)

_FINDING: Final = record(
    {
        "kind": {"enum": [str(kind) for kind in Kind]},
        "id": TEXT,
        "name": TEXT,
        "matched": {**TEXTS, "description": "By what it was recognised."},
        "created": INSTANT_OR_NULL,
        "usdPerHour": PRICE,
        "result": {"enum": [str(result) for result in Result]},
        "reason": TEXT,
    }
)
SWEEP: Final = record(
    {
        "version": {"const": SWEEP_VERSION},
        "cluster": TEXT,
        "region": TEXT,
        "account": TEXT,
        "state": {
            "enum": [*(str(state) for state in ClusterState), None],
            "description": "Null when the cluster was not looked at.",
        },
        "exitCode": {"enum": [0, 1, 2, 3]},
        "stopped": or_null(record({"by": {"enum": [str(stop) for stop in Stop]}, "why": TEXT}), "What ended it early."),
        "findings": array(_FINDING),
        "notLookedAt": TEXTS,
    },
    "What Karpenter left of a cluster, and what became of it.",
)

_PRICED: Final = or_null(
    record({"perHour": {"type": "number"}, "currency": TEXT, "source": TEXT, "date": TEXT, "estimated": YES_OR_NO}),
    "Null where it is not known.",
)
CATALOG_DIFF: Final = array(
    record(
        {
            "region": TEXT,
            "new": TEXTS,
            "gone": TEXTS,
            "zones": array(record({"type": TEXT, "opened": TEXTS, "closed": TEXTS}), "By id, since names differ by account."),
            "prices": array(record({"type": TEXT, "capacityType": TEXT, "old": _PRICED, "new": _PRICED})),
        }
    ),
    "What is different between two catalogues, region by region.",
)
