"""Render kustomizations that only select and set.

Resources, components, namespace, names, labels, annotations, replicas and plain patches are done as kustomize does them. Images
and generated ConfigMaps and Secrets are ignored: no plan depends on them. Features that rewrite objects in other ways (patches
that need a schema, replacements, charts, plugins) are left to kustomize itself: rendering half of a kustomization would give a
wrong answer.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.errors import Place, Problems, nearest
from cutlist.documents.document import Document
from cutlist.documents.files import file_text
from cutlist.documents.kustomize.json_patches import BeyondPatchError
from cutlist.documents.kustomize.kustomization import CHARTS, Kustomization, below
from cutlist.documents.kustomize.not_built import Left, NotBuiltError, unrestricted_way
from cutlist.documents.kustomize.patches import AFTER, BEFORE, apply_patches
from cutlist.documents.kustomize.secret_generators import MEMBER, has_other_generators
from cutlist.documents.kustomize.transformers import (
    RenderedObject,
    add_affixes,
    add_annotations,
    add_labels,
    mend_references,
    set_namespace,
    set_replicas,
)
from cutlist.documents.parsing import parse_documents, parse_values
from cutlist.documents.text.yaml import MAX_ITEMS

LEFT_TO_KUSTOMIZE: Final = (
    *("patches", "patchesStrategicMerge", "patchesJson6902", "replacements", "generators", "transformers", "validators"),
    *CHARTS,
)
_NAMING_FILES: Final = frozenset(LEFT_TO_KUSTOMIZE) - frozenset(CHARTS)
"""The members left to kustomize of which a file that does not exist is a mistake; a chart may be pulled."""
MOST_BUILT: Final = 5_000
"""How many kustomizations one is built on at most, each counted as often as others name it: a chain of 20 that each name the
next one twice would have a million."""
MOST_OBJECTS: Final = MAX_ITEMS
"""How many objects are read for one kustomization, those of a file as often as it is named."""
_TEXTS: Final = ("namespace", "namePrefix", "nameSuffix")
_MAPPINGS: Final = ("commonLabels", "commonAnnotations")


def render(kustomization: Kustomization, problems: Problems, *, restricted: bool = True) -> list[Document]:
    """Return the objects that a kustomization renders; mistakes are added to `problems`.

    Unless it is restricted, it may take files from outside its folder. Raises NotBuiltError for what only kustomize supports.
    """
    resources: list[RenderedObject] = []
    renderer = _Renderer(problems, _parts([kustomization, *below(kustomization).values()]), restricted=restricted)
    renderer.accumulate(kustomization, resources, ())
    mend_references(resources)
    documents = _each_once(resource.finished() for resource in resources if not resource.is_local)
    if renderer.left:
        raise NotBuiltError(renderer.left, documents)
    return documents


def _parts(kustomizations: list[Kustomization]) -> frozenset[str]:
    """Return the members that any of the kustomizations has."""
    return frozenset(name for k in kustomizations for name, value in k.document.data.items() if value)


def _each_once(documents: Any) -> list[Document]:
    """Return the documents without repetitions, such as those of a file that is named twice."""
    unlike: list[Document] = []
    by_place: dict[tuple[Place, tuple[str | int, ...]], list[dict[str, Any]]] = {}
    for document in documents:
        earlier = by_place.setdefault((document.place, document.member), [])
        if document.data not in earlier:
            earlier.append(document.data)
            unlike.append(document)
    return unlike


_OUTSIDE: Final = "lies outside the folder of the kustomization, from where kustomize reads no file"
_INSIDE: Final = "a file in the folder or below it, or a folder with a kustomization"


class _Renderer:
    def __init__(self, problems: Problems, members: frozenset[str], *, restricted: bool) -> None:
        self.problems = problems
        self.members = members
        self.restricted = restricted
        self.left: list[Left] = []
        self.built = self.objects = 0

    def accumulate(self, kustomization: Kustomization, resources: list[RenderedObject], above: tuple[str, ...]) -> None:
        """Add what a kustomization names to the resources, and apply its changes to all of them."""
        if kustomization.real in above:
            self.problems.add(kustomization.document.at("resources"), "the kustomization includes itself")
            return
        kustomization.unknown_members(self.problems)
        self._leave(kustomization)
        above = (*above, kustomization.real)
        for member in ("resources", "bases"):
            for index, name in enumerate(kustomization.entries(member)):
                place = kustomization.document.at(f"{member}[{index}]")
                resources += self._resources(str(name), kustomization, place, above)
        for index, name in enumerate(kustomization.entries("components")):
            place = kustomization.document.at(f"components[{index}]")
            component = self._inner(str(name), kustomization, place, is_component=True)
            if component is not None:
                self.accumulate(component, resources, above)
        if self._is_well_formed(kustomization):
            self._transform(kustomization, resources)

    def _resources(self, name: str, kustomization: Kustomization, place: Place, above: tuple[str, ...]) -> list[RenderedObject]:
        path = kustomization.path_of(name)
        if os.path.isfile(path):
            if self.restricted and not kustomization.holds(path):
                self.problems.add(place, f"{name} {_OUTSIDE}", f"{_INSIDE}; {unrestricted_way(kustomization)}")
                return []
            text = None if self.objects > MOST_OBJECTS else file_text(path, self.problems)
            documents = [] if text is None else parse_documents(text, path, self.problems)
            self.objects += len(documents)
            if text is not None and self.objects > MOST_OBJECTS:
                found = f"the kustomization has more than {MOST_OBJECTS:,} objects, those of each file as often as it is named"
                self.problems.add(place, found, f"at most {MOST_OBJECTS:,}")
            return list(map(RenderedObject.of, documents))
        inner = self._inner(name, kustomization, place, is_component=False)
        resources: list[RenderedObject] = []
        if inner is not None:
            self.accumulate(inner, resources, above)
        return resources

    def _inner(self, name: str, outer: Kustomization, place: Place, *, is_component: bool) -> Kustomization | None:
        if self.built >= MOST_BUILT:
            if self.built == MOST_BUILT:
                self.built += 1
                found = f"more than {MOST_BUILT:,} kustomizations are built on, each as often as it is named"
                self.problems.add(place, found, f"at most {MOST_BUILT:,}")
            return None
        path = outer.path_of(name)
        if not os.path.isdir(path):
            if outer.is_remote(name):
                self.left.append(Left.elsewhere(name, outer))
            elif os.path.exists(path):
                self.problems.add(place, f"{name} is not a folder", "a folder with a component")
            else:
                self._note_missing(path, place)
            return None
        inner = Kustomization.of_folder(path, place, self.problems)
        self.built += 1
        if inner is not None and inner.is_component != is_component:
            what, member = ("a component", "components") if inner.is_component else ("not a component", "resources")
            self.problems.add(place, f"{name} is {what}", f"to be named under {member}")
            return None
        return inner

    def _note_missing(self, path: str, place: Place) -> None:
        folder = os.path.dirname(path) or "."
        near = nearest(os.path.basename(path), sorted(os.listdir(folder)) if os.path.isdir(folder) else ())
        self.problems.add(place, f"{os.path.basename(path)} does not exist", nearest=near)

    def _patch(self, member: str, kustomization: Kustomization, resources: list[RenderedObject]) -> None:
        """Apply the patches of a member, or leave them to kustomize."""
        try:
            apply_patches(member, kustomization, resources, restricted=self.restricted)
        except BeyondPatchError:
            self.left.append(Left.to_program(member, kustomization))

    def _leave(self, kustomization: Kustomization) -> None:
        """Leave features to kustomize that rewrite objects in ways that only it knows."""
        patches = (*BEFORE, AFTER)
        members = [n for n in LEFT_TO_KUSTOMIZE if kustomization.document.data.get(n)]
        members = [n for n in members if n not in patches or not isinstance(kustomization.document.data[n], list)]
        if MEMBER in members and not has_other_generators(kustomization):
            members.remove(MEMBER)
        self.left += [Left.to_program(name, kustomization, has_charts=name in CHARTS) for name in members]
        for at, name in kustomization.names():
            is_missing = at.partition("[")[0] in _NAMING_FILES and not os.path.lexists(kustomization.path_of(name))
            if is_missing and "{" not in name and not kustomization.is_remote(name):
                self._note_missing(kustomization.path_of(name), kustomization.document.at(at))
        for index, name in enumerate(kustomization.entries("configurations")):
            place, path = kustomization.document.at(f"configurations[{index}]"), kustomization.path_of(str(name))
            if self.restricted and os.path.isfile(path) and not kustomization.holds(path):
                self.problems.add(place, f"{name} {_OUTSIDE}", _INSIDE)
            elif not self._is_idle(path):
                self.left.append(Left.to_program("configurations", kustomization))

    def _is_idle(self, configuration: str) -> bool:
        """Tell whether a transformer configuration changes nothing in this kustomization that a plan depends on."""
        idle = {"images"}
        if not self.members & {"namePrefix", "nameSuffix"}:
            idle |= {"nameReference", "namePrefix", "nameSuffix"}
        if "vars" not in self.members:
            idle.add("varReference")
        text = file_text(configuration, self.problems)
        values = parse_values(text, configuration, self.problems) if text is not None else ()
        return all(value is None or (isinstance(value, dict) and set(value) <= idle) for value in values)

    def _is_well_formed(self, kustomization: Kustomization) -> bool:
        """Tell whether the transforming members have the form that kustomize accepts; others are reported."""
        before, data = len(self.problems.found), kustomization.document.data
        wanted = {**dict.fromkeys(_TEXTS, (str, "text")), **dict.fromkeys(_MAPPINGS, (dict, "a mapping of texts"))}
        wanted |= dict.fromkeys(("replicas", "labels", "resources", "bases", "components"), (list, "a list"))
        for name, (kind, allowed) in wanted.items():
            if data.get(name) is not None and not isinstance(data[name], kind):
                self.problems.add(kustomization.document.at(name), f"{name} is {data[name]!r}", allowed)
        for index, entry in enumerate(kustomization.entries("replicas")):
            count = entry.get("count") if isinstance(entry, Mapping) else None
            if isinstance(count, bool) or not isinstance(count, int):
                self.problems.add(kustomization.document.at(f"replicas[{index}]"), "names no count", "a name and a count")
        for index, entry in enumerate(kustomization.entries("labels")):
            if not isinstance(entry, Mapping) or not isinstance(entry.get("pairs") or {}, Mapping):
                allowed = "pairs, includeSelectors and includeTemplates"
                self.problems.add(kustomization.document.at(f"labels[{index}]"), "is not an entry of labels", allowed)
            elif entry.get("fields"):
                self.left.append(Left.to_program("labels", kustomization))
        return len(self.problems.found) == before

    def _transform(self, kustomization: Kustomization, resources: list[RenderedObject]) -> None:
        """Apply the kustomization's changes in the order in which kustomize does."""
        data = kustomization.document.data
        for member in BEFORE:
            self._patch(member, kustomization, resources)
        if data.get("namespace"):
            set_namespace(resources, data["namespace"])
        if data.get("namePrefix") or data.get("nameSuffix"):
            add_affixes(resources, data.get("namePrefix") or "", data.get("nameSuffix") or "")
        for entry in kustomization.entries("labels"):
            selectors, templates = bool(entry.get("includeSelectors")), bool(entry.get("includeTemplates"))
            add_labels(resources, entry.get("pairs") or {}, selectors=selectors, templates=templates)
        add_labels(resources, data.get("commonLabels") or {}, selectors=True, templates=True)
        add_annotations(resources, data.get("commonAnnotations") or {})
        self._patch(AFTER, kustomization, resources)
        for index, entry in enumerate(kustomization.entries("replicas")):
            if not set_replicas(resources, str(entry.get("name")), entry["count"]):
                place = kustomization.document.at(f"replicas[{index}]")
                known = sorted({r.name for r in resources})
                text = f"no object with replicas is called {entry.get('name')}"
                self.problems.add(place, text, nearest=nearest(str(entry.get("name")), known))
