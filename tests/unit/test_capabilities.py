"""The capabilities that the public tutorials show have tests that name them, or words on a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.test_statements import named

PROJECT = Path(__file__).resolve().parents[2]
CAPABILITIES = 200


@pytest.mark.slow
def test_each_capability_is_named_by_a_test() -> None:
    """What other programs do is named by the test of the page that explains it."""
    assert named("K") == set(range(1, CAPABILITIES + 1))


@pytest.mark.parametrize(
    ("page", "command"),
    [
        ("docs/upgrade.md", "`helm registry logout public.ecr.aws`"),  # K-33
        ("docs/aks.md", "extension `aks-preview`"),  # K-180
        ("docs/aks.md", "feature `NodeAutoProvisioningPreview`"),  # K-181
        ("docs/aks.md", "az provider register --namespace Microsoft.ContainerService"),  # K-182
    ],
)
def test_pages_name_the_steps_of_other_programs(page: str, command: str) -> None:
    """Cutlist runs none of them: a page says whether they are needed, and when."""
    assert command in " ".join((PROJECT / page).read_text().split())
