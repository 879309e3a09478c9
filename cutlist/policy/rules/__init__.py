"""Rules for NodePools, plans, documents and resources: pure functions, one module per theme.

A rule has an id, a severity, what it protects from, and three outcomes: it passes, it is broken (where, by what, what would be
right), or it is undetermined because something is unknown, which is named. `cutlist.policy.registry.ALL` lists them all.
"""

from __future__ import annotations

from cutlist.core.unknown import UNKNOWN
from cutlist.policy.rules.findings import CannotTell, Finding, Violation
from cutlist.policy.rules.parameters import Parameter
from cutlist.policy.rules.parts import NO_OPTIONS, NotKnownError, Options, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import ObjectRule, Remedy, Resources, Rule, StackRule, object_rule, stack_rule

__all__ = [
    "NO_OPTIONS",
    "UNKNOWN",
    "CannotTell",
    "Finding",
    "NotKnownError",
    "ObjectRule",
    "Options",
    "Parameter",
    "Part",
    "Profile",
    "Remedy",
    "Resource",
    "Resources",
    "Rule",
    "Severity",
    "StackRule",
    "Violation",
    "object_rule",
    "stack_rule",
]
