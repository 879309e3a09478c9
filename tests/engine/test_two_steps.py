"""The first updates of a cluster whose API is private, as the page has them, on a real engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulumi import automation

from tests.engine.engine import Engine, copied, program

PROD = "444455556666"
INSIDE, FIRST = "reachableFrom: inside", "reachableFrom: two-steps"


def _say(project: Path, before: str, after: str) -> None:
    file = project / "stacks/Pulumi.prod.yaml"
    text = file.read_text()
    assert text.count(before) == 1
    file.write_text(text.replace(before, after))


def _type(urn: str) -> str:
    return urn.split("::")[2].rpartition("$")[2]


def _packages(done: list[tuple[str, str]]) -> set[str]:
    return {_type(urn).partition(":")[0] for _, urn in done}


@pytest.mark.xdist_group("engine-two-steps")
def test_production_is_made_in_two_steps_and_does_not_go_back(engine: Engine, tmp_path: Path):
    """First from outside, as somebody who may: no object of Kubernetes. Then from inside, with
    add-ons that need nodes of Karpenter's, and nothing is made again."""
    project = copied(tmp_path / "project")
    _say(project, INSIDE, FIRST)
    stack = engine.stack("prod", project, program(project))

    engine.runs_as(f"arn:aws:sts::{PROD}:assumed-role/Intern/alice")
    with pytest.raises(automation.CommandError, match="Intern/alice runs the update and is not among them"):
        stack.up(color="never")
    assert engine.done() == []

    engine.runs_as(f"arn:aws:sts::{PROD}:assumed-role/Deployer/ci")
    stack.up(color="never")
    first = engine.done()
    assert {operation for operation, _ in first} == {"create"}
    assert _packages(first) == {"aws", "pulumi-python"}

    _say(project, FIRST, INSIDE)
    stack.up(color="never")
    second = engine.done()
    assert {operation for operation, _ in second} == {"create"}
    assert {type_ for _, urn in second if (type_ := _type(urn)).startswith("aws:")} <= {"aws:eks/addon:Addon"}

    _say(project, INSIDE, FIRST)
    with pytest.raises(automation.CommandError, match="protect"):
        stack.up(color="never")
    assert engine.done() == []

    _say(project, "production: true", "production: false")
    _say(project, FIRST, INSIDE)
    stack.up(color="never")
    stack.destroy(color="never")
