"""What keeps Karpenter from starting with a set of repair policies, in its own words (spec: karpenter-1.15 2.3; V15-43)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from cutlist.api.durations import in_go
from cutlist.providers.node_repair import RepairAction, RepairPolicy

LOWEST_PRIORITY: Final = 0
HIGHEST_PRIORITY: Final = 100
_STATUSES: Final = frozenset({"True", "False", "Unknown"})
_ACTIONS: Final = frozenset(RepairAction)
_NO_POLICIES: Final = "node repair requires the cloud provider to define RepairPolicies, but it defines none"
_NO_FALLBACK: Final = "repair policy set must define one default fallback"


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
