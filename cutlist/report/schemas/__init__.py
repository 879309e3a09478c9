"""JSON Schema of every answer that a program may read: those of a plan, and what the other commands write with `-o json`.

Every key of a form is always there unless its schema has it optional, and there is no other; a new key comes without a new
version, a key that changes its meaning or goes away with one.
"""

from __future__ import annotations

from typing import Final

from cutlist.planning.model.schema import SCHEMAS
from cutlist.planning.model.schema_parts import Schema
from cutlist.report.schemas.accounts import CATALOG_DIFF, PREVIEW, SWEEP
from cutlist.report.schemas.clusters import BUDGETS, DISRUPT, INTERRUPT, NODES
from cutlist.report.schemas.objects import CONVERT, UPGRADE, USERDATA, VALIDATE
from cutlist.report.schemas.past import HISTORY
from cutlist.report.schemas.reviews import DIFF, EXPLAIN, GATE

ANSWERS: Final[dict[str, Schema]] = {
    **SCHEMAS,
    "budgets": BUDGETS,
    "catalog-diff": CATALOG_DIFF,
    "convert": CONVERT,
    "diff": DIFF,
    "disrupt": DISRUPT,
    "explain": EXPLAIN,
    "gate": GATE,
    "history": HISTORY,
    "interrupt": INTERRUPT,
    "nodes": NODES,
    "preview": PREVIEW,
    "sweep": SWEEP,
    "upgrade": UPGRADE,
    "userdata": USERDATA,
    "validate": VALIDATE,
}
"""The schema of each answer by the name of its command, or of what it is."""
