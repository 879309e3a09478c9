"""Label registries (spec: scheduling 2.3)."""

from __future__ import annotations

import json

import pytest

from cutlist.core import labels
from cutlist.core.labels import AUTO, AWS, CORE, domain
from tests.recorded import VECTORS


@pytest.mark.parametrize(("key", "expected"), [("a.b/c", "a.b"), ("c", ""), ("a/b/c", "a"), ("/c", "")])
def test_the_domain_is_what_stands_before_the_first_slash(key, expected):
    """A key without a slash has no domain."""
    assert domain(key) == expected


@pytest.mark.parametrize(
    ("key", "restricted"),
    [
        ("karpenter.sh/x", True),
        ("sub.karpenter.sh/x", True),
        ("notkarpenter.sh/x", False),
        ("karpenter.sh/nodepool", False),
        ("kubernetes.io/hostname", True),
        ("kubernetes.io/x", False),
        ("karpenter.sh", False),
        ("karpenter.k8s.aws/x", False),
        ("team", False),
    ],
)
def test_karpenters_domain_is_restricted_but_for_known_keys(key, restricted):
    """Users may not invent labels in a provider's domain; those of Kubernetes are free, except the hostname."""
    assert CORE.is_restricted(key) is restricted


def test_aws_adds_to_the_core():
    """The AWS registry knows its own labels, and restricts its own domain as well."""
    assert AWS.is_restricted("karpenter.k8s.aws/x")
    assert not AWS.is_restricted("karpenter.k8s.aws/instance-family")
    assert CORE.well_known < AWS.well_known
    assert CORE.restricted_domains < AWS.restricted_domains
    assert "karpenter.k8s.aws/instance-family" not in CORE.well_known


# S-21
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("failure-domain.beta.kubernetes.io/zone", labels.ZONE),
        ("failure-domain.beta.kubernetes.io/region", labels.REGION),
        ("beta.kubernetes.io/arch", labels.ARCH),
        ("beta.kubernetes.io/os", labels.OS),
        ("beta.kubernetes.io/instance-type", labels.INSTANCE_TYPE),
        ("team", "team"),
    ],
)
def test_old_keys_have_todays_spelling(old, new):
    """Beta keys are rewritten under every provider, others are left alone."""
    assert CORE.normalize(old) == AWS.normalize(old) == new


def test_capacity_types_are_a_closed_set():
    """Of the capacity type all values are known, under every provider."""
    assert (
        CORE.well_known_values[labels.CAPACITY_TYPE]
        == AWS.well_known_values[labels.CAPACITY_TYPE]
        == set(labels.CAPACITY_TYPES)
    )


def test_auto_mode_reads_old_keys_as_aws_does():
    """A cluster is read once for both, so their old spellings must be the same."""
    assert AUTO.normalized == AWS.normalized


@pytest.mark.parametrize(
    ("key", "restricted"),
    [
        ("eks.amazonaws.com/instance-family", False),
        ("app.kubernetes.io/managed-by", False),
        ("karpenter.k8s.aws/instance-family", True),
        ("example.kubernetes.io/team", True),
        ("node.kubernetes.io/team", False),
        ("x.node-restriction.kubernetes.io/team", False),
        ("mykubernetes.io/team", False),
        ("example.com/team", False),
    ],
)
def test_auto_mode_keeps_the_older_restrictions(key, restricted):
    """Kubernetes' own domains and self-managed Karpenter's are restricted, but for the open ones inside."""
    # V-43 V-44
    assert AUTO.is_restricted(key) is restricted


def test_extending_leaves_the_registry_as_it_was():
    """An extension is a new registry."""
    more = CORE.extended(well_known=["a/b"], well_known_values={"a/b": ["1"]}, reservation_id="a/r")
    assert "a/b" in more.well_known
    assert "a/b" not in CORE.well_known
    assert more.extended().reservation_id == "a/r"


def test_aws_registers_what_karpenters_provider_does():
    """The AWS registry has exactly what the recorded provider adds."""
    recorded = json.loads((VECTORS / "providers.json").read_text())["aws"]
    assert AWS.well_known == CORE.well_known | set(recorded["wellKnownLabels"])
    assert AWS.well_known_resources == set(recorded["wellKnownResources"])
    assert AWS.restricted_domains == CORE.restricted_domains | set(recorded["restrictedLabelDomains"])
    assert dict(AWS.normalized) == {**CORE.normalized, **recorded["normalizedLabels"]}
    assert AWS.reservation_id == recorded["reservationIDLabel"]
    for key, values in recorded["wellKnownValues"].items():
        assert AWS.well_known_values[key] == set(values)
