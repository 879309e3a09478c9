"""Judge all resources by all rules, under the levels, settings and exemptions of an environment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from cutlist.core.errors import Problem
from cutlist.core.ledger import Inputs
from cutlist.core.secrecy import Secrets, masked_sentence, secret_texts
from cutlist.policy.gates.configuration import Gates
from cutlist.policy.gates.exemptions import Exemption
from cutlist.policy.gates.levels import AnyRule
from cutlist.policy.gates.own import (
    left_open,
    lowered_without_reason,
    own_outcomes,
    uncounted,
    unknown,
    unreadable,
    unused,
    without_bound,
)
from cutlist.policy.gates.planned import without_plan
from cutlist.policy.gates.verdicts import Judgement, Report, Verdict
from cutlist.policy.rules import ObjectRule, Resource, Resources
from cutlist.policy.rules.expansion.expansion import expanded
from cutlist.policy.rules.findings import CannotTell, Finding
from cutlist.policy.rules.objects.coverage import judged_types
from cutlist.policy.rules.objects.delivery import only_refers, takes_effect, unseen
from cutlist.policy.rules.objects.validity import holds_manifests, seen
from cutlist.policy.rules.rule import DAY

_LISTING = (unseen, judged_types)
"""Rules that say what cannot be seen or is not judged, which is not to judge it."""


def judge(
    resources: Iterable[Resource],
    gates: Gates,
    today: date,
    unread: Iterable[Problem] = (),
    left_out: Iterable[str] = (),
    unknown_values: Iterable[str] = (),
    inputs: Inputs | None = None,
    further: Iterable[Judgement] = (),
    snapshots: tuple[str, ...] = (),
) -> Report:
    """Return the gates' report on everything together.

    `unread` are mistakes that kept input from being read, or a plan from being made; `left_out` are sentences about input that
    was read but does not count; `unknown_values` are sentences about values of NodePools that the catalogue does not know.
    `inputs` is the account of the files: what is open in it is undetermined. `further` outcomes are those of the caller's own
    rules, and `snapshots` the inputs that are read as what a cluster holds.
    """
    registered = tuple(resources)
    together, mistakes = Resources.of(inner for resource in registered for inner in expanded(resource)), list(unread)
    outcomes = [*own_outcomes(gates, today), *without_plan(together, mistakes)]
    outcomes += [*lowered_without_reason(gates), *without_bound(gates, together.by_type)]
    for rule in gates.on:
        outcomes += outcomes_of(rule, together, gates, today)
    # A mistake that a rule reports at its place is not reported a second time as unreadable input.
    judged_places = {outcome.place for outcome in outcomes}
    outcomes += unreadable(problem for problem in mistakes if problem.place not in judged_places)
    exempt = [outcome for outcome in outcomes if outcome.verdict is Verdict.EXEMPT]
    needed = {e for outcome in exempt for e in gates.exemptions if e.covers(outcome.rule, outcome.about)}
    outcomes += uncounted(left_out)
    outcomes += unknown(unknown_values)
    outcomes += left_open(() if inputs is None else inputs.open)
    outcomes += unused(gates.exemptions, needed, today)
    outcomes += further
    ordered = sorted(without_secrets(outcomes, (*registered, *together.all)), key=lambda o: (o.rule, o.about, o.place, o.found))
    counts = (len(together.all), judged_of(together, gates, outcomes), len(gates.on))
    off, refuses = gates.off, gates.refuses_unknown
    return Report(gates.environment, gates.profile, tuple(ordered), *counts, off, refuses, inputs, snapshots)


def judged_of(resources: Resources, gates: Gates, outcomes: Iterable[Judgement] = ()) -> int:
    """Return how many resources some rule that is on judges. Reporting that a resource's content cannot be seen, or an
    undetermined outcome, does not count as judging it.
    """
    open_ones = {(outcome.rule, outcome.about) for outcome in outcomes if outcome.verdict is Verdict.UNKNOWN}
    judged = 0
    for token, of_type in resources.by_type.items():
        judging = [rule for rule in gates.on if rule.applies(token) and not _only_looks(rule, token)]
        for resource in of_type if judging else ():
            judged += any(rule.judges(resource) and (rule.id, resource.label) not in open_ones for rule in judging)
    return judged


def _only_looks(rule: AnyRule, token: str) -> bool:
    """Tell whether a rule only says what cannot be seen of resources of a type."""
    if rule is takes_effect:
        return only_refers(token)
    return rule in _LISTING or (rule is seen and not holds_manifests(token))


def outcomes_of(rule: AnyRule, resources: Resources, gates: Gates, today: date) -> Iterator[Judgement]:
    """Yield the outcomes of one rule, regardless of its level."""
    settings = {**gates.settings[rule.id], DAY: today}
    if isinstance(rule, ObjectRule):
        concerned = (resource for token, of_type in resources.by_type.items() if rule.applies(token) for resource in of_type)
        findings: Iterator[Finding] = (finding for resource in concerned for finding in rule.findings(resource, settings))
    else:
        findings = iter(rule.findings(resources, settings))
    return (_outcome(rule, finding, gates, today) for finding in findings)


def without_secrets(
    outcomes: Iterable[Judgement], resources: Iterable[Resource], marked: Iterable[str] = ()
) -> list[Judgement]:
    """Return outcomes without secrets in their texts: values of the resources that are marked as secret or have a secret's
    name, texts that are `marked` elsewhere, and whatever the texts themselves call a secret.

    The name of a resource is no secret, although a chart's value such as `auth.existingSecret` often repeats it.
    """
    listed = list(outcomes)
    if not listed:
        return listed
    once = {(id(resource.data), resource.secrets): resource for resource in resources}
    names = {resource.name for resource in once.values()}
    by_name = (text for resource in once.values() for text in secret_texts(resource.data) if text not in names)
    by_mark = (text for resource in once.values() for text in resource.secrets)
    secrets = Secrets.of((*by_mark, *by_name, *marked)).among(word for o in listed for word in _words(o))
    return [_without(secrets, outcome) for outcome in listed]


def _words(outcome: Judgement) -> tuple[str, ...]:
    words = (outcome.about, outcome.path, outcome.found, outcome.allowed, outcome.advice, outcome.note)
    return (*words, outcome.place.path)  # which has the Sid of a statement


def _without(secrets: Secrets, outcome: Judgement) -> Judgement:
    shown = tuple(masked_sentence(secrets.hidden(word)) for word in _words(outcome))
    if shown == _words(outcome):
        return outcome
    about, path, found, allowed, advice, note, at = shown
    place = replace(outcome.place, path=at)
    return replace(outcome, about=about, place=place, path=path, found=found, allowed=allowed, advice=advice, note=note)


def _outcome(rule: AnyRule, finding: Finding, gates: Gates, today: date) -> Judgement:
    if isinstance(finding, CannotTell):
        about, place, level = finding.about, finding.place, gates.levels[rule.id]
        return Judgement(
            rule.id, rule.title, level, Verdict.UNKNOWN, about, place, finding.path, finding.unknown, protects=rule.protects
        )
    exempt = next((e for e in gates.exemptions if e.covers(rule.id, finding.about) and not e.has_ended(today)), None)
    return Judgement(
        rule.id,
        rule.title,
        gates.level_of(rule, finding.grade),
        Verdict.VIOLATED if exempt is None else Verdict.EXEMPT,
        finding.about,
        finding.place,
        finding.path,
        finding.found,
        finding.allowed,
        finding.advice,
        "" if exempt is None else _note(exempt),
        rule.protects,
    )


def _note(exemption: Exemption) -> str:
    return f"until {exemption.until.isoformat()} by {exemption.owner}: {exemption.reason}"
