"""Rules in groups, each of which is one policy to an engine.

An SDK reads a resource again for every policy. Policies for single rules would spend nearly all of their time on that, so rules
with the same scope and level share a policy; their messages begin with the id of the rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.policy.gates import AnyRule, Gates, Level
from cutlist.policy.rules import Profile, Severity, StackRule
from cutlist.policy.rules.expansion.expansion import holds_objects
from cutlist.policy.rules.profile import Grade


class Scope(StrEnum):
    """What rules examine at one time."""

    RESOURCE = "resource"
    """Each resource separately, before it is made; the plan of nodes counts as one."""
    STACK = "stack"
    """All resources together, when a preview or an update ends."""


_GRADES: Final[tuple[Grade, ...]] = (*Profile, Severity.ADVISORY)
# The levels at which rules run, each with its part of a policy's name: names are unique, and a policy has one level.
_SUFFIXES: Final = {Level.MANDATORY: "", Level.ADVISORY: "-advice", Level.REMEDIATE: "-repairs"}


@dataclass(frozen=True, slots=True)
class Group:
    """The rules of one scope with violations of one level."""

    scope: Scope
    level: Level
    rules: tuple[AnyRule, ...]

    @property
    def name(self) -> str:
        """Return the name of the group's policy: `resource`, `resource-advice`, `resource-repairs`, `stack`."""
        return self.scope + _SUFFIXES[self.level]

    def concerns(self, type_: str) -> bool:
        """Tell whether a rule of the group applies to a resource, or to something that it may contain."""
        return any(concerns(rule, type_) for rule in self.rules)


def groups(gates: Gates) -> Iterator[Group]:
    """Yield the groups that have rules, without the rules that are off. A rule of which some violations only advise is in the
    group of advice as well."""
    for scope in Scope:
        for level in _SUFFIXES:
            rules = tuple(rule for rule in gates.rules if _scope(rule) is scope and level in _levels(rule, gates))
            if rules:
                yield Group(scope, level, rules)


def _levels(rule: AnyRule, gates: Gates) -> set[Level]:
    """Return the levels of a rule's violations."""
    return {gates.levels[rule.id], *(gates.level_of(rule, grade) for grade in _GRADES if rule.graded)}


def concerns(rule: AnyRule, type_: str) -> bool:
    """Tell whether a rule applies to a resource, or to something that it may contain."""
    return rule.applies(type_) or holds_objects(type_)


def _scope(rule: AnyRule) -> Scope:
    return Scope.STACK if isinstance(rule, StackRule) else Scope.RESOURCE
