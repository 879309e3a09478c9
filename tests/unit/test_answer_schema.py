"""The published JSON Schemas: what commands write is valid, and the schemas are as tight as what they describe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from cutlist.cli import main
from cutlist.planned.comparison import Comparison
from cutlist.planned.schema import SCHEMAS
from cutlist.report.json import types_json
from tests.unit.report.hostile import ALL, hostile_plan
from tests.unit.report.samples import LAUNCHED, PLAN, TYPES
from tests.unit.test_planned import plans

_DOCS = Path(__file__).resolve().parents[2] / "docs"


def published(name: str) -> dict[str, Any]:
    """The schema as `cutlist schema` prints it."""
    result = CliRunner().invoke(main, ["schema", name])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output)
    return found


def faults(name: str, data: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(SCHEMAS[name]).iter_errors(data)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_printed_and_is_a_schema(name):
    schema = published(name)
    Draft202012Validator.check_schema(schema)
    assert (schema["title"], schema["$schema"]) == (name, "https://json-schema.org/draft/2020-12/schema")


@settings(max_examples=60)
@given(plans)
def test_every_plan_is_valid(plan):
    assert faults("plan", json.loads(plan.to_json())) == []


@pytest.mark.parametrize("plan", [PLAN, LAUNCHED, *map(hostile_plan, ALL)])
def test_plans_of_the_samples_are_valid(plan):
    assert faults("plan", json.loads(plan.to_json())) == []


@settings(max_examples=40)
@given(plans, plans)
def test_every_comparison_is_valid(first, second):
    assert faults("comparison", Comparison.of(first, second).to_dict()) == []


def test_tables_of_types_are_valid():
    assert faults("types", json.loads(types_json(TYPES, "us-west-2", notes=PLAN.warnings))) == []


@pytest.mark.parametrize(("command", "name"), [(("plan",), "plan"), (("types", "--limit", "5"), "types")])
def test_what_a_command_writes_is_valid_by_what_another_publishes(command, name):
    result = CliRunner().invoke(main, [*command, "-f", str(_DOCS / "examples"), "--region", "us-west-2", "-o", "json"])
    assert result.exit_code == 0, result.output
    Draft202012Validator(published(name)).validate(json.loads(result.stdout))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("plan", LAUNCHED.to_dict()),
        ("types", json.loads(types_json(TYPES, "us-west-2", notes=PLAN.warnings))),
        ("comparison", Comparison.of(PLAN, hostile_plan("x")).to_dict()),
    ],
    ids=SCHEMAS,
)
def test_whatever_is_missing_or_new_in_an_answer_is_noticed(name, data):
    """The schema demands each key that is written and refuses each other, at every depth."""
    for part in _objects(data):
        if part.keys() <= {"cpu", "memory", "pods", "nvidia.com/gpu"} or "eks:eks-cluster-name" in part or "operator" in part:
            continue  # amounts and tags have the keys that they have; empty members of a requirement are left out
        for key in list(part):
            value = part.pop(key)
            assert faults(name, data), f"{key} may be missing"
            part[key] = value
        part["unheard-of"] = 1
        assert faults(name, data), f"a new key is not noticed beside {list(part)}"
        del part["unheard-of"]
    assert faults(name, data) == []


def _objects(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        yield data
        for value in data.values():
            yield from _objects(value)
    if isinstance(data, list):
        for value in data[:2]:
            yield from _objects(value)


def test_an_unknown_name_is_answered_with_the_nearest():
    result = CliRunner().invoke(main, ["schema", "plans"])
    assert result.exit_code == 2
    assert "did you mean plan?" in result.stderr
