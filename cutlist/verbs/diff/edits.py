"""The edits that lead from one side to the other, and the inputs of a plan with some of them: made from objects in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, cast

from cutlist.catalog import AnyRegion
from cutlist.catalog.comparison import compare
from cutlist.core.errors import InputError, Place
from cutlist.documents import Document
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.changes import Change
from cutlist.planning.variants import variant
from cutlist.settings.planning import (
    BUILT_IN_POOLS,
    EXTERNAL_CLASSES,
    FEATURE_GATES,
    OVERHEAD_PROFILE,
    REPLICAS,
    ZONES,
    PlanSettings,
)
from cutlist.settings.planning import with_defaults as defaulted
from cutlist.verbs.diff.attribution import Subset
from cutlist.verbs.diff.objects import TYPED, ChangedField, Identity, ObjectChange, identity, is_running
from cutlist.verbs.diff.replicas import SharedReplicas
from cutlist.verbs.diff.trees import Item, differences, path_text, with_values

SETTING: Final = "setting"
"""The kind of an edit of what a plan is made with, besides objects: the release of Karpenter, the catalogue, zones."""
KARPENTER: Final = "Karpenter"
CATALOGUE: Final = "catalogue"
REGION: Final = "region"
FIGURES: Final = "figures"
"""The figures of the cluster that a stack knows."""
_REQUIREMENTS: Final = "requirements"
_SETTINGS: Final = (ZONES, BUILT_IN_POOLS, OVERHEAD_PROFILE, EXTERNAL_CLASSES, FEATURE_GATES)


@dataclass(frozen=True, slots=True)
class Edits:
    """Every edit between two sides, numbered. One is an object that is added or removed, one field of an object that both have
    (or one requirement), or a setting of the plan. `replicas` are what is chosen without and with the edit of these choices."""

    before: PlanInputs
    after: PlanInputs
    all: tuple[ObjectChange, ...]
    replicas: tuple[tuple[str, ...], tuple[str, ...]]

    @staticmethod
    def between(before: PlanInputs, after: PlanInputs, changes: Iterable[ObjectChange]) -> Edits:
        """Return the edits between two sides whose objects differ by `changes`. NodePools that no file has, such as built-in
        ones, come and go with the setting that names them."""
        known = {identity(d) for inputs in (before, after) for d in inputs.documents}
        names = {(kind, name) for kind, _, _, name in known}
        written = (change for change in changes if (change.kind, change.name) in names)
        by_field = (one for change in written for one in _by_field(change))
        replicas = _replicas(before, after), _replicas(after, before)
        of_replicas = [] if set(replicas[0]) == set(replicas[1]) else [_setting(REPLICAS.key, *map(_listed, replicas))]
        return Edits(before, after, (*by_field, *_settings(before, after), *of_replicas), replicas)

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
        """Return the inputs of a plan with some of the edits. What runs, and the files that settings name, are those of the
        later side. Raises InputError where the edits need others."""
        edits = [self.all[number] for number in sorted(chosen)]
        settings, catalog, known = self._made_with(edits)
        documents = tuple(self._documents(edits))

        def read(replicas: Sequence[str]) -> PlanInputs:
            return variant(replace(self.after, settings=settings, catalog=catalog, known=known), documents, replicas=replicas)

        has_later_replicas = any(edit.kind == SETTING and edit.name == REPLICAS.key for edit in edits)
        return SharedReplicas().read(self.replicas[has_later_replicas], read)

    def _made_with(self, edits: Sequence[ObjectChange]) -> tuple[PlanSettings, AnyRegion, Mapping[str, Any]]:
        chosen = {edit.name for edit in edits if edit.kind == SETTING}
        settings: dict[str, Any] = dict(self.after.settings)
        earlier = defaulted(self.before.settings)
        for edit in self.all:
            if edit.kind == SETTING and edit.name not in chosen:
                settings |= {name: value for name, value in earlier.items() if name in _names_of(edit.name)}
        of_catalogue = next((e.name for e in self.all if e.kind == SETTING and e.name in (CATALOGUE, REGION)), "")
        catalog = self.before.catalog if of_catalogue and of_catalogue not in chosen else self.after.catalog
        has_figures = any(e.kind == SETTING and e.name == FIGURES for e in self.all)
        known = self.before.known if has_figures and FIGURES not in chosen else self.after.known
        return cast("PlanSettings", settings), catalog, known

    def _documents(self, edits: Sequence[ObjectChange]) -> Iterator[Document]:
        """Yield the objects of the earlier side with some edits, in the order of the later one."""
        old, new = (_written(inputs, self.all) for inputs in (self.before, self.after))
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
        yield from (document for document in self.after.documents if is_running(document))


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


# --- settings


def _settings(before: PlanInputs, after: PlanInputs) -> Iterator[ObjectChange]:
    """Yield the edits of what the plan is made with."""
    karpenter = [str(inputs.options.karpenter) for inputs in (before, after)]
    if karpenter[0] != karpenter[1]:
        yield _setting(KARPENTER, *karpenter)
    if before.catalog.region != after.catalog.region:
        yield _setting(REGION, before.catalog.region, after.catalog.region)
    elif before.catalog is not after.catalog and compare(before.catalog, after.catalog):
        yield _setting(CATALOGUE, *(_dates(inputs.catalog) for inputs in (before, after)))
    first, second = defaulted(before.settings), defaulted(after.settings)
    for setting in _SETTINGS:
        values = [_listed(of.get(setting.name)) for of in (first, second)]
        if values[0] != values[1]:
            yield _setting(setting.key, *values)
    figures = tuple(ChangedField(path_text(path), old, new) for path, old, new in differences(before.known, after.known))
    if figures:
        yield ObjectChange(SETTING, "", FIGURES, Change.CHANGED, Place(), figures)


def _replicas(side: PlanInputs, other: PlanInputs) -> tuple[str, ...]:
    """Return the choices of replicas of a side, and those of the other one for workloads that this side lacks."""
    return (*side.replicas, *(choice for choice in other.replicas if choice not in side.replicas and not _takes(side, choice)))


def _takes(side: PlanInputs, choice: str) -> bool:
    """Tell whether a side has the workload of a choice."""
    try:
        variant(side, side.documents, replicas=[choice])
    except InputError:
        return False
    return True


def _names_of(setting: str) -> tuple[str, ...]:
    """Return the names of the settings behind an edit."""
    by_edit = {KARPENTER: ("karpenter",), REGION: ("region",), **{s.key: (s.name,) for s in _SETTINGS}}
    return by_edit.get(setting, ())


def _setting(name: str, before: Any, after: Any) -> ObjectChange:
    return ObjectChange(SETTING, "", name, Change.CHANGED, Place(), (ChangedField("", before, after),))


def _listed(value: Any) -> Any:
    return (list(value) or None) if isinstance(value, (list, tuple)) else value


def _dates(catalog: AnyRegion) -> str:
    """Return how old the prices of a catalogue are."""
    dates = {price.date for price in catalog.on_demand.values()}
    return f"of {max(dates)}" if any(dates) else "without a date"
