"""Which requirement terms are refused (spec: scheduling 4.3)."""

from __future__ import annotations

import pytest

from cutlist.api.terms import label_key_problems, label_value_problems, term_problems
from cutlist.core.labels import AWS, CORE
from cutlist.core.requirement import Expression


def problems(key: str, operator: str, *values: str, floor: int | None = None) -> list[str]:
    return term_problems(Expression(key, operator, values, floor), CORE)


@pytest.mark.parametrize(
    ("key", "operator", "values"),
    [
        ("team", "In", ("a",)),
        ("a.b/c", "NotIn", ("",)),
        ("k", "Exists", ()),
        ("k", "Gt", ("0",)),
        ("karpenter.sh/nodepool", "In", ("x",)),
    ],
)
def test_good_terms_have_no_problems(key, operator, values):
    """Ordinary terms pass."""
    assert problems(key, operator, *values) == []


def test_an_unknown_operator_is_reported_with_those_that_are_known():
    """The message lists all operators."""
    assert problems("k", "in", "a") == [
        "key k has an unsupported operator in not in [In NotIn Exists DoesNotExist Gt Lt Gte Lte]"
    ]


def test_a_restricted_key_is_refused_after_its_spelling_is_brought_up_to_date():
    """Keys in Karpenter's domain are refused; a beta key is judged as the key of today."""
    assert problems("karpenter.sh/x", "Exists")[0].startswith("using label karpenter.sh/x is not allowed")
    assert problems("beta.kubernetes.io/arch", "In", "arm64") == []


def test_of_a_closed_set_one_value_must_be_known():
    """A capacity type that does not exist is refused, unless a real one stands beside it."""
    key = "karpenter.sh/capacity-type"
    known = "map[on-demand:{} reserved:{} spot:{}]"
    assert problems(key, "In", "cheap") == [
        f"no valid values found in [cheap] for {key}, expected one of: {known}, got: [cheap]"
    ]
    assert problems(key, "In", "cheap", "spot") == []
    assert problems(key, "NotIn", "cheap") == []
    assert "not enough valid values found in [spot cheap]" in problems(key, "In", "spot", "cheap", floor=2)[0]
    tenancy = Expression("karpenter.k8s.aws/instance-tenancy", "In", ("host",))
    assert "dedicated" in term_problems(tenancy, AWS)[0]


def test_in_needs_values_and_as_many_as_the_minimum():
    """In without values, or with fewer than minValues, is refused."""
    assert problems("k", "In") == ["key k with operator In must have a value defined"]
    assert problems("k", "In", "a", floor=2) == [
        "key k with operator In must have at least minimum number of values defined in 'values' field"
    ]


@pytest.mark.parametrize("values", [(), ("1", "2"), ("x",), ("-1",), ("9" * 30,)])
@pytest.mark.parametrize("operator", ["Gt", "Lt", "Gte", "Lte"])
def test_bounds_need_one_whole_number(operator, values):
    """A bound has exactly one value, a non-negative integer."""
    assert f"key k with operator {operator} must have a single positive integer value" in problems("k", operator, *values)


def test_all_problems_are_reported():
    """Nothing hides behind the first mistake."""
    assert len(problems("bad key", "Near", "has space", "-")) == 4


@pytest.mark.parametrize(
    ("key", "count"),
    [
        ("a", 0),
        ("a.b/c_d.e", 0),
        ("", 2),
        ("/a", 1),
        ("a/", 2),
        ("A.b/c", 1),
        ("a/b/c", 1),
        ("a" * 64, 1),
        ("a" * 254 + "/b", 1),
        ("a\n", 1),
    ],
)
def test_label_keys(key, count):
    """A name of up to 63 characters, with a DNS domain before it if any."""
    assert len(label_key_problems(key)) == count


@pytest.mark.parametrize(
    ("value", "count"), [("", 0), ("a", 0), ("1.2_3-b", 0), ("-a", 1), ("a ", 1), ("a" * 64, 1), ("-" * 64, 2), ("é" * 40, 2)]
)
def test_label_values(value, count):
    """Empty, or up to 63 bytes that begin and end with a letter or digit."""
    assert len(label_value_problems(value)) == count
