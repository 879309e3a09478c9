"""The capabilities that the public tutorials show have tests that name them, or words on a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.test_statements import named

PROJECT = Path(__file__).resolve().parents[2]
CAPABILITIES = 200
# What others do, so that a page can only tell it, and what it says then.
TOLD = {
    33: ("docs/upgrade.md", "`helm registry logout public.ecr.aws`"),
    180: ("docs/aks-cluster.md", "extension `aks-preview`"),
    181: ("docs/aks-cluster.md", "feature `NodeAutoProvisioningPreview`"),
    182: ("docs/aks-cluster.md", "az provider register --namespace Microsoft.ContainerService"),
}


def test_each_capability_is_named_by_a_test_or_told_by_a_page() -> None:
    """Those that are told are listed above; a capability that gets its test leaves the list."""
    assert set(range(1, CAPABILITIES + 1)) - named("K") == set(TOLD)


@pytest.mark.parametrize("number", TOLD)
def test_pages_tell_what_only_others_can_do(number: int) -> None:
    """Each in these words."""
    page, words = TOLD[number]
    assert words in " ".join((PROJECT / page).read_text().split())
