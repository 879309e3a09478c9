"""What a Kustomization of Flux adds to the kustomization of its folder, and the one that it makes where there is none."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.delivery.flux.ignore import Ignored
from cutlist.documents.files import YAML_SUFFIXES, file_text
from cutlist.documents.folders import KUSTOMIZATION_NAMES
from cutlist.documents.kustomize.kustomization import MEMBERS, NEW
from cutlist.documents.members import Manifest, entries, mapping, text
from cutlist.documents.parsing import parse_documents

SETTINGS: Final = (*("targetNamespace", "namePrefix", "nameSuffix", "patches", "components", "images", "buildMetadata"),)
"""The members of a Kustomization of Flux that change what its folder builds."""
_TEXTS: Final = {"targetNamespace": "namespace", "namePrefix": "namePrefix", "nameSuffix": "nameSuffix"}
_REMOTE: Final = re.compile(r"(?:git::|gh:|ssh://|https?://|git@|github\.com[:/]|file://|/)", re.IGNORECASE)


def over(spec: Manifest, data: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """Return the members of a kustomization with what an object's spec says. Raises ValueError for what Flux refuses.

    Patches and components come after those of the folder; its namespace and affixes are replaced.
    """  # GO-7
    # Unknown members are dropped, not refused, as Flux does with the folder's own file (GO-12).
    changed = {name: value for name, value in data.items() if name in MEMBERS}
    changed |= {member: spec[name] for name, member in _TEXTS.items() if isinstance(spec.get(name), str)}
    patches = [{key: patch[key] for key in ("patch", "target") if key in patch} for patch in _mappings(spec, "patches")]
    for member, added in (("patches", patches), ("components", _components(spec, folder))):
        if added:
            changed[member] = [*entries(changed.get(member)), *added]
    if spec.get("images"):
        changed["images"] = _images(list(map(mapping, entries(changed.get("images")))), _mappings(spec, "images"))
    return changed


def generated(folder: str, root: str, ignored: Ignored, problems: Problems) -> dict[str, Any]:
    """Return the kustomization that Flux makes for a folder without one: all YAML below it, and folders with a kustomization
    as a whole. A file that holds no objects is added to `problems`."""  # GO-6
    return {**NEW, "resources": _resources(folder, folder, root, ignored, problems)}


def _resources(folder: str, top: str, root: str, ignored: Ignored, problems: Problems) -> list[str]:
    listed: list[str] = []
    with os.scandir(folder) as found:
        inside = sorted(found, key=lambda entry: entry.name)
    for entry in inside:
        path, is_folder = os.path.relpath(entry.path, top), entry.is_dir(follow_symlinks=False)
        # The copy that Flux builds from has no symbolic links (GO-5).
        if entry.is_symlink() or ignored.has(os.path.relpath(entry.path, root).split(os.sep), is_folder=is_folder):
            continue
        if is_folder:
            is_built = any(os.path.isfile(os.path.join(entry.path, name)) for name in KUSTOMIZATION_NAMES)
            listed += [path] if is_built else _resources(entry.path, top, root, ignored, problems)
        elif entry.name.endswith(YAML_SUFFIXES) and _holds_objects(entry.path, problems):
            listed.append(path)
    return listed


def _holds_objects(path: str, problems: Problems) -> bool:
    content, own = file_text(path, problems), Problems()
    if content is None:
        return False
    unnamed = [document for document in parse_documents(content, path, own) if not document.name]
    for document in unnamed:
        own.add(document.place, "is an object without a name, which Flux builds nothing from", "metadata.name")
    # A file with comments alone is fine; it holds nothing, and nothing is wrong with it.
    mistakes = [problem for problem in own.found if not problem.is_absence]
    problems.inputs += own.inputs
    problems.extend(mistakes)
    return not mistakes


def _components(spec: Manifest, folder: str) -> list[str]:
    named = [str(name) for name in entries(spec.get("components"))]
    for name in named:
        if _REMOTE.match(name):
            raise ValueError(f"the component {name} is not a path below the repository")
    is_lenient = spec.get("ignoreMissingComponents") is True
    return [name for name in named if not is_lenient or os.path.exists(os.path.join(folder, name))]


def _images(known: list[Manifest], added: list[Manifest]) -> list[Manifest]:
    """Return images with those of the object laid over: a tag and a digest replace both of the earlier ones."""
    by_name = {text(image.get("name")): dict(image) for image in known}
    for image in added:
        merged = by_name.setdefault(text(image.get("name")), {"name": text(image.get("name"))})
        if image.get("newName"):
            merged["newName"] = image["newName"]
        # One of the two replaces both: an old digest beside a new tag would win in the cluster.
        if image.get("newTag") or image.get("digest"):
            versions = {key: image[key] for key in ("newTag", "digest") if image.get(key)}
            by_name[text(image.get("name"))] = {"name": merged["name"], **_without_version(merged), **versions}
    return list(by_name.values())


def _without_version(image: Manifest) -> dict[str, Any]:
    return {key: value for key, value in image.items() if key not in ("newTag", "digest")}


def _mappings(spec: Manifest, member: str) -> list[Manifest]:
    return list(map(mapping, entries(spec.get(member))))
