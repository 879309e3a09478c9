"""What no document around Karpenter may grant, whoever wrote it (spec: aws-infrastructure 3.5, IF-01, IF-02)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problem
from cutlist.infrastructure.iam.abilities import ABILITIES, GUARDS, NAMED_SERVICES, OWNERSHIP, PASSING, SERVICES, Ability, Guard
from cutlist.infrastructure.iam.documents import Document, Effect
from cutlist.infrastructure.iam.evaluator import covers, reaches
from cutlist.infrastructure.iam.grants import Grant, Test, of_document
from cutlist.infrastructure.iam.limits import TAG_KEYS, could_reach, fixed_part, is_denied, is_limited, limits, names
from cutlist.infrastructure.names import ClusterFacts

_ANY_ACTION: Final = "AnyActionAtAll"
_OWN_USER: Final = "user/${aws:username}"
_EC2: Final = "ec2."


@dataclass(frozen=True, slots=True)
class Danger:
    """A statement that grants too much through an action, as it is written. `guard` is the action that lacks its condition, or
    that is granted on too much, and `ability` the action that must not be granted at all; both are empty where a whole service
    is granted."""

    problem: Problem
    action: str
    guard: str = ""
    ability: str = ""

    def concerns(self, action: str) -> bool:
        """Tell whether this is the reason why one action is granted too widely."""
        if self.guard or self.ability:
            return action in (self.guard, self.ability)
        return covers(self.action, action)


def dangers(document: Document, facts: ClusterFacts, place: Place) -> Iterator[Danger]:
    """Yield every statement of a document that grants too much, each with what would be right."""
    return dangers_of(of_document(document), facts, place)


def dangers_of(grants: Sequence[Grant], facts: ClusterFacts, place: Place) -> Iterator[Danger]:
    """Yield every statement that grants too much, each with what would be right. What another statement of the same document
    denies is not granted."""
    denies = tuple(grant for grant in grants if grant.effect is Effect.DENY)
    for grant in grants:
        if grant.effect is Effect.ALLOW:
            at = place.at(f"{place.path}[{grant.index}] {grant.sid}".strip())
            services = _whole_services(grant, denies)
            for pattern in services:
                problem = Problem(at, f"{pattern!r} grants a whole service", "the actions that are needed, one by one")
                yield Danger(problem, pattern)
            yield from _abilities(grant, services, denies, facts, at)
            yield from (danger for guard in GUARDS for danger in _unguarded(guard, grant, services, denies, facts, at))


def _whole_services(grant: Grant, denies: Sequence[Grant]) -> tuple[str, ...]:
    """Return the actions of a statement that grant all of a service; a queue or key that is named may be granted whole."""
    if grant.all_but_actions:
        return ()
    is_named = bool(grant.resources) and not any(_is_wide(resource) for resource in grant.resources)
    services = [service for service in SERVICES if not (is_named and service in NAMED_SERVICES)]
    whole = [
        pattern
        for pattern in grant.actions
        if any(
            covers(pattern, f"{service}:{_ANY_ACTION}") and not is_denied(f"{service}:{_ANY_ACTION}", grant, denies)
            for service in services
        )
    ]
    return tuple(dict.fromkeys(whole))


def _is_wide(resource: str) -> bool:
    return not fixed_part(resource.rpartition(":")[2].rpartition("/")[2])


def _abilities(
    grant: Grant, services: Sequence[str], denies: Sequence[Grant], facts: ClusterFacts, at: Place
) -> Iterator[Danger]:
    for ability in ABILITIES:
        pattern = grant.action_for(ability.action)
        if pattern is None or pattern in services or is_denied(ability.action, grant, denies):
            continue
        if not is_limited(grant, ability.keys) and _reaches_any(grant, ability, facts):
            text = f"{pattern!r} grants {ability.action}"
            yield Danger(Problem(at, text, ability.right), pattern, ability=ability.action)


def _reaches_any(grant: Grant, ability: Ability, facts: ClusterFacts) -> bool:
    """Tell whether a statement reaches what nobody named; without resources to name, whether it reaches more than the caller's
    own user."""
    if not ability.anything:
        return not grant.resources or grant.all_but_resources or any(_OWN_USER not in r for r in grant.resources)
    service, tails = ability.anything
    arns = (
        [facts.arn(service, tail, region="") for tail in tails] if service == "iam" else [facts.arn(service, t) for t in tails]
    )
    return any(_reaches(grant, arn) for arn in arns)


def _reaches(grant: Grant, arn: str) -> bool:
    is_matched = any(reaches(resource, arn) or covers(resource, arn) for resource in grant.resources)
    return not is_matched if grant.all_but_resources else is_matched or not grant.resources


def _unguarded(
    guard: Guard, grant: Grant, services: Sequence[str], denies: Sequence[Grant], facts: ClusterFacts, at: Place
) -> Iterator[Danger]:
    granting = grant.action_for(guard.action)
    if granting is None or granting in services or is_denied(guard.action, grant, denies):  # the second is reported already
        return
    if guard.action == PASSING:
        named = (resource for resource in grant.resources if "*" in resource or "?" in resource or "${" in resource)
        problems = (Problem(at, f"iam:PassRole on {resource!r}", "the ARN of each role, enumerated") for resource in named)
        yield from (Danger(problem, granting, guard.action) for problem in problems)
    if any(_guards(test, guard) for test in grant.tests) and not _writes_ownership(guard, grant):
        return
    if _is_harmless(grant, guard):
        return
    if not guard.kinds or any(_reaches_kind(grant, kind, facts) for kind in guard.kinds):
        keys = " or ".join(key + "*" if key.endswith("/") else key for key in guard.keys)
        problem = Problem(at, f"{granting!r} without a condition on what it applies to", f"a condition on {keys}")
        yield Danger(problem, granting, guard.action)


def _guards(test: Test, guard: Guard) -> bool:
    """Tell whether a test makes an action safe. A role is passed safely to EC2 alone."""
    is_guard = names(test, guard.keys) and limits(test)
    return is_guard and (guard.action != PASSING or all(fixed_part(value).startswith(_EC2) for value in test.values))


def _writes_ownership(guard: Guard, grant: Grant) -> bool:
    """Tell whether a statement writes tags of ownership to whatever it likes, by naming just these tags."""
    if not any(names(test, (TAG_KEYS,)) for test in grant.tests) or TAG_KEYS not in guard.keys:
        return False
    others = tuple(key for key in guard.keys if key != TAG_KEYS)
    named = [value for test in grant.tests if names(test, (TAG_KEYS,)) and limits(test) for value in test.values]
    owns = any(could_reach(value, pattern) for value in named for pattern in OWNERSHIP)
    return owns and not is_limited(grant, (*others, "aws:ResourceTag/", "aws:RequestTag/"))


def _is_harmless(grant: Grant, guard: Guard) -> bool:
    tails = [resource.split(":", 5)[-1] for resource in grant.resources]
    return bool(tails and guard.harmless) and not grant.all_but_resources and all(t.startswith(guard.harmless) for t in tails)


def _reaches_kind(grant: Grant, kind: str, facts: ClusterFacts) -> bool:
    if grant.all_but_resources or not grant.resources:
        return True
    of_kind = facts.arn("ec2", f"{kind}/*").replace(f":{facts.account}:", ":*:")
    return any(resource == "*" or could_reach(resource, of_kind) for resource in grant.resources)
