"""Rules applied to an environment: the level of each, what is exempt until when, and the verdict."""

from __future__ import annotations

from cutlist.policy.gates.configuration import Gates, read_gates
from cutlist.policy.gates.judge import judge, judged_of, outcomes_of, without_secrets
from cutlist.policy.gates.levels import AnyRule, Level
from cutlist.policy.gates.own import OWN, own_outcomes
from cutlist.policy.gates.verdicts import Judgement, Report, Verdict, is_broken

__all__ = [
    "OWN",
    "AnyRule",
    "Gates",
    "Judgement",
    "Level",
    "Report",
    "Verdict",
    "is_broken",
    "judge",
    "judged_of",
    "outcomes_of",
    "own_outcomes",
    "read_gates",
    "without_secrets",
]
