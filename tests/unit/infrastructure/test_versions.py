"""Versions that fit together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import Place
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.karpenter.versions import read_version
from cutlist.infrastructure import versions

TABLE = {
    "1.30": "0.37.0",
    "1.31": "1.0.5",
    "1.32": "1.2.0",
    "1.33": "1.5.0",
    "1.34": "1.6.0",
    "1.35": "1.9.0",
    "1.36": "1.13.0",
    "1.37": "1.15.0",
}
NEWEST = str(BASELINES[-1].aws_release)
KUBERNETES = st.sampled_from(sorted(TABLE))
NUMBERS = st.tuples(st.integers(0, 2), st.integers(0, 40), st.integers(0, 9))


def text(numbers: tuple[int, int, int]) -> str:
    return ".".join(map(str, numbers))


@pytest.mark.parametrize(("kubernetes", "least"), TABLE.items())
def test_the_first_karpenter_of_a_kubernetes_fits_it(kubernetes, least):  # I-3
    assert versions.known_kubernetes() == tuple(TABLE)
    assert versions.problems(kubernetes, least) == []
    assert versions.problems(kubernetes, NEWEST) == []


def test_kubernetes_1_37_needs_karpenter_1_15():  # VA15-111
    """1.14 supports up to 1.36."""
    [problem] = versions.problems("1.37", "1.14.1")
    assert str(problem) == (
        "karpenterVersion: Karpenter 1.14.1 does not fit Kubernetes 1.37; allowed: 1.15.0 and later; did you mean 1.15.0?"
    )


@given(KUBERNETES, NUMBERS.filter(lambda n: n != (1, 8, 4)))
def test_a_karpenter_is_refused_exactly_when_it_is_older_than_the_first_that_fits(kubernetes, numbers):  # I-3
    least = TABLE[kubernetes]
    found = versions.problems(kubernetes, text(numbers))
    assert bool(found) == (numbers < read_version(least))
    assert all(problem.nearest == least and least in problem.allowed for problem in found)


@given(KUBERNETES, NUMBERS)
def test_a_v_before_a_version_changes_nothing(kubernetes, numbers):
    assert versions.problems(kubernetes, f"v{text(numbers)}") == versions.problems(kubernetes, text(numbers))


def test_the_message_names_the_pair_and_the_place():  # I-3
    [problem] = versions.problems("1.35", "1.8.1", Place("prod.yaml", path="cluster"))
    assert str(problem) == (
        "prod.yaml cluster.karpenterVersion: Karpenter 1.8.1 does not fit Kubernetes 1.35; "
        "allowed: 1.9.0 and later; did you mean 1.9.0?"
    )


@pytest.mark.parametrize(
    ("kubernetes", "found"),
    [
        (None, "no version"),
        ("", "no version"),
        (1.3, "a number"),
        ("1.29", "'1.29'"),
        ("1.38", "'1.38'"),
        ("latest", "'latest'"),
        ("1.34.2", "'1.34.2'"),
    ],
)
def test_a_kubernetes_outside_the_table_is_refused(kubernetes, found):  # I-3
    [problem] = versions.problems(kubernetes, NEWEST)
    assert found in problem.message
    assert problem.allowed == ", ".join(TABLE)


def test_a_patch_version_of_kubernetes_is_reported_with_its_minor():
    for written in ("v1.34.2", "v1.34", "1.34.2"):
        assert [p.nearest for p in versions.problems(written, NEWEST)] == ["1.34"]


@pytest.mark.parametrize("karpenter", ["1.14", "latest", "", "1.14.x", None, 1.14, "1.14.1-rc.1", "01.2.3"])
def test_a_moving_karpenter_is_refused(karpenter):
    [problem] = versions.problems("1.34", karpenter)
    assert problem.place.path == "karpenterVersion"
    assert "not an exact version" in problem.message


def test_both_mistakes_are_reported_at_once():
    assert [p.place.path for p in versions.problems("1.2", "new")] == ["version", "karpenterVersion"]


def test_a_withdrawn_version_is_refused():
    [problem] = versions.problems("1.34", "1.8.4")
    assert "withdrawn" in problem.message
