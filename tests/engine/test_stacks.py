"""The stacks on a real engine: from nothing to a running environment, through a change, and back to nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pulumi import automation
from pulumi.automation import OpType

from tests.engine.engine import ROOT, Engine, copied, deployer, program
from tests.infrastructure.deletion_order import EDGES
from tests.infrastructure.joined_program import BY_THEMSELVES, part_of

STACKS = ("aks", "auto", "dev", "private", "prod", "staging")
"""Stacks that are run: each is a file in stacks/ whose NodePools have a CPU limit, which the tests change."""
PROTECTED = {"prod"}
"""Those of them that a destroy refuses as they are."""

POLICIES = ROOT / "policies"


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: what it printed, how many resources went which way, and what the providers did, in order."""

    text: str
    changes: dict[str, int]
    done: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Life:
    """The whole life of a stack, its state after the last update, and why a destroy was refused before it, if it was."""

    name: str
    preview: Step
    up: Step
    refresh: Step
    again: Step
    edit: Step
    edited: Step
    refusal: str
    destroy: Step
    resources: list[dict[str, Any]]
    left: list[dict[str, Any]]


def _edit(project: Path, name: str) -> None:
    """Change one number in a NodePool of the stack: the first CPU limit."""
    for file in sorted((project / "stacks" / name).rglob("*.yaml")):
        changed, count = re.subn(r'(limits: \{cpu: )"\d+"', r'\1"96"', file.read_text(), count=1)
        if count:
            file.write_text(changed)
            return
    raise AssertionError(f"no NodePool of stack {name} has a CPU limit")


def _unprotect(project: Path, name: str) -> None:
    """Say in the stack's file that it may go."""
    file = project / "stacks" / f"Pulumi.{name}.yaml"
    changed, count = re.subn("production: true", "production: false", file.read_text())
    assert count == 1
    file.write_text(changed)


def _refusal(stack: automation.Stack) -> str:
    """Why a stack is not destroyed."""
    with pytest.raises(automation.CommandError) as refused:
        stack.destroy(color="never")
    return str(refused.value)


def _is_in_a_cloud(resource: dict[str, Any]) -> bool:
    """Whether a provider of a cloud or a cluster made it: no component, nothing of Pulumi itself, nothing only read."""
    return resource["custom"] and not resource.get("external") and not resource["type"].startswith("pulumi:")


def _resources(stack: automation.Stack) -> list[dict[str, Any]]:
    return json.loads(json.dumps(stack.export_stack().deployment)).get("resources") or []


def _live(engine: Engine, name: str, project: Path) -> Life:
    stack = engine.stack(name, copied(project), program(project))
    engine.runs_as(deployer(project, name))
    packs = [str(POLICIES)] if POLICIES.exists() else None

    def previewed(**options: Any) -> Step:
        result = stack.preview(diff=True, color="never", policy_packs=packs, **options)
        return Step(
            result.stdout + result.stderr, {OpType(op).value: n for op, n in result.change_summary.items()}, engine.done()
        )

    def step(result: Any) -> Step:
        return Step(result.stdout, dict(result.summary.resource_changes or {}), engine.done())

    preview = previewed()
    up = step(stack.up(color="never", policy_packs=packs))
    refresh = step(stack.refresh(color="never"))
    again = step(stack.up(color="never", expect_no_changes=True))
    _edit(project, name)
    edit = previewed()
    edited = step(stack.up(color="never", policy_packs=packs))
    refusal = ""
    if name in PROTECTED:
        refusal = _refusal(stack)
        assert engine.done() == []
        _unprotect(project, name)
        stack.up(color="never", policy_packs=packs)
        engine.done()
    resources = _resources(stack)
    destroy = step(stack.destroy(color="never"))
    return Life(name, preview, up, refresh, again, edit, edited, refusal, destroy, resources, _resources(stack))


@pytest.fixture(scope="module", params=[pytest.param(name, marks=pytest.mark.xdist_group(f"engine-{name}")) for name in STACKS])
def life(request: pytest.FixtureRequest, engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Life]:
    """The life of a stack, lived once for all the tests."""
    return _live(engine, request.param, tmp_path_factory.mktemp("project"))


def test_a_preview_makes_nothing_and_says_all_that_an_update_makes(life: Life):
    """What is to be created in the preview is what the update creates."""
    assert life.preview.done == []
    assert life.preview.changes == life.up.changes
    assert set(life.preview.changes) == {"create"}


def test_an_update_makes_every_resource_once(life: Life):
    """Each resource of a provider is created by one call."""
    urns = [urn for _, urn in life.up.done]
    assert len(set(urns)) == len(urns)
    assert {operation for operation, _ in life.up.done} == {"create"}
    assert set(urns) == {r["urn"] for r in life.resources if _is_in_a_cloud(r)}


def test_the_plan_is_reported_and_kept(life: Life):
    """The plan stands among the messages, in the inputs of NodePlan, and in the exports of the stack."""
    assert " a month" in life.up.text
    assert "cutlist:index:NodePlan" in life.preview.text
    [plan] = [r for r in life.resources if r["type"] == "cutlist:index:NodePlan"]
    [stack] = [r for r in life.resources if r["type"] == "pulumi:pulumi:Stack"]
    assert {key: plan["inputs"][key] for key in stack["outputs"]["plan"]} == stack["outputs"]["plan"]


def test_a_preview_says_what_the_stack_costs(life: Life):
    """By the hour, before anything is made; an update that nobody has to confirm any longer does not repeat it."""
    [bill] = re.findall(r"What it costs\n.*?\n  total.*?\n", life.preview.text, re.DOTALL)
    assert "nodes of the plan" in bill
    assert "What it costs" not in life.up.text


def test_a_refresh_and_a_second_update_change_nothing(life: Life):
    """What was made is what the program asks for: no diff, and no call to any provider."""
    assert life.refresh.done == life.again.done == []
    assert set(life.refresh.changes) == set(life.again.changes) == {"same"}


def test_an_edited_node_pool_is_updated_and_nothing_else(life: Life):
    """One number in a NodePool changes one object in place; its component and the plan follow."""
    assert life.edit.done == []
    [(operation, urn)] = life.edited.done
    assert operation == "update"
    assert "$kubernetes:karpenter.sh/v1:NodePool::" in urn
    assert set(life.edited.changes) == {"same", "update"}


def test_the_diff_of_an_edited_number_is_short(life: Life):
    """The number is there once, in the object that has it; the table of the plan follows."""
    diff, _, rest = life.edit.text.partition("\nResources:")
    assert life.edit.text.count('=> "96"') == 1
    assert len(diff.splitlines()) < 60
    assert " a month" in rest


def test_the_preview_of_an_edit_says_what_the_update_does(life: Life):
    """As many updates as are then made: what a cloud computes stays known while its resource stays."""
    assert life.edit.changes == life.edited.changes


def test_a_protected_stack_is_not_destroyed_by_mistake(life: Life):
    """The destroy is refused before anything goes, until the stack's file says that it may."""
    assert [r["urn"] for r in life.resources if r.get("protect")] == []
    assert ("::eks-protection (production: false lifts it)" in life.refusal) == (life.name in PROTECTED)


def test_destroy_leaves_nothing(life: Life):
    """Every resource that was made is deleted once, but for what is to be kept or goes with another; the state is empty."""
    kept = {r["urn"] for r in life.resources if r.get("retainOnDelete") or r.get("deletedWith")}
    assert sorted(life.destroy.done) == sorted(("delete", urn) for _, urn in life.up.done if urn not in kept)
    assert life.left == []


def test_destroy_takes_what_depends_before_what_it_depends_on(life: Life):
    """For each dependency in the state, in the order of the deletes: NodePools go before their classes."""
    order = {urn: place for place, (_, urn) in enumerate(life.destroy.done)}
    every = [(r["urn"], needed) for r in life.resources for needed in r.get("dependencies") or []]
    edges = [edge for edge in every if set(edge) <= set(order)]  # between objects of providers: those are in the journal
    assert edges
    assert [edge for edge in edges if order[edge[0]] >= order[edge[1]]] == []


def test_parts_go_in_the_order_that_lets_them_go(life: Life):  # I-56
    """What providers were asked to delete, in which order: from NodePools to the network, as the table of edges has it."""
    order = {urn: place for place, (_, urn) in enumerate(life.destroy.done)}
    found = ((r["urn"], part_of(r["urn"], r["type"], r.get("inputs") or {})) for r in life.resources if r["urn"] in order)
    parts = [(urn, part) for urn, part in found if part is not None and part not in BY_THEMSELVES]
    pairs = [(a, b) for edge in EDGES for a, its in parts for b, other in parts if (its, other) == (edge.first, edge.then)]
    assert pairs or life.name == "aks"  # where the cloud itself has the controller, its table of parts is empty
    assert [(a, b) for a, b in pairs if order[a] >= order[b]] == []
