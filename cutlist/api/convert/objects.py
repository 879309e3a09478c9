"""The objects of some documents converted to v1 together: a kubelet moves from a pool to its class, and a claim gets its pool's
expiry."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Literal

from cutlist.api.convert import notes
from cutlist.api.convert.changes import ConversionChange, Reported, edits_of
from cutlist.api.convert.chart_values import chart_values
from cutlist.api.convert.clouds import EC2, ClassesOfInput
from cutlist.api.convert.clouds import Kind as ClassKind
from cutlist.api.convert.ec2nodeclass import aks_class_changes, class_changes
from cutlist.api.convert.edits import Remove, applied
from cutlist.api.convert.gather import CLAIM, NODE_CLASS, POOL, Gathered, Item, gather
from cutlist.api.convert.kubelet_move import (
    PoolKubelet,
    changes_of_class,
    changes_of_pool,
    edits_of_class,
    variants,
)
from cutlist.api.convert.nodepool import SPEC, claim_changes, misplaced_expiry, pool_changes
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.label_domains import LEGACY_KEYS
from cutlist.api.nodeclaim import NodeClaim
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import DEFAULT_EXPIRE_AFTER
from cutlist.api.written import WrittenPool
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.records import SPARSE, After, Count, Key, Parts, about, form_of
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.core.shapes import join
from cutlist.documents.document import Document, merged

NOTES: Final = (
    "expiry is forceful since v1: a node that is due is removed, regardless of budgets",
    "drift is always on since v1",
    "karpenter.sh/do-not-evict and karpenter.sh/do-not-consolidate were removed; use karpenter.sh/do-not-disrupt",
    "the taint karpenter.sh/disruption=disrupting is called karpenter.sh/disrupted since v1",
    "the version of the pool hash is v3 since v1: nodes are stamped again, and do not drift because of it",
)
"""What changes with v1 for all objects; reported once."""

_PROVISIONER: Final = "karpenter.sh/provisioner-name"
_DO_NOT_DISRUPT: Final = 'karpenter.sh/do-not-disrupt: "true"'
_ANNOTATIONS: Final = ("karpenter.sh/do-not-evict", "karpenter.sh/do-not-consolidate")
_TAINT: Final = "karpenter.sh/disruption"


@dataclass(frozen=True, slots=True)
class _OldDocument:
    source: str
    document: Count
    from_: str
    name: str

    @staticmethod
    def of(old: Document) -> _OldDocument:
        """Return where a document is, and what it is."""
        return _OldDocument(old.place.source, old.place.document, f"{old.api_version} {old.kind}", old.name)


def _named(objects: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(f"{new['apiVersion']} {new['kind']} {new['metadata']['name']}" for new in objects)


@dataclass(frozen=True, slots=True)
class Converted:
    """The replacement of a document: one object, several, or none."""

    document: Annotated[Document, Parts(_OldDocument, _OldDocument.of)]
    objects: Annotated[tuple[Mapping[str, Any], ...], form_of(tuple[str, ...]).through(_named), Key("to")]


@dataclass(frozen=True, slots=True)
class Conversion:
    """What changes when objects are converted to v1.

    `notes` are empty when everything was v1 already. `services` run Karpenter for the converted objects.
    """

    converted: tuple[Converted, ...] = ()
    values: Annotated[Mapping[str, Any], about("Values of Karpenter's chart."), After("notes")] = field(default_factory=dict)
    changes: tuple[Reported, ...] = ()
    notes: Annotated[tuple[str, ...], about("What v1 changes for all objects.")] = ()
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None
    version: Annotated[Literal[1], After("")] = 1


def convert(documents: Iterable[Document], here: ClassKind | None = None) -> Conversion:
    """Return the documents in v1. `here` is the kind of class of the region that they are for, if that is known.

    Objects that are v1 already are unchanged, except that kubelets move to them and notes of Karpenter's own conversion are
    removed. Raises InputError with every reason why one of them cannot be converted.
    """
    listed = tuple(documents)
    problems = Problems(inputs=[document.data for document in listed])
    gathered = gather(listed, problems)
    classes = _classes(gathered, here)
    _pools(gathered, classes)
    _kubelets(gathered, problems)
    _claims(gathered, classes)
    values, noted = _settings(gathered.config_maps, problems)
    for item in gathered.items:
        _check(item, problems)
    problems.raise_if_any()
    changed = [item for item in gathered.items if item.copies != [item.document.data]]
    dropped = [*gathered.config_maps, *gathered.machines]
    noted += [*_reported(gathered, changed)]
    of_azure = [(document, list(aks_class_changes(document.data))) for document in gathered.aks_classes]
    noted += [(document, change) for document, changes in of_azure for change in changes]
    converted = (
        *(Converted(item.document, tuple(item.copies)) for item in changed),
        *(Converted(document, (applied(edits_of(changes), document.data),)) for document, changes in of_azure),
        *(Converted(document, ()) for document in dropped),
    )
    is_old = any(not item.is_v1 for item in gathered.items)
    return Conversion(converted, values, _in_order(noted, listed), NOTES if is_old else ())


def _in_order(changes: Sequence[tuple[Document, ConversionChange]], documents: Iterable[Document]) -> tuple[Reported, ...]:
    """Return the messages about each document, in the order of the documents."""
    by_document: dict[tuple[Place, tuple[str | int, ...]], list[ConversionChange]] = {}
    for document, change in changes:
        by_document.setdefault((document.place, document.member), []).append(change)
    return tuple(
        Reported(f"{document.kind} {document.name}", document.at(change.old or change.new), change)
        for document in documents
        for change in by_document.get((document.place, document.member), ())
    )


def _pools(gathered: Gathered, classes: ClassesOfInput) -> None:
    for item in gathered.of_kind(POOL):
        if item.is_v1:
            item.take(misplaced_expiry(item.old))
        else:
            reference = item.old["spec"]["template"]["spec"]["nodeClassRef"]
            item.take(pool_changes(item.old, classes.meant(reference, item.old)))
        item.take(notes.without_notes(item.old))
    for item in gathered.of_kind(NODE_CLASS):
        if not item.is_v1:
            item.take(class_changes(item.old))
        item.take(notes.without_notes(item.old))


def _classes(gathered: Gathered, here: ClassKind | None) -> ClassesOfInput:
    """Return what the objects of the input say about the classes that references mean."""
    others = (document.data for document in (*gathered.aks_classes, *gathered.rest))
    return ClassesOfInput.of((*(item.old for item in gathered.items), *others), here)


def _kubelets(gathered: Gathered, problems: Problems) -> None:
    pools: dict[tuple[str, str, str], list[tuple[Item, PoolKubelet]]] = {}
    for item in gathered.of_kind(POOL):
        moved = _kubelet_of(item, problems)
        if moved is not None:
            pools.setdefault(_class_of(item), []).append((item, moved))
    classes = {item.name: item for item in gathered.of_kind(NODE_CLASS)}
    for (group, kind, name), members in pools.items():
        moving = [(item, moved) for item, moved in members if moved.kubelet is not None]
        if (group, kind) == EC2 and name in classes:
            _move(classes[name], members, classes, problems)
        for item, moved in moving if (group, kind) != EC2 or name not in classes else ():
            text = f"the kubelet moves to the node class {name}, which is not an EC2NodeClass of the input"
            problems.add(item.document.at(moved.path), text, f"add the {EC2[1]} to the input, or set it there by hand")
            item.copies = [applied((Remove((*SPEC, "kubelet")),), copy) for copy in item.copies]  # already reported


def _class_of(item: Item) -> tuple[str, str, str]:
    return WrittenPool.of(item.copies[0], item.document.at).node_class


def _kubelet_of(item: Item, problems: Problems) -> PoolKubelet | None:
    if not item.is_v1:
        template = item.old["spec"]["template"]["spec"]
        return PoolKubelet(item.name, template.get("kubelet"), ".".join((*SPEC, "kubelet")))
    written = notes.annotations_of(item.old).get(notes.KUBELET)
    path = f"metadata.annotations.{notes.KUBELET}"
    try:
        kubelet = None if written is None else json.loads(written)
    except (ValueError, RecursionError, TypeError):
        kubelet = ""
    if kubelet is not None and not isinstance(kubelet, dict):
        problems.add(item.document.at(path), "is not the JSON of a kubelet block, as Karpenter's conversion wrote it")
        return None
    return PoolKubelet(item.name, kubelet, path)


def _move(owner: Item, members: Sequence[tuple[Item, PoolKubelet]], classes: dict[str, Item], problems: Problems) -> None:
    own = owner.old["spec"].get("kubelet")
    choices = variants(owner.name, own, [moved for _, moved in members])
    for variant in choices:
        if variant.name != owner.name and variant.name in classes:
            text = f"the class for the kubelet of NodePool {variant.pools[0]} would be called {variant.name}, which is taken"
            problems.add(owner.document.at("metadata.name"), text, "another name for that EC2NodeClass")
    of_pool = {pool: variant for variant in choices for pool in variant.pools}
    for item, moved in members:
        item.take(changes_of_pool(moved, owner.name, of_pool[moved.pool]))
    owner.take(changes_of_class(owner.name, own, choices))
    owner.copies = [applied(edits_of_class(variant, own), owner.copies[0]) for variant in choices]


def _claims(gathered: Gathered, classes: ClassesOfInput) -> None:
    templates = {item.name: item.copies[0]["spec"].get("template") or {} for item in gathered.of_kind(POOL)}
    expiries = {name: (t.get("spec") or {}).get("expireAfter") or DEFAULT_EXPIRE_AFTER for name, t in templates.items()}
    for item in gathered.of_kind(CLAIM):
        if not item.is_v1:
            item.take(claim_changes(item.old, classes.meant(item.old["spec"]["nodeClassRef"], item.old), expiries))
            if "kubelet" in item.old["spec"]:
                text = "the kubelet of a claim is left out: its node runs with it already, and new nodes take that of the class"
                item.take([ConversionChange("lost", text, "spec.kubelet", edits=(Remove(("spec", "kubelet")),))])
        item.take(notes.without_notes(item.old))


def _settings(
    config_maps: Iterable[Document], problems: Problems
) -> tuple[dict[str, Any], list[tuple[Document, ConversionChange]]]:
    values: dict[str, Any] = {}
    changes: list[tuple[Document, ConversionChange]] = []
    names: set[str] = set()
    for document in config_maps:
        chart = chart_values(document.data)
        for finding in chart.findings:
            problems.add(document.at(finding.path), finding.message, finding.allowed, finding.nearest)
        if document.name in names:
            problems.add(document.at("metadata.name"), f"ConfigMap {document.name} appears twice")
        names.add(document.name)
        values = merged(values, chart.values)
        changes += [(document, change) for change in chart.changes]
    return values, changes


def _check(item: Item, problems: Problems) -> None:
    """Add the mistakes in the result, at the places of the original object. The first known release decides: `validate` reports
    what a later one does with an accepted object.
    """
    kinds: Mapping[str, type[NodePool | NodeClaim | EC2NodeClass]] = {
        POOL: NodePool,
        CLAIM: NodeClaim,
        NODE_CLASS: EC2NodeClass,
    }
    if item.copies == [item.document.data]:
        return
    for copy in item.copies:
        try:
            kinds[item.kind].read(replace(item.document, data=copy), BASELINES[0])
        except InputError as error:
            problems.extend(replace(p, message=f"v1 refuses what happens to it: {p.message}") for p in error.problems)


def _reported(gathered: Gathered, changed: Iterable[Item]) -> Iterator[tuple[Document, ConversionChange]]:
    for item in changed:
        yield from ((item.document, change) for change in item.changes)
    text = "Machines are made by Karpenter, and so are NodeClaims, their successors: it is left out"
    yield from ((document, ConversionChange("lost", text)) for document in gathered.machines)
    for document in (*(item.document for item in gathered.items), *gathered.rest):
        yield from ((document, change) for change in old_key_changes(document.data))


def old_key_changes(manifest: Mapping[str, Any]) -> Iterator[ConversionChange]:
    """Yield each place of an object that names something that Karpenter no longer knows. These places are not edited."""
    waiting: list[tuple[str, Any]] = [("", manifest)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            for key, member in value.items():
                yield from _of_member(join(path, key), key, member)
            waiting += [(join(path, key), member) for key, member in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [(f"{path}[{index}]", value[index]) for index in reversed(range(len(value)))]


def _of_member(where: str, key: str, member: Any) -> Iterator[ConversionChange]:
    if key in _ANNOTATIONS:
        yield ConversionChange("changes meaning", f"{key} no longer has an effect", where, where, f"write {_DO_NOT_DISRUPT}")
    elif key == _PROVISIONER or (key in ("key", "topologyKey") and member == _PROVISIONER):
        yield _provisioner(where)
    elif key == "key" and member == _TAINT:
        text = f"Karpenter's taint {_TAINT}=disrupting is called karpenter.sh/disrupted and has no value"
        yield ConversionChange("changes meaning", text, where, where, "tolerate karpenter.sh/disrupted")


def _provisioner(where: str) -> ConversionChange:
    successor = LEGACY_KEYS[_PROVISIONER]
    return ConversionChange(
        "changes meaning", f"nodes no longer have the label {_PROVISIONER}", where, where, f"use {successor}"
    )
