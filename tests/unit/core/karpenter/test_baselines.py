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
)
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.infrastructure.charts.crds import crds_of
from cutlist.infrastructure.observability.series import SERIES
from tests.recorded import PROJECT
from tests.unit.core.karpenter.versions_page import changes, page

SPEC = PROJECT / "docs" / "spec"
HERE = Place(path="--karpenter")


def chosen(text: str) -> tuple[str, str, tuple[str, ...]]:
    """The releases of core and of the AWS provider that a text stands for, and the codes of its notes."""
    problems = Problems()
    baseline, notes = chosen_baseline(text, HERE, problems)
    assert not problems
    assert all(f"counts as {baseline.aws_release}" in note.text for note in notes)
    return str(baseline), str(baseline.aws_release), tuple(note.code for note in notes)


@pytest.mark.parametrize(
    ("text", "release", "of_aws"),
    [
        ("1.14", "1.14.1", "1.14.1"),
        ("1.14.1", "1.14.1", "1.14.1"),
        ("v1.15", "1.15.0", "1.15.2"),
        ("1.15.0", "1.15.0", "1.15.1"),
        ("1.15.1", "1.15.0", "1.15.1"),
        ("1.15.2", "1.15.0", "1.15.2"),
    ],
)
def test_a_minor_and_the_releases_that_are_known_stand_for_themselves(text: str, release: str, of_aws: str) -> None:
    """1.15.1 and 1.15.2 are AWS providers on one core, and the minor means the later of them."""
    assert chosen(text) == (release, of_aws, ())


@pytest.mark.parametrize(
    ("text", "release", "of_aws"),
    [
        ("1.14.0", "1.14.1", "1.14.1"),
        ("1.14.2", "1.14.1", "1.14.1"),
        ("1.14.9", "1.14.3", "1.14.3"),
        ("1.15.7", "1.15.0", "1.15.2"),
    ],
)
def test_a_patch_release_counts_as_the_latest_known_one_that_is_not_after_it(text: str, release: str, of_aws: str) -> None:
    """And that is said."""
    assert chosen(text) == (release, of_aws, (PATCH_RELEASE,))


def test_the_default_is_what_its_minor_means() -> None:
    """Whether it is named or not."""
    assert baseline_of(str(DEFAULT.minor)) is DEFAULT
    assert [baseline_of(baseline.choice) for baseline in BASELINES] == list(BASELINES)


@pytest.mark.parametrize("text", ["1.13", "1.16.0", "9.9.9", "newest", "1", ""])
def test_a_version_that_is_not_supported_is_refused_with_those_that_are(text: str) -> None:
    """As is what is not a version at all."""
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
        assert earlier.release <= later.release
        assert earlier.aws_release < later.aws_release
        assert earlier.behaviours <= later.behaviours
        assert earlier.feature_gates <= later.feature_gates
    assert tuple(sorted(SUPPORTED)) == SUPPORTED


def test_every_behaviour_belongs_to_a_release_and_names_its_statements() -> None:
    """The first release has none of them."""
    assert BASELINES[0].behaviours == frozenset()
    assert BASELINES[-1].behaviours == frozenset(Behaviour)
    assert all(re.match(r"V15-\d+|VA15-\d+|R-\d+", behaviour.statements) and behaviour.text for behaviour in Behaviour)


def test_scheduling_and_disruption_compare_no_versions() -> None:
    """They ask a baseline for behaviours by name."""
    for package in ("scheduling", "disruption", "state", "planning"):
        for file in (PROJECT / "cutlist" / package).rglob("*.py"):
            assert "karpenter.versions" not in file.read_text("utf-8"), file


def test_the_page_on_versions_says_what_the_tables_say() -> None:
    """Regenerate it with `python -m tests.unit.core.karpenter.versions_page > docs/spec/versions.md`."""
    assert (SPEC / "versions.md").read_text("utf-8") == page()


def test_the_page_on_versions_names_everything_that_a_release_has() -> None:
    """Behaviours, hashes, gates, flags, CRDs, series, and each change of an upgrade between two releases."""
    text = page()
    newest = BASELINES[-1]
    names = {*newest.feature_gates, *newest.aws_feature_gates, *newest.flags, newest.node_pool_hash, newest.ec2_node_class_hash}
    names |= {behaviour.text for behaviour in Behaviour} | crds_of(newest.aws_release)
    names |= {series.name for series in SERIES if BASELINES[0].release < series.since}
    assert [name for name in sorted(names) if name not in text] == []
    for old, new in pairwise(BASELINES):
        assert changes(old, new) or new.behaviours > old.behaviours
        assert [delta.text for delta in changes(old, new) if delta.text.split(": ", 1)[-1] not in text] == []


def test_the_page_on_versions_names_every_statement_on_the_release() -> None:
    """But one that nobody notices: SQS is asked by another parameter, with the same permission."""
    named = set(re.findall(r"\bVA?15-\d+", page()))
    for letters, first, last in re.findall(r"\b(VA?15)-(\d+) to VA?15-(\d+)", page()):
        named |= {f"{letters}-{number}" for number in range(int(first), int(last) + 1)}
    pages = [(SPEC / name).read_text("utf-8") for name in ("karpenter-1.15.md", "karpenter-aws-1.15.md")]
    rows = [row for text in pages for row in re.findall(r"^\| (VA?15-\d+)\b", text, re.MULTILINE)]
    assert len(rows) > 140
    assert [row for row in rows if row not in named] == ["VA15-119"]
