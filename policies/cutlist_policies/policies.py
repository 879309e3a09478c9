"""Groups of rules as policies: the same verdicts as those of `cutlist gate`, by the same functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

from cutlist.policy.gates import (
    AnyRule,
    Gates,
    Judgement,
    Level,
    Verdict,
    is_broken,
    judged_of,
    outcomes_of,
    own,
    own_outcomes,
    without_secrets,
)
from cutlist.policy.gates.bounds import limits_nothing
from cutlist.policy.gates.planned import without_plan
from cutlist.policy.rules import ObjectRule, Remedy, Resource, Resources
from cutlist.policy.rules.tokens import NODE_PLAN
from cutlist_policies.groups import Group, Scope, concerns, groups
from cutlist_policies.marks import Marks
from cutlist_policies.reading import Read, Reader, StillUnknownError, assign

_LEVELS: Final = {
    Level.ADVISORY: EnforcementLevel.ADVISORY,
    Level.MANDATORY: EnforcementLevel.MANDATORY,
    Level.REMEDIATE: EnforcementLevel.REMEDIATE,
}
_TITLES: Final = {Scope.RESOURCE: "Cutlist's rules on each resource", Scope.STACK: "Cutlist's rules on the whole stack"}
_PLAN: Final = "plan"
_PLAN_TITLE: Final = "Cutlist's rules on the nodes of a stack without a NodePlan"
OWN: Final = "gates"
"""The name of the policy about the gates themselves."""
OWN_ADVICE: Final = "gates-advice"
"""The name of the policy about what the gates let pass."""
_ENDED: Final = "the program has registered nothing, not even its stack: it ended early, and an update would delete everything"
_ENGINES_OWN: Final = frozenset({"pulumi:pulumi:Stack"})
_Validate = Callable[[Any, ReportViolation], None]


def policies(gates: Gates, today: date, reader: Reader) -> list[Policy]:
    """Return a policy for each group of rules, at the level that the stack's gates set; and one about the gates."""
    listed = tuple(groups(gates))
    by_group = (_policy(group, gates, today, reader) for group in listed)
    of_plans = (_of_registered(group, gates, today, reader) for group in listed if group.scope is Scope.RESOURCE)
    return [*by_group, *filter(None, of_plans), _own(gates, today, reader), _own_advice(gates, reader)]


def _policy(group: Group, gates: Gates, today: date, reader: Reader) -> Policy:
    common: dict[str, Any] = {
        "name": group.name,
        "description": _TITLES[group.scope],
        "enforcement_level": _LEVELS[group.level],
        "config_schema": _schema(group),
        "display_name": _TITLES[group.scope],
        "severity": _severity(group.level),
        "tags": [rule.id for rule in group.rules],
    }
    if group.scope is Scope.STACK:
        return StackValidationPolicy(validate=_on_stack(group, gates, today, reader), **common)
    return ResourceValidationPolicy(
        validate=_on_resource(group, gates, today, reader), remediate=_remediate(group, gates, today, reader), **common
    )


def _schema(group: Group) -> PolicyConfigSchema | None:
    """Return the settings by rule, without their defaults: an engine would let these override the settings of the stack's
    gates."""
    properties = {rule.id: _settings(rule) for rule in group.rules if rule.parameters}
    return PolicyConfigSchema(properties) if properties else None


def _settings(rule: AnyRule) -> dict[str, Any]:
    properties = {p.name: {k: v for k, v in p.schema().items() if k != "default"} for p in rule.parameters}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _on_resource(group: Group, gates: Gates, today: date, reader: Reader) -> _Validate:
    def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
        reader.keep(args)
        if group.concerns(args.resource_type):
            _report_findings(
                group, [reader.read(args)], _configured(group, gates, args.get_config()), today, report, args, reader.marks
            )

    return validate


def _on_stack(group: Group, gates: Gates, today: date, reader: Reader) -> _Validate:
    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        read = [reader.read_in_stack(resource) for resource in args.resources if group.concerns(resource.resource_type)]
        planned = reader.registered(args) if group.concerns(NODE_PLAN) else []
        _report_findings(group, read, _configured(group, gates, args.get_config()), today, report, args, reader.marks, planned)

    return validate


def _of_registered(group: Group, gates: Gates, today: date, reader: Reader) -> Policy | None:
    """Return the policy with a group's rules about a plan, for a stack without a NodePlan: its plan is known only at the end;
    None for a group without such a rule, and for repairs."""
    rules = tuple(rule for rule in group.rules if rule.applies(NODE_PLAN))
    if not rules or group.level is Level.REMEDIATE:
        return None
    of_plan = Group(Scope.STACK, group.level, rules)

    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        planned = reader.registered(args)
        if planned:
            configured = _configured(of_plan, gates, args.get_config())
            _report_findings(of_plan, [], configured, today, report, args, reader.marks, planned)

    ids = [rule.id for rule in rules]
    return _about_whole_stack(of_plan.name.replace(Scope.STACK, _PLAN, 1), _PLAN_TITLE, group.level, validate, ids)


def _report_findings(
    group: Group,
    read: list[Read],
    gates: Gates,
    today: date,
    report: ReportViolation,
    args: ResourceValidationArgs | StackValidationArgs,
    marks: Marks,
    planned: Sequence[Resource] = (),
) -> None:
    """Report the rules' findings, and then end the policy if any of them is undetermined: by the unknown value, so that the
    engine reports it, else with the reasons."""
    resources = Resources.of([*(resource for shown in read for resource in shown.resources), *planned])
    urns = {resource.label: shown.urn for shown in read for resource in shown.resources}
    left_open: list[Judgement] = []
    unknown = []
    for rule in group.rules:
        outcomes = (each for each in outcomes_of(rule, resources, gates, today) if each.level is group.level)
        for outcome in _shown(outcomes, resources, marks):
            if is_broken(outcome, gates.refuses_unknown):
                report(_message(rule, outcome.sentence), urns.get(outcome.about))
            elif outcome.verdict is Verdict.UNKNOWN:
                left_open.append(outcome)
                unknown += [error for where in read if concerns(rule, where.type) for error in where.unknown]
    text = "; ".join(f"{outcome.rule} {outcome.sentence}" for outcome in left_open)
    if unknown:
        raise StillUnknownError(unknown[0], text)
    if left_open:
        args.not_applicable(text)


def _shown(outcomes: Iterable[Judgement], resources: Resources, marks: Marks) -> list[Judgement]:
    """Return outcomes without what is secret, of these resources or of others that an engine has shown."""
    listed = list(outcomes)
    marked = marks.secrets(resource.name for resource in resources.all) if listed else ()
    return without_secrets(listed, resources.all, marked)


def _message(rule: AnyRule | own.OwnRule, sentence: str) -> str:
    return f"{rule.id} {rule.title}. Protects from: {rule.protects}.\n{sentence}"


def _about_whole_stack(
    name: str, title: str, level: Level, validate: _Validate, rules: Iterable[str] = (), note: str = ""
) -> Policy:
    """Return a policy of the pack's own, beside those for groups of rules. `rules` are the ids that it reports."""
    return StackValidationPolicy(
        name=name,
        description=f"{title}{note}",
        validate=validate,
        enforcement_level=_LEVELS[level],
        display_name=title,
        severity=_severity(level),
        tags=list(rules),
    )


def _severity(level: Level) -> PolicySeverity:
    return PolicySeverity.HIGH if level.stops else PolicySeverity.LOW


def _own(gates: Gates, today: date, reader: Reader) -> Policy:
    """Return the policy about the gates themselves, as far as an engine shows them.

    It reads the files, but cannot tell which exemptions nothing needed. A program of any language registers its stack first:
    one without a stack has ended before that, which an engine takes for an empty program.
    """
    rules = {rule.id: rule for rule in (own.CONFIGURED, own.IN_TIME, own.PLANNED)}

    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        if not any(shown.resource_type in _ENGINES_OWN for shown in args.resources):
            report(_message(own.READ, _ENDED), None)
        resources = _in_stack(args, reader)
        for outcome in _shown((*own_outcomes(gates, today), *without_plan(resources)), resources, reader.marks):
            report(_message(rules[outcome.rule], outcome.sentence), None)

    off = f"; off: {', '.join(gates.off)}" if gates.off else ""
    return _about_whole_stack(OWN, "Cutlist's gates themselves", Level.MANDATORY, validate, rules, off)


def _own_advice(gates: Gates, reader: Reader) -> Policy:
    """Return the policy about what gates let pass: that nothing bounds what is spent, that a rule is lowered, and that no
    resource is judged, when passing means nothing."""
    rules = {rule.id: rule for rule in (own.BOUNDED, own.EXPLAINED)}

    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        resources = _in_stack(args, reader)
        outcomes = (*own.lowered_without_reason(gates), *own.without_bound(gates, resources.by_type))
        for outcome in _shown(outcomes, resources, reader.marks):
            report(_message(rules[outcome.rule], outcome.sentence), None)
        if not judged_of(resources, gates):
            count = sum(resource.type not in _ENGINES_OWN for resource in resources.all)
            report(f"Nothing is judged: {len(gates.on):,} rules concern none of the {count:,} resources of this stack.", None)

    return _about_whole_stack(OWN_ADVICE, "What Cutlist's gates let pass", Level.ADVISORY, validate, rules)


def _in_stack(args: StackValidationArgs, reader: Reader) -> Resources:
    """Return all resources of a stack, with those that they contain."""
    shown = (resource for shown in args.resources for resource in reader.read_in_stack(shown).resources)
    return Resources.of([*shown, *reader.registered(args)])


def _remediate(group: Group, gates: Gates, today: date, reader: Reader) -> Any:
    """Return the SDK's remediation, which returns the properties directly although its type demands a promise."""
    repairs = [(rule, rule.remedy) for rule in group.rules if isinstance(rule, ObjectRule) and rule.remedy is not None]
    if not repairs:
        return None

    def remediate(args: ResourceValidationArgs) -> Mapping[str, Any] | None:
        configured = _configured(group, gates, args.get_config())
        repairs_made = [
            _repair(rule, remedy, args, configured, today, reader)
            for rule, remedy in repairs
            if rule.applies(args.resource_type)
        ]
        return args.props if any(repairs_made) else None

    return remediate


def _repair(rule: ObjectRule, remedy: Remedy, args: ResourceValidationArgs, gates: Gates, today: date, reader: Reader) -> bool:
    """Repair in the properties what breaks a rule; return whether there was anything to repair."""
    resource = reader.read(args).resources[0]
    outcomes = outcomes_of(rule, Resources.of((resource,)), gates, today)
    if not any(outcome.verdict is Verdict.VIOLATED for outcome in outcomes):
        return False
    assign(args.props, resource.data, remedy(resource, gates.settings[rule.id]))  # type: ignore[arg-type]
    return True


def _configured(group: Group, gates: Gates, config: Mapping[str, Any]) -> Gates:
    """Return the gates with the settings by rule from `--policy-pack-config` on top."""
    if not config:
        return gates
    configured = {rule.id: {**gates.settings[rule.id], **dict(_accepted(rule, config.get(rule.id)))} for rule in group.rules}
    return replace(gates, settings={**gates.settings, **configured})


def _accepted(rule: AnyRule, settings: Any) -> Iterator[tuple[str, Any]]:
    known = {p.name: p for p in rule.parameters}
    pairs: Iterable[tuple[str, Any]] = settings.items() if isinstance(settings, Mapping) else ()
    return (
        (key, value)
        for key, value in pairs
        if key in known and known[key].accepts(value) and not limits_nothing(rule.id, key, value)
    )
