"""The facts that a node needs to join its cluster, from NodeClass, NodeClaim and cluster, independent of any format."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any, Final

from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.labels import CAPACITY_TYPE, domain
from cutlist.core.taints import NO_EXECUTE, Taint
from cutlist.providers.aws.expressions import NOTHING_RESERVED, Reserved
from cutlist.providers.aws.families import CUSTOM
from cutlist.providers.aws.userdata.go_text import whole

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass

DO_NOT_SYNC_TAINTS: Final = "karpenter.sh/do-not-sync-taints"
UNREGISTERED: Final = Taint("karpenter.sh/unregistered", NO_EXECUTE)

# Kubernetes refuses a kubelet that sets labels of these domains on its own node.
_REFUSED_DOMAINS: Final = ("node-restriction.kubernetes.io", "kubernetes.io", "k8s.io")
_VERSION_OF_NAME: Final = re.compile(r"v[^-]*\.[^-]*")


@dataclass(frozen=True, slots=True)
class BootstrapCluster:
    """The cluster as its nodes reach it.

    `ca_bundle` is the certificate authority in base64; `service_cidr` and `dns_ip` are the services' address range and the
    address of the cluster's DNS service. A value of None is left out of the user data.
    """

    name: str
    endpoint: str
    ca_bundle: str | None = None
    service_cidr: str | None = None
    dns_ip: str | None = None


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """The facts of the NodeClaim and the machine: labels, taints, capacity type and the number of pods that the machine
    accepts. `reserved` are the results of its class's expressions.
    """

    max_pods: int
    capacity_type: str
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: Sequence[Taint] = ()
    startup_taints: Sequence[Taint] = ()
    reserved: Reserved = NOTHING_RESERVED


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Everything in a node's user data.

    `kubelet` holds settings in the API's spelling, where `maxPods` is always present. `own` is the user's text, or empty.
    `image_version` is the version in the image's alias or name, empty if neither has one.
    """

    cluster: BootstrapCluster
    kubelet: Mapping[str, Any]
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    own: str = ""
    raid0: bool = False
    image_version: str = ""
    karpenter: Baseline = DEFAULT

    @property
    def cluster_dns(self) -> str:
        """Return the DNS server that the kubelet passes to pods, or an empty string without one."""
        servers = self.kubelet.get("clusterDNS") or ("",)
        return str(servers[0])


def bootstrap(node_class: EC2NodeClass, node: NodeFacts, cluster: BootstrapCluster) -> Bootstrap:
    """Return what a node of the NodeClass needs to join the cluster."""
    return Bootstrap(
        cluster=cluster,
        kubelet=_kubelet(node_class, node, cluster.dns_ip),
        labels=_labels(node_class, node),
        taints=_taints(node),
        own=whole(node_class.user_data or ""),
        raid0=node_class.instance_store_policy == "RAID0",
        image_version=image_version(node_class),
        karpenter=node_class.karpenter,
    )


def _kubelet(node_class: EC2NodeClass, node: NodeFacts, dns_ip: str | None) -> dict[str, Any]:
    """Return the NodeClass' kubelet settings; pods and DNS server are filled in if it does not set them, and results replace
    expressions (VA15-43)."""
    settings = {name: value for name, value in node_class.kubelet_as_written.items() if value is not None}
    if not isinstance(settings.get("maxPods"), int):
        settings["maxPods"] = node.max_pods
    for name, resolved in (("kubeReserved", node.reserved.kube), ("systemReserved", node.reserved.system)):
        if resolved:
            settings[name] = dict(resolved)
    address = _address(dns_ip)
    if address and not settings.get("clusterDNS"):
        settings["clusterDNS"] = [address]
    return settings


def _address(text: str | None) -> str:
    """Return an address in its shortest spelling, or an empty string for a text that is not an address."""
    try:
        address = ip_address(text or "")
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)


def _labels(node_class: EC2NodeClass, node: NodeFacts) -> dict[str, str]:
    """Return the labels that the kubelet may give its own node; the others are set by the controller later (spec 8.2)."""
    labels = {**node.labels, CAPACITY_TYPE: node.capacity_type}
    if node_class.resolved_ami_family != CUSTOM.name:
        labels[DO_NOT_SYNC_TAINTS] = "true"  # the kubelet registers with all taints, so nothing remains to be synced
    return {key: labels[key] for key in sorted(labels) if not _is_refused(key)}


def _is_refused(key: str) -> bool:
    where = domain(key)
    return any(where == refused or where.endswith(f".{refused}") for refused in _REFUSED_DOMAINS)


def _taints(node: NodeFacts) -> tuple[Taint, ...]:
    """Return taints, startup taints, and the one that keeps pods away until the controller knows the node."""
    taints = (*node.taints, *node.startup_taints)
    if any((t.key, t.effect) == (UNREGISTERED.key, UNREGISTERED.effect) for t in taints):
        return taints
    return (*taints, UNREGISTERED)


def image_version(node_class: EC2NodeClass) -> str:
    """Return the version of the image: of the alias, else of a name in the selector terms, else of the resolved images."""
    terms = node_class.ami_selector_terms
    named = {ami.id: ami.name for ami in reversed(node_class.amis) if "bottlerocket" in ami.name}
    candidates = (
        *(term.alias.split("@")[1] for term in terms if term.alias and term.alias.count("@") == 1),
        *(_version_of_name(term.name) for term in terms if term.name),
        *(_version_of_name(named[term.id]) for term in terms if term.id in named),
        *(_version_of_name(ami.name) for ami in node_class.amis if ami.id in named and ami.name),
    )
    return next(filter(None, candidates), "")


def _version_of_name(name: str) -> str:
    """Return `v1.46.0` of `bottlerocket-aws-k8s-1.33-x86_64-v1.46.0-431fe75a`."""
    return next((part for part in name.split("-") if _VERSION_OF_NAME.fullmatch(part)), "")
