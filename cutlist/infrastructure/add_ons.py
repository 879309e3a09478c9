"""The add-ons of a cluster: which ones, when they are installed, their permissions and their settings (spec: aws-infrastructure
1.6)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.errors import Place, Problem, nearest
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.iam.node import CNI
from cutlist.infrastructure.system_capacity import SYSTEM_LABEL

AGENT: Final = "eks-pod-identity-agent"
COREDNS: Final = "coredns"
MONITORING_AGENT: Final = "eks-node-monitoring-agent"
VPC_CNI: Final = "vpc-cni"
BUILT_IN: Final = (VPC_CNI, "kube-proxy", COREDNS, "aws-ebs-csi-driver", AGENT)
"""What Auto Mode has built in."""


@dataclass(frozen=True, slots=True)
class AddOnPlan:
    """An add-on. `early` ones are installed before the first node, the others after it. With a `service_account` it has a role
    of its own with `policy`, one of AWS's. `version` None leaves the choice to EKS; `configuration` are the add-on's own
    settings."""

    name: str
    early: bool = False
    service_account: str | None = None
    policy: str | None = None
    version: str | None = None
    configuration: Mapping[str, Any] = field(default_factory=dict)

    @property
    def values(self) -> str | None:
        """Return the settings as EKS takes them; None when there are none."""
        return json.dumps(self.configuration, sort_keys=True, separators=(",", ":")) if self.configuration else None


_KNOWN: Final = {
    plan.name: plan
    for plan in (
        AddOnPlan(VPC_CNI, early=True, service_account="aws-node", policy=CNI),
        AddOnPlan("kube-proxy", early=True),
        AddOnPlan(AGENT, early=True),
        AddOnPlan(COREDNS),
        AddOnPlan(MONITORING_AGENT),
        AddOnPlan(
            "aws-ebs-csi-driver",
            service_account="ebs-csi-controller-sa",
            policy="service-role/AmazonEBSCSIDriverPolicy",
        ),
        AddOnPlan("metrics-server"),
    )
}


def chosen(
    settings: Mapping[str, Mapping[str, Any]], identity: Credentials, *, on_fargate: bool, cni_has_role: bool
) -> list[AddOnPlan]:
    """Return the add-ons that a cluster gets: the core ones, and each that `settings` names, with the settings given there.

    `settings` holds `version` and `configuration` by add-on. Without its own role the VPC CNI uses that of the node.
    """
    core = [VPC_CNI, "kube-proxy", *([AGENT] if identity is Credentials.POD_IDENTITY else []), COREDNS]
    defaults = {COREDNS: _coredns(on_fargate)}
    plans = []
    for name in (*core, *sorted(set(settings) - set(core))):
        plan = with_settings(replace(named(name), configuration=defaults.get(name, {})), settings.get(name, {}))
        plans.append(plan if cni_has_role or name != VPC_CNI else replace(plan, service_account=None, policy=None))
    return plans


def named(name: str) -> AddOnPlan:
    """Return an add-on with its place and permissions; an unknown one is installed late and has no role."""
    return _KNOWN.get(name, AddOnPlan(name))


def with_settings(plan: AddOnPlan, settings: Mapping[str, Any]) -> AddOnPlan:
    """Return an add-on with a user's `version` and `configuration`, which overrides ours key by key."""
    configuration = {**plan.configuration, **(settings.get("configuration") or {})}
    return replace(plan, version=settings.get("version"), configuration=configuration)


def problems(settings: Mapping[str, Mapping[str, Any]], at: Place) -> Iterable[Problem]:
    """Yield names that look like typing mistakes. An add-on that is newer than this table is accepted."""
    for name in settings:
        close = nearest(name, _KNOWN)
        if name not in _KNOWN and close:
            yield Problem(at.member(name), f"add-on {name!r}", ", ".join(sorted(_KNOWN)), close)


def _coredns(on_fargate: bool) -> dict[str, Any]:
    if on_fargate:
        return {"computeType": "Fargate", "replicaCount": 2}
    zone = {
        "maxSkew": 1,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"k8s-app": "kube-dns"}},
    }
    label, value = SYSTEM_LABEL
    return {
        "nodeSelector": {label: value},
        "podDisruptionBudget": {"enabled": True, "maxUnavailable": 1},
        "replicaCount": 2,
        "topologySpreadConstraints": [zone],
    }
