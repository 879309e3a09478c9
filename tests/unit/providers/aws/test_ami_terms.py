"""AMI terms and families that go together."""

from __future__ import annotations

import pytest

from cutlist import EC2NodeClass
from cutlist.core.errors import InputError
from cutlist.providers.aws.launch.images import expected_images
from tests.unit.providers.aws.node_classes import node_class

ALIAS = {"alias": "al2023@v20260625"}


def made(*terms: dict[str, str], family: str | None = None) -> EC2NodeClass:
    tags = [{"tags": {"a": "b"}}]
    spec = {"role": "node", "amiSelectorTerms": list(terms), "subnetSelectorTerms": tags, "securityGroupSelectorTerms": tags}
    full = spec if family is None else {**spec, "amiFamily": family}
    header = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}}
    return EC2NodeClass.from_manifest({**header, "spec": full})


@pytest.mark.parametrize(
    "terms",
    [(ALIAS, {"id": "ami-1"}), ({**ALIAS, "id": "ami-1"},), (ALIAS, ALIAS), ({"alias": "windows2022@v1"},)],
    ids=["another term", "another field", "twice", "a version of Windows"],
)
def test_an_alias_stands_alone(terms):
    """It is the only term and alone in it, and for Windows it is `latest`."""
    #
    with pytest.raises(InputError):
        made(*terms)


@pytest.mark.parametrize(
    ("terms", "family", "resolved"),
    [
        ((ALIAS,), None, "AL2023"),
        ((ALIAS,), "AL2023", "AL2023"),
        ((ALIAS,), "Custom", "Custom"),
        (({"id": "ami-1"},), "Bottlerocket", "Bottlerocket"),
    ],
)
def test_the_family_comes_from_the_alias_or_is_written(terms, family, resolved):
    """With an alias it may be left out, be the same, or be Custom; without one it is what is written."""
    #
    assert made(*terms, family=family).resolved_ami_family == resolved


@pytest.mark.parametrize(("terms", "family"), [(({"id": "ami-1"},), None), ((ALIAS,), "AL2"), ((ALIAS,), "Bottlerocket")])
def test_no_family_and_another_family_are_refused(terms, family):
    """Without an alias it must be written, with one it must not contradict it."""
    #
    with pytest.raises(InputError, match="amiFamily"):
        made(*terms, family=family)


@pytest.mark.parametrize(
    ("alias", "kinds"),
    [
        ("al2023@v20240703", {"standard, amd64", "standard, arm64"}),
        ("al2023@v20241024", {"standard, amd64", "standard, arm64", "neuron, amd64", "nvidia, amd64"}),
        ("al2023@latest", {"standard, amd64", "standard, arm64", "neuron, amd64", "nvidia, amd64", "nvidia, arm64"}),
    ],
)
def test_early_releases_have_no_images_with_drivers(alias, kinds):
    assert {image.id for image in expected_images(node_class(alias))} == {f"{alias} ({kind})" for kind in kinds}
