"""Profiles: how many of the rules may stop a change.

A team that turns the gates on begins with rules that are right for everybody, and adds the others as its platform grows. So
profiles are nested: a rule that stops in one stops in every stricter one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal


class Severity(StrEnum):
    """Whether a rule can stop a change: a broken mandatory rule does in its profile, an advisory one is reported."""

    MANDATORY = "mandatory"
    ADVISORY = "advisory"


class Profile(StrEnum):
    """From the fewest rules that stop a change to the most. In all profiles the other rules advise."""

    START = "start"
    """What nobody wants, whatever their cluster is for."""
    RECOMMENDED = "recommended"
    """What costs money, nodes or safety, and what a team should have a reason for."""
    STRICT = "strict"
    """All of it, questions of taste and of one's own standards included."""

    def includes(self, other: Profile) -> bool:
        """Tell whether a rule that stops in another profile stops in this one."""
        return _STRICTNESS[self] >= _STRICTNESS[other]


Grade = Profile | Literal[Severity.ADVISORY]
"""How grave a violation is: the first profile that it stops in, or that it only advises."""
_STRICTNESS: Final = {profile: number for number, profile in enumerate(Profile)}
