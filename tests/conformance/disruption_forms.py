"""Answers about disruption in the form of the vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cutlist.api.budget_windows import allowed
from cutlist.disruption.balanced import totals
from cutlist.disruption.budgets import counts, remaining
from cutlist.disruption.candidates import Candidate, DisruptionClass
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.costs import lifetime_weighted_cost
from cutlist.disruption.evaluation import BLOCKED, MethodInputs, MethodOutcome
from cutlist.disruption.methods import Method
from cutlist.simulation.recording.answers import command_form
from tests.conformance.disruption_controller import Controller
from tests.conformance.pod_events import pod_events, watched
from tests.conformance.repair import policies_form


def evaluation(inputs: MethodInputs, controller: Controller) -> dict[str, Any]:
    """Return every method asked on its own, and what they rest on."""
    inputs = watched(inputs)
    cluster = inputs.cluster
    outcomes = controller.outcomes(inputs)
    judged = {**inputs.repairable.by_name, **inputs.graceful.by_name, **inputs.eventual.by_name}
    chosen = {c.name for outcome in outcomes.values() for c in outcome.candidates}
    balanced = totals(cluster, inputs.graceful.by_name)
    blocked = {
        str(of): {**inputs.of_class(of).blocked, **(vetoed(outcomes) if of is DisruptionClass.REPAIR else {})}
        for of in DisruptionClass
    }
    events = {kind: {object_of(n, cluster): text for n, text in those.items() if text} for kind, those in blocked.items()}
    return {
        "synced": cluster.synced,
        "first": first(outcomes, cluster),
        "methods": {str(method): outcome_form(outcome, method, cluster) for method, outcome in outcomes.items()},
        "budgets": {
            name: {str(reason): remaining(cluster, reason).by_pool[name] for reason in cluster.reasons}
            for name in cluster.pools
        },
        **present(
            poolEvents=pool_events(cluster),
            podEvents=pod_events(inputs),
            nodes={name: node_form(c, cluster) for name, c in judged.items() if name in chosen},
            blocked=present(**events),
            balanced={n: {"totalCost": t.price, "totalDisruptionCost": t.disruption} for n, t in balanced.items()},
        ),
    }


def node_form(candidate: Candidate, cluster: ClusterState) -> dict[str, Any]:
    return {
        "nodePool": candidate.pool.name,
        "price": candidate.price,
        "rescheduleCost": candidate.cost,
        "lifetimeWeightedCost": lifetime_weighted_cost(
            candidate.node.claim, candidate.node.pods, cluster.now, cluster.cost_annotations
        ),
    }


def present(**members: Any) -> dict[str, Any]:
    return {name: member for name, member in members.items() if member}


def object_of(name: str, cluster: ClusterState) -> str:
    node = next(m for m in cluster.nodes if m.name == name)
    if node.has_node:
        return f"Node/{node.state.node}"
    known = node.claim is not None and node.claim.provider_id != name
    return f"NodeClaim/{name if known else 'new'}"


def first(outcomes: Mapping[Method, MethodOutcome], cluster: ClusterState) -> str:
    """Return the method that the loop would execute."""
    for method, outcome in outcomes.items():
        if not cluster.synced:
            break
        if outcome.error:
            return "error"
        if outcome.commands:
            return str(method)
    return "none"


def pool_events(cluster: ClusterState) -> dict[str, list[str]]:
    """Return the events of NodePools whose budgets allow nothing, whatever is being disrupted."""
    events: dict[str, list[str]] = {}
    for name, pool in cluster.pools.items():
        nodes = sum(node.pool == name and counts(node) for node in cluster.nodes)
        for reason in cluster.reasons:
            if nodes and allowed(pool, reason, nodes, cluster.now) == 0:
                text = f"No allowed disruptions for disruption reason {reason} due to blocking budget"
                events.setdefault(name, []).append(text)
    return events


def vetoed(outcomes: Mapping[Method, MethodOutcome]) -> dict[str, str]:
    """Return the nodes that repair does not even take as candidates, and why."""
    outcome = outcomes.get(Method.REPAIR, MethodOutcome())
    names = {c.name for c in outcome.candidates}
    return {s.node: s.text for s in outcome.skipped if s.event == BLOCKED and s.node not in names}


def outcome_form(outcome: MethodOutcome, method: Method, cluster: ClusterState) -> dict[str, Any]:
    repairs = method is Method.REPAIR
    names = {c.name for c in outcome.candidates}
    skipped = [s for s in outcome.skipped if not repairs or s.node in names]
    events = [{"object": f"Node/{s.node}", "reason": s.event, "message": s.text} for s in skipped]
    events += [{"object": about, "reason": reason, "message": text} for about, reason, text in outcome.notes]
    return {
        "candidates": sorted(c.name for c in outcome.candidates),
        "commands": [command_form(c) for c in outcome.commands],
        **present(events=events, error=outcome.error, policies=policies_form(outcome.candidates, cluster) if repairs else {}),
    }
