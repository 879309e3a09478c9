"""Gates as configured: levels, settings, environments, exemptions; what is mistaken is kept with its place."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from cutlist.core.errors import InputError
from cutlist.core.shapes import Below, Paths
from cutlist.core.shapes.scalars import Number
from cutlist.policy.gates import AnyRule, Gates, Level, read_gates
from cutlist.policy.gates.bounds import BOUNDS
from cutlist.policy.registry import ALL
from cutlist.policy.rules import Profile, Severity
from cutlist.policy.rules.parameters import AMOUNTS, DURATION
from cutlist.verbs.gate.answer import gates_of_file

UNTIL = {"rule": "NC-01", "object": "EC2NodeClass/gpu", "owner": "ml", "reason": "hop limit 2", "until": "2026-12-31"}


def gates(data: Any = None, environments: Any = None) -> Gates:
    return read_gates(data, ALL, Below(Paths(), "gates"), environments, Below(Paths(), "all"))


def mistakes(data: Any, environments: Any = None) -> dict[str, str]:
    """What is wrong, by path."""
    return {p.place.path: f"{p.message}; {p.allowed}; {p.nearest}" for p in gates(data, environments).mistakes}


def test_without_a_word_the_gates_are_those_of_production():
    made = gates()
    assert made.environment == "production"
    assert made.mistakes == ()
    assert made.profile is Profile.START
    stopping = {r.id for r in ALL if made.levels[r.id] is Level.MANDATORY}
    assert stopping == {r.id for r in ALL if r.severity is Severity.MANDATORY and r.profile is Profile.START}


def test_a_stricter_profile_stops_at_more_and_at_all_that_a_looser_one_does():
    stopping = [{r for r in made.levels if made.levels[r].stops} for made in (gates({"profile": str(p)}) for p in Profile)]
    assert stopping[0] < stopping[1] < stopping[2] == {r.id for r in ALL if r.severity is Severity.MANDATORY}


def test_the_nearest_profile_counts_and_one_that_is_asked_for_before_it():
    """That of the environment, then that of the gates, then that of the command."""
    defined = {"staging": {"profile": "recommended"}}
    assert gates({"environment": "staging"}, defined).profile is Profile.RECOMMENDED
    own = {"environment": "staging", "profile": "strict"}
    assert gates(own, defined).profile is Profile.STRICT
    assert read_gates(own, ALL, environments=defined, profile=Profile.START).profile is Profile.START
    assert mistakes({"profile": "strictest"}) == {"gates.profile": "'strictest' is unknown; start, recommended, strict; strict"}


def test_a_violation_that_is_less_grave_than_others_stops_later_unless_its_rule_has_a_level():
    [limits] = [rule for rule in ALL if rule.id == "NP-01"]
    assert gates().level_of(limits) is Level.MANDATORY
    assert gates().level_of(limits, Profile.STRICT) is Level.ADVISORY
    assert gates({"profile": "strict"}).level_of(limits, Profile.STRICT) is Level.MANDATORY
    assert gates({"profile": "strict"}).level_of(limits, Severity.ADVISORY) is Level.ADVISORY
    assert gates({"rules": {"NP-01": "mandatory"}}).level_of(limits, Profile.STRICT) is Level.MANDATORY
    assert gates({"rules": {"NP-01": "off"}}).level_of(limits, Profile.STRICT) is Level.OFF


def test_development_advises_where_production_stops():
    made = gates({"environment": "development", "profile": "strict"})
    assert made.levels["NP-03"] is Level.ADVISORY
    assert made.levels["IF-01"] is made.levels["OB-01"] is Level.MANDATORY


def test_a_rule_has_a_level_and_settings():
    made = gates({"rules": {"NP-01": "advisory", "NP-03": {"level": "off", "longest": "720h"}, "NP-02": {"perMonth": 100}}})
    assert (made.levels["NP-01"], made.levels["NP-03"], made.levels["NP-02"]) == ("advisory", "off", "mandatory")
    assert made.settings["NP-03"] == {"shortest": "24h", "longest": "720h", "longestAutoMode": "504h"}
    assert made.settings["NP-02"] == {"perMonth": 100}
    assert made.off == ("NP-03",)


def test_off_is_what_an_older_yaml_reads_as_false():
    assert gates({"rules": {"NP-01": False}}).levels["NP-01"] is Level.OFF


def test_environments_extend_each_other_down_to_a_built_in_one():
    defined = {
        "base": {"extends": "development", "rules": {"NP-02": {"perMonth": 500}, "NP-01": "off"}},
        "staging": {"extends": "base", "refuseUnknown": True, "rules": {"NP-01": "mandatory"}},
    }
    made = gates({"environment": "staging", "rules": {"NP-02": {"level": "mandatory"}}}, defined)
    assert made.mistakes == ()
    assert made.refuses_unknown
    assert (made.levels["NP-01"], made.levels["NP-02"], made.levels["NP-03"]) == ("mandatory", "mandatory", "advisory")
    assert made.settings["NP-02"] == {"perMonth": 500}


def test_a_project_may_change_what_production_means():
    made = gates({}, {"production": {"rules": {"NP-15": "mandatory"}}})
    assert made.mistakes == ()
    assert made.levels["NP-15"] is Level.MANDATORY
    assert made.levels["NP-01"] is Level.MANDATORY


@pytest.mark.parametrize(
    ("data", "path", "reported"),
    [
        ({"rules": {"NP-001": "off"}}, "gates.rules.NP-001", "'NP-001' is not a rule; an id of docs/rules.md; NP-01"),
        ({"rules": {"GT-01": "off"}}, "gates.rules.GT-01", "'GT-01' is not a rule"),
        ({"rules": {"NP-01": "mandatry"}}, "gates.rules.NP-01", "mandatory"),
        ({"rules": {"NP-01": True}}, "gates.rules.NP-01", "true is unknown; mandatory, advisory, off"),
        ({"rules": {"NP-01": None}}, "gates.rules.NP-01", "null is unknown; mandatory, advisory, off"),
        ({"rules": {"NP-01": "remediate"}}, "gates.rules.NP-01", "'remediate' is unknown; mandatory, advisory, off"),
        ({"rules": {"NP-03": {"longst": "1h"}}}, "gates.rules.NP-03.longst", "longest"),
        ({"rules": {"NP-03": {"longest": "Never"}}}, "gates.rules.NP-03.longest", "a duration"),
        ({"rules": {"NP-03": {"longest": 7}}}, "gates.rules.NP-03.longest", "a duration"),
        ({"rules": {"NP-02": {"perMonth": "1e9"}}}, "gates.rules.NP-02.perMonth", "a number"),
        ({"rules": {"NP-02": {"perMonth": -1}}}, "gates.rules.NP-02.perMonth", "-1 is out of range; 0 or more"),
        ({"rules": {"NP-02": {"perMonth": float("inf")}}}, "gates.rules.NP-02.perMonth", "a number"),
        ({"rules": {"NP-02": {"perMonth": None}}}, "gates.rules.NP-02.perMonth", "a number"),
        (
            {"rules": {"NP-01": {"ceiling": {"cpu": "lots"}}}},
            "gates.rules.NP-01.ceiling.cpu",
            "is not a quantity; amounts",
        ),
        ({"rules": ["NP-01"]}, "gates.rules", "a mapping"),
        ({"enviroment": "prod"}, "gates.enviroment", "environment"),
        ({"environment": "prodction"}, "gates.environment", "production"),
        ({"refuseUnknown": "yes"}, "gates.refuseUnknown", "true or false"),
        ({"baseline": 3}, "gates.baseline", "3 is not the path of a file; a file with a plan as JSON"),
        ({"exemptions": {}}, "gates.exemptions", "a list"),
        ({"exemptions": [7]}, "gates.exemptions[0]", "a mapping"),
        ({"exemptions": [{**UNTIL, "rule": "NC-2"}]}, "gates.exemptions[0].rule", "NC-02"),
        ({"exemptions": [{**UNTIL, "rule": "GT-02"}]}, "gates.exemptions[0].rule", "'GT-02' is unknown"),
        ({"exemptions": [{**UNTIL, "until": "soon"}]}, "gates.exemptions[0].until", "a date"),
        ({"exemptions": [{**UNTIL, "until": "2026-02-30"}]}, "gates.exemptions[0].until", "a date"),
        ({"exemptions": [{k: v for k, v in UNTIL.items() if k != "until"}]}, "gates.exemptions[0].until", "until is missing"),
        ({"exemptions": [{**UNTIL, "owner": " "}]}, "gates.exemptions[0].owner", "a text"),
        ({"exemptions": [{**UNTIL, "untl": "x"}]}, "gates.exemptions[0].untl", "until"),
        ({"exemptions": [None]}, "gates.exemptions[0]", "a mapping"),
        ("production", "gates", "a mapping with baseline, environment, exemptions, profile, refuseUnknown, rules"),
        (["x"], "gates", "a mapping"),
    ],
)
def test_what_is_mistaken_names_its_path_and_what_is_right(data: Any, path: str, reported: str):
    problems = mistakes(data)
    assert list(problems) == [path]
    assert reported in problems[path]


def test_a_mistaken_level_leaves_the_rule_as_strict_as_it_was():
    assert gates({"rules": {"NP-01": "offf"}}).levels["NP-01"] is Level.MANDATORY
    assert gates({"exemptions": [{**UNTIL, "until": "never"}]}).exemptions == ()


def test_rules_that_an_environment_lowers_are_those_without_a_reason():
    """A stack may raise them again, or say why."""
    lower = {"rules": {"NP-01": "off", "NC-01": {"level": "advisory", "reason": "an old driver of the GPUs"}}}
    defined = {"trial": {"extends": "production", **lower}}
    trial = gates({"environment": "trial"}, defined)
    assert [rule for rule, _ in trial.lowered] == ["NP-01"]
    assert trial.base == "production"
    assert gates({"environment": "trial", "rules": {"NP-01": "mandatory"}}, defined).lowered == ()
    said = {"rules": {"NP-01": {"level": "off", "reason": "nothing runs there yet"}}}
    assert gates({"environment": "trial", **said}, defined).lowered == ()
    assert gates({"environment": "development"}).lowered == ()


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_every_amount_has_a_bound_that_its_default_keeps(rule: AnyRule):
    for parameter in rule.parameters:
        bound = BOUNDS.get((rule.id, parameter.name))
        if isinstance(parameter.shape, Number) or parameter.shape in (DURATION, AMOUNTS):
            assert bound is not None
        assert bound is None or parameter.default is None or bound.holds(parameter.default)


def test_bounds_are_of_settings_that_there_are():
    assert BOUNDS.keys() <= {(rule.id, parameter.name) for rule in ALL for parameter in rule.parameters}


def test_mistakes_in_an_environment_are_reported_even_where_another_one_is_used():
    problems = mistakes({}, {"a": {"extends": "prodction", "rules": {"NP-01": "offf"}}, "b": []})
    assert list(problems) == ["all.a.extends", "all.a.rules.NP-01", "all.b"]


def test_of_very_many_unknown_members_the_first_hundred_are_named():
    problems = gates({f"x{number}": 1 for number in range(5000)}).mistakes
    assert (len(problems), problems[-1].message) == (101, "4,900 more unknown members")


def test_environments_that_extend_each_other_in_a_ring_are_reported():
    problems = mistakes({"environment": "a"}, {"a": {"extends": "b"}, "b": {"extends": "a"}})
    assert "a > b > a" in problems["all.b.extends"]
    assert "development" in mistakes({"environment": "a"}, {"a": {"extends": "developmnt"}})["all.a.extends"]


# I-77
def test_an_exemption_lasts_to_the_end_of_its_day():
    (one,) = gates({"exemptions": [UNTIL]}).exemptions
    assert not one.has_ended(date(2026, 12, 31))
    assert one.has_ended(date(2027, 1, 1))
    assert one.covers("NC-01", "EC2NodeClass/gpu")
    assert not one.covers("NC-01", "EC2NodeClass/default")
    assert gates({"exemptions": [{**UNTIL, "until": "2026-12-31T00:00:00Z"}]}).exemptions[0].until == one.until


def test_a_file_of_gates_gives_lines(tmp_path: Path):
    path = tmp_path / "gates.yaml"
    path.write_text("environment: development\nrules:\n  NP-03: {longest: 24h}\n  NP-99: off\n")
    made = gates_of_file(str(path), ALL)
    assert made.settings["NP-03"]["longest"] == "24h"
    assert [(p.place.source, p.place.line, p.place.path) for p in made.mistakes] == [(str(path), 4, "rules.NP-99")]


@pytest.mark.parametrize("text", ["", "- a\n", "rules: [\n", "a: 1\na: 2\n", "rules: {}\n---\nrules: {NP-01: off}\n"])
def test_a_file_that_holds_no_gates_is_refused_by_name(tmp_path: Path, text: str):
    """Whoever names it meant gates, so the default ones are not what applies."""
    path = tmp_path / "gates.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        gates_of_file(str(path), ALL)
    assert {problem.place.source for problem in caught.value.problems} == {str(path)}


def test_anchors_and_merge_keys_count_as_what_they_stand_for(tmp_path: Path):
    path = tmp_path / "gates.yaml"
    path.write_text("environment: &e development\nrules:\n  NP-01: &r {level: advisory}\n  NP-03: {<<: *r, longest: 24h}\n")
    made = gates_of_file(str(path), ALL)
    assert made.mistakes == ()
    assert made.levels["NP-03"] is Level.ADVISORY
    assert yaml.safe_load(path.read_text())["environment"] == made.environment
