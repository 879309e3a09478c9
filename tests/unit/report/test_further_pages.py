"""Pages of validate, interrupt, history and preview: what they hold, and that no name acts on a reader's screen."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from cutlist.core.errors import Place, Problem
from cutlist.infrastructure.costs import Bill
from cutlist.verbs.history.html import history_html
from cutlist.verbs.history.record import History
from cutlist.verbs.interrupt.html import interrupt_html
from cutlist.verbs.preview.html import preview_html
from cutlist.verbs.preview.record import ShownComponent
from cutlist.verbs.validate.answer import Validation
from cutlist.verbs.validate.html import validate_html
from tests.unit.report.full_answers import a_bill, full_plan, history, loss, validation
from tests.unit.report.hostile import ALL
from tests.unit.report.samples import PLAN, SPOT


def words(page: str) -> str:
    """The text of a page's body, without its scripts."""
    body = re.sub(r"<script.*?</script>", "", page.partition("<main")[2], flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_mistakes_edits_and_warnings_are_on_the_page() -> None:
    page = words(validate_html(validation()))
    assert "pools.yaml:7 spec.limits.cpu is negative lint a quantity did you mean 1?" in page
    assert "NodePool general all its nodes drift spec.template.spec.taints: all all nodes" in page
    assert "no such family" in page
    assert "EC2NodeClass" in page
    assert "it has to be in the cluster" in page
    assert "Every object is accepted" in words(validate_html(Validation({"NodePool": 2}, ())))


def test_a_loss_of_spot_has_its_nodes_pods_and_price() -> None:
    page = words(interrupt_html(loss()))
    assert "Nodes lost 2 with 4 pods to place Pods moved 2 to existing nodes New nodes 1 Pending pods 1" in page
    assert "Cluster per month $4,672 → $3,650 -$1,022 $6.40 → $5.00 per hour" in page
    assert "default/batch 1 no instance type had enough resources" in page
    assert "a medium spot zone-a 2 $0.800 $584" in page
    assert "new small on-demand zone-a 1 $1.00 $730" in page
    without = replace(loss(), lost=(), replacements=())
    assert "No spot nodes run there." in words(interrupt_html(without))


def test_a_history_has_commands_steps_and_failures() -> None:
    page = words(history_html(history()))
    assert "empty replace 4 node-a 1 on-demand of m5.large and 3 other(s) $0.120" in page
    assert "node-a m5.large spot +0.0: node deleted" in page
    assert "no capacity web-0" in page
    assert "Failed launches none" in words(history_html(History((), 3)))


def test_a_preview_has_its_bill_nodes_changes_and_components() -> None:
    components = [ShownComponent("eks / network", "cutlist:index:Network", 33)]
    page = words(preview_html("dev", 34, a_bill(), [PLAN], components, [replace(PLAN, nodes=(SPOT,))]))
    assert "What it costs A month $365" in page
    assert "$73 resources of the program, 20% $292 nodes that its workloads get, 80%" in page
    assert "Why it costs that $106 is statefulset/database: 1 pod, 29% of the price $73.00 is an hour, of eks, 20% of" in page
    assert "What the estimate leaves out" in page
    assert "What the cluster creates once it runs, such as load balancers and volumes." in page
    assert "eks cutlist:index:Cluster an hour 1 $73.00 list, 2026-01-01" in page
    assert "Changes" in page
    assert f"Nodes in {PLAN.region} 4 for 21 pods" in page
    assert "eks / network cutlist:index:Network 33" in page
    assert "Changes" not in words(preview_html("dev", 0, Bill(()), [replace(PLAN, region="eu-west-1")], (), [PLAN]))


def test_pods_on_node_groups_are_not_what_the_nodes_of_a_preview_are_for() -> None:
    plan = replace(PLAN, node_groups=full_plan().node_groups)
    assert f"Nodes in {PLAN.region} 4 for 21 pods" in words(preview_html("dev", 0, Bill(()), [plan], ()))


@pytest.mark.parametrize("text", ALL)
def test_no_name_acts_on_the_screen(text: str) -> None:
    """Whatever stands in files and logs is text."""
    checked = Validation({text: 1}, (Problem(Place(text, 1, 1, text), text, text, text),))
    for page in (validate_html(checked), preview_html(text, 1, a_bill(), [], [ShownComponent(text, text, 1)])):
        assert page.isascii()
        assert "\x1b" not in page
        assert "<script>alert" not in page


def test_pods_whose_name_has_their_namespace_do_not_have_it_twice() -> None:
    """Those of a plan are named like their workload."""
    lost = loss()
    named = {
        number: replace(batch, name=f"{batch.pod.namespace}/{batch.name}")
        for number, batch in dict(enumerate(lost.simulation.batches)).items()
    }
    assert lost.pending
    assert replace(lost, simulation=replace(lost.simulation, batches=list(named.values()))).pending == lost.pending
