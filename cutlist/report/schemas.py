"""Every answer that a program may read, with its JSON Schema: plans, and what the other commands write with `-o json`.

Beside them are the schemas of files that only Cutlist reads.

An answer is declared next to its JSON view. Every key of a form is always present unless its schema makes it optional, and
there are no others. Adding a key does not change the version; changing the meaning of a key, or removing it, does.
"""

from __future__ import annotations

from typing import Any, Final

from cutlist.answers.suggest_record import SuggestRecord
from cutlist.core.records import Schema, schema_of
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.report.budgets.json import BudgetsRecord
from cutlist.report.catalog.json import CatalogDiffRecord
from cutlist.report.convert.json import ConversionRecord
from cutlist.report.diff.json import DifferenceRecord
from cutlist.report.disrupt.json import ForecastRecord
from cutlist.report.doctor.json import DiagnosisRecord
from cutlist.report.explain.json import ExplanationsRecord
from cutlist.report.gate.json import GateRecord
from cutlist.report.history.json import HistoryRecord
from cutlist.report.interrupt.json import LossRecord
from cutlist.report.nodes.json import RosterRecord
from cutlist.report.permissions.json import PermissionsRecord
from cutlist.report.preview.json import PreviewRecord
from cutlist.report.simulate.json import SimulationRecord
from cutlist.report.simulate.runs_json import RunsRecord
from cutlist.report.suggest.fleet_json import FleetRecord
from cutlist.report.sweep.json import SweepRecord
from cutlist.report.types.json import TypesRecord
from cutlist.report.upgrade.json import UpgradeRecord
from cutlist.report.userdata.json import UserDataRecord
from cutlist.report.validate.json import ValidationRecord
from cutlist.report.verify.json import VerificationRecord
from cutlist.simulation.demand.event_kinds import event_file_schema

_RECORDS: Final[dict[str, Any]] = {
    "plan": Plan,
    "types": TypesRecord,
    "comparison": Comparison,
    "budgets": BudgetsRecord,
    "catalog-diff": CatalogDiffRecord,
    "convert": ConversionRecord,
    "diff": DifferenceRecord,
    "disrupt": ForecastRecord,
    "doctor": DiagnosisRecord,
    "explain": ExplanationsRecord,
    "gate": GateRecord,
    "history": HistoryRecord,
    "interrupt": LossRecord,
    "nodes": RosterRecord,
    "permissions": PermissionsRecord,
    "preview": PreviewRecord,
    "simulate": SimulationRecord,
    "simulate-runs": RunsRecord,
    "suggest": SuggestRecord,
    "suggest-fleet": FleetRecord,
    "sweep": SweepRecord,
    "upgrade": UpgradeRecord,
    "userdata": UserDataRecord,
    "validate": ValidationRecord,
    "verify": VerificationRecord,
}

ANSWERS: Final[dict[str, Schema]] = {name: schema_of(record) for name, record in _RECORDS.items()}
"""The schema of each answer by the name of its command or of the answer itself."""

FILES: Final[dict[str, Schema]] = {"events": event_file_schema()}
"""The schema of each form of file that editors may check, by its name."""
