"""Which repair policies match the conditions of a node, and what they decide together (spec: karpenter-1.15 2.3; V15-43 to
V15-47)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from cutlist.api.durations import in_go
from cutlist.providers.node_repair import RepairAction, RepairPolicy
from cutlist.state.statenode import Condition

AGING: Final = 30 * 60.0
"""Seconds in which a waiting node gains as much as one rank of priority."""
LOWEST_PRIORITY: Final = 0
HIGHEST_PRIORITY: Final = 100
_STATUSES: Final = frozenset({"True", "False", "Unknown"})
_ACTIONS: Final = frozenset(RepairAction)
_NO_POLICIES: Final = "node repair requires the cloud provider to define RepairPolicies, but it defines none"
_NO_FALLBACK: Final = "repair policy set must define one default fallback"


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
        """Tell whether some condition counts as unhealthy, however short it lasts and whatever its reason is."""
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
        return [p for p in specific if self._expressions[p.reason_regex].search(condition.reason)] or [self._fallback]

    def _match(self, policy: RepairPolicy, kind: str, condition: Condition, since: float) -> Match:
        rank = self._ranks[policy.priority]
        return Match(policy, kind, condition.status, condition.reason, rank, since + policy.toleration)


def resolve(matches: Iterable[Match], now: float) -> RepairResult | None:
    """Return what the matches that are eligible at an instant decide, or None if none is eligible (V15-46, V15-47)."""
    eligible = [m for m in matches if m.eligible_at <= now]
    if not eligible:
        return None
    chosen = min(eligible, key=_preference)
    score = max(m.rank + (now - m.eligible_at) / AGING for m in eligible)
    bounds = [(m.policy.termination_grace_period, m.eligible_at, m.condition) for m in eligible]
    bound, _, condition = min(((b, at, of) for b, at, of in bounds if b is not None), default=(None, 0.0, ""))
    return RepairResult(chosen, score, bound, condition)


def _preference(match: Match) -> tuple[bool, int, float, str]:
    policy = match.policy
    return policy.action != RepairAction.REPLACE, -policy.priority, match.eligible_at, match.condition


# --- what keeps Karpenter from starting (V15-43)


def start_error(policies: Sequence[RepairPolicy]) -> str:
    """Return the text by which Karpenter ends at its start under these policies, or an empty string if it starts."""
    if not policies:
        return _NO_POLICIES
    errors = [text for number, policy in enumerate(policies) for text in _errors(number, policy, policies[:number])]
    fallback = next((p for p in policies if not p.reason_regex), None)
    if fallback is None:
        errors.append(_NO_FALLBACK)
    elif fallback.action != RepairAction.REPLACE:
        errors.append(f'default fallback policy {_written(fallback)} must use action "{RepairAction.REPLACE}"')
    return f"node repair requires valid RepairPolicies, {'; '.join(errors)}" if errors else ""


def _errors(number: int, policy: RepairPolicy, before: Sequence[RepairPolicy]) -> Iterable[str]:
    for problem in _problems(policy):
        about = f'validating repair policy for condition status "{policy.status}", policy[{number}]={_written(policy)}'
        yield f"{about} has {problem} (condition={policy.condition})"
    earlier = next((p for p in before if not p.reason_regex), None)
    if earlier is not None and not policy.reason_regex:
        yield f"repair policy set has multiple default fallbacks: {_written(earlier)} and {_written(policy)}"


def _problems(policy: RepairPolicy) -> Iterable[str]:
    if not policy.condition:
        yield "an empty condition type"
    if policy.status not in _STATUSES:
        yield f'invalid condition status "{policy.status}"'
    if policy.toleration < 0:
        yield f"negative toleration duration {_duration(policy.toleration)}"
    if policy.termination_grace_period is not None and policy.termination_grace_period < 0:
        yield f"negative termination grace period {_duration(policy.termination_grace_period)}"
    if not LOWEST_PRIORITY <= policy.priority <= HIGHEST_PRIORITY:
        yield f"priority {policy.priority} outside the supported range [{LOWEST_PRIORITY}, {HIGHEST_PRIORITY}]"
    if policy.action not in _ACTIONS:
        yield f'unsupported action "{policy.action}"'
    try:
        re.compile(policy.reason_regex)
    except re.error as error:
        yield f"invalid reason regex, error parsing regexp: {_regex_error(error, policy.reason_regex)}"


_REGEX_ERRORS: Final = {
    "missing ), unterminated subpattern": "missing closing )",
    "unbalanced parenthesis": "unexpected )",
    "unterminated character set": "missing closing ]",
    "nothing to repeat": "missing argument to repetition operator",
    "multiple repeat": "invalid nested repetition operator",
    "bad escape (end of pattern)": "trailing backslash at end of expression",
}


def _regex_error(error: re.error, expression: str) -> str:
    """Return the mistake in an expression in Go's words, as far as both languages have it."""
    at = error.pos or 0
    match _REGEX_ERRORS.get(error.msg):
        case None:
            return f"{error.msg}: `{expression}`"
        case "missing closing ]" as text:
            return f"{text}: `{expression[at:]}`"
        case "missing argument to repetition operator" as text:
            return f"{text}: `{expression[at]}`"
        case "invalid nested repetition operator" as text:
            return f"{text}: `{_repetitions(expression, at)}`"
        case "trailing backslash at end of expression" as text:
            return f"{text}: ``"
        case text:
            return f"{text}: `{expression}`"


def _repetitions(expression: str, at: int) -> str:
    """Return the run of repetition operators of which the second stands at a place."""
    runs = ("".join(run) for is_operator, run in groupby(expression[max(0, at - 1) :], "*+?".__contains__) if is_operator)
    return next(runs, expression)


def _written(policy: RepairPolicy) -> str:
    """Return a policy as Go prints the record."""
    bound = policy.termination_grace_period
    members = {
        "ConditionType": policy.condition,
        "ConditionStatus": policy.status,
        "ReasonRegex": policy.reason_regex,
        "TolerationDuration": _duration(policy.toleration),
        "TerminationGracePeriod": "<nil>" if bound is None else _duration(bound),
        "Priority": policy.priority,
        "Action": policy.action,
    }
    return "{" + " ".join(f"{name}:{value}" for name, value in members.items()) + "}"


def _duration(length: float) -> str:
    return in_go(f"{length:g}s")
