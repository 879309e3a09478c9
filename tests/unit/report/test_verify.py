"""Views of what happened to a plan: equal differences once, names that stay names, memory for a document of kind Figures."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from cutlist.core.quantity import amounts
from cutlist.core.records import json_of
from cutlist.verbs.verify.junit import verify_junit
from cutlist.verbs.verify.markdown import verify_markdown
from cutlist.verbs.verify.text import render_verify
from cutlist.verification.verdicts import Verification
from tests.unit.verification.builders import ALLOCATABLE, cluster, live, plan, planned, verified

WEB = "deployment/web"
HOSTILE = "x\x1b[31m|`\n::error:: </failure> ::error::"


def of_two_alike() -> Verification:
    nodes = [live(name, {WEB: 2}, instance_type="m6i.large") for name in "abcdef"]
    return verified(plan(planned({WEB: 2}, 6)), cluster(*nodes))


def test_nodes_that_differ_alike_are_shown_once():
    text = render_verify(of_two_alike())
    assert "  6 × general: m5.large spot (a, b, c and 3 more)\n" in text
    assert text.count("cloud-choice: ") == 2  # where it is named, and among the causes
    assert "`a` and 5 more" in verify_markdown(of_two_alike())
    assert verify_junit(of_two_alike()).count("<testcase") == 6


def test_what_machines_have_is_printed_as_figures_take_it():
    nodes = [
        live(name, {WEB: 2}, allocatable={**ALLOCATABLE, **amounts({"memory": had})}, capacity=amounts({"memory": has}))
        for name, had, has in (("a", "6900Mi", "7600Mi"), ("b", "6800Mi", "7500Mi"), ("c", "7Gi", "8Gi"))
    ]
    verification = verified(plan(planned({WEB: 2}, 3)), cluster(*nodes))
    assert verification.summary == "3 of 3 planned nodes are as planned"
    text = render_verify(verification)
    assert "  memory: {m5.large: 7500Mi}\n" in text
    assert "memory 6900Mi instead of 7Gi (-3.7%)" in text
    assert '"m5.large": "7500Mi"' in json_of(verification)


def test_a_comment_has_less_than_60_lines_however_much_differs():
    nodes = [live(f"n{at:02}", {WEB: 2, f"job/{at}": 1}, instance_type="m6i.large") for at in range(40)]
    page = verify_markdown(verified(plan(planned({WEB: 2}, 40)), cluster(*nodes)))
    assert len(page.splitlines()) < 60
    assert "And 55 more kinds of differences." in page


def test_hostile_names_do_not_become_markup():
    verification = verified(plan(planned({WEB: 2})), cluster(live(HOSTILE, {HOSTILE: 1}, node_pool=HOSTILE)))
    for shown in (render_verify(verification), verify_markdown(verification), verify_junit(verification)):
        assert "\x1b" not in shown
        assert not [line for line in shown.splitlines() if line.strip().startswith("::")]
    assert ElementTree.fromstring(verify_junit(verification)).tag == "testsuite"  # noqa: S314 - our own


def test_without_differences_there_is_one_sentence():
    right = verified(plan(planned({WEB: 2})), cluster(live("a", {WEB: 2})))
    assert render_verify(right) == "1 of 1 planned nodes are as planned, in us-west-2 with Karpenter 1.15.0.\n"
    assert verify_markdown(right) == "### Cutlist: 1 of 1 planned nodes are as planned\n"
