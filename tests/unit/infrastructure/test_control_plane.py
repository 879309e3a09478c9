"""Plain facts of control planes and of the nodes beside them: laws that hold for all of them."""

from __future__ import annotations

from datetime import date
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import Place
from cutlist.infrastructure import add_ons, system_capacity
from cutlist.infrastructure.control_plane import AuthenticationMode, ControlPlaneFacts, problem_of_transition, problems
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.node_images import AMI_TYPES
from cutlist.infrastructure.system_capacity import SystemCapacity, SystemNodesFacts

AT = Place(path="controlPlane")
DAY = date(2026, 11, 23)
ADMIN = "arn:aws:iam::111122223333:role/Deployer"


def facts(**more: object) -> ControlPlaneFacts:
    return ControlPlaneFacts(**{"zones": ("a", "b"), "admins": {"me": ADMIN}, "version": "1.34", "day": DAY, **more})


def test_the_same_version_is_kept_or_refused_by_the_day() -> None:
    """The calendar counts from the day that is given, and without one nothing has ended."""
    assert messages(version="1.31", support_type="EXTENDED") == ""
    assert "its support ended on 2026-11-26" in messages(version="1.31", support_type="EXTENDED", day=date(2026, 11, 29))
    assert messages(day=date(2026, 12, 2)) == messages(version="1.31", day=None) == ""
    assert "standard support of Kubernetes 1.34 ended on 2026-12-02" in messages(day=date(2026, 12, 3))


def messages(**more: object) -> str:
    return "\n".join(map(str, problems(facts(**more), AT)))


def test_the_defaults_are_in_order():
    assert messages() == ""
    assert messages(production=True) == ""


@pytest.mark.parametrize(("before", "after"), list(product(AuthenticationMode, AuthenticationMode)))
def test_authentication_goes_one_way(before, after):  # I-4
    order = ["CONFIG_MAP", "API_AND_CONFIG_MAP", "API"]
    assert bool(problem_of_transition(before, after)) == (order.index(before) > order.index(after))


def test_a_mode_that_is_not_known_is_left_to_eks():
    assert problem_of_transition("", "API") == problem_of_transition("API", "NEWER") == ""


@given(st.integers(1, 5))
def test_all_addresses_in_pieces_are_still_all_addresses(bits):  # I-8
    pieces = [f"{(n << (8 - bits)) % 256}.0.0.0/{bits}" for n in range(2**bits)]
    assert "open to every address" in messages(public_access_cidrs=pieces)
    assert "open to every address" not in messages(public_access_cidrs=pieces[1:])


def test_ipv6_is_open_as_well():  # I-8
    assert "open to every address" in messages(public_access_cidrs=["::/0"])


@pytest.mark.parametrize(
    ("cidr", "hint"),
    [
        ("10.0.0.1/8", "; did you mean 10.0.0.0/8?"),
        ("198.51.100.7", "; did you mean 198.51.100.7/32?"),
        ("10.0.0.0/33", ""),
        ("home", ""),
    ],
)
def test_a_text_that_is_not_a_range_is_reported_with_its_index(cidr, hint):
    text = messages(public_access_cidrs=["198.51.100.0/24", cidr])
    allowed = "allowed: a range such as 198.51.100.0/24"
    assert text == f"controlPlane.publicAccessCidrs[1]: {cidr!r} is not an address range; {allowed}{hint}"
    assert f"{cidr!r} is not an address range" in messages(service_ipv4_cidr=cidr)


@pytest.mark.parametrize("cidr", ["10.0.0.0/8", "172.20.0.0/16", "192.168.1.7/32", "127.0.0.1/32", "169.254.0.0/16"])
def test_a_public_api_is_not_reached_from_private_addresses(cidr):
    assert f"{cidr} is not of public addresses" in messages(public_access_cidrs=["198.51.100.0/24", cidr])
    assert messages(public_access_cidrs=["172.32.0.0/16", "11.0.0.0/8"]) == ""


@pytest.mark.parametrize("cidr", ["0.1.2.0/24", "100.64.0.0/16", "224.0.0.1/32", "255.255.255.255/32", "fd00::/8", "::1/128"])
def test_a_public_api_is_not_reached_from_reserved_addresses(cidr):
    """IPv6 ranges as well, of a cluster that has such addresses."""
    text = messages(public_access_cidrs=["203.0.113.5/32", cidr], ip_family="ipv6")
    assert text.startswith(f"controlPlane.publicAccessCidrs[1]: {cidr} is not of public addresses; allowed: ")


def test_only_a_cluster_with_ipv6_is_reached_from_ipv6():
    """EKS API reference: IPv6 ranges cannot be added to IPv4 clusters."""
    text = messages(public_access_cidrs=["198.51.100.0/24", "2001:db9::/48"])
    assert text == (
        "controlPlane.publicAccessCidrs[1]: 2001:db9::/48 for a cluster whose ipFamily is ipv4; "
        "allowed: IPv4 ranges, or ipFamily ipv6"
    )
    assert messages(public_access_cidrs=["198.51.100.0/24", "2001:db9::/48"], ip_family="ipv6") == ""


@pytest.mark.parametrize("support", ["STANDARD", "EXTENDED"])
def test_a_version_without_any_support_is_refused(support):
    assert messages(version="1.30", karpenter_version="1.14.1", support_type=support) == (
        "controlPlane.version: EKS no longer creates clusters of Kubernetes 1.30: its support ended on 2026-07-23; "
        "allowed: 1.31, 1.32, 1.33, 1.34, 1.35, 1.36"
    )


@pytest.mark.parametrize("version", ["1.31", "1.32", "1.33"])
def test_a_version_in_extended_support_takes_that_support(version):
    """With STANDARD, which is the default here, EKS would upgrade the cluster, and the next update would go back."""
    text = messages(version=version)
    assert text.startswith(f"controlPlane.version: standard support of Kubernetes {version} ended on 2")
    assert "; allowed: 1.34, 1.35, 1.36, or supportType EXTENDED, with 0.60 instead of 0.10 USD an hour until 202" in text
    assert messages(version=version, support_type="EXTENDED") == messages(version="1.34") == ""


def test_a_session_is_no_administrator_and_its_role_is_named():
    text = messages(admins={"me": "arn:aws:sts::111122223333:assumed-role/Deployer/alice"})
    assert "did you mean arn:aws:iam::111122223333:role/Deployer?" in text
    assert "controlPlane.admins.me" in text


def test_a_principal_is_an_administrator_once():
    assert "a, b are all" in messages(admins={"a": ADMIN, "b": ADMIN})


@pytest.mark.parametrize(
    ("cidr", "allowed"), [("172.20.0.0/16", True), ("10.0.0.0/25", False), ("8.8.0.0/16", False), ("fd00::/108", False)]
)
def test_services_have_a_private_range(cidr, allowed):
    assert (messages(service_ipv4_cidr=cidr) == "") == allowed


def test_an_ipv6_cluster_has_no_service_range_of_its_own_choice():
    assert "EKS" in messages(ip_family="ipv6", service_ipv4_cidr="172.20.0.0/16")


def test_deletion_protection_follows_production_unless_it_is_said():
    assert [facts(production=p).is_protected for p in (True, False)] == [True, False]
    assert not facts(production=True, deletion_protection=False).is_protected


@pytest.mark.parametrize("ami_type", AMI_TYPES)
def test_default_machines_start_the_images(ami_type):  # I-10
    nodes = SystemNodesFacts(ami_type=ami_type)
    assert len(nodes.types) >= 2
    named = SystemNodesFacts(ami_type=ami_type, instance_types=nodes.types)
    assert system_capacity.problems(named, Place(path="systemNodes"), "1.34") == []


@pytest.mark.parametrize(
    ("machine", "is_arm"),
    [
        ("m7g.large", True),
        ("c7gn.xlarge", True),
        ("im4gn.large", True),
        ("is4gen.large", True),
        ("t4g.large", True),
        ("a1.xlarge", True),
        ("m7i.large", False),
        ("g5.xlarge", False),
        ("g4dn.xlarge", False),
        ("x2iedn.xlarge", False),
    ],
)
def test_the_g_behind_the_generation_tells_graviton(machine, is_arm):
    nodes = SystemNodesFacts(ami_type="AL2023_ARM_64_STANDARD", instance_types=(machine, "m7g.xlarge"))
    assert (system_capacity.problems(nodes, Place(path="n"), "1.34") == []) == is_arm


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))
def test_two_controllers_always_have_a_node_each(minimum, desired, maximum):  # I-10
    nodes = SystemNodesFacts(minimum=minimum, desired=desired, maximum=maximum)
    accepted = system_capacity.problems(nodes, Place(path="n"), "1.34") == []
    assert accepted == (2 <= minimum <= desired <= maximum)


@pytest.mark.parametrize(("identity", "capacity"), list(product(Credentials, SystemCapacity)))
def test_core_add_ons_are_there_whatever_is_chosen(identity, capacity):  # I-6, I-11
    chosen = add_ons.chosen({}, identity, capacity=capacity, cni_has_role=True)
    names = [a.name for a in chosen]
    assert {"vpc-cni", "kube-proxy", "coredns"} <= set(names)
    assert ("eks-pod-identity-agent" in names) == (identity is Credentials.POD_IDENTITY)
    assert [a.name for a in chosen if not a.early] == ["coredns"]
    assert {a.name for a in chosen if a.policy} == {"vpc-cni"}
    assert not any(a.for_node_pools for a in chosen)


def test_an_add_on_newer_than_the_table_comes_late_and_unchanged():
    chosen = wanted({"some-mesh": {"version": "v9"}}, SystemCapacity.SHARED)
    assert chosen[-1] == add_ons.AddOnPlan("some-mesh", version="v9")
    assert list(add_ons.problems({"some-mesh": {}}, "1.34", AT)) == []


def wanted(settings: dict[str, Any], capacity: SystemCapacity = SystemCapacity.TAINTED) -> list[add_ons.AddOnPlan]:
    return add_ons.chosen(settings, Credentials.POD_IDENTITY, capacity=capacity, cni_has_role=True)


ANY_KEY = {"operator": "Exists"}
BY_KEY = {"key": "CriticalAddonsOnly", "operator": "Exists"}
EQUAL = {"key": "CriticalAddonsOnly", "value": "true", "effect": "NoSchedule"}
OTHER = {"key": "CriticalAddonsOnly", "value": "no", "operator": "Equal"}
EVICTED = {"operator": "Exists", "effect": "NoExecute"}


@pytest.mark.parametrize(
    ("name", "configuration", "capacity", "waits"),
    [
        ("aws-ebs-csi-driver", {}, "tainted", False),
        ("aws-ebs-csi-driver", {"controller": {"replicaCount": 2}}, "tainted", False),
        ("aws-ebs-csi-driver", {"controller": {"tolerations": [BY_KEY]}}, "tainted", False),
        ("aws-ebs-csi-driver", {"controller": {"tolerations": []}}, "tainted", True),
        ("aws-ebs-csi-driver", {"node": {"tolerations": []}}, "tainted", False),
        ("aws-ebs-csi-driver", {"controller": {"tolerations": []}}, "shared", False),
        ("aws-ebs-csi-driver", {}, "fargate", True),
        ("metrics-server", {}, "tainted", False),
        ("metrics-server", {"replicas": 2}, "tainted", False),
        ("metrics-server", {"tolerations": []}, "tainted", True),
        ("metrics-server", {}, "fargate", True),
        ("eks-node-monitoring-agent", {}, "tainted", False),
        ("eks-node-monitoring-agent", {}, "fargate", False),
        ("coredns", {}, "fargate", False),
        ("coredns", {"tolerations": [EVICTED]}, "tainted", True),
        ("some-mesh", {}, "tainted", True),
        ("some-mesh", {}, "fargate", True),
        ("some-mesh", {"manager": {"tolerations": [ANY_KEY]}}, "tainted", False),
        ("some-mesh", {"tolerations": [EQUAL]}, "tainted", False),
        ("some-mesh", {"tolerations": [OTHER, EVICTED, "x"]}, "tainted", True),
        ("some-mesh", {}, "shared", False),
    ],
)
def test_an_add_on_whose_pods_no_system_node_runs_waits_for_node_pools(name, configuration, capacity, waits):  # I-6
    system = SystemCapacity(capacity)
    plans = {plan.name: plan for plan in wanted({name: {"configuration": configuration}}, system)}
    assert plans[name].for_node_pools == waits
    mistakes = [problem.place.path for problem in add_ons.waiting_problems(plans.values(), system, AT, has_node_pools=False)]
    assert mistakes == ([AT.member(name).path] if waits else [])
    in_vain = list(add_ons.waiting_problems(plans.values(), system, AT, has_node_pools=True))
    assert bool(in_vain) == (waits and name == "coredns")


def test_the_metrics_server_has_to_tolerate_the_system_nodes():
    """By itself it tolerates nothing. What a user sets beside that stays."""
    [plan] = [p for p in wanted({"metrics-server": {"configuration": {"replicas": 1}}}) if p.name == "metrics-server"]
    assert plan.configuration == {"replicas": 1, "tolerations": [BY_KEY]}


def test_an_add_on_without_settings_has_no_configuration():
    assert add_ons.named("kube-proxy").configuration == {}


def test_names_of_a_clusters_own_roles_fit():  # I-1
    names = ClusterFacts("x" * 100, "eu-west-1", "111122223333")
    made = {names.named(f"EKS{part}", 64) for part in ("ClusterRole", "SystemNodeRole", "FargateRole", "AddOnRole-vpc-cni")}
    assert len(made) == 4
    assert all(len(name) <= 64 for name in made)
