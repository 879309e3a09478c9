"""What an Application changes in the kustomization of its folder, as `kustomize edit` does."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.documents.delivery.argo.environment import filled
from cutlist.documents.members import Manifest, entries, mapping, text

_IDLE: Final = frozenset(("version", "kubeVersion", "apiVersions"))
"""Members of `kustomize` that change nothing in the folder's kustomization."""
_TEXTS: Final = ("namePrefix", "nameSuffix", "namespace")
_IMAGE: Final = re.compile(r"(?:(?P<old>[^=]+)=)?(?P<name>[^@]+?)(?::(?P<tag>[^/:@]+))?(?:@(?P<digest>.+))?")
_COUNT: Final = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class ArgoOverlay:
    """The changes that the `kustomize` of an Application's source makes in the kustomization of its folder."""

    settings: Manifest
    variables: Mapping[str, str]

    @property
    def is_empty(self) -> bool:
        """Tell whether it changes nothing."""
        return not any(value for member, value in self.settings.items() if member not in _IDLE)

    def over(self, data: Manifest, folder: str) -> dict[str, Any]:
        """Return the changed members. Raises ValueError for what Argo CD refuses."""  # GO-37
        changed = dict(data)
        changed |= {member: text(self.settings.get(member)) for member in _TEXTS if text(self.settings.get(member))}
        replicas = [self._replica(mapping(entry)) for entry in entries(self.settings.get("replicas"))]
        images = [_image(filled(str(image), self.variables)) for image in entries(self.settings.get("images"))]
        for member, added in (("replicas", replicas), ("images", images)):
            if added:
                changed[member] = _by_name(changed.get(member), added)
        self._label(changed)
        self._annotate(changed)
        patches, components = entries(self.settings.get("patches")), self._components(folder)
        for member, more in (("patches", patches), ("components", components)):
            known = entries(changed.get(member))
            if more:
                # `kustomize edit` passes over a component that is listed already; patches are added in any case.
                changed[member] = [*known, *(entry for entry in more if member == "patches" or entry not in known)]
        return changed

    def _replica(self, entry: Manifest) -> dict[str, Any]:
        count = entry.get("count")
        if isinstance(count, bool) or not (isinstance(count, int) or (isinstance(count, str) and _COUNT.fullmatch(count))):
            raise ValueError(f"the count of replicas {entry.get('name')} is {count!r}, which is not a number")
        return {"name": text(entry.get("name")), "count": int(count)}

    def _label(self, changed: dict[str, Any]) -> None:
        labels = {name: filled(str(value), self.variables) for name, value in self._common("commonLabels").items()}
        if not labels:
            return
        # `commonLabels` go into selectors too, which cannot change on objects that exist; these labels do not.
        if self.settings.get("labelWithoutSelector") is True:
            templates = self.settings.get("labelIncludeTemplates") is True
            entry = {"pairs": labels, **({"includeTemplates": True} if templates else {})}
            changed["labels"] = [*entries(changed.get("labels")), entry]
        else:
            self._add(changed, "commonLabels", labels, is_forced=self.settings.get("forceCommonLabels") is True)

    def _annotate(self, changed: dict[str, Any]) -> None:
        does_fill = self.settings.get("commonAnnotationsEnvsubst") is True
        written = self._common("commonAnnotations").items()
        annotations = {name: filled(str(value), self.variables) if does_fill else str(value) for name, value in written}
        self._add(changed, "commonAnnotations", annotations, is_forced=self.settings.get("forceCommonAnnotations") is True)

    def _common(self, member: str) -> Manifest:
        return mapping(self.settings.get(member))

    def _add(self, changed: dict[str, Any], member: str, added: Manifest, *, is_forced: bool) -> None:
        known = mapping(changed.get(member))
        twice = sorted(set(known) & set(added))
        if twice and not is_forced:
            raise ValueError(f"{twice[0]} is among the {member} of the kustomization already")
        if added:
            changed[member] = {**known, **added}

    def _components(self, folder: str) -> list[str]:
        named = [str(name) for name in entries(self.settings.get("components"))]
        is_lenient = self.settings.get("ignoreMissingComponents") is True
        return [name for name in named if not is_lenient or os.path.exists(os.path.join(folder, name))]


def _by_name(known: object, added: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return entries with others of the same names in their place."""
    by_name = {text(entry.get("name")): dict(entry) for entry in map(mapping, entries(known))}
    # An entry that is replaced keeps its place.
    return list((by_name | {entry["name"]: entry for entry in added}).values())


def _image(written: str) -> dict[str, Any]:
    """Return an image from `old=new:tag`, as `kustomize edit set image` takes it."""
    match = _IMAGE.fullmatch(written)
    if match is None:
        raise ValueError(f"{written!r} is not an image")
    named = {"newName": match["name"]} if match["old"] else {}
    versions = {"newTag": match["tag"], "digest": match["digest"]}
    return {"name": match["old"] or match["name"], **named, **{key: value for key, value in versions.items() if value}}
