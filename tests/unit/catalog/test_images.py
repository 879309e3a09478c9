"""Which images of AWS's families exist for a version of Kubernetes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.api.ami_alias import AL2_UNTIL, ALIAS_FAMILIES
from cutlist.catalog.format import Source, read_table, write_table
from cutlist.catalog.images import COLUMNS, image_releases, read_images
from cutlist.core.errors import InputError, Place
from cutlist.infrastructure.versions import known_kubernetes
from tests.examples import examples

RELEASES = image_releases()
KUBERNETES = st.sampled_from(known_kubernetes())
DAYS = [day for day in RELEASES.days if day >= "v20240601"]


@pytest.mark.parametrize(
    ("alias", "kubernetes"),
    [
        ("al2023@v20250915", "1.34"),
        ("al2023@v20250228", "1.32"),
        ("al2023@latest", "1.36"),
        ("al2@v20251209", "1.32"),
        ("al2@latest", "1.30"),
        ("bottlerocket@v1.47.0", "1.34"),
        ("bottlerocket@1.49.0", "1.34"),
        ("bottlerocket@1.49.0-12ab34cd", "1.34"),
        ("bottlerocket@v1.63.1", "1.30"),
        ("windows2019@latest", "1.36"),
        ("windows2025@latest", "1.35"),
    ],
)
def test_an_alias_with_images_is_accepted(alias, kubernetes):
    assert RELEASES.missing(alias, kubernetes) is None


@pytest.mark.parametrize(
    ("alias", "kubernetes", "message", "nearest"),
    [
        ("al2023@v20250228", "1.34", "v20250915 is the first", "al2023@v20260930"),
        ("al2023@v20250904", "v1.34.2", "v20250915 is the first", "al2023@v20260930"),
        ("al2023@v20260403", "1.29", "v20260318 is the last", "al2023@v20260318"),
        ("al2@latest", "1.33", "1.32 is the last", "al2023@v20260930"),
        ("al2@v20250228", "1.36", "1.32 is the last", "al2023@v20260930"),
        ("al2@v20260107", "1.32", "v20251209 is the last", "al2@v20251209"),
        ("bottlerocket@v1.46.1", "1.34", "v1.47.0 is the first", "bottlerocket@v1.65.0"),
        ("bottlerocket@v1.64.0", "1.30", "v1.63.0 is the last", "bottlerocket@v1.63.0"),
        ("bottlerocket@v1.49", "1.34", "not a release", "bottlerocket@v1.65.0"),
        ("windows2025@latest", "1.34", "1.35 is the first", ""),
        ("al2023@v20250301", "1.32", "no release v20250301", "al2023@v20250228"),
        ("al2023@20260714", "1.34", "not a release", "al2023@v20260930"),
        ("al2023@latst", "1.34", "not a release", "al2023@v20260930"),
        ("al2023@v20260714", "1.37", "came later", ""),
    ],
)
def test_an_alias_without_images_says_what_has_them(alias, kubernetes, message, nearest):  # A-68, NC-03
    missing = RELEASES.missing(alias, kubernetes)
    assert missing is not None
    assert message in missing.message
    assert missing.nearest == nearest
    assert missing.allowed


@pytest.mark.parametrize(
    ("alias", "kubernetes"),
    [
        ("al2023@v20270101", "1.34"),  # newer than the table
        ("al2023@v20270101", "1.37"),
        ("al2023@v20260520", "1.36"),  # released, but no list says of which versions
        ("bottlerocket@v1.99.0", "1.38"),
        ("al2023@v20250228", "latest"),
        ("al2023@v20250228", ""),
        ("al2023@v20250228", "1.20"),
        ("ubuntu@v1", "1.34"),
    ],
)
def test_what_the_table_does_not_know_is_no_mistake(alias, kubernetes):
    assert RELEASES.missing(alias, kubernetes) is None


@given(st.sampled_from(sorted(ALIAS_FAMILIES)), KUBERNETES)
@examples(0.5)
def test_every_example_has_images(family, kubernetes):
    example = RELEASES.example(family, kubernetes)
    if not example or (family == "al2" and int(kubernetes[2:]) > 32):
        return
    assert RELEASES.missing(example, kubernetes) is None


@given(st.sampled_from(DAYS), st.sampled_from(DAYS), KUBERNETES)
@examples(0.5)
def test_a_later_release_has_what_an_earlier_one_has_while_images_go_on(one, other, kubernetes):
    earlier, later = sorted((one, other))
    if RELEASES.missing(f"al2023@{earlier}", kubernetes) is None:
        assert RELEASES.missing(f"al2023@{later}", kubernetes) is None


@given(st.sampled_from(DAYS), KUBERNETES)
@examples(0.5)
def test_the_nearest_alias_has_images(day, kubernetes):
    for family in ("al2", "al2023"):
        missing = RELEASES.missing(f"{family}@{day}", kubernetes)
        assert missing is None or RELEASES.missing(missing.nearest, kubernetes) is None


def test_images_for_gpus_begin_later_than_the_family():
    assert RELEASES.has_image("al2023@v20241011", "standard, amd64")
    assert not RELEASES.has_image("al2023@v20241011", "nvidia, amd64")
    assert RELEASES.has_image("al2023@v20241024", "nvidia, amd64")
    assert not RELEASES.has_image("al2023@v20241024", "nvidia, arm64")
    assert RELEASES.has_image("al2023@latest", "nvidia, arm64")
    assert RELEASES.has_image("bottlerocket@v1.20.0", "nvidia, arm64")


def test_every_row_has_a_source_with_a_date():
    assert len(RELEASES.rows) > 30
    assert all(re.match(r"20\d\d-\d\d", row.source.date) and row.source.text for row in RELEASES.rows)
    assert f"1.{RELEASES.ends['AL2']}" == AL2_UNTIL


@pytest.mark.parametrize("family", ["AL2023", "Bottlerocket"])
def test_every_kubernetes_that_a_cluster_may_have_is_in_the_table_or_newer(family):
    """Of a version that is newer than all of the table's, no listed release has images, and later ones are undetermined."""
    minors = {int(row.minor or 0) for row in RELEASES.rows if row.family == family}
    beyond = {text for text in known_kubernetes() if int(text.partition(".")[2]) not in minors}
    assert all(int(text.partition(".")[2]) > max(minors) for text in beyond)
    for text in beyond:
        newest = RELEASES.missing(f"{family.lower()}@{RELEASES.newest[family]}", text)
        assert newest is not None
        assert "came later" in newest.message
        assert RELEASES.missing(f"{family.lower()}@latest", text) is None


@pytest.mark.parametrize(
    ("columns", "row", "message"),
    [
        (COLUMNS, ("AL3", "", "1.34", "", "v1", "", "", "S"), "cannot be read"),
        (COLUMNS, ("AL2023", "", "1.34", "", "", "", "", "S"), "cannot be read"),
        (COLUMNS, ("AL2023", "", "1.34", "", "v20250915", "", "", "T"), "cannot be read"),
        (COLUMNS, ("AL2023", "", "latest", "", "v20250915", "", "", "S"), "cannot be read"),
        (COLUMNS[:2], ("AL2023", ""), "columns"),
    ],
)
def test_a_damaged_row_is_reported(columns, row, message):
    text = write_table({"vendor": "aws"}, {"S": Source("2026-01", "somewhere")}, columns, [row])
    with pytest.raises(InputError, match=message):
        read_images(read_table(text, Place("images.tsv")), Place("images.tsv"))


def test_releases_after_the_complete_list_are_proposed_and_days_between_them_are_no_mistakes() -> None:
    """They were seen one by one, so others may exist."""
    assert RELEASES.example("al2023", "1.34") == "al2023@v20260930"
    assert RELEASES.example("al2023", "1.29") == "al2023@v20260318"
    assert RELEASES.missing("al2023@v20260820", "1.36") is None
    assert not set(RELEASES.later) & set(RELEASES.days)
    assert min(RELEASES.later) > max(RELEASES.days)
