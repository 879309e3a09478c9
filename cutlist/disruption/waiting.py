"""Why a node that drifts or is unhealthy is not replaced yet: the breaker of repair, a budget, its turn, or its own pods.

(spec: disruption 4.4, karpenter-1.15 2.3; V15-47 to V15-54, D-73)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.instants import instant_text
from cutlist.core.wording import be, counted
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.command import Command
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.health_policy import matcher_of
from cutlist.disruption.methods import Method
from cutlist.disruption.node_repair import allowed_sick, repair
from cutlist.disruption.reasons import Reason
from cutlist.disruption.repair import pools_with_too_many_sick, repair_result
from cutlist.disruption.staticdrift import headroom
from cutlist.state.scheduling_node import NODES
from cutlist.state.statenode import DRIFTED, StateNode

NOT_REPAIRED: Final = "unhealthy, and not repaired"
"""How the reason begins of an unhealthy node that Karpenter does not repair."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why a node waits. `is_blocked` says that Karpenter's next steps do not end the wait: something else has to change."""

    text: str
    is_blocked: bool


@dataclass(frozen=True, slots=True)
class WaitingNodes:
    """The nodes that drift or are unhealthy, by what each method found now. `commands` are those that Karpenter runs next."""

    inputs: MethodInputs
    outcomes: Mapping[Method, MethodOutcome]
    commands: tuple[Command, ...]
    sick: Mapping[str, str]

    @staticmethod
    def of(inputs: MethodInputs, outcomes: Mapping[Method, MethodOutcome], commands: tuple[Command, ...]) -> WaitingNodes:
        """Prepare the reasons of a cluster."""
        cluster = inputs.cluster
        is_legacy = cluster.feature_gates.node_repair and not cluster.repairs
        blocked = repair(cluster.nodes, cluster.repair_policies, cluster.now).blocked if is_legacy else {}
        return WaitingNodes(inputs, outcomes, commands, blocked)

    def reason(self, node: StateNode) -> Waiting | None:
        """Return why a node waits that no next command disrupts, or None if it is neither unhealthy nor drifted."""
        return self._of_repair(node) or self._of_drift(node)

    def _of_repair(self, node: StateNode) -> Waiting | None:
        if node.state.node in self.sick:
            return Waiting(f"{NOT_REPAIRED}: {self.sick[node.state.node]}{self._resumes(node)}", is_blocked=True)
        cluster, outcome = self.inputs.cluster, self.outcomes.get(Method.REPAIR)
        if not cluster.repairs or outcome is None:
            return None
        matches = matcher_of(cluster.repair_policies).matches(node.conditions, node.created, node.rebooted)
        if not matches:
            return None
        candidate = self.inputs.repairable.by_name.get(node.name)
        if candidate is None:
            why = self.inputs.repairable.blocked.get(node.name, "")
            return Waiting(f"{NOT_REPAIRED}: {why}", is_blocked=True) if why else None
        if repair_result(candidate, cluster) is None:
            due = min(match.eligible_at for match in matches)
            return Waiting(f"unhealthy; repair is due {instant_text(due)} unless it recovers", is_blocked=False)
        if text := _skipped(outcome, node):
            is_stopped = candidate.pool.name in pools_with_too_many_sick(cluster)
            return Waiting(f"{NOT_REPAIRED}: {text}{self._resumes(node) if is_stopped else ''}", is_blocked=True)
        return self._turn(candidate, Reason.UNHEALTHY, "repaired")

    def _resumes(self, node: StateNode) -> str:
        """Return when repair resumes, which too many unhealthy nodes stopped (V15-50)."""
        peers = sum(n.has_node and n.pool == node.pool for n in self.inputs.cluster.nodes)
        most = allowed_sick(peers)
        return f"; repair resumes once at most {most} of {counted(peers, 'node')} {be(most)} unhealthy"

    def _of_drift(self, node: StateNode) -> Waiting | None:
        candidate = self.inputs.eventual.by_name.get(node.name)
        if candidate is None or node.claim is None or not node.claim.has(DRIFTED):
            return None
        method = Method.STATIC_DRIFT if candidate.pool.is_static else Method.DRIFT
        outcome = self.outcomes.get(method)
        if outcome is None:
            return None
        if candidate.pool.is_static and headroom(candidate.pool.name, self.inputs.cluster) <= 0:
            return Waiting(self._at_limit(candidate, _skipped(outcome, node)), is_blocked=True)
        if text := _skipped(outcome, node):
            return Waiting(f"drift cannot replace it: {text}", is_blocked=True)
        return self._turn(candidate, Reason.DRIFTED, "replaced")

    def _at_limit(self, candidate: Candidate, text: str) -> str:
        """Return why a static NodePool cannot replace a drifted node, with the fix."""
        pool = candidate.pool
        why = text or "its NodePool is static and has no room for a replacement"
        return f"{why}: limits.nodes is {pool.limits[NODES]} with {pool.replicas} replicas, so raise it above these"

    def _turn(self, candidate: Candidate, reason: Reason, done: str) -> Waiting:
        """Return what a node waits for that could be replaced: a budget, or other commands."""
        pool = candidate.pool.name
        left = self.inputs.remaining(reason).by_pool.get(pool, 0)
        going = sum(c.pool.name == pool for command in self.commands for c in command.candidates)
        if left > going:
            return Waiting(f"is {done} later, because Karpenter runs one command at a time", is_blocked=False)
        budget = f"the budgets of NodePool {pool} allow another node for the reason {reason}"
        # Only steps that are under way free a place by themselves; a closed window has to open first.
        under_way = going or any(n.pool == pool and n.state.removed for n in self.inputs.cluster.nodes)
        return Waiting(f"is {done} once {budget}", is_blocked=not under_way)


def _skipped(outcome: MethodOutcome, node: StateNode) -> str:
    """Return why a method skipped a node, in Karpenter's words, or an empty string."""
    return next((skipped.text for skipped in outcome.skipped if skipped.node == node.name and skipped.text), "")
