"""Suggestions with something to say in each of their parts, in which all names are a given one."""

from __future__ import annotations

from dataclasses import replace

from cutlist import NodePool
from cutlist.core.errors import Place, Problem
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.judging import Outlook
from cutlist.optimization.scenarios import Scenario
from cutlist.planning.model.restrictions import PricedRestriction
from cutlist.verbs.rightsizing import UsageSavings, WorkloadSaving
from cutlist.verbs.suggest.edit_parts import EditUnit
from cutlist.verbs.suggest.edits import PoolEdit
from cutlist.verbs.suggest.fleet import EnvironmentSuggestions, FleetSuggestions
from cutlist.verbs.suggest.record import suggest_record
from cutlist.verbs.suggest.running import Running
from cutlist.verbs.suggest.suggestions import (
    EditPart,
    LeftPending,
    PoolCost,
    Refusal,
    Suggestion,
    Suggestions,
    TypeChoice,
    WhatIf,
)
from cutlist.verbs.suggest.yaml_diff import FileDiff
from cutlist.workloads.usage import RequestChange
from cutlist.workloads.usage.measured import UseRisk


def _figures(price: float, nodes: int, lost: int, pending: str = "") -> CostAndRisk:
    return CostAndRisk(price, nodes, ((pending, 2),) if pending else (), 0.25, lost, lost * nodes)


def suggestions(name: str = "general") -> Suggestions:
    """One option that changes nothing, one that narrows, one that widens; a restriction of a workload."""
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    spec = {"template": {"spec": {"nodeClassRef": reference, "requirements": []}}}
    pool = NodePool.from_manifest(
        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "general"}, "spec": spec}
    )
    arm = PoolEdit(name, "kubernetes.io/arch", "In amd64", "In amd64, arm64")
    sizes = PoolEdit(name, name, "", "Lt 16")
    dropped = PoolEdit(name, name, "In m5", "")
    limit = PoolEdit(name, "limits.cpu", "", "1")
    many = _figures(9.0, 5, 30)
    recommended = Suggestion(
        _figures(2.12, 9, 4),
        (sizes, limit),
        (pool,),
        expected=3.5,
        worst=8.0,
        elsewhere=(_figures(8.0, 5, 30),),
        parts=(EditPart(EditUnit(name, name), 2.0), EditPart(EditUnit(name, "limits.cpu"), -0.12)),
        types=(TypeChoice(name, 600, 20),),
        pools_cost=(PoolCost(name, 4.0, 2.12),),
    )
    scenarios = (Scenario("now", "now", 3.0), Scenario(name, f"{name} doubled", 1.0))
    return Suggestions(
        region=name,
        current=_figures(4.0, 2, 30, name),
        bound=2.0,
        options=(
            Suggestion(_figures(2.1, 3, 20), (arm, dropped), (pool,), expected=3.4, worst=9.0),
            recommended,
            Suggestion(_figures(4.0, 2, 30), (), (), expected=5.25, worst=9.0),
        ),
        recommended=1,
        why="1.0% above the cheapest, and loses 4 instead of 20 pods with a node",
        restrictions=(PricedRestriction(f"zone spread of {name}", 0.5),),
        unpriced=3,
        what_if=(
            WhatIf(f"without zone {name}", _figures(5.0, 3, 9)),
            WhatIf("all spot", replace(_figures(1, 2, 3), price=None)),
        ),
        plans=12,
        is_complete=False,
        outlook=Outlook(scenarios, (_figures(4.0, 2, 30, name), many), (2.0, 6.0)),
        refused=(Refusal(_figures(1.0, 1, 30), 1.5, (sizes,), (f"NP-05 NodePool/{name}: 1 instance type on spot",)),),
        diffs=(FileDiff(f"{name}.yaml", ("@@", f" name: {name}", f"-old {name}", f"+new {name}")),),
        running=Running(6, 4),
        left_pending=LeftPending(14, f"{name} doubled", 0.5, f"deployment/{name}"),
        usage=UsageSavings(
            before=_figures(4.0, 2, 30),
            after=_figures(3.0, 1, 30),
            changes=(RequestChange(name, name, "cpu", None, 10**9),),
            risks=(UseRisk(name, "memory", 4 * 10**9, 3 * 10**9, 5 * 10**9),),
            unknown=(name,),
            not_apart=2,
            workloads=(WorkloadSaving(name, 1, 1.0, 1), WorkloadSaving(name, 1, 0.0, 0), WorkloadSaving(name, 1, -0.5, -1)),
        ),
    )


def fleet(name: str = "shop") -> FleetSuggestions:
    """An environment with an answer, one that has failed, one that was not computed."""
    problem = Problem(Place(f"{name}.yaml", 2, 7, name), f"{name} is wrong", "the right one", name)
    answer = suggest_record(replace(suggestions(name), running=Running(30, 2)))
    return FleetSuggestions(
        (
            EnvironmentSuggestions(name, "us-west-2", answer=answer),
            EnvironmentSuggestions(f"{name}-2", "eu-west-1", problems=(problem, problem)),
            EnvironmentSuggestions(f"{name}-3", ""),
        )
    )
