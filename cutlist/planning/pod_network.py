"""How the pods of a cluster get addresses, as its objects show: settings of the CNI, and what nodes have of it (AD-10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.documents.document import Document
from cutlist.documents.members import containers_of_template, entries, mapping, text
from cutlist.planning.installed_charts import installed_charts
from cutlist.providers.node_addresses import CUSTOM, CUSTOM_PREFIX, OVERLAY, PREFIX, SECONDARY, Warm

_VPC_CNI: Final = ("vpc-cni", "aws-vpc-cni")
_AWS_NODE: Final = "aws-node"
_CILIUM: Final = "cilium"
_IPV6: Final = "ENABLE_IPv6"
_PREFIXES: Final = "ENABLE_PREFIX_DELEGATION"
_CUSTOM: Final = "AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG"
_TARGETS: Final = {
    "WARM_ENI_TARGET": "interfaces",
    "WARM_IP_TARGET": "addresses",
    "MINIMUM_IP_TARGET": "minimum",
    "WARM_PREFIX_TARGET": "prefixes",
}
SETTINGS: Final = (_IPV6, _PREFIXES, _CUSTOM, *_TARGETS)
"""The variables of the VPC CNI on which the addresses of nodes depend."""
OVERLAY_LABELS: Final = {"kubernetes.azure.com/azure-cni-overlay": "true", "kubernetes.azure.com/podnetwork-type": "overlay"}
"""The labels of AKS' nodes whose pods have addresses of an overlay."""


@dataclass(frozen=True, slots=True)
class PodNetwork:
    """A way of giving pods addresses, empty where nothing shows it, what shows it, and what is kept ready."""

    mode: str = ""
    sign: str = ""
    warm: Warm = field(default_factory=Warm)


def pod_network(documents: Sequence[Document], *, on_azure: bool) -> PodNetwork:
    """Return the first way that objects show; settings of a CNI count before what nodes have of it."""
    signs = _on_azure(documents) if on_azure else _on_aws(documents)
    return next(signs, PodNetwork())


def _on_aws(documents: Sequence[Document]) -> Iterator[PodNetwork]:
    for chart in installed_charts(documents):
        if chart.name in _VPC_CNI:
            yield from _of_variables(mapping(chart.values.get("env")), f"{chart.name} ({chart.place})")
        elif chart.name == _CILIUM:
            yield from _of_cilium(chart.values, f"{chart.name} ({chart.place})")
    for document in documents:
        if document.kind == "DaemonSet" and document.name == _AWS_NODE:
            yield from _of_variables(_variables(document), f"DaemonSet {_AWS_NODE} ({document.place})")
        elif document.kind == "CiliumNode":
            yield from _of_cilium_node(mapping(document.data.get("spec")), f"CiliumNode {document.name}")
        elif document.kind == "CNINode":
            features = map(mapping, entries(mapping(document.data.get("spec")).get("features")))
            if any(feature.get("name") == "CustomNetworking" for feature in features):
                yield PodNetwork(CUSTOM, f"CNINode {document.name}")
    custom = next((d for d in documents if d.kind == "ENIConfig"), None)
    if custom is not None:
        yield PodNetwork(CUSTOM, f"ENIConfig {custom.name}")


def _on_azure(documents: Iterable[Document]) -> Iterator[PodNetwork]:
    for node in (document for document in documents if document.kind == "Node"):
        labels = mapping(mapping(node.data.get("metadata")).get("labels"))
        if any(labels.get(key) == value for key, value in OVERLAY_LABELS.items()):
            yield PodNetwork(OVERLAY, f"the labels of Node {node.name}")
        if mapping(node.data.get("spec")).get("podCIDR"):
            yield PodNetwork(OVERLAY, f"podCIDR of Node {node.name}")


def _of_variables(written: Mapping[str, Any], sign: str) -> Iterator[PodNetwork]:
    known = {name: str(value).strip().lower() for name, value in written.items() if name in SETTINGS}
    if not known:
        return
    prefixes, custom = known.get(_PREFIXES) == "true", known.get(_CUSTOM) == "true"
    mode = CUSTOM_PREFIX if custom and prefixes else CUSTOM if custom else PREFIX if prefixes else SECONDARY
    targets = {field: int(known[name]) for name, field in _TARGETS.items() if known.get(name, "").isdecimal()}
    yield PodNetwork(OVERLAY if known.get(_IPV6) == "true" else mode, sign, Warm(**targets))


def _variables(document: Document) -> dict[str, Any]:
    containers = containers_of_template(document.data)
    listed = (variable for container in containers for variable in map(mapping, entries(container.get("env"))))
    return {text(variable.get("name")): variable.get("value") for variable in listed}


def _of_cilium(values: Mapping[str, Any], sign: str) -> Iterator[PodNetwork]:
    eni, mode = mapping(values.get("eni")), text(mapping(values.get("ipam")).get("mode"))
    if mode == "eni" or eni.get("enabled") is True:
        yield PodNetwork(PREFIX if eni.get("awsEnablePrefixDelegation") is True else SECONDARY, sign)
    elif mode or "cni" not in values:
        yield PodNetwork(OVERLAY, sign)


def _of_cilium_node(spec: Mapping[str, Any], sign: str) -> Iterator[PodNetwork]:
    if mapping(spec.get("eni")):
        yield PodNetwork(SECONDARY, sign)
    elif mapping(spec.get("ipam")).get("podCIDRs"):
        yield PodNetwork(OVERLAY, sign)
