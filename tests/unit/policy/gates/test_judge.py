"""Rules on subjects: what stops a change, what is exempt, and that nothing is skipped silently."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from cutlist.core.errors import Place, Problem
from cutlist.core.karpenter.baselines import baseline_of
from cutlist.policy.gates import Report, Verdict, judge, read_gates
from cutlist.policy.registry import ALL
from cutlist.policy.rules import Resource
from tests.unit.policy.rules import subjects as s
from tests.unit.policy.rules.subjects import drop, named, put, unknown

TODAY = date(2026, 6, 1)
ENDLESS = drop(s.POOL, "spec.limits")
BOUND = {"NP-02": {"perMonth": 10_000}}
WHY = "its limits come with the next release"


def report(*subjects: Resource, problems: tuple[Problem, ...] = (), **gates: Any) -> Report:
    return judge(subjects, read_gates(gates, ALL, Place("gates.yaml")), TODAY, problems)


def stopping(made: Report) -> list[tuple[str, str]]:
    return [(one.rule, one.about) for one in made.stopping]


def exemption(**members: str) -> dict[str, str]:
    whole = {"rule": "NP-01", "object": "NodePool/general", "owner": "shop", "reason": "moving", "until": "2026-06-01"}
    return {**whole, **members}


def test_a_mandatory_violation_stops_the_change():
    gate_report = report(ENDLESS, s.CLASS, s.PLAN)
    assert stopping(gate_report) == [("NP-01", "NodePool/general")]
    assert not gate_report.has_passed


def test_an_advisory_one_is_reported_and_stops_nothing():
    gate_report = report(ENDLESS, s.CLASS, s.PLAN, rules={"NP-01": {"level": "advisory", "reason": WHY}, **BOUND})
    assert gate_report.has_passed
    assert gate_report.counts["advisory"] == 1


def test_a_mistake_in_the_gates_says_what_is_allowed_once():
    """In the message, or beside it."""
    said = [one.sentence for one in report(s.POOL, refuseUnknown="yes", baseline=3).outcomes if one.rule == "GT-01"]
    assert said == [
        "gates: 3 is not the path of a file; allowed: a file with a plan as JSON; correct baseline",
        "gates: expected true or false, found 'yes'; correct refuseUnknown",
    ]


def test_a_rule_that_is_lowered_says_why_or_is_reported_with_its_place():
    gate_report = report(s.POOL, s.CLASS, s.PLAN, rules={"NP-01": "off", "NC-01": {"level": "advisory", "hops": 2}, **BOUND})
    assert gate_report.has_passed
    lowered = [(one.rule, one.path, one.found) for one in gate_report.outcomes if one.rule == "GT-09"]
    assert lowered == [
        ("GT-09", "rules.NC-01.level", "NC-01 is advisory, and nothing says why"),
        ("GT-09", "rules.NP-01", "NP-01 is off, and nothing says why"),
    ]


def test_production_without_a_bound_on_costs_is_reported():
    def rules(**gates: Any) -> set[str]:
        return {one.rule for one in report(s.POOL, s.CLASS, s.PLAN, **gates).outcomes}

    assert "GT-08" in rules(profile="recommended")
    assert "GT-08" not in rules(profile="recommended", rules=BOUND)
    assert "GT-08" not in rules(profile="recommended", environment="development")
    assert "GT-08" not in rules()  # whoever begins has no budget yet


def test_a_rule_that_is_off_is_named():
    gate_report = report(ENDLESS, s.CLASS, s.PLAN, rules={"NP-01": "off"})
    assert gate_report.has_passed
    assert gate_report.off == ("NP-01",)


def test_an_exemption_names_owner_reason_and_end():
    gate_report = report(ENDLESS, s.CLASS, s.PLAN, exemptions=[exemption()])
    assert gate_report.has_passed
    notes = {one.note for one in gate_report.outcomes if one.verdict is Verdict.EXEMPT}
    assert notes == {"until 2026-06-01 by shop: moving"}


# I-77
def test_an_exemption_that_has_ended_is_a_violation_that_names_its_date():
    gate_report = report(ENDLESS, s.CLASS, s.PLAN, exemptions=[exemption(until="2026-05-31")])
    assert stopping(gate_report) == [("GT-02", "gates"), ("NP-01", "NodePool/general")]
    assert "2026-05-31" in gate_report.stopping[0].found
    assert stopping(report(s.POOL, s.CLASS, s.PLAN, exemptions=[exemption(until="2026-05-31")])) == [("GT-02", "gates")]


def test_an_exemption_is_for_its_object_alone():
    other = put(named(ENDLESS, "other"), "spec.weight", 5)
    both = s.plan_of("general", "other")
    gate_report = report(ENDLESS, other, s.CLASS, both, exemptions=[exemption()])
    assert set(stopping(gate_report)) == {("NP-01", "NodePool/other")}
    assert report(ENDLESS, other, s.CLASS, both, exemptions=[exemption(object="*")]).has_passed


def test_an_exemption_that_nothing_needs_is_reported():
    gate_report = report(s.POOL, s.CLASS, s.PLAN, exemptions=[exemption()], rules=BOUND)
    assert gate_report.has_passed
    assert [one.rule for one in gate_report.outcomes if one.verdict is Verdict.VIOLATED] == ["GT-05"]


def test_a_mistake_in_the_configuration_stops_the_change():
    gate_report = report(s.POOL, s.CLASS, s.PLAN, rules={"NP-001": "off"})
    assert stopping(gate_report) == [("GT-01", "gates")]
    assert gate_report.stopping[0].place.source == "gates.yaml"


def test_pools_without_a_plan_stop_the_change():
    """What prevents the plan is named once, by the rule on it."""
    problem = Problem(Place("app.yaml", 1, 3, "spec.replicas"), "found text where a number is needed")
    gate_report = report(s.POOL, s.CLASS, problems=(problem,))
    assert stopping(gate_report) == [("GT-03", "NodePool/general"), ("GT-04", "app.yaml")]
    assert gate_report.stopping[0].found == "no plan: 1 mistake in the input prevents it, reported separately"
    assert "found text" in gate_report.stopping[1].found


def test_a_pool_that_no_plan_has_stops_the_change():
    """Else a stack could show a plan of its cheap NodePools, and make others beside them."""
    other = put(named(s.POOL, "other"), "spec.weight", 5)
    assert stopping(report(s.POOL, other, s.CLASS, s.PLAN)) == [("GT-03", "NodePool/other")]
    assert stopping(report(s.POOL, s.CLASS, s.plan_of())) == [("GT-03", "NodePool/general")]
    assert report(s.POOL, other, s.CLASS, s.PLAN, named(s.plan_of("other"), "others")).has_passed
    assert stopping(report(s.POOL, s.CLASS, drop(s.PLAN, "measures"))) == [("PL-00", "NodePlan/nodes")]
    assert report(s.POOL, s.CLASS, unknown(s.PLAN, "measures")).has_passed
    unnamed = replace(unknown(other, "metadata.name"), name="made-by-the-program")
    assert report(s.POOL, unnamed, s.CLASS, s.PLAN).has_passed


def test_what_another_rule_names_at_the_same_place_is_reported_once():
    wrong = put(s.POOL, "spec.weight", 101)
    problem = Problem(wrong.place("spec.weight"), "found 101")
    gate_report = report(wrong, s.CLASS, s.PLAN, problems=(problem,))
    assert stopping(gate_report) == [("OB-01", "NodePool/general")]


def test_what_is_undetermined_stops_nothing_unless_that_is_asked_for():
    open_ = unknown(s.POOL, "spec.limits")
    assert report(open_, s.CLASS, s.PLAN).has_passed
    gate_report = report(open_, s.CLASS, s.PLAN, refuseUnknown=True)
    assert ("NP-01", "NodePool/general") in stopping(gate_report)


def within_lists(manifest: Any, times: int) -> Any:
    """A manifest in a list, so many times over."""
    for _ in range(times):
        manifest = {"apiVersion": "v1", "kind": "List", "items": [manifest]}
    return manifest


@pytest.mark.parametrize(
    "hidden",
    [
        Resource("kubernetes:v1:List", "all", {"apiVersion": "v1", "kind": "List", "items": [ENDLESS.data]}),
        Resource(
            "kubernetes:karpenter.sh/v1:NodePoolList",
            "all",
            {
                "apiVersion": "karpenter.sh/v1",
                "kind": "NodePoolList",
                "items": [{k: v for k, v in ENDLESS.data.items() if k not in ("apiVersion", "kind")}],
            },
        ),
        Resource(
            "kubernetes:v1:List",
            "outer",
            {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "List", "items": [ENDLESS.data]}]},
        ),
        Resource("kubernetes:yaml/v2:ConfigGroup", "group", {"objs": [ENDLESS.data]}),
        Resource("kubernetes:yaml/v2:ConfigGroup", "group", {"yaml": json.dumps(ENDLESS.data)}),
        Resource("kubernetes:yaml:ConfigGroup", "group", {"yaml": ["a: 1", json.dumps(ENDLESS.data)]}),
        Resource("kubernetes:v1:List", "all", within_lists(ENDLESS.data, 50)),
        replace(ENDLESS, type="kubernetes:karpenter.sh/v1:NodePoolPatch"),
        replace(ENDLESS, type="kubernetes:apiextensions.k8s.io:CustomResource"),
    ],
    ids=[
        "list",
        "typed list",
        "list of lists",
        "objects of a group",
        "text of a group",
        "texts of a group",
        "fifty lists",
        "patch",
        "any object",
    ],
)
def test_a_pool_that_is_hidden_in_something_else_is_judged(hidden: Resource):
    gate_report = report(hidden, s.CLASS, s.PLAN)
    assert ("NP-01", "NodePool/general") in stopping(gate_report)


def test_a_report_is_in_the_same_order_whatever_the_order_of_subjects():
    one, other = report(ENDLESS, s.CLASS, s.PLAN, s.CLUSTER), report(s.CLUSTER, s.PLAN, s.CLASS, ENDLESS)
    assert one == other


UNHEALTHY = put(s.POOL, "spec.disruption.budgets", [{"nodes": "10%"}, {"nodes": "1", "reasons": ["Unhealthy"]}])
BY_REASON = put(s.POOL, "spec.disruption.budgets", [{"nodes": "10%", "reasons": ["Empty", "Drifted", "Underutilized"]}])


# V15-36
@pytest.mark.parametrize(("karpenter", "is_refused"), [("1.14", True), ("1.15", False)])
def test_objects_are_held_against_the_karpenter_that_they_are_for(karpenter: str, is_refused: bool):
    """Budgets may name Unhealthy since 1.15."""
    pool = replace(UNHEALTHY, karpenter=baseline_of(karpenter))
    assert (("OB-01", "NodePool/general") in stopping(report(pool, s.CLASS, s.PLAN))) is is_refused


# V15-36
def test_the_week_of_budgets_has_the_reasons_of_its_karpenter():
    """A budget that leaves out Unhealthy lets any number of nodes be repaired at a time, where repair counts budgets."""
    said = {}
    for karpenter in ("1.14", "1.15"):
        outcomes = report(replace(BY_REASON, karpenter=baseline_of(karpenter)), s.CLASS, s.PLAN).outcomes
        said[karpenter] = [one.found for one in outcomes if one.rule == "NP-08"]
    assert said == {"1.14": [], "1.15": ["any number of nodes may be disrupted at a time for Unhealthy"]}


@pytest.mark.parametrize(
    ("problem", "repair"),
    [
        (Problem(Place("a.yaml"), "cannot be read", is_unread=True), "name a file that exists and can be read"),
        (Problem(Place("a.yaml", line=3), "is not YAML"), "correct line 3"),
        (Problem(Place("a.yaml", 1, 3, "spec.cpu"), "'1x' is not a quantity"), "correct spec.cpu"),
        (Problem(Place("a.yaml", 1, 3, "spec.cup"), "unknown field", "cpu", "cpu"), "did you mean cpu?"),
    ],
)
def test_the_repair_of_unreadable_input_says_what_to_do(problem: Problem, repair: str):
    """It names the file, line or path to correct."""
    outcomes = report(problems=(problem,)).outcomes
    assert [outcome.advice for outcome in outcomes if outcome.rule == "GT-04"] == [repair]
