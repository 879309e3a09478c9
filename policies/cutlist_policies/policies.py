"""Each rule as a policy: the same verdict as `cutlist gate` gives, by the same function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final

from pulumi_policy import (
    EnforcementLevel,
    Policy,
    PolicyConfigSchema,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    StackValidationArgs,
    StackValidationPolicy,
)
from pulumi_policy import Severity as PolicySeverity

from cutlist.gates import AnyRule, Gates, Level, Outcome, Verdict, outcomes_of, own_outcomes
from cutlist.gates.own import CONFIGURED, IN_TIME, PLANNED, OwnRule, without_plan
from cutlist.rules import ObjectRule, Severity, StackRule, Subjects
from cutlist_policies.reading import Read, assign

_LEVELS: Final = {
    Level.ADVISORY: EnforcementLevel.ADVISORY,
    Level.MANDATORY: EnforcementLevel.MANDATORY,
    Level.REMEDIATE: EnforcementLevel.REMEDIATE,
    Level.OFF: EnforcementLevel.DISABLED,
}
Given = dict[str, Mapping[str, Any]]
"""What resources were asked to be, by URN, as policies of single resources heard it: they run before those of the stack."""
_EXPANDED: Final = ("List", "ConfigGroup", "ConfigFile")


def policies(gates: Gates, today: date) -> list[Policy]:
    """A policy for each rule, at the level that the stack's gates give it; and those about the gates themselves."""
    own: list[tuple[OwnRule, Callable[[Subjects], Iterable[Outcome]]]] = [
        (CONFIGURED, lambda _: (one for one in own_outcomes(gates, today) if one.rule == CONFIGURED.id)),
        (IN_TIME, lambda _: (one for one in own_outcomes(gates, today) if one.rule == IN_TIME.id)),
        (PLANNED, without_plan),
    ]
    given: Given = {}
    rules = (_policy(rule, gates, today, given) for rule in gates.rules)
    return [*rules, *(_own(rule, outcomes, given) for rule, outcomes in own)]


def policy_name(rule_id: str) -> str:
    """The name of a rule's policy: `np-01` of NP-01."""
    return rule_id.lower()


def _policy(rule: AnyRule, gates: Gates, today: date, given: Given) -> Policy:
    common: dict[str, Any] = {
        "name": policy_name(rule.id),
        "description": f"{rule.title}. Protects from: {rule.protects}.",
        "enforcement_level": _LEVELS[gates.levels[rule.id]],
        "config_schema": _schema(rule),
        "display_name": f"{rule.id} {rule.title}",
        "severity": PolicySeverity.HIGH if rule.severity is Severity.MANDATORY else PolicySeverity.LOW,
    }
    if isinstance(rule, StackRule):
        return StackValidationPolicy(validate=_on_stack(rule, gates, today, given), **common)
    validate = _on_resource(rule, gates, today, given)
    return ResourceValidationPolicy(validate=validate, remediate=_remedy(rule, gates, today), **common)


def _schema(rule: AnyRule) -> PolicyConfigSchema | None:
    """The rule's settings without their defaults, which an engine would put over those of the stack's gates."""
    properties = {p.name: {k: v for k, v in p.schema().items() if k != "default"} for p in rule.parameters}
    return PolicyConfigSchema(properties) if properties else None


def _on_resource(
    rule: ObjectRule, gates: Gates, today: date, given: Given
) -> Callable[[ResourceValidationArgs, ReportViolation], None]:
    def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
        given[args.urn] = args.props
        if not _concerns(rule, args.resource_type):
            return
        read = Read(args)
        outcomes = list(outcomes_of(rule, Subjects.of(read.subjects), _configured(rule, gates, args.get_config()), today))
        for one in outcomes:
            if one.verdict is Verdict.VIOLATED:
                report(one.sentence, None)
        _end(outcomes, read.unknown, args)

    return validate


def _on_stack(
    rule: StackRule, gates: Gates, today: date, given: Given
) -> Callable[[StackValidationArgs, ReportViolation], None]:
    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        read = [Read(one, given.get(one.urn)) for one in args.resources if _concerns(rule, one.resource_type)]
        subjects = Subjects.of(subject for one in read for subject in one.subjects)
        urns = {subject.label: subject.urn for subject in subjects.all}
        outcomes = list(outcomes_of(rule, subjects, _configured(rule, gates, args.get_config()), today))
        for one in outcomes:
            if one.verdict is Verdict.VIOLATED:
                report(one.sentence, urns.get(one.about))
        _end(outcomes, [error for one in read for error in one.unknown], args)

    return validate


def _own(rule: OwnRule, outcomes: Callable[[Subjects], Iterable[Outcome]], given: Given) -> Policy:
    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        subjects = Subjects.of(subject for one in args.resources for subject in Read(one, given.get(one.urn)).subjects)
        for one in outcomes(subjects):
            report(one.sentence, None)

    return StackValidationPolicy(
        name=policy_name(rule.id),
        description=f"{rule.title}. Protects from: {rule.protects}.",
        validate=validate,
        enforcement_level=_LEVELS[rule.level],
        display_name=f"{rule.id} {rule.title}",
        severity=PolicySeverity.HIGH,
    )


def _remedy(rule: ObjectRule, gates: Gates, today: date) -> Any:
    """What the SDK calls a remediation: it gives the properties back, though its own type wants a promise of them."""
    if rule.remedy is None:
        return None
    remedy = rule.remedy

    def remediate(args: ResourceValidationArgs) -> Mapping[str, Any] | None:
        if not rule.applies(args.resource_type):
            return None
        subject, configured = Read(args).subjects[0], _configured(rule, gates, args.get_config())
        found = outcomes_of(rule, Subjects.of((subject,)), configured, today)
        if not any(one.verdict is Verdict.VIOLATED for one in found):
            return None
        assign(args.props, subject.data, remedy(subject, configured.settings[rule.id]))  # type: ignore[arg-type]
        return args.props

    return remediate


def _configured(rule: AnyRule, gates: Gates, config: Mapping[str, Any]) -> Gates:
    """The gates with what `--policy-pack-config` says of a rule on top."""
    if not config:
        return gates
    known = {p.name: p for p in rule.parameters}
    given = {key: value for key, value in config.items() if key in known and known[key].accepts(value)}
    return replace(gates, settings={**gates.settings, rule.id: {**gates.settings[rule.id], **given}})


def _end(outcomes: Iterable[Outcome], unknown: list[Any], args: ResourceValidationArgs | StackValidationArgs) -> None:
    """What cannot be told ends a policy: by the value that is unknown, so that the engine says so, else by its reason."""
    left_open = [one for one in outcomes if one.verdict is Verdict.UNKNOWN]
    for error in unknown if left_open else ():
        raise error
    if left_open:
        args.not_applicable(f"{left_open[0].about}: cannot tell {left_open[0].found}")


def _concerns(rule: AnyRule, type_: str) -> bool:
    """Whether a rule looks at a resource, or at what may lie inside it."""
    return rule.applies(type_) or type_.rpartition(":")[2].endswith(_EXPANDED)
