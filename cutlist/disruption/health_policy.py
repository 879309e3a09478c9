"""Which repair policies match the conditions of a node, and what they decide together (spec: karpenter-1.15 2.3; V15-44 to
V15-47)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cutlist.disruption.health_policy_errors import start_error
from cutlist.providers.node_repair import RepairAction, RepairPolicy
from cutlist.state.statenode import Condition

AGING: Final = 30 * 60.0
"""Seconds in which a waiting node gains as much as one rank of priority."""


@dataclass(frozen=True, slots=True)
class Match:
    """A policy that matches a condition of a node, with the rank of its priority. Eligible from an instant on, in seconds
    since 1970."""

    policy: RepairPolicy
    condition: str
    status: str
    reason: str
    rank: int
    eligible_at: float


@dataclass(frozen=True, slots=True)
class RepairResult:
    """What the eligible matches of a node decide: the match whose action counts, the least drain bound with the condition
    that it is from, and the score by which nodes are ordered."""

    chosen: Match
    score: float
    bound: float | None = None
    bound_condition: str = ""
    is_escalated: bool = False

    @property
    def action(self) -> str:
        """Return what is done; a node that was rebooted too often is replaced (V15-56)."""
        return RepairAction.REPLACE if self.is_escalated else self.chosen.policy.action


class RepairPolicyMatcher:
    """A valid set of repair policies, by the condition's type and status."""

    __slots__ = ("_expressions", "_fallback", "_policies", "_ranks")

    def __init__(self, policies: Sequence[RepairPolicy]) -> None:
        """Prepare a set. Raises ValueError, with the text by which Karpenter ends at its start, for one that is not valid."""
        error = start_error(policies)
        if error:
            raise ValueError(error)
        self._fallback = next(p for p in policies if not p.reason_regex)
        self._policies: dict[tuple[str, str], list[RepairPolicy]] = {}
        for policy in policies:
            specific = self._policies.setdefault((policy.condition, policy.status), [])
            if policy.reason_regex:
                specific.append(policy)
        self._expressions = {p.reason_regex: re.compile(p.reason_regex) for p in policies if p.reason_regex}
        self._ranks = {priority: rank for rank, priority in enumerate(sorted({p.priority for p in policies}))}

    def covers(self, conditions: Mapping[str, Condition]) -> bool:
        """Tell whether some condition counts as unhealthy, regardless of its duration and its reason."""
        return any((kind, condition.status) in self._policies for kind, condition in conditions.items())

    def matches(self, conditions: Mapping[str, Condition], created: float, rebooted: float = 0) -> tuple[Match, ...]:
        """Return the policies that match conditions of a node (V15-44).

        Tolerations count from the creation of the node and from the end of its last reboot at the earliest (V15-45).
        """
        return tuple(
            self._match(policy, kind, condition, max(condition.since, created, rebooted))
            for kind, condition in conditions.items()
            if (kind, condition.status) in self._policies
            for policy in self._of(kind, condition)
        )

    def _of(self, kind: str, condition: Condition) -> Sequence[RepairPolicy]:
        specific = self._policies[kind, condition.status]
        # Searched, not matched: Go's MatchString finds an expression anywhere in the text.
        return [p for p in specific if self._expressions[p.reason_regex].search(condition.reason)] or [self._fallback]

    def _match(self, policy: RepairPolicy, kind: str, condition: Condition, since: float) -> Match:
        rank = self._ranks[policy.priority]
        return Match(policy, kind, condition.status, condition.reason, rank, since + policy.toleration)


@lru_cache(maxsize=64)
def matcher_of(policies: tuple[RepairPolicy, ...]) -> RepairPolicyMatcher:
    """Return the matcher of a set of policies, which is prepared once. Raises ValueError as the class does."""
    return RepairPolicyMatcher(policies)


def resolve(matches: Iterable[Match], now: float) -> RepairResult | None:
    """Return what the matches that are eligible at an instant decide, or None if none is eligible (V15-46, V15-47)."""
    eligible = [m for m in matches if m.eligible_at <= now]
    if not eligible:
        return None
    chosen = min(eligible, key=_preference)
    # Over all matches, not the chosen one: a long wait for a minor reason may make a node urgent (V15-47).
    score = max(m.rank + (now - m.eligible_at) / AGING for m in eligible)
    bounds = [(m.policy.termination_grace_period, m.eligible_at, m.condition) for m in eligible]
    bound, _, condition = min(((b, at, of) for b, at, of in bounds if b is not None), default=(None, 0.0, ""))
    return RepairResult(chosen, score, bound, condition)


def _preference(match: Match) -> tuple[bool, int, float, str]:
    policy = match.policy
    return policy.action != RepairAction.REPLACE, -policy.priority, match.eligible_at, match.condition
