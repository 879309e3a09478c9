"""Cutlist: which nodes Karpenter will launch for a set of workloads, seen before anything is applied.

Everything a program needs is here; all else is private. Karpenter's objects and workloads become `PlanInputs`: `plan_inputs`
takes objects that are built in Python, `read_inputs` takes files. Each command that has an answer without a network is a
function of its name: `plan`, `suggest`, `types`, `explain`, `why`, `diff`, `disrupt`, `interrupt`, `simulate`, `budgets`,
`nodes` and `userdata` of such inputs, `validate` and `gate` of files, `fix` and `convert` of texts, `upgrade` of versions,
`history` of a log, `verify` of a plan and a cluster, `permissions` of a cluster's name.

Names are loaded when they are first used, so importing the package costs next to nothing and brings in no SDK.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cutlist.api.aksnodeclass import AKSNodeClass
    from cutlist.api.aksnodeclass_fields import (
        AksKubelet,
        ArtifactStreaming,
        DnsOverride,
        Gpu,
        LinuxOsConfig,
        LocalDns,
        Security,
        Sysctls,
    )
    from cutlist.api.autonodeclass import AutoNodeClass
    from cutlist.api.autonodeclass_fields import (
        AdvancedNetworking,
        AdvancedSecurity,
        AutoNetworkInterface,
        AutoReservationTerm,
        CertificateBundle,
        EphemeralStorage,
    )
    from cutlist.api.block_device_fields import BlockDeviceMapping, Ebs
    from cutlist.api.capacitybuffer import CapacityBuffer
    from cutlist.api.capacitybuffer_fields import ScalableRef
    from cutlist.api.convert import ConvertedTexts
    from cutlist.api.ec2nodeclass import EC2NodeClass
    from cutlist.api.ec2nodeclass_fields import (
        AmiSelectorTerm,
        CapacityReservationSelectorTerm,
        ConnectionTracking,
        CpuOptions,
        Kubelet,
        MetadataOptions,
        NetworkInterface,
        PlacementGroupSelector,
        SecurityGroupSelectorTerm,
        SubnetSelectorTerm,
    )
    from cutlist.api.nodeclaim import NodeClaim
    from cutlist.api.nodeoverlay import NodeOverlay
    from cutlist.api.nodepool import NodePool
    from cutlist.api.nodepool_fields import Budget, Disruption, NodeClassRef
    from cutlist.api.operators import DoesNotExist, Exists, Gt, Gte, In, Lt, Lte, NotIn
    from cutlist.core.errors import CutlistError, InputError, Place, Problem
    from cutlist.core.notes import Note
    from cutlist.core.requirement import Expression
    from cutlist.core.taints import Taint
    from cutlist.disruption.budget_calendar import BudgetCalendar
    from cutlist.disruption.feature_gates import FeatureGates
    from cutlist.disruption.spot_loss import SpotLoss
    from cutlist.documents.files import SourceText
    from cutlist.documents.folders import Charts, Reading
    from cutlist.optimization.allowances import Allowances
    from cutlist.planning.inputs import PlanInputs, plan_inputs
    from cutlist.planning.model import PendingPods, Plan, PlannedNode, PoolTypes, TypeRow
    from cutlist.planning.model.comparison import Comparison
    from cutlist.planning.model.explanation import Explanation
    from cutlist.planning.read_inputs import read_inputs
    from cutlist.planning.stored_plan import read_plan
    from cutlist.policy.gates import Gates, Report
    from cutlist.providers.aws.userdata import BootstrapCluster
    from cutlist.runners.processes import Processes
    from cutlist.settings.planning import PlanSettings
    from cutlist.verbs.budgets.answer import budgets
    from cutlist.verbs.cluster_state import newest_time
    from cutlist.verbs.convert.answer import convert
    from cutlist.verbs.diff.answer import Difference, diff
    from cutlist.verbs.diff.nodes import BlastRadius
    from cutlist.verbs.disrupt.answer import DisruptionForecast, disrupt
    from cutlist.verbs.explain.answer import explain
    from cutlist.verbs.gate.answer import GateResult, default_gates, gate, gates_of_file
    from cutlist.verbs.gate.fix import FixedText, fix
    from cutlist.verbs.history.answer import history
    from cutlist.verbs.history.record import History
    from cutlist.verbs.interrupt.answer import interrupt
    from cutlist.verbs.nodes.answer import nodes
    from cutlist.verbs.nodes.roster import NodeRow, Roster
    from cutlist.verbs.permissions.answer import Permissions, permissions
    from cutlist.verbs.plan.answer import plan, with_launches
    from cutlist.verbs.simulate.answer import ClusterSimulation, simulate
    from cutlist.verbs.simulate.demand import DemandFiles
    from cutlist.verbs.simulate.runs import SimulationRuns, simulate_runs
    from cutlist.verbs.suggest.answer import suggest
    from cutlist.verbs.suggest.criteria import Criteria
    from cutlist.verbs.suggest.fleet import FleetSuggestions, suggest_fleet
    from cutlist.verbs.suggest.fleet_file import read_fleet
    from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions
    from cutlist.verbs.types.answer import pool_notes, types
    from cutlist.verbs.upgrade.answer import Upgrade, upgrade
    from cutlist.verbs.userdata.answer import NodeUserData, userdata
    from cutlist.verbs.validate.answer import Validation, validate
    from cutlist.verbs.verify.answer import verify
    from cutlist.verbs.why.answer import why
    from cutlist.verification.verdicts import Verification
    from cutlist.workloads.read import Workloads

__all__ = [
    "AKSNodeClass",
    "AdvancedNetworking",
    "AdvancedSecurity",
    "AksKubelet",
    "Allowances",
    "AmiSelectorTerm",
    "ArtifactStreaming",
    "AutoNetworkInterface",
    "AutoNodeClass",
    "AutoReservationTerm",
    "BlastRadius",
    "BlockDeviceMapping",
    "BootstrapCluster",
    "Budget",
    "BudgetCalendar",
    "CapacityBuffer",
    "CapacityReservationSelectorTerm",
    "CertificateBundle",
    "Charts",
    "ClusterSimulation",
    "Comparison",
    "ConnectionTracking",
    "ConvertedTexts",
    "CpuOptions",
    "Criteria",
    "CutlistError",
    "DemandFiles",
    "Difference",
    "Disruption",
    "DisruptionForecast",
    "DnsOverride",
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
    "Gpu",
    "Gt",
    "Gte",
    "History",
    "In",
    "InputError",
    "Kubelet",
    "LinuxOsConfig",
    "LocalDns",
    "Lt",
    "Lte",
    "MetadataOptions",
    "NetworkInterface",
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
    "PlacementGroupSelector",
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
    "ScalableRef",
    "Security",
    "SecurityGroupSelectorTerm",
    "SimulationRuns",
    "SourceText",
    "SpotLoss",
    "SubnetSelectorTerm",
    "Suggestion",
    "Suggestions",
    "Sysctls",
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
    "why",
    "with_launches",
]

_MODULES: Final = {
    name: module
    for module, names in {
        "cutlist.api.aksnodeclass": ("AKSNodeClass",),
        "cutlist.api.aksnodeclass_fields": (
            "AksKubelet",
            "ArtifactStreaming",
            "DnsOverride",
            "Gpu",
            "LinuxOsConfig",
            "LocalDns",
            "Security",
            "Sysctls",
        ),
        "cutlist.api.autonodeclass": ("AutoNodeClass",),
        "cutlist.api.autonodeclass_fields": (
            "AdvancedNetworking",
            "AdvancedSecurity",
            "AutoNetworkInterface",
            "AutoReservationTerm",
            "CertificateBundle",
            "EphemeralStorage",
        ),
        "cutlist.api.block_device_fields": (
            "BlockDeviceMapping",
            "Ebs",
        ),
        "cutlist.api.capacitybuffer": ("CapacityBuffer",),
        "cutlist.api.capacitybuffer_fields": ("ScalableRef",),
        "cutlist.api.convert": ("ConvertedTexts",),
        "cutlist.api.ec2nodeclass": ("EC2NodeClass",),
        "cutlist.api.ec2nodeclass_fields": (
            "AmiSelectorTerm",
            "CapacityReservationSelectorTerm",
            "ConnectionTracking",
            "CpuOptions",
            "Kubelet",
            "MetadataOptions",
            "NetworkInterface",
            "PlacementGroupSelector",
            "SecurityGroupSelectorTerm",
            "SubnetSelectorTerm",
        ),
        "cutlist.api.nodeclaim": ("NodeClaim",),
        "cutlist.api.nodeoverlay": ("NodeOverlay",),
        "cutlist.api.nodepool": ("NodePool",),
        "cutlist.api.nodepool_fields": (
            "Budget",
            "Disruption",
            "NodeClassRef",
        ),
        "cutlist.api.operators": (
            "DoesNotExist",
            "Exists",
            "Gt",
            "Gte",
            "In",
            "Lt",
            "Lte",
            "NotIn",
        ),
        "cutlist.core.errors": ("CutlistError", "InputError", "Place", "Problem"),
        "cutlist.core.notes": ("Note",),
        "cutlist.core.requirement": ("Expression",),
        "cutlist.core.taints": ("Taint",),
        "cutlist.disruption.budget_calendar": ("BudgetCalendar",),
        "cutlist.disruption.feature_gates": ("FeatureGates",),
        "cutlist.disruption.spot_loss": ("SpotLoss",),
        "cutlist.documents.files": ("SourceText",),
        "cutlist.documents.folders": ("Charts", "Reading"),
        "cutlist.optimization.allowances": ("Allowances",),
        "cutlist.planning.inputs": ("PlanInputs", "plan_inputs"),
        "cutlist.planning.model": ("PendingPods", "Plan", "PlannedNode", "PoolTypes", "TypeRow"),
        "cutlist.planning.model.comparison": ("Comparison",),
        "cutlist.planning.model.explanation": ("Explanation",),
        "cutlist.planning.read_inputs": ("read_inputs",),
        "cutlist.planning.stored_plan": ("read_plan",),
        "cutlist.policy.gates": ("Gates", "Report"),
        "cutlist.providers.aws.userdata": ("BootstrapCluster",),
        "cutlist.runners.processes": ("Processes",),
        "cutlist.settings.planning": ("PlanSettings",),
        "cutlist.verbs.budgets.answer": ("budgets",),
        "cutlist.verbs.cluster_state": ("newest_time",),
        "cutlist.verbs.convert.answer": ("convert",),
        "cutlist.verbs.diff.answer": ("Difference", "diff"),
        "cutlist.verbs.diff.nodes": ("BlastRadius",),
        "cutlist.verbs.disrupt.answer": ("DisruptionForecast", "disrupt"),
        "cutlist.verbs.explain.answer": ("explain",),
        "cutlist.verbs.gate.answer": ("GateResult", "default_gates", "gate", "gates_of_file"),
        "cutlist.verbs.gate.fix": ("FixedText", "fix"),
        "cutlist.verbs.history.answer": ("history",),
        "cutlist.verbs.history.record": ("History",),
        "cutlist.verbs.interrupt.answer": ("interrupt",),
        "cutlist.verbs.nodes.answer": ("nodes",),
        "cutlist.verbs.nodes.roster": ("NodeRow", "Roster"),
        "cutlist.verbs.permissions.answer": ("Permissions", "permissions"),
        "cutlist.verbs.plan.answer": ("plan", "with_launches"),
        "cutlist.verbs.simulate.answer": ("ClusterSimulation", "simulate"),
        "cutlist.verbs.simulate.demand": ("DemandFiles",),
        "cutlist.verbs.simulate.runs": ("SimulationRuns", "simulate_runs"),
        "cutlist.verbs.suggest.answer": ("suggest",),
        "cutlist.verbs.suggest.criteria": ("Criteria",),
        "cutlist.verbs.suggest.suggestions": ("Suggestion", "Suggestions"),
        "cutlist.verbs.suggest.fleet": ("FleetSuggestions", "suggest_fleet"),
        "cutlist.verbs.suggest.fleet_file": ("read_fleet",),
        "cutlist.verbs.types.answer": ("pool_notes", "types"),
        "cutlist.verbs.upgrade.answer": ("Upgrade", "upgrade"),
        "cutlist.verbs.userdata.answer": ("NodeUserData", "userdata"),
        "cutlist.verbs.validate.answer": ("Validation", "validate"),
        "cutlist.verbs.verify.answer": ("verify",),
        "cutlist.verbs.why.answer": ("why",),
        "cutlist.verification.verdicts": ("Verification",),
        "cutlist.workloads.read": ("Workloads",),
    }.items()
    for name in names
}
"""The module of each name."""


__version__: str
"""The version of the installed package."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # which takes longer than importing all of the package

        return version("cutlist")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULES[name]), name)
    globals()[name] = value  # the next use finds it without asking here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
