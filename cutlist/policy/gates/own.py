"""The gates' findings about themselves, so that nothing is skipped silently. These rules cannot be switched off or
exempted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from cutlist.core.errors import Place, Problem
from cutlist.core.ledger import OpenInput
from cutlist.policy.gates.configuration import Gates
from cutlist.policy.gates.exemptions import Exemption
from cutlist.policy.gates.levels import PRODUCTION, Level
from cutlist.policy.gates.verdicts import Judgement, Verdict
from cutlist.policy.rules.findings import repair_of
from cutlist.policy.rules.profile import Profile
from cutlist.policy.rules.tokens import NODE_PLAN, NODE_POOL


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule about the gates."""

    id: str
    title: str
    protects: str
    level: Level = Level.MANDATORY


CONFIGURED: Final = OwnRule(
    "GT-01", "The configuration of gates is valid", "a misspelt rule or setting, which would otherwise have no effect"
)
IN_TIME: Final = OwnRule(
    "GT-02",
    "No exemption has ended, or lasts for more than a year",
    "an exemption that lasts for years",
)
PLANNED: Final = OwnRule(
    "GT-03",
    "There is a plan, and it covers every registered object",
    "rules about money and size that have nothing to check",
)
READ: Final = OwnRule("GT-04", "All input is readable", "an object that no rule sees")
USED: Final = OwnRule("GT-05", "Every exemption is needed", "an exemption that hides the next mistake", Level.ADVISORY)
COUNTED: Final = OwnRule(
    "GT-06",
    "No input is left out",
    "a file or a component that no rule sees",
    Level.ADVISORY,
)
KNOWN: Final = OwnRule(
    "GT-07",
    "Every value that a NodePool names exists",
    "a misspelt value, which Karpenter accepts and ignores",
    Level.ADVISORY,
)
BOUNDED: Final = OwnRule(
    "GT-08",
    "In production, something limits the cost",
    "gates that let any bill pass, because no limit is set",
    Level.ADVISORY,
)
EXPLAINED: Final = OwnRule(
    "GT-09",
    "A rule that is lowered has a reason",
    "a rule that was switched off for an afternoon and stays off",
    Level.ADVISORY,
)
SUBJECT: Final = OwnRule(
    "GT-10",
    "A change does not configure its judge",
    "a discount, a gate or a count of pods in the change itself, which lowers its own bill",
    Level.ADVISORY,
)
LIVE: Final = OwnRule(
    "GT-11",
    "Only a snapshot has what a cluster writes",
    "pods that a change calls finished, nodes that it calls running, which would cost nothing",
    Level.ADVISORY,
)
OWN: Final = (
    *(CONFIGURED, IN_TIME, PLANNED, READ, USED, COUNTED, KNOWN, BOUNDED, EXPLAINED),
    *(SUBJECT, LIVE),
)
_MONEY: Final = (("NP-02", "perMonth"), ("PL-07", "perMonth"), ("PL-01", "perHour"))
"""The settings that bound what is spent, each with its rule."""


def own_outcomes(gates: Gates, today: date) -> Iterator[Judgement]:
    """Yield the mistakes in the configuration itself."""
    for problem in gates.mistakes:
        yield _of_problem(CONFIGURED, "gates", problem)
    for exemption in gates.exemptions:
        if exemption.has_ended(today):
            text = f"the exemption of {exemption.object} from {exemption.rule} ended on {exemption.until.isoformat()}"
            advice = f"repair {exemption.object}, or ask {exemption.owner} for a later date"
            yield own_outcome(IN_TIME, "gates", exemption.place, text, f"an end on {today.isoformat()} or later", advice)
        elif exemption.is_too_long(today):
            text = f"the exemption of {exemption.object} from {exemption.rule} lasts until {exemption.until.isoformat()}"
            yield own_outcome(IN_TIME, "gates", exemption.place, text, "an end within a year", "agree on an earlier date")


def lowered_without_reason(gates: Gates) -> Iterator[Judgement]:
    """Yield the rules that would stop a change in the built-in environment but not here, without a reason."""
    for rule, place in gates.lowered:
        level = gates.levels[rule]
        advice = f"write {rule}: {{level: {level}, reason: ...}}"
        yield own_outcome(
            EXPLAINED, "gates", place, f"{rule} is {level}, and nothing says why", "a reason next to the level", advice
        )


def without_bound(gates: Gates, types: Collection[str]) -> Iterator[Judgement]:
    """Yield a finding if nothing limits what NodePools may cost, in an environment that is or extends production. Whoever
    begins with the profile `start` has no budget yet.

    `types` are those of all resources.
    """
    bounds = (
        gates.settings[rule].get(setting)
        for rule, setting in _MONEY
        if rule in gates.settings and gates.levels[rule] is not Level.OFF
    )
    spends = NODE_POOL in types or NODE_PLAN in types
    if gates.base == PRODUCTION and gates.profile is not Profile.START and spends and all(bound is None for bound in bounds):
        settings = ", ".join(f"{setting} of {rule}" for rule, setting in _MONEY)
        advice = "write NP-02: {perMonth: ...}, in USD"
        text = "nothing limits what NodePools may cost"
        yield own_outcome(BOUNDED, "gates", Place(), text, f"one of {settings}", advice)


def unused(exemptions: Iterable[Exemption], used: Collection[Exemption], today: date) -> Iterator[Judgement]:
    """Yield the exemptions that are still valid but were not needed."""
    for exemption in exemptions:
        if exemption not in used and not exemption.has_ended(today):
            text = f"{exemption.object} does not break {exemption.rule}"
            yield own_outcome(USED, "gates", exemption.place, text, "an exemption that is needed", "remove it")


def unreadable(problems: Iterable[Problem]) -> Iterator[Judgement]:
    """Yield the parts of the input that could not be read, each mistake separately."""
    return (_of_problem(READ, problem.place.source or "input", problem, "input that can be read") for problem in problems)


def uncounted(sentences: Iterable[str]) -> Iterator[Judgement]:
    """Yield the parts of the input that were left out."""
    for sentence in sentences:
        advice = "name the file where it belongs, or move it elsewhere; the policy pack judges what only an engine knows"
        yield own_outcome(COUNTED, "input", Place(), sentence, "input that Cutlist uses", advice)


def left_open(opened: Iterable[OpenInput]) -> Iterator[Judgement]:
    """Yield the inputs whose objects are not known, so that no rule can judge them: each is undetermined."""
    for each in opened:
        about, found = (
            each.what,
            f"what it holds: it is {each.why}" + (f"; this renders it: {each.command}" if each.command else ""),
        )
        outcome = own_outcome(READ, about, Place(), found, "", "")
        yield replace(outcome, verdict=Verdict.UNKNOWN)


def unknown(sentences: Iterable[str]) -> Iterator[Judgement]:
    """Yield the values of NodePools that the catalogue does not know."""
    for sentence in sentences:
        advice = "correct it, or update the catalogue with cutlist catalog update"
        yield own_outcome(KNOWN, "input", Place(), sentence, "values that an instance type or zone has", advice)


def _of_problem(rule: OwnRule, about: str, problem: Problem, otherwise: str = "") -> Judgement:
    """Return a mistake as a violation; `otherwise` is what is allowed where neither the message nor the mistake says it."""
    return own_outcome(rule, about, problem.place, problem.text, problem.allowed or otherwise, repair_of(problem))


def own_outcome(rule: OwnRule, about: str, place: Place, violation: str, allowed: str, advice: str) -> Judgement:
    """Return the violation of a rule about the gates."""
    return Judgement(
        rule.id,
        rule.title,
        rule.level,
        Verdict.VIOLATED,
        about,
        place,
        place.path,
        violation,
        allowed,
        advice,
        protects=rule.protects,
    )
