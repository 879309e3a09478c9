"""The add-ons of a cluster: which ones, when they are installed, their permissions and their settings (spec: aws-infrastructure
1.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.errors import Place, Problem, nearest
from cutlist.infrastructure.add_on_settings import form_problems, mapping_problems
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.iam.node import CNI
from cutlist.infrastructure.system_capacity import SYSTEM_LABEL, SYSTEM_TAINT, SystemCapacity

AGENT: Final = "eks-pod-identity-agent"
COREDNS: Final = "coredns"
EBS_CSI_DRIVER: Final = "aws-ebs-csi-driver"
METRICS_SERVER: Final = "metrics-server"
MONITORING_AGENT: Final = "eks-node-monitoring-agent"
VPC_CNI: Final = "vpc-cni"
BUILT_IN: Final = (VPC_CNI, "kube-proxy", COREDNS, EBS_CSI_DRIVER, AGENT)
"""What Auto Mode has built in."""


@dataclass(frozen=True, slots=True)
class AddOnPlan:
    """An add-on. `early` ones are installed before the first node, the others after it, and those that wait `for_node_pools`
    after the first NodePool, since nothing else could run their pods. With a `service_account` it has a role
    of its own with `policy`, one of AWS's. `version` None leaves the choice to EKS; `configuration` are the add-on's own
    settings."""

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
_VERSION: Final = re.compile(r"v\d+\.\d+\.\d+-eksbuild\.\d+", re.ASCII)
_SYSTEM_LABELS: Final = {SYSTEM_LABEL[0]: SYSTEM_LABEL[1], "kubernetes.io/os": "linux"}
_CLOUD_DOMAINS: Final = ("kubernetes.io", "k8s.io", "eks.amazonaws.com", "k8s.aws")
_TOLERATION: Final = {"key": SYSTEM_TAINT, "operator": "Exists"}


@dataclass(frozen=True, slots=True)
class _Pods:
    """The pods that an add-on waits for: where its settings have their template, and whether they tolerate the taint of system
    nodes by default."""

    path: tuple[str, ...]
    tolerates: bool

    def written(self, configuration: Mapping[str, Any], member: str) -> Any:
        """Return what the settings have as a member of the template, None without it."""
        return _at(configuration, (*self.path, member))


_DAEMONS: Final = frozenset({VPC_CNI, "kube-proxy", AGENT, MONITORING_AGENT})
"""Add-ons of DaemonSets alone, which tolerate every taint and want no node to be there."""
_NEEDED_DAEMONS: Final = _DAEMONS - {MONITORING_AGENT}
"""Those without which a node is not ready, reaches no service, or gives Karpenter no credentials."""
_PODS: Final = {
    COREDNS: _Pods((), tolerates=True),
    EBS_CSI_DRIVER: _Pods(("controller",), tolerates=True),  # values of its chart, 2026-08-19
    METRICS_SERVER: _Pods((), tolerates=False),
}


def chosen(
    settings: Mapping[str, Mapping[str, Any]], identity: Credentials, *, capacity: SystemCapacity, cni_has_role: bool
) -> list[AddOnPlan]:
    """Return the add-ons that a cluster gets: the core ones, and each that `settings` names, with the settings given there.

    EKS holds an add-on to be failed while its pods do not run: those that cannot run on the system's `capacity` wait for
    NodePools. `settings` holds `version` and `configuration` by add-on. Without its own role the VPC CNI uses that of the node.
    """
    core = [VPC_CNI, "kube-proxy", *([AGENT] if identity is Credentials.POD_IDENTITY else []), COREDNS]
    defaults: dict[str, dict[str, Any]] = {COREDNS: _coredns(on_fargate=capacity is SystemCapacity.FARGATE)}
    if capacity is SystemCapacity.TAINTED:
        defaults[METRICS_SERVER] = {"tolerations": [_TOLERATION]}
    plans = []
    for name in (*core, *sorted(set(settings) - set(core))):
        plan = with_settings(replace(named(name), configuration=defaults.get(name, {})), settings.get(name, {}))
        plan = replace(plan, for_node_pools=not plan.early and not runs_on(plan, capacity))
        plans.append(plan if cni_has_role or name != VPC_CNI else replace(plan, service_account=None, policy=None))
    return plans


def runs_on(plan: AddOnPlan, capacity: SystemCapacity) -> bool:
    """Tell whether the pods of an add-on run before Karpenter starts nodes. Of one that is not in the table only its settings
    tell: tolerations of the taint of system nodes among them."""
    if plan.name in _DAEMONS:
        return True
    pods = _PODS.get(plan.name)
    if capacity is SystemCapacity.FARGATE:
        return plan.name == COREDNS and str(plan.configuration.get("computeType")).casefold() == "fargate"
    if pods is not None and not _selects(pods.written(plan.configuration, "nodeSelector")):
        return False
    if capacity is SystemCapacity.SHARED:
        return True
    if pods is None:
        return any(map(_tolerates, _tolerations(plan.configuration)))
    tolerations = pods.written(plan.configuration, "tolerations")
    return pods.tolerates if tolerations is None else _tolerates(tolerations)


def named(name: str) -> AddOnPlan:
    """Return an add-on with its place and permissions; an unknown one is installed late and has no role."""
    return _KNOWN.get(name, AddOnPlan(name))


def with_settings(plan: AddOnPlan, settings: Mapping[str, Any]) -> AddOnPlan:
    """Return an add-on with a user's `version` and `configuration`, which overrides ours key by key."""
    configuration = {**plan.configuration, **(settings.get("configuration") or {})}
    return replace(plan, version=settings.get("version"), configuration=configuration)


def waiting_problems(
    plans: Iterable[AddOnPlan], capacity: SystemCapacity, at: Place, *, has_node_pools: bool
) -> Iterable[Problem]:
    """Yield add-ons that EKS would wait for in vain, since no node could run their pods: CoreDNS has to be there before
    Karpenter, and without NodePools no other node ever comes. Yield also the DaemonSets that system nodes need and whose
    settings keep them away from there."""
    for plan in plans:
        tolerations = _at(plan.configuration, ("tolerations",))
        if (
            capacity is SystemCapacity.TAINTED
            and plan.name in _NEEDED_DAEMONS
            and not (tolerations is None or _tolerates(tolerations))
        ):
            message = f"system nodes do not come up without it, and its tolerations leave out their taint {SYSTEM_TAINT}"
            place = at.member(plan.name).member("configuration").member("tolerations")
            yield Problem(place, message, "operator: Exists without a key, as by default, or shared system nodes")
        if not plan.for_node_pools or (has_node_pools and plan.name != COREDNS):
            continue
        allowed = [] if plan.name == COREDNS else ["NodePools in the same call, after which it is made"]
        if capacity is SystemCapacity.FARGATE:
            message = "no node runs its pods, and EKS waits for them: Fargate runs the controller and CoreDNS alone"
            allowed = ["computeType: Fargate, as by default"] if plan.name == COREDNS else allowed
        elif plan.name in _PODS and not _selects(_PODS[plan.name].written(plan.configuration, "nodeSelector")):
            message = "no node runs its pods, and EKS waits for them: its nodeSelector has a label that system nodes lack"
            allowed = [f"{SYSTEM_LABEL[0]}: '{SYSTEM_LABEL[1]}' in its nodeSelector, or none", *allowed]
        else:
            message = f"no node runs its pods, and EKS waits for them: nothing says that they tolerate {SYSTEM_TAINT}"
            allowed = ["tolerations of this taint of system nodes in its configuration", "shared system nodes", *allowed]
        yield Problem(at.member(plan.name), message, ", or ".join(allowed))


def problems(settings: Mapping[str, Mapping[str, Any]], at: Place) -> Iterable[Problem]:
    """Yield names that look like typing mistakes, versions of another form than EKS's, and settings of another form than
    Kubernetes has. An add-on that is newer than this table is accepted."""
    for name, setting in settings.items():
        version = setting.get("version")
        if version is not None and not _VERSION.fullmatch(str(version)):
            place = at.member(name).member("version")
            yield Problem(place, f"{version!r} is not a version of an add-on", "such as v1.20.1-eksbuild.1")
        of_settings, configuration = at.member(name).member("configuration"), setting.get("configuration")
        yield from form_problems(configuration, of_settings)
        for member in _PODS[name].path if name in _PODS else ():
            yield from mapping_problems((configuration or {}).get(member, {}), of_settings.member(member))
        close = nearest(name, _KNOWN)
        if name not in _KNOWN and close:
            yield Problem(at.member(name), f"add-on {name!r}", ", ".join(sorted(_KNOWN)), close)


def _at(configuration: Any, path: Iterable[str]) -> Any:
    for member in path:
        configuration = configuration.get(member) if isinstance(configuration, Mapping) else None
    return configuration


def _tolerations(configuration: Any) -> Iterable[Any]:
    """Yield every list of tolerations in the settings of an add-on."""
    for member, value in configuration.items() if isinstance(configuration, Mapping) else ():
        if member == "tolerations":
            yield value
        else:
            yield from _tolerations(value)


def _tolerates(tolerations: Any) -> bool:
    """Tell whether pods with these tolerations can run on system nodes (CriticalAddonsOnly=true:NoSchedule)."""
    return any(
        isinstance(one, Mapping)
        and one.get("effect") in (None, "", "NoSchedule")
        and (
            one.get("key") in (None, "", SYSTEM_TAINT)
            if one.get("operator") == "Exists"
            else (one.get("key"), one.get("value")) == (SYSTEM_TAINT, "true")
        )
        for one in (tolerations if isinstance(tolerations, list | tuple) else ())
    )


def _selects(selector: Any) -> bool:
    """Tell whether a node selector can be of system nodes. What the cloud sets as labels is left open."""
    return all(
        value == _SYSTEM_LABELS[key] if key in _SYSTEM_LABELS else _domain(key).endswith(_CLOUD_DOMAINS)
        for key, value in (selector.items() if isinstance(selector, Mapping) else ())
    )


def _domain(key: str) -> str:
    return key.partition("/")[0] if "/" in key else ""


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
