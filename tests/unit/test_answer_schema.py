"""The published JSON Schemas: what commands write is valid, and the schemas are as tight as what they describe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from jsonschema import Draft202012Validator

from cutlist.catalog.ages import OldPrices, PriceAge
from cutlist.catalog.prices import Price
from cutlist.core.errors import Place, Problem
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.records import json_of
from cutlist.core.requirements import Requirements
from cutlist.disruption.command import FollowingNodes, Replacement
from cutlist.infrastructure.readiness import REASONS, UnreadyClass
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.explanation import Explanations
from cutlist.planning.model.os_disk import OsDisk
from cutlist.planning.model.pool_types import DeviceCount
from cutlist.verbs.budgets.record import budgets_json
from cutlist.verbs.budgets.writing import write_budgets
from cutlist.verbs.budgets.written_text import written_json
from cutlist.verbs.diff.environments import EnvironmentDifference, EnvironmentDifferences
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.doctor.answer import doctor
from cutlist.verbs.explain.environments import EnvironmentExplanation, EnvironmentExplanations
from cutlist.verbs.gate.change import Change
from cutlist.verbs.gate.environments import EnvironmentReport, GateReports
from cutlist.verbs.plan.environments import EnvironmentPlan, EnvironmentPlans
from cutlist.verbs.schemas import ANSWERS
from cutlist.verbs.subjects import SubjectKind
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.validate.answer import Validation
from cutlist.verbs.validate.environments import EnvironmentValidation, EnvironmentValidations
from cutlist.verbs.why.reason import Fact, Why
from cutlist_cli import main
from tests.examples import examples
from tests.sample import MANIFESTS, POOLS, SHOP, SNAPSHOT
from tests.unit.policy.gates.test_judge import ENDLESS, exemption, report
from tests.unit.policy.rules import subjects
from tests.unit.published import faults, published
from tests.unit.report.forecasts import hostile_forecast, hostile_nodes, nodes, to_the_end, week
from tests.unit.report.full_answers import FULL, INPUTS, full_plan
from tests.unit.report.hostile import ALL, hostile_plan
from tests.unit.report.samples import LAUNCHED, PLAN, TYPES
from tests.unit.report.test_diff_and_explain import DIFFERENCE, EXPLANATION, hostile
from tests.unit.test_planned import plans
from tests.unit.verbs.test_doctor import HERE, TODAY


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", ANSWERS)
def test_a_schema_is_printed_and_is_a_schema(name):
    schema = published(name)
    Draft202012Validator.check_schema(schema)
    assert (schema["title"], schema["$schema"]) == (name, "https://json-schema.org/draft/2020-12/schema")


@examples(0.6)
@given(plans)
def test_every_plan_is_valid(plan):
    assert faults("plan", json.loads(plan.to_json())) == []


@pytest.mark.parametrize("plan", [PLAN, LAUNCHED, *map(hostile_plan, ALL)])
def test_plans_of_the_samples_are_valid(plan):
    assert faults("plan", json.loads(plan.to_json())) == []


@examples(0.4)
@given(plans, plans)
def test_every_comparison_is_valid(first, second):
    assert faults("comparison", Comparison.of(first, second).to_dict()) == []


def test_tables_of_types_are_valid():
    assert faults("types", json.loads(json_of(AllowedTypes("us-west-2", _TYPES, notes=PLAN.warnings)))) == []


_CLUSTER = str(SNAPSHOT)
_POOLS, _EDITED = str(POOLS), str(SHOP / "next" / "pools.yaml")
_ALL = (*MANIFESTS, "--region", "us-west-2")
_ON_CLUSTER = ("-f", _POOLS, "-f", _CLUSTER)
COMMANDS = {
    "plan": ("plan", *_ALL),
    "types": ("types", "--limit", "5", *_ALL),
    "explain": ("explain", "deployment/web", *_ALL),
    "diff": ("diff", _POOLS, _EDITED, "--cluster", _CLUSTER, "--region", "us-west-2"),
    "disrupt": ("disrupt", *_ON_CLUSTER, "--region", "us-west-2", "--until-stable"),
    "budgets": ("budgets", *_ON_CLUSTER),
    "nodes": ("nodes", "-f", _CLUSTER, "--region", "us-west-2"),
    "gate": ("gate", *_ALL),
    "why": ("why", "ip-10-0-1-11", *_ON_CLUSTER, "--region", "us-west-2"),
    "verify": ("verify", *_ALL, "--cluster", str(SHOP / "after.yaml"), "--strict"),
}


@pytest.mark.sampled(one_in=3)
@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_writes_is_valid_by_what_another_publishes(name):
    result = CliRunner().invoke(main, [*COMMANDS[name], "-o", "json"])
    assert result.exit_code in (0, 1), result.output  # rules may be broken by the example
    Draft202012Validator(published(name)).validate(json.loads(result.stdout))


RULED = report(ENDLESS, subjects.CLASS, subjects.PLAN, rules={"NP-13": "off"}, exemptions=[exemption()])
OTHER = hostile_plan("x")


def _with_a_replacement(forecast: DisruptionForecast) -> DisruptionForecast:
    """The forecast, now and at each step, with a node that comes in place of others, and one that follows."""
    comes = Replacement("general", Requirements.of_labels({"karpenter.sh/capacity-type": "spot"}), pods={0: 2})
    added: dict[str, Any] = {"replacements": (comes,), "followed_by": FollowingNodes(1, 0.5)}
    trajectory = forecast.trajectory
    assert trajectory is not None
    seen = replace(forecast.forecast, commands=tuple(replace(c, **added) for c in forecast.forecast.commands))
    steps = tuple(replace(s, commands=tuple(replace(c, **added) for c in s.commands)) for s in trajectory.steps)
    return replace(forecast, forecast=seen, trajectory=replace(trajectory, steps=steps))


PROD = EnvironmentPlan("prod", "cutlist plan --environment prod", replace(full_plan(), inputs=INPUTS))
_OLD = PriceAge("us-west-2", "2026-11-23", OldPrices("2026-02-17", 279), OldPrices("2026-02", 268, 0.11))
DEV = EnvironmentPlan("dev", "cutlist preview --stack dev", None, (Problem(Place("dev.yaml", 1, 2, "a.b"), "x", "y", "z"),))
_DISK, _PAID = OsDisk(128, "", "P10"), Price(0.03, "list")


def _with_os_disks(plan: Plan) -> Plan:
    """The plan as if each node's OS disk depended on its type, as on AKS."""
    nodes = [
        replace(n, os_disk=_DISK, candidates=tuple(replace(c, os_disk=_DISK, disk_price=_PAID) for c in n.candidates))
        for n in plan.nodes
    ]
    return replace(plan, nodes=tuple(nodes))


_MORE_OF_TYPES: dict[str, Any] = {
    "os_disk": _DISK,
    "os_disk_price": _PAID,
    "devices": (DeviceCount("gpu.nvidia.com", 8, "L4"),),
}
_TYPES = tuple(replace(pool, types=tuple(replace(row, **_MORE_OF_TYPES) for row in pool.types)) for pool in TYPES)
WRITTEN = {
    **FULL,
    "plan": _with_os_disks(replace(full_plan(), price_age=_OLD)).to_json(),
    "plan-all": json_of(EnvironmentPlans((PROD, DEV))),
    "types": json_of(AllowedTypes("us-west-2", _TYPES, notes=PLAN.warnings)),
    "comparison": json.dumps(Comparison.of(PLAN, OTHER).to_dict()),
    "budgets": budgets_json(week(BASELINES[-1]).weeks),
    "budgets-write": written_json(write_budgets(["drift only Monday 1 to 5 in Europe/Berlin"], 1767571200.0)),
    "doctor": json_of(doctor(HERE, TODAY)),
    "diff": json_of(replace(DIFFERENCE, comparison=Comparison.of(PLAN, OTHER))),
    "diff-all": json_of(
        EnvironmentDifferences(
            "The working tree with main.",
            (
                EnvironmentDifference("prod", "x", replace(DIFFERENCE, comparison=Comparison.of(PLAN, OTHER)), 2),
                EnvironmentDifference("dev", "x", problems=DEV.problems),
            ),
        )
    ),
    "disrupt": json_of(_with_a_replacement(to_the_end())),
    "explain": json_of(
        Explanations("us-west-2", (replace(EXPLANATION, restrictions=full_plan().restrictions, gangs=full_plan().gangs),))
    ),
    "explain-all": json_of(
        EnvironmentExplanations(
            "deployment/web",
            (
                EnvironmentExplanation(
                    "prod",
                    "x",
                    Explanations(
                        "us-west-2", (replace(EXPLANATION, restrictions=full_plan().restrictions, gangs=full_plan().gangs),)
                    ),
                ),
                EnvironmentExplanation("dev", "x", None, DEV.problems),
            ),
        )
    ),
    "gate": json_of(replace(RULED, inputs=INPUTS)),
    "gate-all": json_of(
        GateReports(
            (
                EnvironmentReport(
                    "prod", "x", RULED, Change("main", replace(DIFFERENCE, comparison=Comparison.of(PLAN, OTHER)))
                ),
                EnvironmentReport("dev", "x", problems=DEV.problems),
            )
        )
    ),
    "validate-all": json_of(
        EnvironmentValidations(
            (
                EnvironmentValidation("prod", "x", Validation({"NodePool": 1}, DEV.problems, inputs=INPUTS)),
                EnvironmentValidation("dev", "x", None, DEV.problems),
            )
        )
    ),
    "why": json_of(
        Why("us-west-2", SubjectKind.POD, "api", "api waits: why", True, "help", "deployment/api", (Fact("NodePool a", "why"),))
    ),
    "nodes": json_of(replace(nodes(), unready_classes=(UnreadyClass("default", REASONS[0]),))),
}
"""Every answer, with something to tell in each of its parts."""
_MAPS = {
    "allocatable",
    "allowed",
    "capacity",
    "checked",
    "evictions",
    "exports",
    "extendedAllocatable",
    "extendedRequested",
    "limits",
    "manifests",
    "memory",
    "moves",
    "passedOver",
    "policy",
    "programs",
    "remaining",
    "requested",
    "requests",
    "tags",
    "values",
}
"""Members whose keys are names, or whose form is IAM's."""
_SOMETIMES = {
    "disrupt": {"error", "course"},
    "history": {"launched", "plannedAndMissing"},
    "interrupt": {"error"},
    "nodes": {"unreadyClasses"},
    "preview": {"since"},
}
"""Members of an answer that are there only when there is something to tell."""

_RANGES = {f"{figure}PerHour{end}" for figure in ("price", "onDemand", "spot") for end in ("Low", "High")}
"""The ranges of prices, which only estimates have."""
_RANGES |= {"priceRange", "pricePerHourChangeRange", "spotPart", "priceAge", "onDemand", "spot", "addedError"}
_RANGES |= {"running", "devices", "osDisk", "osDiskPerHour", "osDiskSource", "osDiskEstimated"}
_OF_CANDIDATES = {"diskPricePerHour", "diskPriceEstimated"}
"""Members of what a node may become, which a node always has."""


_OF_A_PLAN = ("priceRange", "pricePerHourChangeRange", "priceAge", "osDisk", "services[]")


def test_every_answer_with_a_schema_is_held_against_it():
    assert WRITTEN.keys() == ANSWERS.keys()


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("name", WRITTEN)
def test_whatever_is_missing_or_new_in_an_answer_is_noticed(name):
    """The schema demands each key that is written and refuses each other, at every depth."""
    data = json.loads(WRITTEN[name])
    assert faults(name, data) == []
    for part in _objects(data):
        if "operator" in part:
            continue  # empty members of a requirement are left out
        sometimes = (
            *_RANGES,
            *(() if "nodePool" in part else _OF_CANDIDATES),
            *(_SOMETIMES.get(name, ()) if part is data else ()),
        )
        for key in [key for key in part if key not in sometimes]:
            value = part.pop(key)
            assert faults(name, data), f"{key} may be missing"
            part[key] = value
        part["without_rule-of"] = 1
        assert faults(name, data), f"a new key is not noticed beside {list(part)}"
        del part["without_rule-of"]
    assert faults(name, data) == []


def _objects(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        yield data
        for key, value in data.items():
            if key not in _MAPS:
                yield from _objects(value)
    if isinstance(data, list):
        for value in data[:2]:
            yield from _objects(value)


@pytest.mark.parametrize("name", WRITTEN)
def test_the_answers_here_have_every_object_of_their_schemas(name):
    """So that the test above looks into all parts of the form."""
    unseen = _unseen(ANSWERS[name], [json.loads(WRITTEN[name])], name)
    # The range of a sum has one form, and so have the age of prices, an OS disk and services; the plan here has them.
    assert [path for path in unseen if name == "plan" or not path.endswith(_OF_A_PLAN)] == []


def _unseen(schema: dict[str, Any], values: list[Any], path: str) -> Iterator[str]:
    """The objects of a schema of which there is none among values."""
    for other in schema.get("anyOf", ()):
        yield from _unseen(other, values, path)
    if "items" in schema:
        yield from _unseen(schema["items"], [one for value in values if isinstance(value, list) for one in value], f"{path}[]")
    members = schema.get("properties", {})
    there = [value for value in values if isinstance(value, dict)]
    if members and not there:
        yield path
    for key, member in members.items():
        if there:
            yield from _unseen(member, [one[key] for one in there if key in one], f"{path}.{key}")


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_within_the_schemas(text):
    difference, explanation = hostile(text)
    assert faults("diff", json.loads(json_of(difference))) == []
    assert faults("explain", json.loads(json_of(Explanations(text, (explanation,))))) == []
    assert faults("disrupt", json.loads(json_of(hostile_forecast(text)))) == []
    assert faults("nodes", json.loads(json_of(hostile_nodes(text)))) == []


def test_nodes_without_a_region_and_a_difference_without_nodes_are_valid():
    assert faults("nodes", json.loads(json_of(nodes(region=None)))) == []
    assert faults("diff", json.loads(json_of(replace(DIFFERENCE, blast=None)))) == []


def test_an_unknown_name_is_answered_with_the_nearest():
    result = CliRunner().invoke(main, ["schema", "plans"])
    assert result.exit_code == 2
    assert "did you mean plan?" in result.stderr
