"""JSON Schema of what is told of objects before they are applied: mistakes, conversions, upgrades, what nodes are told."""

from __future__ import annotations

from typing import Final, get_args

from cutlist.api.convert import Kind
from cutlist.core.errors import Layer
from cutlist.infrastructure.charts.upgrade import Subject
from cutlist.planning.model.schema_parts import (
    ANYTHING,
    COUNT,
    COUNT_OR_NULL,
    COUNTS,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    YES_OR_NO,
    Schema,
    array,
    record,
)
from cutlist.report.convert.text import VERSION as CONVERSION_VERSION
from cutlist.report.schemas.reviews import DRIFTED, REACH
from cutlist.report.upgrade.text import VERSION as UPGRADE_VERSION
from cutlist.report.userdata.text import VERSION as USER_DATA_VERSION
from cutlist.report.validate.json import VERSION as PROBLEMS_VERSION

_PLACE: Final[dict[str, Schema]] = {"file": TEXT_OR_NULL, "document": COUNT_OR_NULL, "line": COUNT_OR_NULL}

VALIDATE: Final = record(
    {
        "version": {"const": PROBLEMS_VERSION},
        "checked": {**COUNTS, "description": "How many objects of each kind were looked at."},
        "problems": array(
            record(
                {
                    **_PLACE,
                    "path": TEXT_OR_NULL,
                    "layer": {"enum": [*(str(layer) for layer in Layer), None], "description": "Who refuses it."},
                    "message": TEXT,
                    "allowed": TEXT_OR_NULL,
                    "nearest": TEXT_OR_NULL,
                }
            )
        ),
        "edits": array(
            record(
                {
                    "kind": TEXT,
                    "name": TEXT,
                    **_PLACE,
                    "drifts": {**REACH, "description": "Which nodes of the object are replaced."},
                    "members": array(record({"path": TEXT, "drifts": REACH, "which": TEXT_OR_NULL})),
                }
            ),
            "What differs from the objects as they were.",
        ),
        "drifted": DRIFTED,
    },
    "What is wrong in manifests, and which nodes their edits replace.",
)

CONVERT: Final = record(
    {
        "version": {"const": CONVERSION_VERSION},
        "converted": array(record({"source": TEXT, "document": COUNT, "from": TEXT, "name": TEXT, "to": TEXTS})),
        "changes": array(
            record(
                {
                    "object": TEXT,
                    "source": TEXT,
                    "document": COUNT,
                    "line": COUNT,
                    "kind": {"enum": list(get_args(Kind))},
                    "old": {**TEXT_OR_NULL, "description": "Path in the old object."},
                    "new": {**TEXT_OR_NULL, "description": "Path in the new object."},
                    "text": TEXT,
                    "advice": TEXT_OR_NULL,
                    "readBy": {"enum": ["cutlist", "karpenter"]},
                }
            )
        ),
        "notes": {**TEXTS, "description": "What changes whatever the objects say."},
        "values": {**ANYTHING, "description": "Values of Karpenter's chart."},
    },
    "What changes when objects are converted to v1.",
)

UPGRADE: Final = record(
    {
        "version": {"const": UPGRADE_VERSION},
        "from": TEXT,
        "to": TEXT,
        "changes": array(
            record(
                {
                    "subject": {"enum": [subject.value for subject in Subject]},
                    "text": TEXT,
                    "first": {**YES_OR_NO, "description": "Whether something has to be done before the upgrade."},
                }
            )
        ),
        "stops": {**TEXTS, "description": "Versions that come in between."},
        "obstacles": {**TEXTS, "description": "Why the upgrade must not be made like this."},
    },
    "What an upgrade of Karpenter changes.",
)

USERDATA: Final = record(
    {
        "version": {"const": USER_DATA_VERSION},
        "nodes": array(
            record({"nodePool": TEXT_OR_NULL, "nodeClass": TEXT, "amiFamily": TEXT, "capacityType": TEXT, "userData": TEXT})
        ),
    },
    "What a node of each NodePool is told at its first boot.",
)
