"""Cases of API objects: the verdict of the API server, its words, the stored object, readiness, hash and budgets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

from cutlist import Disruption
from cutlist.api import budget_windows, versions
from cutlist.api.aksnodeclass_rules import AKS_NODE_CLASS
from cutlist.api.kinds import kind_of_manifest
from cutlist.api.nodepool_fields import REASONS_BEFORE_UNHEALTHY, BudgetReason
from cutlist.api.validation import ObjectKind, validate
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import AWS_GROUP, AZURE_GROUP
from tests.conformance.api_hash import gates_of, hash_of, karpenter_of
from tests.conformance.next_aksnodeclass import NEXT_AKS_NODE_CLASS
from tests.conformance.verdict import Verdict, verdict

GROUPS = {"aws": AWS_GROUP, "azure": AZURE_GROUP}


def answer(path: Path) -> dict[str, Any]:
    """Return the answer to each case of a file."""
    return {case["name"]: answer_to(case, kind_in(path, case), karpenter_of(case)) for case in json.loads(path.read_text())}


def kind_in(path: Path, case: Mapping[str, Any]) -> ObjectKind | None:
    """Return the kind that a case is about. The cases of `next.json` are about the release after 1.14."""
    kind = kind_of_manifest(case["object"], karpenter_of(case), gates_of(case))
    return NEXT_AKS_NODE_CLASS if kind is AKS_NODE_CLASS and path.stem == "next" else kind


def answer_to(case: Mapping[str, Any], kind: ObjectKind | None, karpenter: Baseline) -> dict[str, Any]:
    """Return the answer to a case."""
    if kind is None:
        return written(verdict(versions.version_findings(case["object"])))
    if kind.scale:  # pools get Karpenter's defaults, whatever their class
        kind = replace(kind, filled=lambda manifest, _: manifest)
    validation = validate(kind, case["object"], case.get("old"), GROUPS[case["provider"]])
    found = verdict(validation.findings)
    answered = written(found)
    if found.accepted:
        stored = json.loads(json.dumps(validation.stored))
        answered |= {"defaulted": stored, "ready": found.ready}
        answered["runtime"] = [{"message": line.message} for line in found.runtime]
        if not any(line.stage == "typed" for line in found.runtime):
            answered["hash"] = hash_of(stored, case.get("caBundle") or "", karpenter)
    if found.accepted and "now" in case:
        answered["allowed"] = allowed(validation.stored["spec"]["disruption"], case["nodes"], case["now"], karpenter)
    return answered


def written(found: Verdict) -> dict[str, Any]:
    """Return a verdict in the form of the vectors."""
    return {
        "accepted": found.accepted,
        "errors": [{"path": line.path, "message": line.message, "layer": str(line.stage)} for line in found.errors],
    }


def allowed(disruption: Mapping[str, Any], nodes: int, now: str, karpenter: Baseline) -> dict[str, int | None]:
    """Return how many nodes the budgets let go, by reason; None for any number."""
    pool: Any = SimpleNamespace(disruption=Disruption.of(disruption))  # a schedule that nobody can read is let through here
    at = datetime.fromisoformat(now).timestamp()
    reasons = get_args(BudgetReason) if karpenter.does(Behaviour.UNHEALTHY_IS_A_BUDGET_REASON) else REASONS_BEFORE_UNHEALTHY
    found = {reason: budget_windows.allowed(pool, reason, nodes, at) for reason in reasons}
    return {reason: None if number == budget_windows.UNLIMITED else number for reason, number in found.items()}
