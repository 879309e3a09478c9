"""The add-ons of a cluster: which ones, when they are installed, their permissions and their settings (spec: aws-infrastructure
1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import SequenceMatcher
from typing import Any, Final

from cutlist.core.errors import Place, Problem, nearest
from cutlist.infrastructure.add_on_pods import (
    AGENT,
    COREDNS,
    EBS_CSI_DRIVER,
    METRICS_SERVER,
    MONITORING_AGENT,
    VPC_CNI,
    keeps_needed_daemon_away,
    obstacle_of,
    template_of,
)
from cutlist.infrastructure.add_on_settings import form_problems, mapping_problems
from cutlist.infrastructure.add_on_versions import VERSION, offered_problems
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.iam.node import CNI
from cutlist.infrastructure.system_capacity import SYSTEM_LABEL, SYSTEM_TAINT, SystemCapacity

BUILT_IN: Final = (VPC_CNI, "kube-proxy", COREDNS, EBS_CSI_DRIVER, AGENT)
"""Add-ons that are built into Auto Mode."""


@dataclass(frozen=True, slots=True)
class AddOnPlan:
    """An add-on. `early` ones are installed before the first node, the others after it, and those that wait `for_node_pools`
    after the first NodePool, since no other node could run their pods. With a `service_account`, it has its own role with
    `policy`, one of AWS's. `version` None leaves the choice to EKS; `configuration` are the add-on's own settings."""

    name: str
    early: bool = False
    for_node_pools: bool = False
    service_account: str | None = None
    policy: str | None = None
    version: str | None = None
    configuration: Mapping[str, Any] = field(default_factory=dict)


_KNOWN: Final = {
    plan.name: plan
    for plan in (
        AddOnPlan(VPC_CNI, early=True, service_account="aws-node", policy=CNI),
        AddOnPlan("kube-proxy", early=True),
        AddOnPlan(AGENT, early=True),
        AddOnPlan(COREDNS),
        AddOnPlan(MONITORING_AGENT),
        AddOnPlan(
            EBS_CSI_DRIVER,
            service_account="ebs-csi-controller-sa",
            policy="service-role/AmazonEBSCSIDriverPolicy",
        ),
        AddOnPlan(METRICS_SERVER),
    )
}
_OTHERS: Final = (
    "adot",
    "amazon-cloudwatch-observability",
    "amazon-sagemaker-hyperpod-observability",
    "amazon-sagemaker-hyperpod-taskgovernance",
    "amazon-sagemaker-hyperpod-training-operator",
    "aws-efs-csi-driver",
    "aws-fsx-csi-driver",
    "aws-guardduty-agent",
    "aws-mountpoint-s3-csi-driver",
    "aws-network-flow-monitoring-agent",
    "aws-privateca-connector-for-kubernetes",
    "aws-secrets-store-csi-driver-provider",
    "cert-manager",
    "external-dns",
    "fluent-bit",
    "kube-state-metrics",
    "prometheus-node-exporter",
    "snapshot-controller",
)
"""Further names of EKS, from its user guide's pages workloads-add-ons-available-eks and community-addons (2026-11)."""
_ALIKE: Final = 0.85
_ALIKE_PARTS: Final = 0.6
_TOLERATION: Final = {"key": SYSTEM_TAINT, "operator": "Exists"}


def chosen(
    settings: Mapping[str, Mapping[str, Any]], identity: Credentials, *, capacity: SystemCapacity, cni_has_role: bool
) -> list[AddOnPlan]:
    """Return the add-ons of a cluster: the core ones, and each that `settings` names, with its settings. An add-on counts as
    failed in EKS while its pods do not run, so those that cannot run on the system's `capacity` wait for NodePools. `settings`
    holds `version` and `configuration` by add-on. Without its own role the VPC CNI uses that of the node.
    """
    core = [VPC_CNI, "kube-proxy", *([AGENT] if identity is Credentials.POD_IDENTITY else []), COREDNS]
    defaults: dict[str, dict[str, Any]] = {COREDNS: _coredns(on_fargate=capacity is SystemCapacity.FARGATE)}
    if capacity is SystemCapacity.TAINTED:
        defaults[METRICS_SERVER] = {"tolerations": [_TOLERATION]}
    plans = []
    for name in (*core, *sorted(set(settings) - set(core))):
        plan = with_settings(replace(named(name), configuration=defaults.get(name, {})), settings.get(name, {}))
        plan = replace(plan, for_node_pools=not plan.early and bool(obstacle_of(name, plan.configuration, capacity)))
        plans.append(plan if cni_has_role or name != VPC_CNI else replace(plan, service_account=None, policy=None))
    return plans


def named(name: str) -> AddOnPlan:
    """Return an add-on with its place in the order and its permissions; an unknown one is installed late and has no role."""
    return _KNOWN.get(name, AddOnPlan(name))


def with_settings(plan: AddOnPlan, settings: Mapping[str, Any]) -> AddOnPlan:
    """Return an add-on with a user's `version` and `configuration`, which overrides the default one key by key."""
    configuration = {**plan.configuration, **(settings.get("configuration") or {})}
    return replace(plan, version=settings.get("version"), configuration=configuration)


def waiting_problems(
    plans: Iterable[AddOnPlan], capacity: SystemCapacity, at: Place, *, has_node_pools: bool
) -> Iterable[Problem]:
    """Yield a problem for each add-on that EKS would wait for without success, since no node could run its pods: CoreDNS has to
    run before Karpenter, and without NodePools no other node is ever launched."""
    for plan in plans:
        obstacle = obstacle_of(plan.name, plan.configuration, capacity)
        if obstacle is None or not plan.for_node_pools or (has_node_pools and plan.name != COREDNS):
            continue
        later = () if plan.name == COREDNS else ("NodePools in the same call, after which it is made",)
        message = f"no node runs its pods, and EKS waits for them: {obstacle.reason}"
        yield Problem(at.member(plan.name), message, ", or ".join((*obstacle.remedies, *later)))


def missing_daemon_problems(plans: Iterable[AddOnPlan], capacity: SystemCapacity, at: Place) -> Iterable[Problem]:
    """Yield a problem for each DaemonSet that system nodes need but whose settings keep it away from them."""
    for plan in plans:
        if keeps_needed_daemon_away(plan.name, plan.configuration, capacity):
            message = f"system nodes do not come up without it, and its tolerations leave out their taint {SYSTEM_TAINT}"
            place = at.member(plan.name).member("configuration").member("tolerations")
            yield Problem(place, message, "operator: Exists without a key, as by default, or shared system nodes")


def problems(
    settings: Mapping[str, Mapping[str, Any]], kubernetes: str, at: Place, day: date | None = None
) -> Iterable[Problem]:
    """Yield problems for names that look like typing mistakes, versions in another form than EKS's or that it does not offer
    for the version of Kubernetes on a day, and settings of a wrong form. An add-on newer than this table is accepted."""
    for name, setting in settings.items():
        version = setting.get("version")
        place = at.member(name).member("version")
        if version is not None and not VERSION.fullmatch(str(version)):
            yield Problem(place, f"{version!r} is not a version of an add-on", "such as v1.20.1-eksbuild.1")
        elif version is not None:
            yield from offered_problems(name, version, kubernetes, place, day)
        of_settings, configuration = at.member(name).member("configuration"), setting.get("configuration")
        yield from form_problems(configuration, of_settings)
        for member in template_of(name):
            yield from mapping_problems((configuration or {}).get(member, {}), of_settings.member(member))
        names = (*_KNOWN, *_OTHERS)
        close = nearest(name, names)
        if name not in names and close and _is_typing_mistake(name.lower().replace("_", "-"), close):
            yield Problem(at.member(name), f"EKS is not known to have an add-on {name!r}", ", ".join(sorted(names)), close)


def _is_typing_mistake(name: str, close: str) -> bool:
    """Tell whether a name was meant to be one of EKS's. A newer add-on may differ from it in a whole word: two drivers of
    storage differ by three letters."""
    words = list(zip(name.split("-"), close.split("-"), strict=False))
    same_length = name.count("-") == close.count("-")
    return _likeness(name, close) >= _ALIKE and (not same_length or all(_likeness(*pair) >= _ALIKE_PARTS for pair in words))


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def _coredns(*, on_fargate: bool) -> dict[str, Any]:
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
