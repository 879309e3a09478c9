"""A rule: its name, what it protects from, the resources it examines, and the function that checks them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NotRequired, TypedDict, Unpack

from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import Parameter
from cutlist.policy.rules.parts import NotKnownError, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.tokens import without_version

_PATCH: Final = "Patch"
DAY: Final = "day"
"""The member of a rule's settings with the day for which it is judged, a `date`."""
Settings = Mapping[str, Any]
ObjectCheck = Callable[[Resource, Settings], Iterator[Finding]]
StackCheck = Callable[["Resources", Settings], Iterator[Finding]]
Remedy = Callable[[Resource, Settings], dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What all rules have. `hurt` names public issues of people who had the problem; `source` the facts behind the rule.

    For types in `names`, only objects with these names are judged. `profile` is the first that a mandatory rule stops in; rules
    of other packages stop in all of them, since whoever installs a rule wants it. Some violations of a `graded` rule are
    less grave than it.
    """

    id: str
    title: str
    severity: Severity
    profile: Profile = Profile.START
    graded: bool = False
    protects: str
    looks_at: tuple[str, ...]
    hurt: tuple[str, ...] = ()
    source: str = ""
    parameters: tuple[Parameter, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    def judges(self, resource: Resource) -> bool:
        """Tell whether the rule judges a resource, even if it then finds nothing."""
        return self.applies(resource.type) and self.names.get(resource.type, resource.name) == resource.name

    def applies(self, token: str) -> bool:
        """Tell whether the rule applies to resources of a type. A name in `looks_at` that ends in `*` is a prefix.

        Pulumi's type for a patch of an object counts as the object's type.
        """
        return _is_among(token, self.looks_at)

    @property
    def defaults(self) -> dict[str, Any]:
        """Return the default values of the parameters."""
        return {p.name: p.default for p in self.parameters}


@lru_cache(maxsize=8192)
def _is_among(token: str, patterns: tuple[str, ...]) -> bool:
    token = without_version(token)
    if token.endswith(_PATCH) and _is_among(token.removesuffix(_PATCH), patterns):
        return True
    return any(token == pattern or (pattern.endswith("*") and token.startswith(pattern[:-1])) for pattern in patterns)


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectRule(Rule):
    """A rule about one object at a time. `remedy` returns the object's data as it should be, where that is safe to do."""

    check: ObjectCheck = field(repr=False)
    remedy: Remedy | None = field(default=None, repr=False)

    def findings(self, resource: Resource, settings: Settings) -> list[Finding]:
        """Return the rule's findings on a resource; none when it passes, or when the rule does not apply to it."""
        if not self.applies(resource.type):
            return []
        return list(_certain_first(self.check(resource, settings)))


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRule(Rule):
    """A rule about how several objects work together."""

    check: StackCheck = field(repr=False)

    def findings(self, resources: Resources, settings: Settings) -> list[Finding]:
        """Return the rule's findings on all resources together; none when it passes."""
        return list(_certain_first(self.check(resources, settings)))


@dataclass(frozen=True, slots=True)
class Resources:
    """All resources that are judged together, in a stable order."""

    all: tuple[Resource, ...]
    by_type: Mapping[str, tuple[Resource, ...]] = field(repr=False)

    @staticmethod
    def of(resources: Iterable[Resource]) -> Resources:
        """Return resources in the order of their types and names."""
        ordered = tuple(sorted(resources, key=lambda s: (s.type, s.name, s.urn)))
        by_type: dict[str, list[Resource]] = {}
        for resource in ordered:
            by_type.setdefault(resource.type, []).append(resource)
        return Resources(ordered, {token: tuple(of_type) for token, of_type in by_type.items()})

    def of_type(self, *tokens: str) -> tuple[Resource, ...]:
        """Return the resources of some types."""
        return tuple(resource for token in tokens for resource in self.by_type.get(token, ()))


def _certain_first(findings: Iterator[Finding]) -> Iterator[Finding]:
    """Yield all findings up to the first unknown value, which is a finding itself."""
    try:
        yield from findings
    except NotKnownError as unknown:
        yield unknown.finding


class _Details(TypedDict):
    """The arguments of any rule, as in `Rule`, except those that make its name."""

    profile: NotRequired[Profile]
    graded: NotRequired[bool]
    protects: str
    looks_at: tuple[str, ...]
    hurt: NotRequired[tuple[str, ...]]
    source: NotRequired[str]
    parameters: NotRequired[tuple[Parameter, ...]]
    names: NotRequired[Mapping[str, str]]


def object_rule(
    id_: str, title: str, severity: Severity, *, remedy: Remedy | None = None, **details: Unpack[_Details]
) -> Callable[[ObjectCheck], ObjectRule]:
    """Turn the decorated function into a rule about single objects."""

    def made(check: ObjectCheck) -> ObjectRule:
        return ObjectRule(id=id_, title=title, severity=severity, check=check, remedy=remedy, **details)

    return made


def stack_rule(id_: str, title: str, severity: Severity, **details: Unpack[_Details]) -> Callable[[StackCheck], StackRule]:
    """Turn the decorated function into a rule about how objects work together."""

    def made(check: StackCheck) -> StackRule:
        return StackRule(id=id_, title=title, severity=severity, check=check, **details)

    return made
