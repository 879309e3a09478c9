"""Cutlist: which nodes Karpenter will launch for a set of workloads, seen before anything is applied.

Everything a program needs is here; all else is private. Karpenter's objects and workloads become `PlanInputs`: `plan_inputs`
takes objects that are built in Python, `read_inputs` takes files. Each command that has an answer without a network is a
function of its name: `plan`, `suggest`, `types`, `explain`, `diff`, `disrupt`, `interrupt`, `simulate`, `budgets`, `nodes` and
`userdata` of such inputs, `validate` and `gate` of files, `fix` and `convert` of texts, `upgrade` of versions, `history` of a
log, `verify` of a plan and a cluster, `permissions` of a cluster's name.

Names are loaded when they are first used, so importing the package costs next to nothing and brings in no SDK.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cutlist.answers.budgets import budgets
    from cutlist.answers.cluster_state import newest_time
    from cutlist.answers.convert import convert
    from cutlist.answers.diff import Difference, diff
    from cutlist.answers.diff_nodes import BlastRadius
    from cutlist.answers.disrupt import DisruptionForecast, disrupt
    from cutlist.answers.explain import explain
    from cutlist.answers.fix import FixedText, fix
    from cutlist.answers.fleet_file import read_fleet
    from cutlist.answers.gate import GateResult, default_gates, gate, gates_of_file
    from cutlist.answers.history import Arrivals, History, history
    from cutlist.answers.interrupt import interrupt
    from cutlist.answers.node_roster import NodeRow, Roster
    from cutlist.answers.nodes import nodes
    from cutlist.answers.permissions import Permissions, permissions
    from cutlist.answers.plan import plan, with_launches
    from cutlist.answers.simulate import ClusterSimulation, simulate
    from cutlist.answers.simulate_demand import DemandFiles
    from cutlist.answers.simulate_runs import SimulationRuns, simulate_runs
    from cutlist.answers.suggest import Suggestion, Suggestions, suggest
    from cutlist.answers.suggest_fleet import FleetSuggestions, suggest_fleet
    from cutlist.answers.types import pool_notes, types
    from cutlist.answers.upgrade import Upgrade, upgrade
    from cutlist.answers.userdata import NodeUserData, userdata
    from cutlist.answers.validate import Validation, validate
    from cutlist.answers.verify import verify
    from cutlist.api import (
        AKSNodeClass,
        AmiSelectorTerm,
        AutoNodeClass,
        BlockDeviceMapping,
        Budget,
        CapacityBuffer,
        Disruption,
        DoesNotExist,
        Ebs,
        EC2NodeClass,
        EphemeralStorage,
        Exists,
        Gt,
        Gte,
        In,
        Kubelet,
        Lt,
        Lte,
        MetadataOptions,
        NodeClaim,
        NodeClassRef,
        NodeOverlay,
        NodePool,
        NotIn,
        SecurityGroupSelectorTerm,
        SubnetSelectorTerm,
    )
    from cutlist.api.convert import ConvertedTexts
    from cutlist.core.errors import CutlistError, InputError, Place, Problem
    from cutlist.core.notes import Note
    from cutlist.core.requirement import Expression
    from cutlist.core.taints import Taint
    from cutlist.disruption.budget_calendar import BudgetCalendar
    from cutlist.disruption.feature_gates import FeatureGates
    from cutlist.disruption.spot_loss import SpotLoss
    from cutlist.documents import Charts, Reading, SourceText
    from cutlist.optimization.allowances import Allowances
    from cutlist.planning.document_inputs import PlanSettings
    from cutlist.planning.inputs import PlanInputs, plan_inputs
    from cutlist.planning.model import PendingPods, Plan, PlannedNode, PoolTypes, TypeRow
    from cutlist.planning.model.comparison import Comparison
    from cutlist.planning.model.explanation import Explanation
    from cutlist.planning.read_inputs import read_inputs
    from cutlist.planning.stored_plan import read_plan
    from cutlist.policy.gates import Gates, Report
    from cutlist.providers.aws.userdata import BootstrapCluster
    from cutlist.runners.processes import Processes
    from cutlist.verification.verdicts import Verification
    from cutlist.workloads import Workloads

__all__ = [
    "AKSNodeClass",
    "Allowances",
    "AmiSelectorTerm",
    "Arrivals",
    "AutoNodeClass",
    "BlastRadius",
    "BlockDeviceMapping",
    "BootstrapCluster",
    "Budget",
    "BudgetCalendar",
    "CapacityBuffer",
    "Charts",
    "ClusterSimulation",
    "Comparison",
    "ConvertedTexts",
    "CutlistError",
    "DemandFiles",
    "Difference",
    "Disruption",
    "DisruptionForecast",
    "DoesNotExist",
    "EC2NodeClass",
    "Ebs",
    "EphemeralStorage",
    "Exists",
    "Explanation",
    "Expression",
    "FeatureGates",
    "FixedText",
    "FleetSuggestions",
    "GateResult",
    "Gates",
    "Gt",
    "Gte",
    "History",
    "In",
    "InputError",
    "Kubelet",
    "Lt",
    "Lte",
    "MetadataOptions",
    "NodeClaim",
    "NodeClassRef",
    "NodeOverlay",
    "NodePool",
    "NodeRow",
    "NodeUserData",
    "NotIn",
    "Note",
    "PendingPods",
    "Permissions",
    "Place",
    "Plan",
    "PlanInputs",
    "PlanSettings",
    "PlannedNode",
    "PoolTypes",
    "Problem",
    "Processes",
    "Reading",
    "Report",
    "Roster",
    "SecurityGroupSelectorTerm",
    "SimulationRuns",
    "SourceText",
    "SpotLoss",
    "SubnetSelectorTerm",
    "Suggestion",
    "Suggestions",
    "Taint",
    "TypeRow",
    "Upgrade",
    "Validation",
    "Verification",
    "Workloads",
    "budgets",
    "convert",
    "default_gates",
    "diff",
    "disrupt",
    "explain",
    "fix",
    "gate",
    "gates_of_file",
    "history",
    "interrupt",
    "newest_time",
    "nodes",
    "permissions",
    "plan",
    "plan_inputs",
    "pool_notes",
    "read_fleet",
    "read_inputs",
    "read_plan",
    "simulate",
    "simulate_runs",
    "suggest",
    "suggest_fleet",
    "types",
    "upgrade",
    "userdata",
    "validate",
    "verify",
    "with_launches",
]

_MODULES: Final = {
    "Allowances": "cutlist.optimization.allowances",
    "Arrivals": "cutlist.answers.history",
    "BlastRadius": "cutlist.answers.diff_nodes",
    "BootstrapCluster": "cutlist.providers.aws.userdata",
    "BudgetCalendar": "cutlist.disruption.budget_calendar",
    "ClusterSimulation": "cutlist.answers.simulate",
    "Comparison": "cutlist.planning.model.comparison",
    "ConvertedTexts": "cutlist.api.convert",
    "CutlistError": "cutlist.core.errors",
    "DemandFiles": "cutlist.answers.simulate_demand",
    "Difference": "cutlist.answers.diff",
    "DisruptionForecast": "cutlist.answers.disrupt",
    "Explanation": "cutlist.planning.model.explanation",
    "Expression": "cutlist.core.requirement",
    "FeatureGates": "cutlist.disruption.feature_gates",
    "FixedText": "cutlist.answers.fix",
    "GateResult": "cutlist.answers.gate",
    "FleetSuggestions": "cutlist.answers.suggest_fleet",
    "Gates": "cutlist.policy.gates",
    "History": "cutlist.answers.history",
    "InputError": "cutlist.core.errors",
    "NodeRow": "cutlist.answers.node_roster",
    "NodeUserData": "cutlist.answers.userdata",
    "Note": "cutlist.core.notes",
    "PendingPods": "cutlist.planning.model",
    "Permissions": "cutlist.answers.permissions",
    "Place": "cutlist.core.errors",
    "Plan": "cutlist.planning.model",
    "PlanInputs": "cutlist.planning.inputs",
    "PlanSettings": "cutlist.planning.document_inputs",
    "PlannedNode": "cutlist.planning.model",
    "PoolTypes": "cutlist.planning.model",
    "Problem": "cutlist.core.errors",
    "Processes": "cutlist.runners.processes",
    "Reading": "cutlist.documents",
    "Charts": "cutlist.documents",
    "Report": "cutlist.policy.gates",
    "Roster": "cutlist.answers.node_roster",
    "SimulationRuns": "cutlist.answers.simulate_runs",
    "SourceText": "cutlist.documents",
    "SpotLoss": "cutlist.disruption.spot_loss",
    "Suggestion": "cutlist.answers.suggest",
    "Suggestions": "cutlist.answers.suggest",
    "Taint": "cutlist.core.taints",
    "TypeRow": "cutlist.planning.model",
    "Upgrade": "cutlist.answers.upgrade",
    "Validation": "cutlist.answers.validate",
    "Verification": "cutlist.verification.verdicts",
    "Workloads": "cutlist.workloads",
    "budgets": "cutlist.answers.budgets",
    "convert": "cutlist.answers.convert",
    "default_gates": "cutlist.answers.gate",
    "diff": "cutlist.answers.diff",
    "disrupt": "cutlist.answers.disrupt",
    "explain": "cutlist.answers.explain",
    "fix": "cutlist.answers.fix",
    "gate": "cutlist.answers.gate",
    "gates_of_file": "cutlist.answers.gate",
    "history": "cutlist.answers.history",
    "interrupt": "cutlist.answers.interrupt",
    "newest_time": "cutlist.answers.cluster_state",
    "nodes": "cutlist.answers.nodes",
    "permissions": "cutlist.answers.permissions",
    "plan": "cutlist.answers.plan",
    "plan_inputs": "cutlist.planning.inputs",
    "pool_notes": "cutlist.answers.types",
    "read_fleet": "cutlist.answers.fleet_file",
    "read_inputs": "cutlist.planning.read_inputs",
    "read_plan": "cutlist.planning.stored_plan",
    "simulate": "cutlist.answers.simulate",
    "simulate_runs": "cutlist.answers.simulate_runs",
    "suggest": "cutlist.answers.suggest",
    "suggest_fleet": "cutlist.answers.suggest_fleet",
    "types": "cutlist.answers.types",
    "upgrade": "cutlist.answers.upgrade",
    "userdata": "cutlist.answers.userdata",
    "validate": "cutlist.answers.validate",
    "verify": "cutlist.answers.verify",
    "with_launches": "cutlist.answers.plan",
}
"""Where the names are that are not in `cutlist.api`."""


__version__: str
"""The version of the installed package."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # which takes longer than importing all of the package

        return version("cutlist")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULES.get(name, "cutlist.api")), name)
    globals()[name] = value  # the next use finds it without asking here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
