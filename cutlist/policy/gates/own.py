"""What the gates report about themselves, so that nothing is skipped silently. These rules cannot be switched off or
exempted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from cutlist.core.errors import Place, Problem
from cutlist.planning.measures import spec_digest
from cutlist.policy.gates.configuration import Gates
from cutlist.policy.gates.exemptions import Exemption
from cutlist.policy.gates.levels import Level
from cutlist.policy.gates.verdicts import Outcome, Verdict
from cutlist.policy.rules.objects import typed_pool
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.rule import Resources
from cutlist.policy.rules.tokens import NODE_PLAN, NODE_POOL


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule about the gates."""

    id: str
    title: str
    protects: str
    level: Level = Level.MANDATORY


CONFIGURED: Final = OwnRule(
    "GT-01", "The gates' configuration is understood", "a misspelt rule or setting, which would otherwise count for nothing"
)
IN_TIME: Final = OwnRule(
    "GT-02",
    "No exemption has ended, or lasts for more than a year",
    "an exemption that lasts for years",
)
PLANNED: Final = OwnRule(
    "GT-03",
    "The plan could be computed, of every NodePool as it is registered",
    "rules about money and size that look at nothing",
)
READ: Final = OwnRule("GT-04", "Everything that was given could be read", "an object that no rule sees")
USED: Final = OwnRule(
    "GT-05", "Every exemption exempts something", "an exemption that waits for the next mistake", Level.ADVISORY
)
COUNTED: Final = OwnRule(
    "GT-06", "Everything that was given counts", "a file that is applied by hand and that no rule sees", Level.ADVISORY
)
KNOWN: Final = OwnRule(
    "GT-07",
    "Every value that a NodePool names is known",
    "a misspelt value, which Karpenter accepts and ignores",
    Level.ADVISORY,
)
OWN: Final = (CONFIGURED, IN_TIME, PLANNED, READ, USED, COUNTED, KNOWN)


def own_outcomes(gates: Gates, today: date) -> Iterator[Outcome]:
    """Yield the mistakes in the configuration itself."""
    for problem in gates.mistakes:
        yield _of_problem(CONFIGURED, "gates", problem)
    for exemption in gates.exemptions:
        if exemption.has_ended(today):
            text = f"the exemption of {exemption.object} from {exemption.rule} ended on {exemption.until.isoformat()}"
            advice = f"repair {exemption.object}, or ask {exemption.owner} for a later date"
            yield _outcome(IN_TIME, "gates", exemption.place, text, f"an end on {today.isoformat()} or later", advice)
        elif exemption.is_too_long(today):
            text = f"the exemption of {exemption.object} from {exemption.rule} lasts until {exemption.until.isoformat()}"
            yield _outcome(IN_TIME, "gates", exemption.place, text, "an end within a year", "agree on an earlier date")


def unused(exemptions: Iterable[Exemption], used: Collection[Exemption], today: date) -> Iterator[Outcome]:
    """Yield the exemptions that are still valid but that nothing needed."""
    for exemption in exemptions:
        if exemption not in used and not exemption.has_ended(today):
            text = f"{exemption.object} does not break {exemption.rule}"
            yield _outcome(USED, "gates", exemption.place, text, "an exemption that is needed", "take it out")


def without_plan(resources: Resources, reasons: Iterable[Problem] = ()) -> Iterator[Outcome]:
    """Yield the NodePools without a plan, and plans that leave some NodePools out."""
    pools, plans = resources.of_type(NODE_POOL), resources.of_type(NODE_PLAN)
    if pools and not plans:
        why = "; ".join(str(reason) for reason in reasons) or "no NodePlan is among the resources"
        advice = "repair what keeps it from being made, or make one with NodePlan"
        yield _outcome(PLANNED, pools[0].label, pools[0].place(""), f"no plan: {why}", "a plan", advice)
    known = [planned for planned in map(_planned, plans) if planned is not None]
    for pool in pools if known else ():
        digests = [digest for digest in (_digest(planned, pool) for planned in known) if digest is not None]
        if not digests:
            advice = "give it to NodePlan, among its sources or manifests"
            yield _outcome(PLANNED, pool.label, pool.place(""), "no plan has this NodePool", "a plan of all NodePools", advice)
        elif all(digests) and (own := _own_digest(pool)) and own not in digests:
            advice = "give NodePlan the very object that is registered"
            text = "the plan has another spec of this NodePool"
            yield _outcome(PLANNED, pool.label, pool.place("spec"), text, "the spec that was planned", advice)


def _planned(plan: Resource) -> Mapping[str, Part] | None:
    """Return the NodePools of a plan; None where its figures are missing, which PL-00 reports, or known only to an update."""
    try:
        pools = plan.at("measures", "pools")
        return pools.members() if pools.is_there else None
    except NotKnownError:
        return None


def _digest(planned: Mapping[str, Part], pool: Resource) -> str | None:
    """Return the digest of the spec that a plan has of a NodePool, empty where it has none; None if it is not planned.

    One whose name only an update knows may be any.
    """
    try:
        part = planned.get(pool.at("metadata", "name").text or pool.name)
        return None if part is None else part.at("spec").text
    except NotKnownError:
        return ""


def _own_digest(pool: Resource) -> str:
    """Return the digest of a NodePool's spec; empty where it is refused, or known only to an update."""
    try:
        typed = typed_pool(pool)
    except NotKnownError:
        return ""
    return "" if typed is None else spec_digest(typed)


def unreadable(problems: Iterable[Problem]) -> Iterator[Outcome]:
    """Yield the parts of the input that could not be read, each mistake separately."""
    return (_of_problem(READ, problem.place.source or "input", problem) for problem in problems)


def uncounted(sentences: Iterable[str]) -> Iterator[Outcome]:
    """Yield the parts of the input that were left out."""
    for sentence in sentences:
        yield _outcome(COUNTED, "input", Place(), sentence, "files that all count", "name the file there, or move it elsewhere")


def unknown(sentences: Iterable[str]) -> Iterator[Outcome]:
    """Yield the values of NodePools that the catalogue does not know."""
    for sentence in sentences:
        advice = "correct it, or bring the catalogue up to date with cutlist catalog update"
        yield _outcome(KNOWN, "input", Place(), sentence, "values that a machine or zone has", advice)


def _of_problem(rule: OwnRule, about: str, problem: Problem) -> Outcome:
    advice = f"did you mean {problem.nearest}?" if problem.nearest else "see the message"
    return _outcome(rule, about, problem.place, problem.text, problem.allowed or "what can be read", advice)


def _outcome(rule: OwnRule, about: str, place: Place, violation: str, allowed: str, advice: str) -> Outcome:
    return Outcome(rule.id, rule.title, rule.level, Verdict.VIOLATED, about, place, place.path, violation, allowed, advice)
