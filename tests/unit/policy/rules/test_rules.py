"""Every rule passes what keeps it, names what breaks it and where, and says what it cannot tell."""

from __future__ import annotations

import re
from datetime import date

import pytest

from cutlist.core.shapes.scalars import Number
from cutlist.policy.registry import ALL
from cutlist.policy.rules import CannotTell, Finding, ObjectRule, Resource, Resources, StackRule, Violation
from cutlist.policy.rules.parameters import AMOUNTS, DURATION, Parameter
from cutlist.policy.rules.rule import DAY
from tests.unit.policy.rules import subjects as s
from tests.unit.policy.rules.cases import CASES, Cases
from tests.unit.policy.rules.limits import LIMITS, Limit
from tests.unit.policy.rules.subjects import CLASS, put

BY_ID = {rule.id: rule for rule in ALL}
PATH = re.compile(r"([\w/.:-]+|\[\d+\])*")


def is_numeric(parameter: Parameter) -> bool:
    """Whether a setting is a number, a duration or amounts."""
    return isinstance(parameter.shape, Number) or parameter.shape in (DURATION, AMOUNTS)


def findings(rule: ObjectRule | StackRule, subjects: tuple[Resource, ...], settings: dict[str, object]) -> list[Finding]:
    """What a rule says of some subjects under its defaults and these settings."""
    full = {DAY: date(2026, 11, 23), **rule.defaults, **settings}
    if isinstance(rule, StackRule):
        return rule.findings(Resources.of(subjects), full)
    return [finding for subject in subjects for finding in rule.findings(subject, full)]


CASES_OF_RULES = [pytest.param(BY_ID[id_], cases, id=id_) for id_, cases in CASES.items()]


# I-76: each rule has a passing and a failing fixture, and one that leaves it open.
def test_every_rule_has_all_three_kinds_of_cases():
    assert set(CASES) == set(BY_ID)
    assert all(cases.keeps and cases.breaks and cases.leaves_open for cases in CASES.values())


# I-76
def test_each_measure_and_each_rule_of_the_facts_is_there():
    """H15, names that are unique, is kept by the names themselves."""
    listed = [f"{theme}-{n:02}" for theme, last in (("NP", 15), ("NC", 8), ("IF", 16)) for n in range(1, last + 1)]
    assert set(listed) <= set(BY_ID)
    measures = {int(n) for rule in ALL for n in re.findall(r"\bH(\d+)", rule.source)}
    assert measures == set(range(1, 19)) - {15}


@pytest.mark.parametrize(("rule", "cases"), CASES_OF_RULES)
def test_a_rule_passes_what_keeps_it(rule: ObjectRule | StackRule, cases: Cases):
    for number, subjects in enumerate(cases.keeps):
        assert findings(rule, subjects, dict(cases.settings)) == [], number


@pytest.mark.parametrize(("rule", "cases"), CASES_OF_RULES)
def test_a_rule_names_what_breaks_it_and_where(rule: ObjectRule | StackRule, cases: Cases):
    for number, broken in enumerate(cases.breaks):
        violations = findings(rule, broken.subjects, dict(broken.settings))
        assert [one.path for one in violations] == [broken.path, *broken.others], number
        for one in violations:
            assert isinstance(one, Violation), number
            assert one.about
            assert one.found
            assert one.allowed
            assert one.advice
            assert PATH.fullmatch(one.path)


@pytest.mark.parametrize(("rule", "cases"), CASES_OF_RULES)
def test_a_rule_says_what_it_cannot_tell(rule: ObjectRule | StackRule, cases: Cases):
    for number, subjects in enumerate(cases.leaves_open):
        outcomes = findings(rule, subjects, dict(cases.settings))
        assert outcomes, number
        assert all(isinstance(one, CannotTell) and one.unknown for one in outcomes), number


def test_every_setting_that_is_a_number_has_a_limit():
    """A setting of a new rule needs a case at its limit, and one step beyond; amounts need one for each resource."""
    settings = {(rule.id, p.name): p for rule in ALL for p in rule.parameters if is_numeric(p)}
    assert set(LIMITS) == set(settings)
    for key, parameter in settings.items():
        needed = len(parameter.default) if parameter.shape is AMOUNTS else 1
        assert len(LIMITS[key]) >= needed, key
        assert all(parameter.default in (None, limit.limit) for limit in LIMITS[key]), key


@pytest.mark.parametrize(
    ("id_", "name", "limit"),
    [
        pytest.param(id_, name, limit, id=f"{id_}-{name}-{number}")
        for (id_, name), limits in LIMITS.items()
        for number, limit in enumerate(limits)
    ],
)
def test_a_rule_holds_up_to_its_limit_and_not_one_step_beyond(id_: str, name: str, limit: Limit):
    """What is beyond is one violation, and none once that very setting is moved by the step."""
    rule = BY_ID[id_]
    assert findings(rule, limit.keeps, {**limit.others, name: limit.limit}) == []
    assert [type(one) for one in findings(rule, limit.breaks, {**limit.others, name: limit.limit})] == [Violation]
    assert findings(rule, limit.breaks, {**limit.others, name: limit.moved}) == []


#
@pytest.mark.parametrize(
    ("term", "said"),
    [
        ({"name": "mine-*"}, "images by name, from this account or Amazon"),
        ({"name": "mine-*", "tags": {"team": "red"}}, "images by name, from this account or Amazon"),
        ({"tags": {"team": "red"}}, "images by tags, from any owner"),
    ],
)
def test_images_without_an_owner_are_said_to_be_of_those_that_karpenter_asks_for(term: dict[str, object], said: str):
    (found,) = findings(BY_ID["NC-04"], (put(CLASS, "spec.amiSelectorTerms", [term]),), {})
    assert isinstance(found, Violation)
    assert found.found == said


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_a_rule_says_what_it_is_for_and_has_settings_of_their_kind(rule: ObjectRule | StackRule):
    assert re.fullmatch(r"[A-Z]{2}-\d\d", rule.id)
    assert rule.title[0].isupper()
    assert not rule.title.endswith(".")
    assert rule.protects
    assert all(p.default is None or p.accepts(p.default) for p in rule.parameters)
    assert all(re.fullmatch(r"[\w./-]+( PR)?#\d+", issue) for issue in rule.hurt)


ODD = [None, 7, float("inf"), "text", [], [None, 3, {}], {}, {"spec": []}, {"spec": {"template": "x"}}]
MEMBERS = (
    *("spec", "metadata", "status", "measures", "policy", "assumeRolePolicy", "vpcConfig", "values", "version", "rules"),
    *("roleRef", "subjects", "eventPattern", "scalingConfig", "subnetIds", "taints", "metadataOptions", "policyArn"),
    *("blockDeviceMappings", "agentPoolProfiles", "networkProfile", "maintenanceWindow", "yaml", "files"),
)


def odd(rule: ObjectRule | StackRule, data: dict[str, object]) -> tuple[Resource, ...]:
    """A subject of each type that a rule looks at, all with the same data."""
    tokens = (one.replace("*", "sh/v1:NodePool") for one in rule.looks_at)
    return tuple(Resource(token, "odd", data) for token in tokens)


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_a_rule_says_of_data_of_any_shape_what_it_says_of_others(rule: ObjectRule | StackRule):
    """Never a traceback: where, about what, and in words; nothing is unknown that is written down."""
    members = [dict.fromkeys(MEMBERS, value) for value in ODD]
    for data in ({}, *members, *({"spec": {"template": {"spec": values}}} for values in members)):
        for one in findings(rule, odd(rule, data), {}):
            assert one.about.rpartition("/")[2]
            assert PATH.fullmatch(one.path)
            assert (one.found and one.allowed and one.advice) if isinstance(one, Violation) else one.unknown
            assert isinstance(one, Violation) or "known only after" not in one.unknown


@pytest.mark.parametrize("value", ODD, ids=str)
def test_what_is_malformed_is_one_rules_finding(value: object):
    """So that the others may pass over what they cannot read."""
    malformed = put(s.POOL, "spec", value)
    assert any(isinstance(one, Violation) for one in findings(BY_ID["OB-01"], (malformed,), {}))
