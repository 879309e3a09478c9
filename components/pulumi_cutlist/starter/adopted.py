"""What a new project takes over from a cluster that runs: its NodePools and node classes, and what its nodes are for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.built_in import AKS_POOLS, AUTO_POOLS
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import NODEPOOL
from cutlist.core.labels import REGION as REGION_LABEL
from cutlist.documents.collecting import collect_documents
from cutlist.documents.document import Document
from cutlist.documents.text.writing import Style, block_lines
from cutlist.settings.new import AKS, AUTO_MODE, AWS

_POOL: Final = "NodePool"
_CLASSES: Final = {"EC2NodeClass": AWS, "NodeClass": AUTO_MODE, "AKSNodeClass": AKS}
_OF_MACHINES: Final = frozenset(("Node", "NodeClaim", "CSINode", "CNINode", "CiliumNode"))
_MANAGED: Final = {AUTO_MODE: AUTO_POOLS, AKS: AKS_POOLS}
_OF_CONTROLLERS: Final = re.compile(r"kubectl\.kubernetes\.io/last-applied-configuration|[\w.-]+/[a-z0-9]+-hash(-version)?")
_ENDED: Final = ("Succeeded", "Failed")
_OWNED_BY_NODES: Final = frozenset(("DaemonSet", "Node"))
_CONTROLLER: Final = re.compile(r"(?:^|/)karpenter/controller:v?(\d+\.\d+\.\d+)")
_WRITTEN_IN: Final = Style()


@dataclass(frozen=True, slots=True)
class Adopted:
    """What a running cluster gives a project. `cloud` is a choice of the setting `cloud`, `region` and `karpenter` are empty
    where the snapshot does not say them. `zones` are those in which the controller found subnets, if it did for all classes.
    `built_in` are the NodePools of the cloud's own. The texts are files of manifests."""

    cloud: str
    region: str
    karpenter: str
    built_in: tuple[str, ...]
    node_pools: str
    workloads: str
    zones: tuple[str, ...] = ()


def read_snapshot(path: str) -> Adopted:
    """Return what a snapshot gives a project.

    Raises InputError for a file that cannot be read, and for one without a NodePool: there is nothing to adopt then.
    """
    problems = Problems()
    documents = collect_documents([path], problems)
    problems.raise_if_any()
    pools = [of for of in documents if of.kind == _POOL]
    classes = [of for of in documents if of.kind in _CLASSES]
    if not pools:
        text, allowed = "has no NodePool to adopt", "what `cutlist snapshot` writes of a cluster with Karpenter"
        raise InputError.one(Place(path), text, allowed)
    cloud = _cloud(pools, classes)
    built_in = tuple(sorted(name for of in pools if (name := _name(of)) in _MANAGED.get(cloud, ())))
    own = [of for of in (*pools, *classes) if _name(of) not in built_in and not _is_managed(of, cloud)]
    beside = frozenset(_name(of) for of in documents if of.kind == "Node" and NODEPOOL not in _labels(of))
    manifests = (of for of in documents if of.kind not in (_POOL, *_CLASSES, *_OF_MACHINES))
    others = [of for of in manifests if not _is_of_a_node(of.data) and not _needs_no_node(of.data, beside)]
    return Adopted(
        cloud=cloud,
        region=next(_regions(documents), ""),
        karpenter=next(_versions(documents), ""),
        built_in=built_in,
        node_pools=_text("The NodePools and node classes that run.", map(_manifest, own)),
        workloads=_text(
            "What runs on nodes of Karpenter, without these nodes: the plan shows which ones it would launch.",
            map(_free, others),
        ),
        zones=_zones_of(classes),
    )


def _cloud(pools: Iterable[Document], classes: Iterable[Document]) -> str:
    kinds = [of.kind for of in classes] or [str(_ref(of).get("kind")) for of in pools]
    return next((_CLASSES[kind] for kind in kinds if kind in _CLASSES), AWS)


def _ref(pool: Document) -> Mapping[str, Any]:
    spec = pool.data.get("spec") or {}
    template = (spec.get("template") or {}).get("spec") or {}
    return template.get("nodeClassRef") or {}


def _name(document: Document) -> str:
    return str((document.data.get("metadata") or {}).get("name", ""))


def _is_managed(document: Document, cloud: str) -> bool:
    """Tell whether EKS or AKS makes a node class by itself."""
    return document.kind in _CLASSES and cloud in _MANAGED and _name(document) == "default"


def _is_of_a_node(manifest: Mapping[str, Any]) -> bool:
    """Tell whether a pod is there for its node: its DaemonSet is planned instead."""
    owners = (manifest.get("metadata") or {}).get("ownerReferences") or ()
    return manifest.get("kind") == "Pod" and any(owner.get("kind") in _OWNED_BY_NODES for owner in owners)


def _needs_no_node(manifest: Mapping[str, Any], beside: Collection[str]) -> bool:
    """Tell whether a pod has come to its end, or runs on a node that Karpenter does not manage, and stays there."""
    if manifest.get("kind") != "Pod":
        return False
    spec, status = manifest.get("spec") or {}, manifest.get("status") or {}
    return status.get("phase") in _ENDED or spec.get("nodeName") in beside


def _zones_of(classes: Iterable[Document]) -> tuple[str, ...]:
    """Return the zones in which node classes have subnets; none unless all of them say where theirs are."""
    found = [set(_zones(of.data)) for of in classes]
    return tuple(sorted(set[str]().union(*found))) if all(found) else ()


def _zones(node_class: Mapping[str, Any]) -> Iterator[str]:
    subnets = (node_class.get("status") or {}).get("subnets") or ()
    yield from (zone for of in subnets if isinstance(of, Mapping) and isinstance(zone := of.get("zone"), str))


def _labels(document: Document) -> Mapping[str, Any]:
    return (document.data.get("metadata") or {}).get("labels") or {}


def _regions(documents: Iterable[Document]) -> Iterator[str]:
    for document in documents:
        if document.kind == "Node" and (region := _labels(document).get(REGION_LABEL)):
            yield str(region)


def _versions(documents: Iterable[Document]) -> Iterator[str]:
    """Yield the versions of Karpenter's controllers among the pods."""
    for document in documents:
        spec = document.data.get("spec")
        containers = spec.get("containers") or () if document.kind == "Pod" and isinstance(spec, dict) else ()
        yield from (found[1] for of in containers if (found := _CONTROLLER.search(str(of.get("image", "")))))


def _manifest(document: Document) -> dict[str, Any]:
    """Return an object as a team would write it: without what the API server and controllers add."""
    data, metadata = document.data, document.data.get("metadata") or {}
    annotations = {k: v for k, v in (metadata.get("annotations") or {}).items() if not _OF_CONTROLLERS.fullmatch(k)}
    members = {"name": metadata.get("name"), "labels": metadata.get("labels"), "annotations": annotations}
    kept = {key: value for key, value in members.items() if value}
    return {"apiVersion": data.get("apiVersion"), "kind": data.get("kind"), "metadata": kept, "spec": data.get("spec")}


def _free(document: Document) -> dict[str, Any]:
    """Return an object that is not bound to a node yet."""
    data = document.data
    if document.kind != "Pod":
        return data
    spec = {key: value for key, value in (data.get("spec") or {}).items() if key != "nodeName"}
    return {**{key: value for key, value in data.items() if key != "status"}, "spec": spec}


def _text(head: str, manifests: Iterable[Mapping[str, Any]]) -> str:
    written: Sequence[str] = ["".join(f"{line}\n" for line in block_lines(manifest, _WRITTEN_IN)) for manifest in manifests]
    return f"# {head}\n" + "---\n".join(written)
