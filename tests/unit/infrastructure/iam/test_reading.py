"""Statements of others are read as they are, and every mistake in them is reported with its path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.iam.controller import controller_documents
from cutlist.infrastructure.iam.reading import read_document
from tests.unit.infrastructure.iam.clusters import REGIONS, V1_14, cluster, everything

PLACE = Place(path="extraStatements")


@given(st.sampled_from(REGIONS), st.booleans())
def test_what_was_written_is_read_back(region, strict):
    facts = cluster(region=region)
    for document in controller_documents(facts, V1_14, everything(facts, strict=strict)).values():
        problems = Problems()
        assert read_document(document.as_data()["Statement"], PLACE, problems).as_data() == document.as_data()
        assert not problems


@pytest.mark.parametrize(
    ("statement", "path", "message"),
    [
        ({"Efect": "Allow"}, "Efect", "unknown element 'Efect'"),
        ({"NotAction": "*"}, "NotAction", "unknown element 'NotAction'"),
        ({"Effect": "allow"}, "Effect", "unknown value 'allow'"),
        ({"Sid": "my-sid"}, "Sid", "Sid 'my-sid'"),
        ({"Action": []}, "Action", "found []"),
        ({"Resource": None}, "Resource", "found None"),
        ({"Resource": [5]}, "Resource", "found [5]"),
        ({"Condition": {"StringEqual": {"a": "b"}}}, "Condition.StringEqual", "unknown operator 'StringEqual'"),
        ({"Condition": ["a"]}, "Condition", "a condition is not an object"),
        ({"Condition": {"Bool": {"a": ""}}}, "Condition.Bool.a", "found ''"),
    ],
)
def test_mistakes_are_reported_with_their_path(statement, path, message):
    whole = {"Effect": "Allow", "Action": "ec2:DescribeTags", "Resource": "*", **statement}
    problems = Problems()
    assert read_document([whole], PLACE, problems).statements == ()
    (problem,) = problems.found
    assert str(problem.place) == f"extraStatements[0].{path}"
    assert problem.message.startswith(message)


def test_all_mistakes_are_reported_and_the_right_word():
    problems = Problems()
    read_document([{"Effect": "Alow"}, {"Effect": "Deny", "Action": "a:b", "Resource": "*", "Condtion": {}}], PLACE, problems)
    assert [str(problem.place) for problem in problems.found] == [
        "extraStatements[0].Effect",
        "extraStatements[0].Action",
        "extraStatements[0].Resource",
        "extraStatements[1].Condtion",
    ]
    assert [problem.nearest for problem in problems.found] == ["Allow", "", "", "Condition"]


def test_truth_values_are_texts_of_iam():
    problems = Problems()
    tls = {"Effect": "Deny", "Action": "*", "Resource": "*", "Condition": {"Bool": {"aws:SecureTransport": False}}}
    (statement,) = read_document([tls], PLACE, problems)
    assert not problems
    assert statement.conditions[0].values == ("false",)
