"""Permissions that no document around Karpenter may grant, including documents that users write (spec: aws-infrastructure 3.5,
IF-01, IF-02, IF-21)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problem
from cutlist.infrastructure.iam import abilities
from cutlist.infrastructure.iam.documents import Document, Effect
from cutlist.infrastructure.iam.evaluator import covers, reaches
from cutlist.infrastructure.iam.grants import Grant, Test, of_document
from cutlist.infrastructure.iam.limits import TAG_KEYS, could_reach, fixed_part, is_limited, left_by, limits, names

_ANY_ACTION: Final = "AnyActionAtAll"
_OWN_USER: Final = "user/${aws:username}"
_EC2: Final = "ec2."
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {"sts": ("iam",), "ssm": ("ssm", "ec2")}
"""The services whose resources an action is about, if that is not the action's own service."""
_VARIABLE: Final = re.compile(r"\$\{(?!aws:(?:username|userid|principal)|[*?$]\})[^}]*\}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Danger:
    """A statement that grants too much through an action, as it is written; `statement` is its number.

    `guard` is the action that lacks its condition, or that is granted too widely, and `ability` the action that must not be
    granted at all; both are empty if a whole service is granted.
    """

    problem: Problem
    statement: int
    action: str
    guard: str = ""
    ability: str = ""
    services: tuple[str, ...] = ()

    def concerns(self, action: str) -> bool:
        """Tell whether this is the reason why one action is granted too widely."""
        if self.guard or self.ability:
            return action in (self.guard, self.ability)
        return covers(self.action, action)

    @property
    def subjects(self) -> tuple[str, ...]:
        """Return the actions that are granted too widely; a pattern for each service that is granted whole."""
        return tuple(f"{service}:*" for service in self.services) or (self.ability or self.guard,)


def dangers(document: Document, place: Place) -> Iterator[Danger]:
    """Yield a danger for every statement of a document that grants too much, each with the right way to write it."""
    return dangers_of(of_document(document), place)


def dangers_of(grants: Sequence[Grant], place: Place, denials: Sequence[Grant] = ()) -> Iterator[Danger]:
    """Yield a danger for every statement that grants too much, each with the right way to write it. Requests that another
    statement denies are not granted, nor those that `denials` of other documents of the same principal deny. A pattern that
    grants a whole service is one danger."""
    whole: set[tuple[int, str]] = set()
    for danger in every_danger_of(grants, place, denials):
        if danger.services:
            whole.add((danger.statement, danger.action))
            yield danger
        elif (danger.statement, danger.action) not in whole:
            yield danger


def every_danger_of(grants: Sequence[Grant], place: Place, denials: Sequence[Grant] = ()) -> Iterator[Danger]:
    """Yield these dangers, and each action that is dangerous alone even if its whole service is granted."""
    denies = (*(grant for grant in grants if grant.effect is Effect.DENY), *denials)
    for grant in grants:
        if grant.effect is Effect.ALLOW:
            at = place.at(f"{place.path}[{grant.index}] {grant.sid}".strip())
            for pattern, services in _whole_services(grant, denies).items():
                problem = Problem(at, f"{pattern!r} grants a whole service", "the actions that are needed, one by one")
                yield Danger(problem, grant.index, pattern, services=services)
            yield from _abilities(grant, denies, at)
            yield from (danger for guard in abilities.GUARDS for danger in _unguarded(guard, grant, denies, at))


def _whole_services(grant: Grant, denies: Sequence[Grant]) -> dict[str, tuple[str, ...]]:
    """Return the actions of a statement that grant all of a service, each with its services. All actions on a named queue or
    key may be granted."""
    whole: dict[str, tuple[str, ...]] = {}
    for service in abilities.SERVICES:
        action = f"{service}:{_ANY_ACTION}"
        pattern = grant.action_for(action)
        if pattern is not None and any(_is_whole(part, service, action) for part in left_by(denies, grant, action)):
            written = f"{service}:*" if grant.all_but_actions else pattern
            whole[written] = (*whole.get(written, ()), service)
    return whole


def _is_whole(grant: Grant, service: str, action: str) -> bool:
    is_named = bool(grant.resources) and not any(_is_wide(resource) for resource in grant.resources)
    return not (is_named and service in abilities.NAMED_SERVICES) and _reaches_service(grant, action)


def _is_wide(resource: str) -> bool:
    return not fixed_part(resource.rpartition(":")[2].rpartition("/")[2])


def _abilities(grant: Grant, denies: Sequence[Grant], at: Place) -> Iterator[Danger]:
    for ability in abilities.ABILITIES:
        pattern = grant.action_for(ability.action)
        if pattern is None:
            continue
        parts = left_by(denies, grant, ability.action)
        if any(not is_limited(part, ability.keys) and _reaches_any(part, ability) for part in parts):
            text = f"{pattern!r} grants {ability.action}"
            yield Danger(Problem(at, text, ability.right), grant.index, pattern, ability=ability.action)


def _reaches_any(grant: Grant, ability: abilities.Ability) -> bool:
    """Tell whether a statement reaches resources that it does not name; without resources to name, whether it reaches more than
    the caller's own user."""
    if not ability.anything:
        is_own = bool(grant.resources) and not grant.all_but_resources and all(_OWN_USER in r for r in grant.resources)
        return not is_own and _reaches_service(grant, ability.action)
    service, tails = ability.anything
    return any(_reaches(grant, f"arn:*:{service}:*:*:{tail}") for tail in tails)


def _reaches_service(grant: Grant, action: str) -> bool:
    """Tell whether a statement reaches anything that an action may be about."""
    service = action.partition(":")[0]
    return any(_reaches(grant, f"arn:*:{kind}:*:*:*") for kind in _KINDS.get(service, (service,)))


def _reaches(grant: Grant, kind: str) -> bool:
    """Tell whether a statement reaches a resource of a kind, an ARN with wildcards for what may be anything."""
    if grant.all_but_resources:
        return not any(resource == "*" or reaches(_anywhere(resource), kind) for resource in grant.resources)
    return not grant.resources or any(could_reach(_filled(resource), kind) for resource in grant.resources)


def _anywhere(resource: str) -> str:
    """Return the ARN of a resource in every partition."""
    return re.sub(r"^arn:aws[a-z-]*:", "arn:*:", resource)


def _filled(resource: str) -> str:
    """Return a resource with a wildcard for each variable that the request fills; those of the principal are kept."""
    return _VARIABLE.sub("*", resource)


def _unguarded(guard: abilities.Guard, grant: Grant, denies: Sequence[Grant], at: Place) -> Iterator[Danger]:
    granting = grant.action_for(guard.action)
    if granting is None:
        return
    parts = [part for part in left_by(denies, grant, guard.action) if _reaches_service(part, guard.action)]
    if guard.action == abilities.PASSING:
        named = [resource for part in parts for resource in part.resources if re.search(r"[*?]|\$\{", resource)]
        problems = (Problem(at, f"iam:PassRole on {resource!r}", "the ARN of each role, enumerated") for resource in named)
        yield from (Danger(problem, grant.index, granting, guard.action) for problem in problems)
    if any(_lacks(guard, part) for part in parts):
        keys = " or ".join(key + "*" if key.endswith("/") else key for key in guard.keys)
        problem = Problem(at, f"{granting!r} without a condition on what it applies to", f"a condition on {keys}")
        yield Danger(problem, grant.index, granting, guard.action)


def _lacks(guard: abilities.Guard, grant: Grant) -> bool:
    """Tell whether a statement lacks the condition that makes an action safe."""
    if any(_guards(test, guard) for test in grant.tests) and not _writes_ownership(guard, grant):
        return False
    if _is_only_on(guard.harmless, grant) or (_is_only_on(guard.owned, grant) and is_limited(grant, abilities.OWNERSHIP_KEYS)):
        return False
    return not guard.kinds or any(_reaches(grant, f"arn:*:ec2:*:*:{kind}/*") for kind in guard.kinds)


def _guards(test: Test, guard: abilities.Guard) -> bool:
    """Tell whether a test makes an action safe. Passing a role is only safe to EC2."""
    is_guard = names(test, guard.keys) and limits(test)
    return is_guard and (guard.action != abilities.PASSING or all(fixed_part(value).startswith(_EC2) for value in test.values))


def _writes_ownership(guard: abilities.Guard, grant: Grant) -> bool:
    """Tell whether a statement writes tags of ownership to any resource, by naming just these tags."""
    of_keys = [test for test in grant.tests if names(test, (TAG_KEYS,)) and limits(test)]
    if not of_keys or TAG_KEYS not in guard.keys:
        return False
    others = tuple(key for key in guard.keys if key != TAG_KEYS)
    owns = all(any(could_reach(value, pattern) for value in test.values for pattern in abilities.OWNERSHIP) for test in of_keys)
    return owns and not is_limited(grant, (*others, "aws:ResourceTag/", "aws:RequestTag/"))


def _is_only_on(kinds: tuple[str, ...], grant: Grant) -> bool:
    """Tell whether a statement is only about resources of some kinds, each given as the beginning of a name."""
    tails = [resource.split(":", 5)[-1] for resource in grant.resources]
    return bool(tails) and not grant.all_but_resources and all(tail.startswith(kinds) for tail in tails)
