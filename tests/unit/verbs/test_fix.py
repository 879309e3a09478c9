"""Repairs in place: tokens of the metadata service and tags; comments and all other lines stay."""

from __future__ import annotations

from datetime import date

import pytest

from cutlist.core.errors import Problems
from cutlist.documents.files import SourceText
from cutlist.documents.parsing import parse_documents
from cutlist.policy.gates import Gates, judge, read_gates
from cutlist.policy.registry import ALL
from cutlist.verbs.gate.answer import resources_of
from cutlist.verbs.gate.fix import FixedText, fix_text

TODAY = date(2026, 6, 1)
CLASS = """\
# Ours.
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}  # the only one
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@v20260625}]
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
  metadataOptions:
    httpTokens: optional  # TODO
    httpPutResponseHopLimit: 2
  tags:
    # who pays
    cost-center: shop
"""
FIXED = CLASS.replace("httpTokens: optional", "httpTokens: required").replace("HopLimit: 2", "HopLimit: 1")


def gates(**data: object) -> Gates:
    return read_gates(data, ALL)


def repair(text: str, **data: object) -> FixedText:
    return fix_text(SourceText("a.yaml", text), gates(**data), TODAY)


def test_only_the_lines_that_have_to_change_do():
    repairs = repair(CLASS)
    assert repairs.text == FIXED
    assert repairs.report == ("a.yaml: EC2NodeClass/default is repaired (NC-01)",)


def test_required_tags_are_added_with_their_value():
    repairs = repair(FIXED, rules={"NC-07": {"required": ["team=web", "cost-center=shop", "owner"]}})
    assert "    cost-center: shop\n    team: web\n" in repairs.text
    assert "owner" not in repairs.text
    assert "# who pays" in repairs.text


def test_what_is_repaired_keeps_the_rule():
    repairs = repair(CLASS)
    documents = parse_documents(repairs.text, "a.yaml", Problems())
    outcomes = judge(resources_of(documents), gates(), TODAY).outcomes
    assert not [one for one in outcomes if one.rule == "NC-01"]


def test_what_is_right_stays_to_the_byte():
    assert repair(FIXED).report == ()
    assert repair(FIXED.replace("\n", "\r\n")).text == FIXED.replace("\n", "\r\n")


def test_members_of_a_list_are_repaired_where_they_stand():
    indented = "".join(f"  {line}\n" for line in CLASS.splitlines()).replace("  # Ours.\n", "")
    listed = "apiVersion: v1\nkind: List\nitems:\n-" + indented[1:]
    repairs = repair(listed)
    assert repairs.text == listed.replace("httpTokens: optional", "httpTokens: required").replace("HopLimit: 2", "HopLimit: 1")


def test_other_documents_of_the_file_stay():
    both = f"# first\na: &x [1]\nb: *x\n---\n{CLASS}"
    repairs = repair(both)
    assert repairs.report == ()  # what is not an object keeps the file from being read
    pool = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}  # kept\n---\n"
    assert repair(pool + CLASS).text == pool + FIXED


def test_what_an_anchor_shares_is_repaired_in_the_one_place_alone():
    """Another user of the same values keeps the ones that it had."""
    anchored = CLASS.replace("  metadataOptions:", "  x: &m").replace("  tags:", "  metadataOptions: *m\n  tags:")
    repairs = repair(anchored)
    spec = parse_documents(repairs.text, "", Problems())[0].data["spec"]
    assert spec["metadataOptions"] == {"httpTokens": "required", "httpPutResponseHopLimit": 1}
    assert spec["x"] == {"httpTokens": "optional", "httpPutResponseHopLimit": 2}
    assert "# who pays" in repairs.text


def test_a_document_whose_comments_could_not_be_kept_is_left_alone():
    """The anchor itself, which others refer to."""
    anchored = CLASS.replace("metadataOptions:\n", "metadataOptions: &m\n") + "  x: *m\n"
    repairs = repair(anchored)
    assert repairs.text == anchored
    assert "is left unchanged" in repairs.report[0]


@pytest.mark.parametrize(
    "data",
    [
        {"rules": {"NC-01": "off"}},
        {
            "exemptions": [
                {
                    "rule": "NC-01",
                    "object": "EC2NodeClass/default",
                    "owner": "team-ml",
                    "reason": "the driver's agent asks through a second hop",
                    "until": "2026-06-01",
                }
            ]
        },
    ],
)
def test_what_is_off_or_exempt_is_left_alone(data: dict[str, object]):
    assert repair(CLASS, **data).text == CLASS
