"""The table of supported Karpenters, and how users choose one."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.baselines import (
    BASELINES,
    DEFAULT,
    PATCH_RELEASE,
    SUPPORTED,
    baseline_of,
    chosen_baseline,
    chosen_gates,
)
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.feature_gates import FEATURE_GATES, FLAGS
from cutlist.core.karpenter.versions import NEWEST, KarpenterVersion
from tests.recorded import PROJECT
from tests.unit.core.karpenter.versions_page import page

HERE = Place(path="--karpenter")


def chosen(text: str) -> tuple[str, tuple[str, ...]]:
    """The release that a text stands for, and the codes of its notes."""
    problems = Problems()
    baseline, notes = chosen_baseline(text, HERE, problems)
    assert not problems
    return str(baseline), tuple(note.code for note in notes)


@pytest.mark.parametrize(
    ("text", "release"),
    [("1.14", "1.14.1"), ("1.14.1", "1.14.1"), ("v1.15", "1.15.0"), ("1.15.0", "1.15.0"), ("1.15.1", "1.15.0")],
)
def test_a_minor_and_the_releases_that_are_known_stand_for_themselves(text: str, release: str) -> None:
    """1.15.1 is the AWS provider that comes with core 1.15.0."""
    assert chosen(text) == (release, ())


@pytest.mark.parametrize(
    ("text", "release"), [("1.14.0", "1.14.1"), ("1.14.2", "1.14.1"), ("1.14.9", "1.14.3"), ("1.15.7", "1.15.0")]
)
def test_a_patch_release_counts_as_the_latest_known_one_that_is_not_after_it(text: str, release: str) -> None:
    """And that is said."""
    assert chosen(text) == (release, (PATCH_RELEASE,))


@pytest.mark.parametrize("text", ["1.13", "1.16.0", "9.9.9", "newest", "1", ""])
def test_a_version_that_is_not_supported_is_refused_with_those_that_are(text: str) -> None:
    """As is what is no version at all."""
    problems = Problems()
    baseline, notes = chosen_baseline(text, HERE, problems)
    (problem,) = problems.found
    assert (baseline, notes) == (DEFAULT, ())
    assert problem.allowed == "1.14, 1.15"
    assert problem.place == HERE
    assert text in problem.message


def test_the_patch_release_of_the_long_term_minor_differs_in_what_it_took_over() -> None:
    """1.14.3 counts minValues as 1.15 does, and takes as many errors for missing capacity."""  # V15-1, VA15-66
    patch = baseline_of("1.14.3")
    assert patch is not None
    assert patch.behaviours == {
        Behaviour.MIN_VALUES_COUNT_ALLOWED_VALUES,
        Behaviour.MORE_ERRORS_ARE_MISSING_CAPACITY,
    }


def test_no_release_loses_a_behaviour_of_an_earlier_one() -> None:
    """A behaviour that is undone again would be a behaviour of its own."""
    for earlier, later in pairwise(BASELINES):
        assert earlier.release < later.release
        assert earlier.behaviours <= later.behaviours
        assert earlier.feature_gates <= later.feature_gates
    assert tuple(sorted(SUPPORTED)) == SUPPORTED


def test_every_behaviour_belongs_to_a_release_and_names_its_statements() -> None:
    """The first release has none of them."""
    assert BASELINES[0].behaviours == frozenset()
    assert BASELINES[-1].behaviours == frozenset(Behaviour)
    assert all(re.match(r"V15-\d+|VA15-\d+", behaviour.statements) and behaviour.text for behaviour in Behaviour)


def test_scheduling_and_disruption_compare_no_versions() -> None:
    """They ask a baseline for behaviours by name."""
    for package in ("scheduling", "disruption", "state", "planning"):
        for file in (PROJECT / "cutlist" / package).rglob("*.py"):
            assert "karpenter.versions" not in file.read_text("utf-8"), file


def test_the_page_on_versions_says_what_the_table_says() -> None:
    """Write it anew with `python -m tests.unit.core.karpenter.versions_page > docs/spec/versions.md`."""
    assert (PROJECT / "docs" / "spec" / "versions.md").read_text("utf-8") == page()


def test_what_a_release_knows_follows_from_the_tables_of_gates_flags_and_hashes() -> None:
    """None of it is written down twice."""  # V15-64, V15-65, VA15-20, VA15-110
    first, last = BASELINES[0], BASELINES[-1]
    assert last.aws_release == NEWEST
    assert (len(first.feature_gates), len(last.feature_gates)) == (6, 9)
    assert (first.aws_feature_gates, len(last.aws_feature_gates)) == (frozenset(), 4)
    assert (first.flags, len(last.flags)) == (frozenset(), len(FLAGS))
    assert [(b.node_pool_hash, b.ec2_node_class_hash) for b in BASELINES] == [("v3", "v5"), ("v3", "v5"), ("v3", "v6")]


@pytest.mark.parametrize(
    ("gate", "version", "exists"),
    [
        ("Drift", (0, 32, 0), True),
        ("Drift", (1, 0, 0), False),
        ("ReservedCapacity", (1, 2, 9), False),
        ("ReservedCapacity", (1, 3, 0), True),
        ("RebootForRepair", (1, 14, 3), False),
        ("RebootForRepair", (1, 15, 0), True),
    ],
)
def test_a_gate_exists_from_its_version_on(gate: str, version: tuple[int, int, int], exists: bool) -> None:
    """Drift was removed with 1.0, which always does it."""
    row = next(row for row in FEATURE_GATES if row.name == gate)
    assert row.is_in(KarpenterVersion(*version)) is exists


def test_a_gate_of_aws_that_the_chosen_release_lacks_is_refused() -> None:
    """1.14 has none."""  # VA15-110
    problems = Problems()
    assert chosen_gates(["NodeClassCEL"], BASELINES[-1], HERE, problems) == {"NodeClassCEL"}
    assert not problems
    assert chosen_gates(["NodeClassCEL"], BASELINES[0], HERE, problems) == frozenset()
    assert [p.message for p in problems.found] == ["Karpenter 1.14 has no feature gate NodeClassCEL of AWS"]
