"""Objects of old versions as a plan reads them: converted as `cutlist convert` does, without a change of their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from cutlist.api import v1alpha5
from cutlist.api.convert.clouds import AKS
from cutlist.api.convert.edits import Remove, applied
from cutlist.api.convert.objects import convert
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.old_objects import OLD_KUBELET, OLD_VERSION, is_of_a_cluster, is_old
from cutlist.api.versions import is_karpenters
from cutlist.core.errors import InputError, Problems
from cutlist.core.notes import Notes
from cutlist.documents.document import Document

_UNKNOWN_PROFILE: Final = "unknown"
_NOT_OF_A_CLASS: Final = ("apiVersion", "kind")
_SUCCESSORS: Final = {v1alpha5.PROVISIONER: NodePool.KIND, v1alpha5.NODE_TEMPLATE: EC2NodeClass.KIND}


def with_current_versions(
    documents: Iterable[Document], problems: Problems, notes: Notes, *, on_azure: bool = False
) -> tuple[Document, ...]:
    """Return the documents with every object of an old version in v1, which keeps its place, and add a note that says so.
    `on_azure` says that the region is one of Azure, which decides where nothing in the input does.

    Raises InputError with the mistakes so far and every reason why an object cannot be converted: any further mistake would
    only follow from these. A cluster's own NodeClaims stay as they are, and an object of which its successor is there as well,
    as during a migration, is left out.
    """
    listed = _without_predecessors(tuple(documents), notes)
    old = [d for d in listed if is_old(d)]
    if not old:
        return listed
    prepared = [part for d in listed for part in (_parts(d, listed, notes) if is_old(d) else (d,))]
    own = [d for d in prepared if _takes_part(d)]
    try:
        conversion = convert(own, AKS if on_azure else None)
    except InputError as error:
        problems.extend(dict.fromkeys(error.problems))  # both parts of a Provisioner may have the same mistake
        raise InputError(problems.found) from None
    objects = {id(each.document): each.objects for each in conversion.converted}
    _note(old, notes)
    return tuple(_converted(prepared, objects))


def _without_predecessors(documents: Sequence[Document], notes: Notes) -> tuple[Document, ...]:
    """Return the documents without Provisioners and AWSNodeTemplates whose names NodePools and EC2NodeClasses of the input
    have: Karpenter reads only these, and a conversion would make two objects of one name. A note names what is left out."""
    newer = {(d.kind, d.name): d for d in documents if d.name and d.kind in _SUCCESSORS.values()}
    kept: list[Document] = []
    for document in documents:
        successor = newer.get((_SUCCESSORS.get(document.kind, ""), document.name))
        if successor is None or not is_old(document):
            kept.append(document)
        else:
            who = f"{document.kind} {document.name} ({document.place}, by {successor.kind} at {successor.place})"
            notes.add("defined-twice", _REPLACED, who)
    return tuple(kept)


_REPLACED: Final = "left out, since the same is written in a newer version of Karpenter's API, which counts: {who}"


def _value_at(data: Any, path: str) -> Any:
    for member in path.split("."):
        data = data.get(member) if isinstance(data, Mapping) else None
    return data


def _takes_part(document: Document) -> bool:
    """Tell whether a conversion looks at a document: an object of Karpenter whose parts are known."""
    if document.origin is not None and document.origin.unknown:
        return False
    return is_karpenters(document.api_version, document.kind) and not is_of_a_cluster(document)


def _parts(document: Document, documents: Sequence[Document], notes: Notes) -> Iterator[Document]:
    """Yield an old object as a conversion takes it. Settings of AWS inside a Provisioner become an AWSNodeTemplate of its name;
    a class without an instance profile gets one, since no plan depends on its name.
    """
    spec = document.data.get("spec")
    if document.kind == NodePool.KIND:
        yield _without_lost_kubelet(document, documents, notes)
        return
    if document.kind == v1alpha5.NODE_TEMPLATE and isinstance(spec, Mapping):
        yield replace(document, data=_with_profile(document.data, spec))
        return
    provider = spec.get("provider") if isinstance(spec, Mapping) else None
    if document.kind != v1alpha5.PROVISIONER or not isinstance(provider, Mapping) or not isinstance(spec, Mapping):
        yield document
        return
    text = "planned as an AWSNodeTemplate of its own, which they have to become before they are converted"
    notes.add(OLD_VERSION, f"the settings of AWS inside Provisioner {document.name} are {text}")
    name = _free_name(document.name, documents)
    rest = {member: value for member, value in spec.items() if member != "provider"}
    yield replace(document, data={**document.data, "spec": {**rest, "providerRef": {"name": name}}})
    template = {
        "apiVersion": v1alpha5.API_VERSIONS[v1alpha5.NODE_TEMPLATE],
        "kind": v1alpha5.NODE_TEMPLATE,
        "metadata": {"name": name},
    }
    own = {member: value for member, value in provider.items() if member not in _NOT_OF_A_CLASS}
    yield replace(document, data=_with_profile(template, own))


def _without_lost_kubelet(document: Document, documents: Sequence[Document], notes: Notes) -> Document:
    """Return a NodePool without its kubelet if the class that takes it over is not an EC2NodeClass of the input; a note says
    so."""
    template = _value_at(document.data, "spec.template.spec")
    name = _value_at(template, "nodeClassRef.name")
    if not isinstance(template, Mapping) or not template.get("kubelet") or not isinstance(name, str):
        return document
    if any(d.kind == EC2NodeClass.KIND and d.name == name for d in documents):
        return document
    text = f"the kubelet of NodePool {document.name} belongs to its class {name} since v1, which is elsewhere"
    notes.add(OLD_KUBELET, f"{text}: its settings are not planned unless the class is assumed to have them")
    return replace(document, data=applied((Remove(("spec", "template", "spec", "kubelet")),), document.data))


def _with_profile(manifest: Mapping[str, Any], spec: Mapping[str, Any]) -> dict[str, Any]:
    return {**manifest, "spec": {"instanceProfile": _UNKNOWN_PROFILE, **spec}}


def _free_name(name: str, documents: Iterable[Document]) -> str:
    """Return the name, or one with a suffix if a node class has it."""
    taken = {d.name for d in documents if d.kind in (v1alpha5.NODE_TEMPLATE, "EC2NodeClass")}
    return f"{name}-provider" if name in taken else name


def _converted(documents: Iterable[Document], objects: Mapping[int, Sequence[Mapping[str, Any]]]) -> Iterator[Document]:
    for document in documents:
        if id(document) in objects:
            yield from (replace(document, data=dict(each)) for each in objects[id(document)])
        else:
            yield document


def _note(old: Sequence[Document], notes: Notes) -> None:
    """Add one note on all old objects, by kind and version."""
    counts = Counter((d.kind, d.api_version) for d in old)
    names = {key: [d.name for d in old if (d.kind, d.api_version) == key] for key in counts}
    parts = [f"{kind} {_named(names[kind, version])} of {version}" for kind, version in sorted(counts)]
    text = f"{'; '.join(parts)}: no longer served by Karpenter, and planned as `cutlist convert` rewrites them"
    notes.add(OLD_VERSION, text)


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
