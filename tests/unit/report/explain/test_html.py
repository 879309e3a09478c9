"""Why a workload gets its nodes as a page: it says what the text says."""

from __future__ import annotations

from dataclasses import replace

from cutlist.planning.model.explanation import Explanations
from cutlist.verbs.explain.html import explain_html
from tests.unit.report.hostile import hostile_plan
from tests.unit.report.pages import taken
from tests.unit.report.samples import SPOT
from tests.unit.report.test_diff_and_explain import EXPLANATION


def test_an_explanation_says_what_the_text_says():
    text = taken(explain_html(Explanations("us-west-2", (EXPLANATION,)))).text
    for said in (
        "Pods 15 11 on new nodes, 2 on existing nodes Pending 2",
        "Price per month about $240 $120 to $490; its share of its nodes; about $0.34 per hour",
        "Lowest possible about $150 without idle capacity; about $90 less, 37%",
        "May instead be, per hour each: m6g.large $0.0313* m7g.xlarge $0.0641*",
        "2 × shop/deployment/web No NodePool offers nvidia.com/mig-1g.5gb;",
        "m7g.large or 2 others general spot 2 a b c 12 40 81% 63% $0.062* $46*",
        "gpu refuses 10 1,350 its node class has in the region 667 the NodePool's requirements allow and EC2 offers",
        "ip-10-0-1-1 2",
        "there is no room for 1 cpu 3",
        "preferred node affinity kubernetes.io/arch In arm64 (weight 7), by 8 pods",
        "the soft spread over zone, without success",
        "NodePool general: its requirements exclude spot",
    ):
        assert said in text


def test_what_there_is_nothing_of_has_no_part():
    alone = replace(EXPLANATION, nodes=(), existing=(), refusing=(), pending=(), given_up=(), spot=(), price=None, least=None)
    text = taken(explain_html(Explanations("us-west-2", (alone,)))).text
    for part in (
        "New nodes",
        "Existing nodes",
        "Preferences given up",
        "Without spot",
        "May instead be",
        "Price per month",
        "Lowest possible",
    ):
        assert part not in text
    assert "NodePools in the order in which Karpenter tries them" in text


def test_each_controller_has_its_own_part_and_lists_of_types_stand_with_their_nodes():
    found = taken(explain_html(Explanations("us-west-2", (EXPLANATION, replace(EXPLANATION, controller="EKS Auto Mode")))))
    assert "NodePools by self-managed Karpenter 2 NodePools by EKS Auto Mode 2" in found.text
    assert found.text.count("May instead be, per hour each: m6g.large") == 2
    assert found.faults == []


def test_workloads_that_are_not_named_at_once_are_in_the_page():
    many = replace(SPOT, pods=hostile_plan("x").nodes[0].pods)
    assert "and 2 more workloads" in taken(explain_html(Explanations("us-west-2", (replace(EXPLANATION, nodes=(many,)),)))).text
