"""The judge of requests answers as IAM does: operator by operator, and an explicit deny wins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.infrastructure.iam.documents import Condition, Document, Effect, Operator, Principal, Statement
from cutlist.infrastructure.iam.evaluator import Request, covers, decide, holds, reaches

KEY = "aws:ResourceTag/team"


def tells(operator: Operator, wanted: tuple[str, ...], *found: str, key: str = KEY) -> bool:
    context = {KEY: found} if found else {}
    return holds(Condition(operator, key, wanted), Request("ec2:RunInstances", context=context))


@pytest.mark.parametrize(
    ("operator", "wanted", "found", "answer"),
    [
        (Operator.STRING_EQUALS, ("a", "b"), ("b",), True),
        (Operator.STRING_EQUALS, ("a",), ("A",), False),
        (Operator.STRING_EQUALS, ("*",), ("a",), False),
        (Operator.STRING_EQUALS, ("a",), (), False),
        (Operator.STRING_LIKE, ("*",), ("",), True),
        (Operator.STRING_LIKE, ("*",), (), False),
        (Operator.STRING_LIKE, ("a?c*",), ("abcd",), True),
        (Operator.STRING_LIKE, ("a.c",), ("abc",), False),
        (Operator.STRING_EQUALS_IF_EXISTS, ("a",), (), True),
        (Operator.STRING_EQUALS_IF_EXISTS, ("a",), ("b",), False),
        (Operator.FOR_ALL_STRING_EQUALS, ("a", "b"), ("a", "b"), True),
        (Operator.FOR_ALL_STRING_EQUALS, ("a", "b"), ("a", "c"), False),
        (Operator.FOR_ALL_STRING_EQUALS, ("a",), (), True),
        (Operator.BOOL, ("true",), ("True",), True),
        (Operator.BOOL, ("false",), ("true",), False),
        (Operator.BOOL, ("true",), (), False),
        (Operator.ARN_EQUALS, ("arn:aws:sqs:r:1:q",), ("arn:aws:sqs:r:1:q",), True),
        (Operator.ARN_EQUALS, ("arn:aws:sqs:r:1:q",), ("arn:aws:sqs:r:1:qq",), False),
        (Operator.ARN_LIKE, ("arn:aws:events:r:1:rule/*",), ("arn:aws:events:r:1:rule/a/b:c",), True),
        (Operator.ARN_LIKE, ("arn:aws:*:rule/a",), ("arn:aws:events:r:1:rule/a",), False),
    ],
)
def test_operators_compare_as_iam_does(operator, wanted, found, answer):
    assert tells(operator, wanted, *found) is answer


def test_keys_of_conditions_have_no_case():
    """IAM finds `aws:ResourceTag/Team` under `aws:resourcetag/team`; the values are another matter."""
    assert tells(Operator.STRING_EQUALS, ("a",), "a", key="AWS:resourcetag/TEAM")


def test_actions_have_no_case_and_wildcards():
    assert covers("EC2:run*", "ec2:RunInstances")
    assert covers("*", "ec2:RunInstances")
    assert not covers("ec2:Run", "ec2:RunInstances")


def test_wildcards_stay_inside_their_part_of_an_arn():
    """Only in the last part, the name, a wildcard goes over colons and slashes."""
    assert reaches("arn:aws:iam::1:role/*", "arn:aws:iam::1:role/path/name")
    assert not reaches("arn:aws:ec2:r:*:instance/*", "arn:aws:ec2:r:1:volume/v")
    assert not reaches("arn:aws:ec2:*:instance/*", "arn:aws:ec2:r:1:instance/i")
    assert reaches("*", "arn:aws:ec2:r:1:instance/i")


ALLOW = Statement("Allow", ("sqs:*",), ("*",))
DENY = Statement("Deny", ("sqs:DeleteQueue",), ("*",), effect=Effect.DENY)


def test_without_a_statement_a_request_is_denied():
    assert decide((), Request("sqs:DeleteQueue", "*")).allowed is False
    assert decide((Document((ALLOW,)),), Request("ec2:RunInstances", "*")).by is None


@given(st.permutations([Document((ALLOW,)), Document((DENY,)), Document((ALLOW, DENY))]))
def test_a_deny_wins_wherever_it_stands(documents):
    answer = decide(documents, Request("sqs:DeleteQueue", "*"))
    assert (answer.allowed, answer.by) == (False, DENY)
    assert decide(documents, Request("sqs:SendMessage", "*")).allowed


def test_every_condition_must_hold():
    """Conditions of one statement are joined by and, the values of one by or."""
    one = Condition(Operator.STRING_EQUALS, "a", ("1", "2"))
    other = Condition(Operator.STRING_EQUALS, "b", ("1",))
    document = Document((Statement("S", ("x:y",), ("*",), (one, other)),))
    assert decide((document,), Request("x:y", "*", {"a": "2", "b": "1"})).allowed
    assert not decide((document,), Request("x:y", "*", {"a": "2"})).allowed
    assert not decide((document,), Request("x:y", "*", {"a": "2", "b": "2"})).allowed


def test_a_trust_document_asks_who():
    trust = Document((Statement("T", ("sts:AssumeRole",), principals=(Principal("Service", ("ec2.amazonaws.com",)),)),))
    assert decide((trust,), Request("sts:AssumeRole", principal="ec2.amazonaws.com")).allowed
    assert not decide((trust,), Request("sts:AssumeRole", principal="lambda.amazonaws.com")).allowed


def test_sizes_leave_whitespace_out():
    """As IAM counts: a text with a space in it is as long as the one without."""
    spaced, dense = (Document((Statement("S", ("x:y",), (text,)),)) for text in ("a b c", "abc"))
    assert spaced.size == dense.size == len(dense.text())
