"""The role of ExternalDNS in the calls that join all components: made when asked for, and fitting what is installed."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording, Registration

from tests.infrastructure.aws_stand_in import ACCOUNT
from tests.infrastructure.graph import Graph
from tests.infrastructure.joined_program import ADMINS, ADOPTED, ADOPTED_VPC, NEW, WHERE, joined
from tests.infrastructure.test_karpenter_cluster import mistakes

ZONES = {"external_dns_identity": {"hosted_zone_ids": ["Z0123456789ABCDEFGHIJ"]}}
WATCHED = {"observability": {"grafana_password": "secret", "external_dns": {"domains": ["shop.example.com"]}}}
AUTO = {**WHERE, "kubernetes_version": "1.35", "admins": ADMINS}
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "KarpenterCluster": ("KarpenterCluster", NEW),
    "an adopted cluster": (
        "KarpenterCluster",
        {**WHERE, "kubernetes_version": "1.35", "network": ADOPTED_VPC, "adopted_cluster": ADOPTED},
    ),
    "AutoModeCluster": ("AutoModeCluster", AUTO),
}
ROLE = "aws:iam/role:Role"


def release(recording: Recording) -> Registration:
    [found] = [one for one in recording.of_type("kubernetes:helm.sh/v3:Release") if one.inputs["name"] == "external-dns"]
    return found


def association(recording: Recording) -> list[Registration]:
    every = recording.of_type("aws:eks/podIdentityAssociation:PodIdentityAssociation")
    return [one for one in every if one.inputs["serviceAccount"] == "external-dns"]


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("call", CALLS)
def test_external_dns_starts_with_its_role(call, mode):  # K-19 K-62
    """Role, rights and association are there before it, and go after it and before the cluster."""
    component, given = CALLS[call]
    tagged = {"tags": {"team": "shop"}, "permissions_boundary": f"arn:aws:iam::{ACCOUNT}:policy/Boundary"}
    recording = joined(component, {**given, **tagged, **ZONES, **WATCHED}, mode)
    [role] = [one for one in recording.of_type(ROLE) if one.inputs["name"] == "ExternalDNS-shop"]
    assert (role.inputs["tags"], role.inputs["permissionsBoundary"]) == tuple(tagged.values())
    [given_to] = association(recording)
    assert given_to.inputs["namespace"] == release(recording).inputs["namespace"] == "monitoring"
    assert "serviceAccount" not in release(recording).inputs["values"]
    graph = Graph.of(recording)
    assert graph.reaches(release(recording), [role, given_to])
    made_here = recording.of_type("aws:eks/cluster:Cluster")
    assert bool(made_here) == (call != "an adopted cluster")
    assert not made_here or graph.reaches(given_to, made_here)


def test_with_irsa_the_release_names_the_role():  # K-19
    given = {**NEW, "fargate": {}, "identity": "irsa", **ZONES, **WATCHED}
    recording = joined("KarpenterCluster", given, Mode.UPDATE)
    annotations = release(recording).inputs["values"]["serviceAccount"]["annotations"]
    assert annotations == {"eks.amazonaws.com/role-arn": f"arn:aws:iam::{ACCOUNT}:role/ExternalDNS-shop"}
    assert association(recording) == []


def test_the_role_follows_where_observability_goes():
    elsewhere = {"observability": {**WATCHED["observability"], "namespace": "watching"}}
    recording = joined("KarpenterCluster", {**NEW, **ZONES, **elsewhere}, Mode.UPDATE)
    [given_to] = association(recording)
    assert given_to.inputs["namespace"] == "watching"


def test_an_external_dns_of_others_gets_it_where_they_say():
    zones = {"external_dns_identity": {**ZONES["external_dns_identity"], "namespace": "dns", "serviceAccount": "external-dns"}}
    recording = joined("AutoModeCluster", {**AUTO, **zones}, Mode.UPDATE)
    [given_to] = association(recording)
    assert given_to.inputs["namespace"] == "dns"


@pytest.mark.parametrize("component", ["KarpenterCluster", "AutoModeCluster"])
@pytest.mark.parametrize(
    ("section", "watched", "places"),
    [
        ({}, {}, ["external_dns_identity.hosted_zone_ids"]),
        ({"hosted_zone_ids": ["shop.example.com"]}, {}, ["external_dns_identity.hosted_zone_ids[0]"]),
        ({"every_zone": True, "region": "us-east-1"}, {}, ["external_dns_identity.region"]),
        ({"every_zone": True, "namespace": "dns"}, WATCHED, ["external_dns_identity.namespace"]),
        ({"every_zone": True, "service_account": "dns"}, WATCHED, ["external_dns_identity.service_account"]),
        (
            {"every_zone": True},
            {"observability": {"grafana_password": "secret", "external_dns": {"domains": ["a.com"], "role_arn": "arn"}}},
            ["observability.external_dns.role_arn"],
        ),
        (
            {"every_zone": True},
            {"observability": {"grafana_password": "secret", "external_dns": True}},
            ["observability.external_dns"],
        ),
    ],
)
def test_what_keeps_it_from_its_role_is_reported(component, section, watched, places):
    """At the inputs of the call, with everything else, before any resource."""
    given = {**CALLS[component][1], "external_dns_identity": section, **watched}
    assert sorted(mistakes(given, component)) == places
