"""Versions and ranges, as the library behind Helm and Flux reads them."""

from __future__ import annotations

import pytest

from cutlist_live.fetch.semver import Range, Version

# range, versions in it, versions outside of it
RANGES = [
    ("", "0.0.1 1.2.3 99.0.0", "1.2.3-rc.1"),
    ("*", "0.0.1 1.2.3", "1.2.3-rc.1"),
    ("1.2.3", "1.2.3 v1.2.3", "1.2.4 1.2.3-rc.1"),
    ("=1.2", "1.2.0 1.2.9", "1.3.0 1.1.9"),
    ("1.2.x", "1.2.0 1.2.9", "1.3.0"),
    ("1.X", "1.0.0 1.9.9", "2.0.0"),
    ("~1.4", "1.4.0 1.4.9", "1.5.0 1.3.9 1.4.1-a"),
    ("~1.4.2", "1.4.2 1.4.9", "1.4.1 1.5.0"),
    ("~1", "1.0.0 1.9.0", "2.0.0"),
    ("~>1.4", "1.4.7", "1.5.0"),
    ("^1.2.3", "1.2.3 1.9.0", "1.2.2 2.0.0"),
    ("^0.2.3", "0.2.3 0.2.9", "0.3.0 0.2.2"),
    ("^0.0.3", "0.0.3", "0.0.4"),
    ("^0.0", "0.0.1 0.0.9", "0.1.0"),
    ("^0", "0.0.1 0.9.0", "1.0.0"),
    (">=1.2 <2", "1.2.0 1.9.9", "2.0.0 1.1.9"),
    (">=1.2, <2", "1.2.0 1.9.9", "2.0.0"),
    (">1.2", "1.3.0 2.0.0", "1.2.9"),
    ("<=1.2", "1.2.9 0.1.0", "1.3.0"),
    ("!=1.2", "1.3.0", "1.2.7"),
    ("1.2 - 1.4", "1.2.0 1.4.9", "1.1.9 1.5.0"),
    ("^1 || >=3.1", "1.5.0 3.1.0", "2.0.0 3.0.9"),
    (">=1.0-0", "1.0.0 1.2.0-rc.1", "0.9.0"),
    (">1.0.0-alpha <1.0.0", "1.0.0-beta 1.0.0-alpha.1", "1.0.0 1.0.0-alpha"),
]


@pytest.mark.parametrize(("text", "inside", "outside"), RANGES, ids=[text for text, _, _ in RANGES])
def test_which_versions_are_in_a_range(text: str, inside: str, outside: str) -> None:
    """FE-5"""
    wanted = Range.of(text)
    versions = {name: Version.of(name) for name in f"{inside} {outside}".split()}
    assert {name for name, version in versions.items() if version is not None and wanted.has(version)} == set(inside.split())


def test_versions_are_ordered_by_their_numbers_and_identifiers() -> None:
    """FE-5"""
    names = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0", "1.9.0", "1.10.0"]
    versions = [version for version in map(Version.of, names) if version is not None]
    assert sorted(versions, key=lambda version: version.order) == versions


@pytest.mark.parametrize("text", ["main", ">=", "1.2 ||", "1..2", "release-1.2", "1.2.3.4"])
def test_what_is_not_a_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="range of versions"):
        Range.of(text)


@pytest.mark.parametrize("tag", ["latest", "v1.2.3.4", "1.02.3", "release-1.2.3", ""])
def test_other_tags_are_not_versions(tag: str) -> None:
    assert Version.of(tag) is None


def test_the_highest_tag_keeps_its_spelling() -> None:
    assert Range.of("1.x").highest(["v1.2.0", "1.10.1", "latest", "2.0.0"]) == "1.10.1"
    assert Range.of("3.x").highest(["v1.2.0"]) is None
