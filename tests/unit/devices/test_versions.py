"""Semantic versions: an order in the sense of mathematics, and that of semver.org."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.devices.versions import Version, normalised, parse_version

NAMES = st.one_of(st.integers(0, 30).map(str), st.sampled_from(("alpha", "beta", "rc", "x-1", "0a")))
VERSIONS = st.builds(Version, st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.lists(NAMES, max_size=3).map(tuple))


def text(version: Version) -> str:
    before = f"-{'.'.join(version.before)}" if version.before else ""
    return f"{version.major}.{version.minor}.{version.patch}{before}"


@given(VERSIONS, VERSIONS, VERSIONS)
def test_versions_are_in_a_total_order(a, b, c):
    """Either way gives the opposite, equal ones are the same, and the order carries over."""
    assert a.compare(b) == -b.compare(a)
    assert (a.compare(b) == 0) == (a == b)
    if a.compare(b) <= 0 and b.compare(c) <= 0:
        assert a.compare(c) <= 0


@given(VERSIONS)
def test_a_version_is_read_back(version):
    """Build metadata does not count, and a pre-release is lower than its release."""
    assert parse_version(text(version)) == version
    assert parse_version(f"{text(version)}+build.7") == version
    release = Version(version.major, version.minor, version.patch)
    assert version.compare(release) == (-1 if version.before else 0)


def test_the_order_of_pre_releases_is_that_of_the_standard():
    """The example of semver.org, rule 11 (R-22)."""
    texts = (
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
    )
    versions = [parse_version(t) for t in texts]
    assert all(a and b and a.compare(b) < 0 for a, b in pairwise(versions))


@pytest.mark.parametrize(
    "wrong", ["", "1", "1.2", "v1.2.3", "01.2.3", "1.2.3-01", "1.2.3-", "1.2.3 ", "1.2.3-a..b", f"{2**64}.0.0"]
)
def test_what_is_no_version_is_none(wrong):
    """Such an attribute makes its device match nothing (R-125)."""
    assert parse_version(wrong) is None


@pytest.mark.parametrize(
    ("raw", "meant"), [("v1.2", "1.2.0"), ("1", "1.0.0"), ("v01.002.3", "1.2.3"), ("1.2-rc", "1.2-rc"), ("0", "0.0.0")]
)
def test_a_text_is_made_a_version_as_semver_with_true_does(raw, meant):
    """Missing numbers are added, unless something follows them."""
    assert normalised(raw) == meant
