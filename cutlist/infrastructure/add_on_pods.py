"""Whether the pods of an add-on run on the nodes that exist before Karpenter starts any (spec: aws-infrastructure 1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from cutlist.core.labels import domain
from cutlist.infrastructure.system_capacity import SYSTEM_LABEL, SYSTEM_TAINT, SystemCapacity

AGENT: Final = "eks-pod-identity-agent"
COREDNS: Final = "coredns"
EBS_CSI_DRIVER: Final = "aws-ebs-csi-driver"
METRICS_SERVER: Final = "metrics-server"
MONITORING_AGENT: Final = "eks-node-monitoring-agent"
VPC_CNI: Final = "vpc-cni"

_SYSTEM_LABELS: Final = {SYSTEM_LABEL[0]: SYSTEM_LABEL[1], "kubernetes.io/os": "linux"}
_CLOUD_DOMAINS: Final = ("kubernetes.io", "k8s.io", "eks.amazonaws.com", "k8s.aws")
_DAEMONS: Final = frozenset({VPC_CNI, "kube-proxy", AGENT, MONITORING_AGENT})
"""Add-ons that are only DaemonSets, which tolerate every taint and do not need any node to be healthy."""
_NEEDED_DAEMONS: Final = _DAEMONS - {MONITORING_AGENT}
"""DaemonSets without which a node is not ready, does not reach Services, or does not give Karpenter credentials."""


@dataclass(frozen=True, slots=True)
class _Pods:
    """The pods that an add-on waits for: the path of their template in its settings, and whether they tolerate the taint of
    system nodes by default."""

    path: tuple[str, ...]
    tolerates: bool

    def written(self, configuration: Mapping[str, Any], member: str) -> Any:
        """Return a member of the template in the settings, or None without it."""
        template: Any = configuration
        for step in (*self.path, member):
            template = template.get(step) if isinstance(template, Mapping) else None
        return template


_PODS: Final = {
    COREDNS: _Pods((), tolerates=True),
    EBS_CSI_DRIVER: _Pods(("controller",), tolerates=True),  # values in its chart, 2026-08-19
    METRICS_SERVER: _Pods((), tolerates=False),
}


class Obstacle(NamedTuple):
    """Why no system node runs the pods of an add-on, and what would change that."""

    reason: str
    remedies: tuple[str, ...] = ()


def template_of(name: str) -> tuple[str, ...]:
    """Return the path of the template of an add-on's pods in its settings; empty if it is the settings themselves."""
    return _PODS[name].path if name in _PODS else ()


def obstacle_of(name: str, configuration: Mapping[str, Any], capacity: SystemCapacity) -> Obstacle | None:
    """Return why the pods of an add-on do not run before Karpenter starts nodes, or None if they do.

    Of an add-on that is not in the table, only the settings are known, such as tolerations of the system nodes' taint.
    """
    if name in _DAEMONS:
        return None
    pods = _PODS.get(name)
    if capacity is SystemCapacity.FARGATE:
        return _obstacle_on_fargate(name, configuration)
    if pods is not None and not _selects(pods.written(configuration, "nodeSelector")):
        remedy = f"{SYSTEM_LABEL[0]}: '{SYSTEM_LABEL[1]}' in its nodeSelector, or none"
        return Obstacle("its nodeSelector has a label that system nodes lack", (remedy,))
    if capacity is SystemCapacity.SHARED or _tolerates_system(pods, configuration):
        return None
    remedies = ("tolerations of this taint of system nodes in its configuration", "shared system nodes")
    return Obstacle(f"nothing says that they tolerate {SYSTEM_TAINT}", remedies)


def unmet_labels(name: str, configuration: Mapping[str, Any], node_pools: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the node labels that an add-on's settings require, if no NodePool's nodes have all of them; else nothing. Labels
    that the cloud sets are not checked. `node_pools` are manifests."""
    selector = _PODS[name].written(configuration, "nodeSelector") if name in _PODS else None
    wanted = {
        label: value
        for label, value in (selector.items() if isinstance(selector, Mapping) else ())
        if isinstance(value, str) and not domain(label).endswith(_CLOUD_DOMAINS)
    }
    can = any(all(_may_have(pool, label, value) for label, value in wanted.items()) for pool in node_pools)
    return {} if can else wanted


def _may_have(node_pool: Mapping[str, Any], label: str, value: str) -> bool:
    """Tell whether nodes of a NodePool can have a label: by its labels, or by a requirement that leaves the value open."""
    template: Any = (node_pool.get("spec") or {}).get("template") or {}
    labels = (template.get("metadata") or {}).get("labels") or {}
    requirements = [r for r in (template.get("spec") or {}).get("requirements") or () if r.get("key") == label]
    return labels.get(label) == value or any(
        value in (r.get("values") or ()) if r.get("operator") == "In" else r.get("operator") != "DoesNotExist"
        for r in requirements
    )


def _obstacle_on_fargate(name: str, configuration: Mapping[str, Any]) -> Obstacle | None:
    reason = "Fargate runs the controller and CoreDNS alone"
    if name != COREDNS:
        return Obstacle(reason)
    is_there = str(configuration.get("computeType")).casefold() == "fargate"
    return None if is_there else Obstacle(reason, ("computeType: Fargate, as by default",))


def keeps_needed_daemon_away(name: str, configuration: Mapping[str, Any], capacity: SystemCapacity) -> bool:
    """Tell whether settings keep a DaemonSet that system nodes need away from them."""
    tolerations = configuration.get("tolerations")
    is_needed = capacity is SystemCapacity.TAINTED and name in _NEEDED_DAEMONS
    return is_needed and tolerations is not None and not _tolerates(tolerations)


def _tolerates_system(pods: _Pods | None, configuration: Mapping[str, Any]) -> bool:
    if pods is None:
        return any(map(_tolerates, _tolerations(configuration)))
    tolerations = pods.written(configuration, "tolerations")
    return pods.tolerates if tolerations is None else _tolerates(tolerations)


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
        isinstance(toleration, Mapping)
        and toleration.get("effect") in (None, "", "NoSchedule")
        and (
            toleration.get("key") in (None, "", SYSTEM_TAINT)
            if toleration.get("operator") == "Exists"
            else (toleration.get("key"), toleration.get("value")) == (SYSTEM_TAINT, "true")
        )
        for toleration in (tolerations if isinstance(tolerations, list | tuple) else ())
    )


def _selects(selector: Any) -> bool:
    """Tell whether a node selector can match system nodes. Labels that the cloud sets are not checked."""
    return all(
        value == _SYSTEM_LABELS[key] if key in _SYSTEM_LABELS else domain(key).endswith(_CLOUD_DOMAINS)
        for key, value in (selector.items() if isinstance(selector, Mapping) else ())
    )
