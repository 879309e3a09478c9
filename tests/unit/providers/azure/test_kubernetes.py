"""Versions of Kubernetes: which node is behind its control plane."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.providers.azure.images import is_behind, minor, numbers

VERSIONS = st.tuples(st.integers(1, 2), st.integers(0, 40), st.integers(0, 30))


def text(version: tuple[int, ...]) -> str:
    return "v" + ".".join(map(str, version))


@pytest.mark.parametrize(
    ("kubelet", "control_plane", "behind"),
    [
        ("v1.33.5", "1.34", True),
        ("v1.33.5", "1.33", False),
        ("v1.33.5", "1.33.6", True),
        ("v1.33.5", "v1.33.5", False),
        ("v1.34.0", "1.33", False),
        ("v1.9.9", "1.10", True),
        ("v1.33.5-hotfix.1", "1.34.0", True),
        ("", "1.34", False),
        ("v1.33.5", "", False),
    ],
)
def test_a_node_is_behind_a_later_control_plane_and_never_ahead_of_one(kubelet, control_plane, behind):
    """A version without a patch says nothing of patches, and no version says nothing."""
    assert is_behind(kubelet, control_plane) is behind


@given(VERSIONS, VERSIONS)
def test_of_two_versions_one_is_behind_unless_they_are_equal(one, other):
    assert is_behind(text(one), text(other)) == (one < other)
    assert is_behind(text(one), text(other[:2])) == (one[:2] < other[:2])


@given(VERSIONS)
def test_reading_gives_back_what_was_written(version):
    assert numbers(text(version)) == version
    assert minor(text(version)) == version[:2]


def test_a_text_that_is_no_version_is_refused():
    with pytest.raises(ValueError, match="latest"):
        numbers("latest")
