"""A kustomization as written: what it names, what of that is remote, and which folders it builds on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Place, Problems, nearest
from cutlist.documents.document import Document
from cutlist.documents.files import file_text
from cutlist.documents.folders import KUSTOMIZATION_NAMES
from cutlist.documents.text.yaml import parse

COMPONENT: Final = "Component"
BUILT_ON: Final = ("resources", "bases", "components")
"""The members that name other kustomizations, in the order in which kustomize takes them."""
CHARTS: Final = ("helmCharts", "helmChartInflationGenerator")
"""The members that name charts, which kustomize renders with helm."""

UNRESTRICTED: Final = ("--load-restrictor", "LoadRestrictionsNone")
"""Options that let a kustomization take files from outside its folder."""
_GROUP: Final = "kustomize.config.k8s.io"
_KINDS: Final = ("Kustomization", COMPONENT)
_FILES: Final = (*BUILT_ON, "configurations", "crds", "generators", "transformers", "validators", "patchesStrategicMerge")
MEMBERS: Final = frozenset(
    {
        *("apiVersion", "kind", "metadata", *_FILES, "openapi", "namePrefix", "nameSuffix", "namespace"),
        *("commonLabels", "labels", "commonAnnotations", "patchesJson6902", "patches", "images", "imageTags", "replacements"),
        *("replicas", "vars", "sortOptions", "configMapGenerator", "secretGenerator", "helmGlobals", *CHARTS),
        *("generatorOptions", "buildMetadata"),
    }
)
NEW: Final = {"apiVersion": f"{_GROUP}/v1beta1", "kind": "Kustomization"}
"""The members of every new kustomization."""
_LONGEST: Final = 2**20  # characters of a kustomization, which is read once for each of several questions
_REMOTE: Final = re.compile(
    r"[a-z][a-z0-9+.-]*://|[\w.-]+@[\w.-]+:|git::|gh:|(github\.com|gitlab\.com|bitbucket\.org)[/:]|.*[?&](ref|version)="
)


@dataclass(frozen=True, slots=True)
class Kustomization:
    """A kustomization: its file as a document, and the folder of that file, as named and without links."""

    document: Document
    folder: str
    real: str

    @staticmethod
    def of_file(path: str, problems: Problems) -> Kustomization | None:
        """Return the kustomization in a file of one of kustomize's names; None if that is something else, or unreadable.

        apiVersion and kind may be left out, as in kustomize. Problems are added only for what no file of manifests would have.
        """
        text = file_text(path, Problems())
        if text is None or len(text) > _LONGEST:
            return None
        own = Problems()
        parsed = [p for p in parse(text, path, own) if p.value is not None]
        if own or len(parsed) > 1 or (parsed and not _is_kustomization(parsed[0].value)):
            return None
        if not parsed:
            problems.add(Place(path), "the kustomization is empty", "resources and what happens to them")
            return None
        place = Place(path, parsed[0].number, parsed[0].lines.get("", 0) if parsed[0].number > 1 else 1)
        return Kustomization(Document(place, parsed[0].value, parsed[0].lines), os.path.dirname(path), real_folder(path))

    @staticmethod
    def of_folder(folder: str, place: Place, problems: Problems) -> Kustomization | None:
        """Return the kustomization of a folder that one at `place` names; None, with a problem added, when it has none."""
        files = [path for path in (os.path.join(folder, name) for name in KUSTOMIZATION_NAMES) if os.path.isfile(path)]
        if len(files) > 1:
            names = " and ".join(map(os.path.basename, files))
            problems.add(place, f"the folder {folder} has several kustomizations: {names}", "one of them")
            return None
        kustomization = Kustomization.of_file(files[0], problems) if files else None
        if kustomization is None:
            allowed = f"a folder with one of {', '.join(KUSTOMIZATION_NAMES)}"
            problems.add(place, f"the folder {os.path.basename(folder)} has no kustomization", allowed)
        return kustomization

    @property
    def file(self) -> str:
        """Return the name of its file."""
        return self.document.place.source

    @property
    def is_component(self) -> bool:
        """Tell whether it is only a part of others."""
        return self.document.kind == COMPONENT

    @property
    def shown(self) -> str:
        """Return its folder as messages and commands name it."""
        return self.folder or "."

    def entries(self, member: str) -> list[Any]:
        """Return the entries of one of its lists; none if the member is not a list."""
        value = self.document.data.get(member)
        return value if isinstance(value, list) else []

    def path_of(self, name: str) -> str:
        """Return a path that it names, from where its own was named."""
        return os.path.normpath(os.path.join(self.folder, name))

    def holds(self, path: str) -> bool:
        """Tell whether a file is in its folder or below, with links resolved: kustomize reads no others."""
        root = os.path.realpath(self.folder or os.curdir)
        return os.path.realpath(path).startswith(root.rstrip(os.sep) + os.sep)

    def unknown_members(self, problems: Problems) -> None:
        """Add a problem for each member that no kustomization has, which kustomize refuses."""
        for name in self.document.data:
            if name not in MEMBERS:
                near = nearest(str(name), sorted(MEMBERS))
                problems.add(self.document.at(str(name)), "is not a member of a kustomization", nearest=near)

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield every file, folder and address that it names, with the path of the member that does."""
        for member in _FILES:
            for index, name in enumerate(self.entries(member)):
                if isinstance(name, str) and "\n" not in name:
                    yield f"{member}[{index}]", name
        for member in ("patches", "patchesJson6902", "replacements", "helmCharts", "configMapGenerator", "secretGenerator"):
            for index, entry in enumerate(self.entries(member)):
                if isinstance(entry, Mapping):
                    yield from ((f"{member}[{index}].{key}", name) for key, name in _files_of(entry))
        openapi = self.document.data.get("openapi")
        if isinstance(openapi, Mapping) and isinstance(openapi.get("path"), str):
            yield "openapi.path", openapi["path"]

    def named_files(self) -> set[str]:
        """Return the real paths of everything that it names here."""
        return {os.path.realpath(self.path_of(name)) for _, name in self.names()}

    def resource_files(self) -> set[str]:
        """Return the real paths of the files whose objects it takes."""
        names = [str(name) for member in ("resources", "bases") for name in self.entries(member)]
        return {os.path.realpath(path) for path in map(self.path_of, names) if os.path.isfile(path)}

    def elsewhere(self) -> list[tuple[Place, str]]:
        """Return the remote resources that it names, each with its place."""
        remote = ((path, name) for path, name in self.names() if self.is_remote(name))
        return [(self.document.at(path), name) for path, name in remote]

    def is_remote(self, name: str) -> bool:
        """Tell whether a name is a remote address: it looks like one, and no local file has that name."""
        return _REMOTE.match(name) is not None and not os.path.exists(self.path_of(name))

    def built_on(self) -> Iterator[tuple[Place, str, str]]:
        """Yield the local folders that it builds on: the place that says so, the folder, and the member, resources or
        components."""
        for member in BUILT_ON:
            for index, name in enumerate(self.entries(member)):
                if isinstance(name, str) and os.path.isdir(self.path_of(name)):
                    yield self.document.at(f"{member}[{index}]"), self.path_of(name), member


def real_folder(path: str) -> str:
    """Return the folder of a file, with all links resolved."""
    return os.path.dirname(os.path.realpath(path))


def below(kustomization: Kustomization) -> dict[str, Kustomization]:
    """Return all kustomizations that one builds on, at any depth, by folder; those that cannot be read are left out."""
    reached: dict[str, Kustomization] = {}
    waiting = [kustomization]
    while waiting:
        for place, folder, _ in waiting.pop().built_on():
            real = os.path.realpath(folder)
            inner = Kustomization.of_folder(folder, place, Problems()) if real not in reached else None
            if inner is not None and real != kustomization.real:
                reached[real] = inner
                waiting.append(inner)
    return reached


def is_partly_elsewhere(kustomization: Kustomization) -> bool:
    """Tell whether a kustomization, or one that it builds on, names something remote."""
    return any(part.elsewhere() for part in (kustomization, *below(kustomization).values()))


def _is_kustomization(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    group = str(value.get("apiVersion") or f"{_GROUP}/v1").partition("/")[0]
    return group == _GROUP and (value.get("kind") or "Kustomization") in _KINDS


def _files_of(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the files that an entry names: of a patch, a replacement, a chart or a generator, whose files may have a key."""
    for key in ("path", "valuesFile", "repo", "env"):
        if isinstance(entry.get(key), str):
            yield key, entry[key]
    for key in ("files", "envs", "additionalValuesFiles"):
        names = entry.get(key)
        for name in names if isinstance(names, list) else ():
            if isinstance(name, str):
                yield key, name.partition("=")[2] if key == "files" and "=" in name else name
