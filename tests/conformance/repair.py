"""Repair in scenarios: the provider's policies, and what they decide for each candidate, in the form of the vectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from cutlist.api.durations import in_go, nanoseconds
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.health_policy import RepairResult
from cutlist.disruption.repair import repair_result
from cutlist.providers.node_repair import RepairAction, RepairPolicy


def repair_policies(written: Iterable[Mapping[str, Any]]) -> tuple[RepairPolicy, ...]:
    """Return the policies of a scenario."""
    return tuple(
        RepairPolicy(
            condition=policy["type"],
            status=policy["status"],
            toleration=length(policy.get("toleration") or "0s"),
            reason_regex=policy.get("reasonRegex") or "",
            termination_grace_period=bound(policy.get("terminationGracePeriod")),
            priority=policy.get("priority") or 0,
            action=policy.get("action", RepairAction.REPLACE),
        )
        for policy in written
    )


def bound(text: str | None) -> float | None:
    return None if text is None else length(text)


def length(text: str) -> float:
    return nanoseconds(text) / 1e9


def go_duration(seconds: float) -> str:
    return in_go(f"{seconds:.9f}s")


def policies_form(candidates: Iterable[Candidate], cluster: ClusterState) -> dict[str, Any]:
    """Return what repair decides for each of its candidates."""
    results = {c.name: repair_result(c, cluster) for c in candidates}
    return {name: policy_form(result) for name, result in results.items() if result is not None}


def policy_form(result: RepairResult) -> dict[str, Any]:
    chosen = result.chosen
    form = {
        "action": str(result.action),
        "condition": chosen.condition,
        "status": chosen.status,
        "eligibleAt": datetime.fromtimestamp(chosen.eligible_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": round(result.score, 10),
    }
    optional = {
        "conditionReason": chosen.reason,
        "reasonRegex": chosen.policy.reason_regex,
        "fallback": not chosen.policy.reason_regex,
        "boundCondition": result.bound_condition,
        "escalated": result.is_escalated,
        "bound": "" if result.bound is None else go_duration(result.bound),
    }
    return {**form, **{name: value for name, value in optional.items() if value}}
