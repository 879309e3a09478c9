"""Policy documents as the provider for AWS writes them (pulumi 4.5.1)."""

from __future__ import annotations

import json

import pytest
from pulumi_cutlist.errors import LookupRefusedError
from pulumi_cutlist.lookups.policy_document import policy_document

ROOT = "arn:{}:iam::{}:root"


def statement(**members):
    return {"actions": ["s3:Get*"], "resources": ["*"], **members}


def written(*statements, **arguments):
    return json.loads(policy_document({"statements": list(statements), **arguments})["json"])


def test_the_form_is_that_of_go():
    """Two spaces, members in the order of the provider's type, a single value as a text, several in descending order, and
    escapes for what means something in HTML."""
    document = policy_document(
        {"policyId": "p", "statements": [{"sid": "A", "actions": ["s3:Get", "s3:List"], "resources": ["a&b", "a&b"]}]}
    )
    assert document["json"] == (
        '{\n  "Version": "2012-10-17",\n  "Id": "p",\n  "Statement": [\n    {\n      "Sid": "A",\n      "Effect": "Allow",\n'
        '      "Action": [\n        "s3:List",\n        "s3:Get"\n      ],\n      "Resource": "a\\u0026b"\n    }\n  ]\n}'
    )
    assert document["minifiedJson"] == json.dumps(json.loads(document["json"]), separators=(",", ":")).replace("&", "\\u0026")


@pytest.mark.parametrize(
    ("partition", "groups", "order"),
    [
        ("aws", ["12", "3", "4"], "3421"),
        ("aws-us-gov", ["12", "3", "4"], "3214"),
        ("aws", ["1", "23"], "132"),
    ],
)
def test_principals_of_one_type_are_in_the_order_of_the_providers_sets(partition, groups, order):
    """As the provider's own tests have it, with accounts of one digit twelve times: its sets are ordered by hashes."""
    principals = [{"type": "AWS", "identifiers": [ROOT.format(partition, digit * 12) for digit in group]} for group in groups]
    [made] = written(statement(principals=principals))["Statement"]
    assert made["Principal"]["AWS"] == [ROOT.format(partition, digit * 12) for digit in order]


def test_everybody_is_a_star_only_where_the_type_is():
    """IAM treats `*` and `AWS: *` differently."""
    of = [{"type": "*", "identifiers": ["*"]}], [{"type": "AWS", "identifiers": ["*"]}]
    made = written(*(statement(principals=principals) for principals in of))["Statement"]
    assert [part["Principal"] for part in made] == ["*", {"AWS": "*"}]


def test_conditions_keep_their_order_and_variables_are_written_with_a_dollar():
    condition = {"test": "StringLike", "variable": "s3:prefix", "values": ["home/", "", "home/&{aws:username}/"]}
    [made] = written(statement(conditions=[condition]))["Statement"]
    assert made["Condition"] == {"StringLike": {"s3:prefix": ["home/", "", "home/${aws:username}/"]}}


def test_documents_are_merged_by_sid():
    """What comes later replaces a statement of the same Sid where it stands; statements without one are added."""
    source = policy_document({"statements": [statement(), statement(sid="One")]})["json"]
    override = policy_document({"policyId": "last", "statements": [{"sid": "One", "effect": "Deny", "actions": ["*"]}]})["json"]
    made = written(statement(sid="Two"), sourcePolicyDocuments=[source], overridePolicyDocuments=[override])
    assert made["Id"] == "last"
    assert [(part.get("Sid"), part["Effect"]) for part in made["Statement"]] == [
        (None, "Allow"),
        ("One", "Deny"),
        ("Two", "Allow"),
    ]


def test_documents_of_others_keep_their_values():
    """Their lists stay as they are, but those of principals, and booleans in conditions become texts."""
    other = {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Action": ["a:1", "a:2"],
                "Principal": {"AWS": ["1", "2"], "Service": "s"},
                "Condition": {"Bool": {"x": True}},
            }
        ],
    }
    [made] = written(sourcePolicyDocuments=[json.dumps(other)])["Statement"]
    assert made["Action"] == ["a:1", "a:2"]
    assert made["Principal"] == {"AWS": ["2", "1"], "Service": "s"}
    assert made["Condition"] == {"Bool": {"x": "true"}}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"version": "2013-01-01"}, "version"),
        ({"statements": [statement(effect="allow")]}, "effect"),
        ({"statements": [statement(sid="a-b")]}, "alphanumeric"),
        ({"statements": [statement(sid="A"), statement(sid="A")]}, "duplicate Sid"),
        ({"version": "2008-10-17", "statements": [statement(resources=["&{x}"])]}, "not supported in document version"),
        ({"sourcePolicyDocuments": ["{"]}, "source document 0"),
        (
            {"overridePolicyDocuments": ['{"Statement": {}, "Id": "x", "Version": 1, "Statement": {"a": 1}}']},
            "override document 0",
        ),
        ({"sourcePolicyDocuments": ['{"Statement": [{"Sid": "A"}]}', '{"Statement": [{"Sid": "A"}]}']}, "duplicate Sid"),
    ],
)
def test_what_the_provider_refuses_is_refused(arguments, said):
    with pytest.raises(LookupRefusedError, match=said):
        policy_document(arguments)
