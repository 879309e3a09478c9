"""The edits that lead from one side to the other, and the inputs of a plan with some of them: made from objects in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from cutlist.documents.document import Document
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.changes import Change
from cutlist.planning.variants import variant
from cutlist.verbs.diff.attribution import Subset
from cutlist.verbs.diff.objects import TYPED, ChangedField, Identity, ObjectChange, identity, is_running
from cutlist.verbs.diff.replicas import SharedReplicas
from cutlist.verbs.diff.running import OTHER_NODES, POD, RunningOfBoth, is_of_pods
from cutlist.verbs.diff.setting_edits import SETTING, setting_edits, with_earlier
from cutlist.verbs.diff.trees import Item, with_values

_REQUIREMENTS: Final = "requirements"


@dataclass(frozen=True, slots=True)
class Edits:
    """Every edit between two sides, numbered. One is an object that is added or removed, one field of an object that both have
    (or one requirement), or a setting of the plan. What runs is that of the later side, unless `running` has that of both."""

    before: PlanInputs
    after: PlanInputs
    all: tuple[ObjectChange, ...]
    running: RunningOfBoth | None = None

    @staticmethod
    def between(before: PlanInputs, after: PlanInputs, changes: Iterable[ObjectChange]) -> Edits:
        """Return the edits between two sides whose objects differ by `changes`. NodePools that no file has, such as built-in
        ones, come and go with the setting that names them."""
        known = {identity(d) for inputs in (before, after) for d in inputs.documents}
        names = {(kind, name) for kind, _, _, name in known}
        written = (change for change in changes if (change.kind, change.name) in names)
        by_field = (one for change in written for one in _by_field(change))
        return Edits(before, after, (*by_field, *setting_edits(before, after)))

    @staticmethod
    def between_clusters(before: PlanInputs, after: PlanInputs, changes: Iterable[ObjectChange]) -> Edits:
        """Return the edits between two clusters, whose pods run. Those of a workload are one edit with its object, and come
        before other objects, of which plans seldom depend."""
        running = RunningOfBoth.of(before, after)
        of_pods = {_object_of(edit): edit for edit in running.edits()}
        written = Edits.between(before, after, [change for change in changes if change.kind != POD])
        named = {_object_of(edit) for edit in written.all}
        joined = written.together(n for n, edit in enumerate(written.all) if _object_of(edit) in of_pods)
        with_pods = (_with_fields(edit, of_pods.get(_object_of(edit))) for edit in joined.all)
        others = (edit for key, edit in of_pods.items() if key not in named)
        every = sorted((*with_pods, *others), key=lambda edit: edit.kind not in TYPED and not is_of_pods(edit))
        return replace(joined, all=tuple(every), running=running)

    def together(self, numbers: Iterable[int]) -> Edits:
        """Return the edits with the fields of the objects of some of them as one edit for each object."""
        objects = {_object_of(self.all[number]) for number in numbers}
        joined: dict[Any, ObjectChange] = {}
        for number, edit in enumerate(self.all):
            key = _object_of(edit) if _object_of(edit) in objects else number
            first = joined.get(key)
            joined[key] = edit if first is None else replace(first, fields=(*first.fields, *edit.fields))
        return replace(self, all=tuple(joined.values()))

    def inputs(self, chosen: Subset) -> PlanInputs:
        """Return the inputs of a plan with some of the edits. Raises InputError where the edits need others."""
        edits = [self.all[number] for number in sorted(chosen)]
        documents = tuple(self._documents(edits))
        kept = {edit.name for edit in self.all if edit.kind == SETTING} - {edit.name for edit in edits if edit.kind == SETTING}
        made_with = with_earlier(self.before, self.after, kept)

        def read(replicas: Sequence[str]) -> PlanInputs:
            return variant(made_with, documents, replicas=replicas)

        return SharedReplicas().read(made_with.replicas, read)

    def _documents(self, edits: Sequence[ObjectChange]) -> Iterator[Document]:
        """Yield the objects of the earlier side with some edits, in the order of the later one."""
        old, new = (self._written(inputs) for inputs in (self.before, self.after))
        chosen: dict[Identity, list[ObjectChange]] = {}
        for edit in edits:
            chosen.setdefault(_identity_of(edit), []).append(edit)
        for key in _in_order(old, new):
            was, now, own = old.get(key), new.get(key), chosen.get(_loose(key), [])
            if was is not None and now is not None:
                paths = [field.steps for edit in own for field in edit.fields]
                yield replace(was, data=with_values(was.data, now.data, paths)) if paths else was
            elif was is None and now is not None and own:
                yield now
            elif was is not None and not own:
                yield was
        yield from self._running(edits)

    def _written(self, inputs: PlanInputs) -> dict[Identity, Document]:
        """Return the objects that a user writes, which are not those that run."""
        written = _written(inputs, self.all)
        return written if self.running is None else {key: of for key, of in written.items() if of.kind != POD}

    def _running(self, edits: Sequence[ObjectChange]) -> Iterator[Document]:
        if self.running is None:
            yield from (document for document in self.after.documents if is_running(document))
            return
        edited, chosen = ({_identity_of(edit) for edit in of} for of in (self.all, edits))
        later_nodes = OTHER_NODES not in {name for _, _, _, name in edited - chosen}
        yield from self.running.documents(edited, chosen, later_nodes=later_nodes)


def _with_fields(edit: ObjectChange, other: ObjectChange | None) -> ObjectChange:
    """Return an edit with the fields of another one of the same object; one that is added or removed goes as a whole."""
    if other is None or edit.change is not Change.CHANGED:
        return edit
    return replace(edit, fields=(*edit.fields, *other.fields))


def _by_field(change: ObjectChange) -> Iterator[ObjectChange]:
    """Yield one edit for each field of an object; a requirement is one, with its operator and its values."""
    if not change.fields:
        yield change
    for _, fields in groupby(change.fields, key=_edited_part):
        yield replace(change, fields=tuple(fields))


def _edited_part(field: ChangedField) -> Any:
    for number, step in enumerate(field.steps):
        if isinstance(step, Item) and field.steps[number - 1] == _REQUIREMENTS:
            return field.steps[: number + 1]
    return field.steps


def _object_of(edit: ObjectChange) -> tuple[str, ...]:
    return (edit.kind, edit.group, edit.namespace, edit.name)


def _identity_of(edit: ObjectChange) -> Identity:
    return (edit.kind, "" if edit.kind in TYPED else edit.group, edit.namespace, edit.name)


def _loose(key: Identity) -> Identity:
    """Return an identity as edits have it: they name Karpenter's objects by kind and name."""
    return (key[0], "", "", key[3]) if key[0] in TYPED else key


def _written(inputs: PlanInputs, edits: Iterable[ObjectChange]) -> dict[Identity, Document]:
    """Return the objects that a user writes. Karpenter's, if they are edited, are as an API server stores them."""
    edited = {(edit.kind, edit.name) for edit in edits if edit.kind in TYPED and edit.change is Change.CHANGED}
    stored = {(o.KIND, o.name): o for o in (*inputs.node_pools, *inputs.node_classes) if (o.KIND, o.name) in edited}
    written = {}
    for document in inputs.documents:
        if not is_running(document):
            own = stored.get((document.kind, document.name))
            data = {} if own is None else {"spec": own.stored().get("spec")}
            written[identity(document)] = replace(document, data={**document.data, **data}) if data else document
    return written


def _in_order(old: Mapping[Identity, Document], new: Mapping[Identity, Document]) -> Iterator[Identity]:
    """Yield all objects in the order of the later side; one that only the earlier has follows what preceded it there."""
    removed: dict[Identity | None, list[Identity]] = {}
    before: Identity | None = None
    for key in old:
        if key in new:
            before = key
        else:
            removed.setdefault(before, []).append(key)
    yield from removed.get(None, ())
    for key in new:
        yield key
        yield from removed.get(key, ())
