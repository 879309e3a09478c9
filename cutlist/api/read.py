"""Karpenter's objects from documents, with every mistake in all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.capacitybuffer import CapacityBuffer
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodeclaim import NodeClaim
from cutlist.api.nodeoverlay import NodeOverlay
from cutlist.api.nodepool import NodePool
from cutlist.api.objects import ApiObject, Source
from cutlist.api.versions import is_karpenters, version_findings
from cutlist.api.written import WrittenPool
from cutlist.core.errors import InputError, Problems
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.labels import AUTO_GROUP, AWS_GROUP, AZURE_GROUP
from cutlist.documents.document import Document, note_unknown
from cutlist.documents.terraform.opentofu import MANIFEST_RESOURCES

NodeClass = EC2NodeClass | AutoNodeClass | AKSNodeClass
EC2_NODE_CLASS: Final = (AWS_GROUP, "EC2NodeClass")
AUTO_NODE_CLASS: Final = (AUTO_GROUP, "NodeClass")
AKS_NODE_CLASS: Final = (AZURE_GROUP, "AKSNodeClass")
REFERRED: Final = (EC2_NODE_CLASS, AUTO_NODE_CLASS, AKS_NODE_CLASS)
_CLASSES: Final = tuple(kind for _, kind in REFERRED)
NODE_OBJECTS: Final = (NodePool, EC2NodeClass, AutoNodeClass, AKSNodeClass)
"""The types of the objects that decide what nodes are: NodePools, and the node classes of every cloud."""
_KINDS: Final[dict[str, type[ApiObject]]] = {
    kind.KIND: kind for kind in (*NODE_OBJECTS, NodeClaim, NodeOverlay, CapacityBuffer)
}


class _Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def source(self) -> Source: ...


N = TypeVar("N", bound=_Named)


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of some documents, in their order.

    `rest` are the documents of other kinds; `refused_classes` are the kind and name of node classes that exist but were
    refused; `written_pools` are the references of all NodePools, including those with mistakes elsewhere. `node_claims` are
    those that users wrote; a cluster's are in `rest`, since its API server has accepted them already.
    `assumed_disks` are the sizes of disks of classes that are elsewhere and of which no disk is known, by kind and name.
    """

    node_pools: tuple[NodePool, ...]
    node_classes: tuple[EC2NodeClass | AutoNodeClass, ...]
    rest: tuple[Document, ...]
    refused_classes: frozenset[tuple[str, str]] = frozenset()
    written_pools: tuple[WrittenPool, ...] = ()
    aks_node_classes: tuple[AKSNodeClass, ...] = ()
    node_claims: tuple[NodeClaim, ...] = ()
    node_overlays: tuple[NodeOverlay, ...] = ()
    capacity_buffers: tuple[CapacityBuffer, ...] = ()
    assumed_disks: Mapping[tuple[str, str], str] = field(default_factory=dict, hash=False)


def read_objects(
    documents: Iterable[Document],
    problems: Problems,
    karpenter: Baseline = DEFAULT,
    gates: frozenset[str] = frozenset(),
    rules_of: Callable[[Document], Baseline] | None = None,
) -> Objects:
    """Return Karpenter's objects among the documents, checked as this Karpenter does with these feature gates, or as
    `rules_of` says for each document.

    An object with mistakes is left out, and they are added to `problems`.

    Objects of an old version and kinds that no longer exist are reported with what to write instead. Two objects of one kind
    and name are a mistake, since the later would overwrite the earlier.
    """
    by_kind: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    rest: list[Document] = []
    refused: set[tuple[str, str]] = set()
    written: list[WrittenPool] = []
    for document in documents:
        if not is_karpenters(document.api_version, document.kind) or _is_of_a_cluster(document):
            rest.append(document)
            if document.kind in MANIFEST_RESOURCES:
                note_unknown(document, problems)
            continue
        if note_unknown(document, problems):
            refused.add((document.kind, document.name))
            continue
        if document.kind == "NodePool":
            written.append(WrittenPool.of(document.data, document.at))
        try:
            rules = karpenter if rules_of is None else rules_of(document)
            by_kind[document.kind].append(_KINDS[document.kind].read(document, rules, gates))
        except KeyError:
            problems.extend(f.problem(document.at(f.path)) for f in version_findings(document.data))
            rest.append(document)
        except InputError as error:
            problems.extend(error.problems)
            if document.kind in _CLASSES:
                refused.add((document.kind, document.name))
    once = {kind: tuple(_without_duplicates(objects, kind, problems)) for kind, objects in by_kind.items()}
    return Objects(
        node_pools=once["NodePool"],
        node_classes=(*once["EC2NodeClass"], *once["NodeClass"]),
        rest=tuple(rest),
        refused_classes=frozenset(refused),
        written_pools=tuple(written),
        aks_node_classes=once["AKSNodeClass"],
        node_claims=once["NodeClaim"],
        node_overlays=once["NodeOverlay"],
        capacity_buffers=once["CapacityBuffer"],
    )


def _is_of_a_cluster(document: Document) -> bool:
    """Tell whether a document is a NodeClaim that an API server has accepted: users write neither a uid nor a status."""
    metadata = document.data.get("metadata")
    has_uid = isinstance(metadata, dict) and "uid" in metadata
    return document.kind == "NodeClaim" and (has_uid or "status" in document.data)


def kind_of(node_class: NodeClass) -> str:
    """Return the kind of a node class as nodeClassRef names it."""
    return node_class.KIND


def _without_duplicates(objects: list[N], kind: str, problems: Problems) -> list[N]:
    first: dict[str, N] = {}
    for candidate in objects:
        name = f"{getattr(candidate, 'namespace', '')}/{candidate.name}"
        if name in first:
            at = first[name].source.at("metadata.name")
            problems.add(candidate.source.at("metadata.name"), f"{kind} {candidate.name} is defined twice, first at {at}")
        else:
            first[name] = candidate
    return list(first.values())
