"""JSON Schema of what is told of a change: what is different, why workloads get their nodes, and what rules say."""

from __future__ import annotations

from typing import Final

from cutlist.core.records import schema_of
from cutlist.disruption.edits import Reach
from cutlist.disruption.reasons import Reason
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.schema_parts import (
    COUNT,
    COUNT_OR_NULL,
    INSTANT,
    INSTANT_OR_NULL,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    YES_OR_NO,
    Schema,
    array,
    or_null,
    record,
)
from cutlist.policy.gates import Level, Verdict
from cutlist.report.gate.json import VERSION as GATES_VERSION

REACH: Final[Schema] = {"enum": [str(reach) for reach in Reach]}
DRIFTED: Final = array(record({"nodeClaim": TEXT, "nodePool": TEXT, "reason": TEXT, "members": TEXTS}))
_TURN: Final = record(
    {
        "node": TEXT,
        "nodeClaim": TEXT,
        "nodePool": TEXT,
        "drifted": TEXT,
        "budget": {"enum": [str(reason) for reason in Reason]},
        "expires": {**YES_OR_NO, "description": "Whether its age ends it before its turn."},
        "starts": INSTANT_OR_NULL,
        "goneAtTheEarliest": INSTANT_OR_NULL,
        "goneBy": INSTANT_OR_NULL,
        "why": TEXT_OR_NULL,
    }
)
_EDIT: Final = record(
    {
        "kind": TEXT,
        "name": TEXT,
        "nodes": REACH,
        "members": array(record({"path": TEXT, "nodes": REACH, "which": TEXT_OR_NULL})),
    }
)
_BLAST: Final = record(
    {
        "at": INSTANT,
        "nodes": COUNT,
        "edits": array(_EDIT),
        "replaced": DRIFTED,
        "possible": DRIFTED,
        "before": DRIFTED,
        "spared": TEXTS,
        "deleted": array(record({"nodePool": TEXT, "nodeClaims": TEXTS})),
        "order": array(_TURN, "The earliest possible instants."),
        "doneAtTheEarliest": INSTANT_OR_NULL,
    }
)
DIFF: Final = record(
    {
        "old": TEXT,
        "new": TEXT,
        **schema_of(Comparison)["properties"],
        "drift": or_null(_BLAST, "Null without nodes of a cluster."),
    },
    "What is different between two sides, and which nodes are replaced by it.",
)

_OUTCOME: Final = record(
    {
        "rule": TEXT,
        "title": TEXT,
        "level": {"enum": [str(level) for level in Level]},
        "verdict": {"enum": [str(verdict) for verdict in Verdict]},
        "stops": YES_OR_NO,
        "object": TEXT,
        "file": TEXT_OR_NULL,
        "document": COUNT_OR_NULL,
        "line": COUNT_OR_NULL,
        "path": TEXT_OR_NULL,
        "found": TEXT,
        "allowed": TEXT_OR_NULL,
        "repair": TEXT_OR_NULL,
        "exemption": TEXT_OR_NULL,
    }
)
GATE: Final = record(
    {
        "version": {"const": GATES_VERSION},
        "passed": YES_OR_NO,
        "environment": TEXT,
        "objects": COUNT,
        "rules": COUNT,
        "off": TEXTS,
        "counts": record({"stopping": COUNT, "advisory": COUNT, "exempt": COUNT, "unknown": COUNT}),
        "outcomes": array(_OUTCOME),
    },
    "What rules say of a stack or of files.",
)
