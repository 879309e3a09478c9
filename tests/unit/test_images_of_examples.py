"""Every image that an example, a page or a stack names can be had with the Kubernetes that they are about."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from cutlist.catalog.images import image_releases
from cutlist.infrastructure.eks_support import is_extended
from cutlist.infrastructure.versions import known_kubernetes
from cutlist.policy.guides import guides

ROOT = Path(__file__).parents[2]
ALIAS = re.compile(r"\b((?:al2|al2023|bottlerocket|windows20\d\d)@v?[0-9][0-9.]*[0-9])")
KUBERNETES = "1.35"  # of all stacks of ours
SUFFIXES = (".md", ".yaml", ".ts", ".py")
FOLDERS = ("stacks", "examples", "docs", "cutlist", "cutlist_cli", "components")
VIOLATIONS = set(ALIAS.findall(guides()["IF-19"].example))
"""What the rule about images shows as a violation."""
LAST_OF_AL2 = "al2@v20251112"
"""What a class of an unknown cluster has if the user says that it is of AL2, which ended with Kubernetes 1.32."""
WITHOUT_IMAGES = {*VIOLATIONS, LAST_OF_AL2}
PLACES = {
    (str(path.relative_to(ROOT)), alias)
    for path in (ROOT / "README.md", *(p for folder in FOLDERS for p in (ROOT / folder).rglob("*")))
    if path.suffix in SUFFIXES and "node_modules" not in path.parts and "spec" not in path.parts
    for alias in ALIAS.findall(path.read_text("utf-8"))
    if alias not in WITHOUT_IMAGES
}


@pytest.mark.parametrize(("path", "alias"), sorted(PLACES))
def test_an_alias_of_a_page_has_images(path, alias):
    assert image_releases().missing(alias, KUBERNETES) is None


def test_the_example_of_a_violation_is_one():
    assert [alias for alias in VIOLATIONS if image_releases().missing(alias, KUBERNETES) is None] == []
    assert VIOLATIONS


def test_the_last_images_of_al2_are_those_of_the_last_kubernetes_that_has_any():
    assert image_releases().missing(LAST_OF_AL2, "1.32") is None
    assert image_releases().missing(LAST_OF_AL2, "1.33") is not None


def test_the_stacks_are_of_this_kubernetes():
    stacks = [path.read_text() for path in (ROOT / "stacks").glob("Pulumi.*.yaml") if "aks" not in path.name]
    versions = {version for text in stacks for version in re.findall(r'kubernetesVersion: "([0-9.]+)"', text)}
    assert versions == {KUBERNETES}
    assert versions <= set(known_kubernetes())
    assert not is_extended(KUBERNETES, date(2026, 11, 23))
    assert len(PLACES) >= 10
