"""How a rule counts, by profile and environment."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from cutlist.policy.rules import ObjectRule, Profile, Severity, StackRule

AnyRule = ObjectRule | StackRule


class Level(StrEnum):
    """What a violation leads to."""

    MANDATORY = "mandatory"
    """It stops the change."""
    ADVISORY = "advisory"
    """It is reported."""
    REMEDIATE = "remediate"
    """An engine repairs it, where the rule has a remedy; without an engine it stops the change."""
    OFF = "off"
    """The rule is not applied, which reports mention."""

    @property
    def stops(self) -> bool:
        """Tell whether a violation stops the change."""
        return self in (Level.MANDATORY, Level.REMEDIATE)


PRODUCTION: Final = "production"
DEVELOPMENT: Final = "development"
# These are dangerous beyond their environment, or make every other rule blind.
_EVERYWHERE: Final = frozenset({"OB-01", "OB-02", "PL-00", "NC-01", "NC-04", "IF-01", "IF-02", "IF-03", "NP-01"})


BUILT_IN: Final = (PRODUCTION, DEVELOPMENT)
"""The environments that need no definition."""


def has_remedy(rule: AnyRule) -> bool:
    """Tell whether a rule can repair what breaks it."""
    return isinstance(rule, ObjectRule) and rule.remedy is not None


def built_in_level(rule: AnyRule, profile: Profile, environment: str = PRODUCTION) -> Level:
    """Return the level that a profile gives a rule, in one of the environments that need no definition."""
    can_stop = rule.severity is Severity.MANDATORY and profile.includes(rule.profile)
    return Level.MANDATORY if can_stop and (environment == PRODUCTION or rule.id in _EVERYWHERE) else Level.ADVISORY
