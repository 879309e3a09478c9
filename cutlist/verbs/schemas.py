"""Every answer that a program may read, with its JSON Schema: plans, and what the other commands write with `-o json`.

Beside them are the schemas of files that only Cutlist reads.

An answer is declared next to its JSON view. Every key of a form is always present unless its schema makes it optional, and
there are no others. Adding a key does not change the version; changing the meaning of a key, or removing it, does.
"""

from __future__ import annotations

from typing import Any, Final

from cutlist.api.convert import Conversion
from cutlist.core.records import Schema, schema_of
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.infrastructure.teardown.report import SweepReport
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.explanation import Explanations
from cutlist.policy.gates import Report
from cutlist.settings.project import project_schema
from cutlist.simulation.demand.event_kinds import event_file_schema
from cutlist.verbs.budgets.record import BudgetsRecord
from cutlist.verbs.budgets.writing import WrittenBudgets
from cutlist.verbs.catalog.answer import CatalogChanges
from cutlist.verbs.catalog.paid import PaidReport
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.environments import EnvironmentDifferences
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.doctor.answer import Diagnosis
from cutlist.verbs.explain.environments import EnvironmentExplanations
from cutlist.verbs.gate.environments import GateReports
from cutlist.verbs.history.record import History
from cutlist.verbs.nodes.roster import Roster
from cutlist.verbs.permissions.answer import UpdatePermissions
from cutlist.verbs.plan.environments import EnvironmentPlans
from cutlist.verbs.preview.record import PreviewRecord
from cutlist.verbs.simulate.record import RunsRecord, SimulationRecord
from cutlist.verbs.simulate.state import StateRecord
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.record import SuggestRecord
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.upgrade.answer import Upgrade
from cutlist.verbs.userdata.answer import UserData
from cutlist.verbs.validate.answer import Validation
from cutlist.verbs.validate.environments import EnvironmentValidations
from cutlist.verbs.verify.bill import BillVerification
from cutlist.verbs.why.reason import Why
from cutlist.verification.verdicts import Verification

_RECORDS: Final[dict[str, Any]] = {
    "plan": Plan,
    "plan-all": EnvironmentPlans,
    "types": AllowedTypes,
    "comparison": Comparison,
    "budgets": BudgetsRecord,
    "budgets-write": WrittenBudgets,
    "catalog-diff": CatalogChanges,
    "catalog-from-bill": PaidReport,
    "convert": Conversion,
    "diff": Difference,
    "diff-all": EnvironmentDifferences,
    "disrupt": DisruptionForecast,
    "doctor": Diagnosis,
    "explain": Explanations,
    "explain-all": EnvironmentExplanations,
    "gate": Report,
    "gate-all": GateReports,
    "history": History,
    "interrupt": SpotLoss,
    "nodes": Roster,
    "permissions": UpdatePermissions,
    "preview": PreviewRecord,
    "simulate": SimulationRecord,
    "simulate-runs": RunsRecord,
    "suggest": SuggestRecord,
    "suggest-fleet": FleetSuggestions,
    "sweep": SweepReport,
    "upgrade": Upgrade,
    "userdata": UserData,
    "validate": Validation,
    "validate-all": EnvironmentValidations,
    "verify": Verification,
    "verify-bill": BillVerification,
    "why": Why,
}

ANSWERS: Final[dict[str, Schema]] = {name: schema_of(record) for name, record in _RECORDS.items()}
"""The schema of each answer by the name of its command or of the answer itself."""

FILES: Final[dict[str, Schema]] = {
    "events": event_file_schema(),
    "project": project_schema(),
    "simulation-state": schema_of(StateRecord),
}
"""The schema of each form of file that commands read, by its name."""
