"""JSON Schema of every answer that a program may read: those of a plan, and what the other commands write with `-o json`.

Every key of a form is always there unless its schema has it optional, and there is no other; a new key comes without a new
version, a key that changes its meaning or goes away with one.
"""

from __future__ import annotations

from typing import Final

from cutlist.core.records import schema_of
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.schema_parts import Schema
from cutlist.report.explain.text import ExplanationsRecord
from cutlist.report.plan.json import TypesRecord
from cutlist.report.schemas.accounts import CATALOG_DIFF, PREVIEW, SWEEP
from cutlist.report.schemas.clusters import BUDGETS, DISRUPT, INTERRUPT, NODES
from cutlist.report.schemas.objects import CONVERT, UPGRADE, USERDATA, VALIDATE
from cutlist.report.schemas.past import HISTORY
from cutlist.report.schemas.reviews import DIFF, GATE

ANSWERS: Final[dict[str, Schema]] = {
    "plan": schema_of(Plan),
    "types": schema_of(TypesRecord),
    "comparison": schema_of(Comparison),
    "budgets": BUDGETS,
    "catalog-diff": CATALOG_DIFF,
    "convert": CONVERT,
    "diff": DIFF,
    "disrupt": DISRUPT,
    "explain": schema_of(ExplanationsRecord),
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
