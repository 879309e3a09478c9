"""Inputs that an account would refuse are refused before anything is made, each with its place and what is allowed."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure import add_on_versions, add_ons, control_plane, name_checks, system_capacity
from cutlist.infrastructure.control_plane import ControlPlaneFacts
from cutlist.infrastructure.system_capacity import SystemNodesFacts

AT = Place(path="at")
PLANE: dict[str, Any] = {"zones": ("a", "b"), "admins": {"me": "arn:aws:iam::111122223333:role/Deployer"}, "version": "1.34"}
RANGES = [f"198.51.{n}.0/24" for n in range(41)]


@pytest.mark.parametrize(
    ("facts", "place"),
    [
        ({"control_plane_tier": "tier-3xl"}, "at.controlPlaneTier"),
        ({"zonal_autoshift": "ON", "zonal_shift": True}, "at.zonalAutoshift"),
        ({"public_access_cidrs": RANGES}, "at.publicAccessCidrs"),
        ({"security_groups": 5}, "at.securityGroupIds"),
        ({"service_ipv4_cidr": "100.64.0.0/16"}, "at.serviceIpv4Cidr"),
        ({"service_ipv4_cidr": "198.18.0.0/16"}, "at.serviceIpv4Cidr"),
    ],
)
def test_a_control_plane_that_eks_would_refuse(facts, place):
    [problem] = control_plane.problems(ControlPlaneFacts(**PLANE, **facts), AT)
    assert problem.place.path == place
    assert problem.allowed


@pytest.mark.parametrize(
    "facts",
    [
        {"control_plane_tier": "tier-4xl", "zonal_autoshift": "ENABLED", "security_groups": 4},
        {"public_access_cidrs": RANGES[:40]},
        {"service_ipv4_cidr": "172.20.0.0/16"},
    ],
)
def test_a_control_plane_at_its_limits(facts):
    assert control_plane.problems(ControlPlaneFacts(**PLANE, **facts), AT) == []


@pytest.mark.parametrize(
    ("facts", "place", "nearest"),
    [
        ({"instance_types": ("t4g.medium", "m7g.large")}, "at.instanceTypes", ""),
        ({"instance_types": ("m7g.lerge", "m7g.large")}, "at.instanceTypes", "m7g.large"),
        ({"disk_gib": 65_537}, "at.diskGib", ""),
        ({"maximum": 451}, "at.maximum", ""),
        ({"release_version": "latest"}, "at.releaseVersion", ""),
        ({"release_version": "1.34.1-20251112"}, "at.releaseVersion", ""),
        ({"release_version": "1.49.0-1a2b3c4d", "ami_type": "AL2023_ARM_64_STANDARD"}, "at.releaseVersion", ""),
        ({"release_version": "1.33.1-20251112", "ami_type": "AL2023_ARM_64_STANDARD"}, "at.releaseVersion", ""),
        ({"policy_arns": ("AmazonSSMManagedInstanceCore",)}, "at.policyArns[0]", ""),
    ],
)
def test_system_nodes_that_eks_would_refuse(facts, place, nearest):
    [problem] = system_capacity.problems(SystemNodesFacts(**facts), AT, "1.34")
    assert (problem.place.path, problem.nearest) == (place, nearest)


@pytest.mark.parametrize(
    "facts",
    [
        {"instance_types": ("r8g.large", "m99g.large")},
        {"disk_gib": 65_536, "maximum": 450, "release_version": "1.49.0-1a2b3c4d"},
        {"release_version": "1.34.1-20251112", "ami_type": "AL2023_ARM_64_STANDARD"},
        {"policy_arns": ("arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore",)},
    ],
)
def test_system_nodes_at_their_limits(facts):
    """A family that the catalogue does not know may be newer than it."""
    assert system_capacity.problems(SystemNodesFacts(**facts), AT, "1.34") == []


@pytest.mark.parametrize(("version", "right"), [("v1.20.1-eksbuild.1", True), ("1.20.1", False), ("latest", False)])
def test_a_version_of_an_add_on_has_the_form_that_eks_gives_it(version, right):
    assert [p.place.path for p in add_ons.problems({"coredns": {"version": version}}, "1.34", AT)] == (
        [] if right else ["at.coredns.version"]
    )


@pytest.mark.parametrize(
    ("name", "version", "kubernetes", "allowed"),
    [
        ("kube-proxy", "v1.34.6-eksbuild.13", "1.34", ""),
        ("kube-proxy", "v1.31.14-eksbuild.20", "1.34", ""),
        ("kube-proxy", "v1.30.14-eksbuild.8", "1.34", "v1.34, or down to v1.31"),
        ("kube-proxy", "v1.35.3-eksbuild.13", "1.34", "v1.34, or down to v1.31"),
        ("coredns", "v1.12.4-eksbuild.1", "1.32", "v1.11 and older"),
        ("coredns", "v1.11.4-eksbuild.40", "1.32", ""),
        ("coredns", "v1.14.3-eksbuild.3", "1.34", ""),
        ("vpc-cni", "v1.23.1-eksbuild.1", "1.31", ""),
        ("some-mesh", "v9.0.0-eksbuild.1", "1.34", ""),
        ("kube-proxy", "v1.34.6-eksbuild.13", "", ""),
    ],
)
def test_a_version_of_an_add_on_is_one_that_eks_offers(name, version, kubernetes, allowed):
    """What its pages settle: that of a minor in standard support may have changed since."""
    problems = list(add_ons.problems({name: {"version": version}}, kubernetes, AT, date(2026, 11, 23)))
    assert [problem.allowed for problem in problems] == ([allowed] if allowed else [])
    assert bool(add_on_versions.offered(name, version, kubernetes)) is (bool(allowed) or version.startswith("v1.14"))


@pytest.mark.parametrize(
    ("tags", "places"),
    [
        ({"team": "web/shop +1", "größe": ""}, []),
        ({f"t{n}": "" for n in range(46)}, []),
        ({f"t{n}": "" for n in range(47)}, ["at"]),
        ({"Team": "a", "team": "b"}, ["at.team"]),
        ({"aws:team": "a", "AWS:team": "a"}, ["at.aws:team", "at.AWS:team"]),
        ({"": "a"}, ["at."]),
        ({"k" * 128: "v" * 256}, []),
        ({"k" * 129: ""}, [f"at.{'k' * 129}"]),
        ({"team": "v" * 257}, ["at.team"]),
        ({"team": "a;b"}, ["at.team"]),
        ({"team": object()}, []),
    ],
)
def test_tags_are_those_that_aws_takes(tags, places):
    problems = Problems()
    name_checks.check_own_tags(tags, AT, problems)
    assert [problem.place.path for problem in problems.found] == places


@pytest.mark.parametrize(
    ("path", "right"), [("/", True), ("/team/a_b/", True), ("/t m/", False), ("//", False), (f"/{'n' * 511}/", False)]
)
def test_a_path_of_roles_and_policies_is_one_that_iam_takes(path, right):
    problems = Problems()
    name_checks.check_role_path(path, "path", problems)
    assert (problems.found == []) == right


@pytest.mark.parametrize(
    ("config", "places"),
    [
        (None, []),
        (
            {
                "remote_node_networks": {"cidrs": ["10.80.0.0/16", object()]},
                "remote_pod_networks": {"cidrs": ["192.168.0.0/16"]},
            },
            [],
        ),
        ({"remote_node_networks": {"cidrs": ["203.0.113.0/24"]}}, ["at.remote_node_networks.cidrs[0]"]),
        ({"remotePodNetworks": {"cidrs": ["10.0.0.0/8", "fd00::/8"]}}, ["at.remotePodNetworks.cidrs[1]"]),
        ({"remotePodNetworks": {"cidrs": ["10.0.0.1/8"]}}, ["at.remotePodNetworks.cidrs[0]"]),
    ],
)
def test_networks_at_home_have_private_addresses(config, places):
    problems = list(control_plane.remote_network_problems(config, AT))
    assert [problem.place.path for problem in problems] == places
