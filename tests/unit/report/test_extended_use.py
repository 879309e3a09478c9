"""Accelerators and other extended resources: their use stands wherever that of cpu and memory does."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from cutlist.planning.model import Plan
from cutlist.planning.model.extended import NodeAmounts, Use, extended_use, use_in_words
from cutlist.verbs.nodes.answer import nodes
from cutlist.verbs.nodes.columns import csv as nodes_csv
from cutlist.verbs.nodes.html import nodes_html
from cutlist.verbs.nodes.markdown import nodes_markdown
from cutlist.verbs.nodes.roster import Roster
from cutlist.verbs.nodes.text import render_nodes
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool
from tests.unit.planning.test_existing import node, running

GPU = "nvidia.com/gpu"


def training(replicas: int = 3) -> str:
    return deployment("train", replicas=replicas).replace("memory: 1Gi}", f"memory: 1Gi, {GPU}: 2}}, limits: {{{GPU}: 2}}")


@pytest.fixture(scope="module")
def planned() -> Plan:
    return plan_of(pool(requirements=f"[{ON_DEMAND}, {TYPES.format('g5.12xlarge')}]"), training())


@pytest.fixture(scope="module")
def roster() -> Roster:
    there = node().replace("pods: ", f'{GPU}: "4", pods: ')
    return nodes(inputs_of(pool(), there, running("train", "node-a").replace('cpu: "1"', f'cpu: "1", {GPU}: "3"')))


def test_the_use_is_of_accelerators_and_of_what_else_is_requested() -> None:
    """An accelerator that nobody uses is mentioned; an interface that nobody asks for is not."""
    requested = {"cpu": 10, "vpc.amazonaws.com/efa": 2}
    allocatable = {"cpu": 20, GPU: 8, "vpc.amazonaws.com/efa": 4, "vpc.amazonaws.com/pod-eni": 9}
    assert extended_use([NodeAmounts(2, requested, allocatable)]) == {GPU: Use(0, 16), "vpc.amazonaws.com/efa": Use(4, 8)}
    assert extended_use([NodeAmounts(2, {"cpu": 1}, {"cpu": 2, "pods": 5})]) == {}


def test_a_resource_that_nodes_do_not_have_has_no_part() -> None:
    """Nothing is divided by nothing."""
    assert Use(3, 0).part is None
    assert use_in_words({}) == ""


@pytest.mark.parametrize(
    ("view", "texts"),
    [
        (lambda plan: render_plan(plan), [f"\n{GPU}\n         █", "75%  6 of 8", f"{GPU} 4 of 4; 2 × deployment/train"]),
        (lambda plan: plan_markdown(plan), ["requested: cpu ", f", {GPU} 6 of 8\n", f"<br>{GPU} 6 of 8"]),
        (lambda plan: plan_html(plan), [f"<dt>{GPU}</dt><dd", 'v75">75%<small>6 of 8</small>', f"<small>{GPU} 4 of 4"]),
        (lambda plan: plan_csv(plan), ["other_resources", f"{GPU} 4 of 4"]),
    ],
    ids=["text", "markdown", "html", "csv"],
)
def test_every_view_of_a_plan_shows_it(planned: Plan, view: Callable[[Plan], str], texts: list[str]) -> None:
    """In the summary and for each row of nodes."""
    shown = view(planned)
    assert all(text in shown for text in texts)


def test_the_totals_of_a_plan_have_it_in_json(planned: Plan) -> None:
    """And read back as they were written."""
    data = json.loads(planned.to_json())
    assert (data["totals"]["extendedRequested"], data["totals"]["extendedAllocatable"]) == ({GPU: "6"}, {GPU: "8"})
    assert Plan.from_dict(data).to_json() == planned.to_json()


@pytest.mark.parametrize(
    ("view", "texts"),
    [
        (lambda roster: render_nodes(roster), ["75%  3 of 4", f"{GPU} 3 of 4"]),
        (lambda roster: nodes_markdown(roster), [f"requested, {GPU} 3 of 4,", f"<br>{GPU} 3 of 4"]),
        (lambda roster: nodes_html(roster), [f"<dt>{GPU}</dt><dd", "75%<small>3 of 4</small>", f"<small>{GPU} 3 of 4</small>"]),
        (lambda roster: nodes_csv(roster), ["other_resources", f"{GPU} 3 of 4"]),
    ],
    ids=["text", "markdown", "html", "csv"],
)
def test_every_view_of_running_nodes_shows_it(roster: Roster, view: Callable[[Roster], str], texts: list[str]) -> None:
    """In the summary and for each node."""
    shown = view(roster)
    assert all(text in shown for text in texts)


# --- pods without requests


EMPTY = deployment("idle").replace('resources: {requests: {cpu: "1", memory: 1Gi}}', "resources: {}")


def test_a_plan_whose_pods_request_nothing_says_so_first() -> None:
    """Its price means little, which a reader has to know before the price."""
    planned = plan_of(pool(requirements=f"[{ON_DEMAND}]"), EMPTY)
    said = "no pod of the input requests cpu or memory"
    assert planned.first_words[0].startswith(said)
    for shown in (" ".join(render_plan(planned).split()), plan_markdown(planned), plan_html(planned)):
        assert said in shown
    text, markdown = render_plan(planned), plan_markdown(planned)
    assert text.index("no pod of the input") < text.index("nodes  ")
    assert markdown.index(said) < markdown.index("1 node for")


def test_a_plan_of_some_pods_without_requests_names_them_among_its_warnings() -> None:
    """The others make the price."""
    planned = plan_of(pool(requirements=f"[{ON_DEMAND}]"), EMPTY, deployment())
    assert planned.first_words == ()
    (text,) = (note.text for note in planned.warnings if note.code == "pods-without-requests")
    assert text.endswith(": deployment/idle; give their containers requests")
    whole = plan_of(pool(requirements=f"[{ON_DEMAND}]"), deployment())
    assert not {"no-requests", "pods-without-requests"} & {note.code for note in whole.warnings}
