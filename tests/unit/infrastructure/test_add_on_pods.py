"""No add-on of the table waits for nodes that only Karpenter would start, whatever its settings are."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.errors import Place
from cutlist.infrastructure.add_ons import chosen, missing_daemon_problems, waiting_problems
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.system_capacity import SystemCapacity

TAINTED, SHARED, FARGATE = SystemCapacity.TAINTED, SystemCapacity.SHARED, SystemCapacity.FARGATE
OTHER = [{"key": "other", "operator": "Exists"}]
ALL = [{"operator": "Exists"}]


def mistakes(name: str, configuration: dict[str, Any], capacity: SystemCapacity, *, has_node_pools: bool = True) -> list[str]:
    settings = {name: {"configuration": configuration}}
    plans = chosen(settings, Credentials.POD_IDENTITY, capacity=capacity, cni_has_role=True)
    at = Place(path="addOns")
    problems = (
        *missing_daemon_problems(plans, capacity, at),
        *waiting_problems(plans, capacity, at, has_node_pools=has_node_pools),
    )
    return [problem.place.path for problem in problems]


@pytest.mark.parametrize("name", ["vpc-cni", "kube-proxy", "eks-pod-identity-agent"])
def test_a_daemon_that_system_nodes_need_keeps_tolerating_their_taint(name: str) -> None:
    for tolerations in ([], OTHER):
        assert mistakes(name, {"tolerations": tolerations}, TAINTED) == [f"addOns.{name}.configuration.tolerations"]
        assert not mistakes(name, {"tolerations": tolerations}, SHARED)
    assert not mistakes(name, {"tolerations": ALL}, TAINTED)
    assert not mistakes(name, {}, TAINTED)


@pytest.mark.parametrize("capacity", [TAINTED, SHARED])
def test_coredns_selects_system_nodes(capacity: SystemCapacity) -> None:
    for selector in ({"team": "dns"}, {"karpenter.sh/controller": "false"}, {"karpenter.sh/nodepool": "a"}):
        assert mistakes("coredns", {"nodeSelector": selector}, capacity) == ["addOns.coredns"]
    for selector in ({}, {"kubernetes.io/os": "linux"}, {"kubernetes.io/arch": "arm64"}):
        assert not mistakes("coredns", {"nodeSelector": selector}, capacity)


@pytest.mark.parametrize(
    ("name", "configuration"),
    [
        ("metrics-server", {"nodeSelector": {"team": "a"}}),
        ("metrics-server", {"tolerations": []}),
        ("aws-ebs-csi-driver", {"controller": {"nodeSelector": {"team": "a"}}}),
        ("aws-ebs-csi-driver", {"controller": {"tolerations": OTHER}}),
    ],
)
def test_pods_kept_off_system_nodes_wait_for_node_pools(name: str, configuration: dict[str, Any]) -> None:
    assert not mistakes(name, configuration, TAINTED)
    assert mistakes(name, configuration, TAINTED, has_node_pools=False) == [f"addOns.{name}"]


def test_coredns_stays_on_fargate() -> None:
    assert not mistakes("coredns", {}, FARGATE)
    assert mistakes("coredns", {"computeType": "ec2"}, FARGATE) == ["addOns.coredns"]
