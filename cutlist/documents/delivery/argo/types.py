"""The types of an Application's members: a wrong one makes the API server, and Argo CD, refuse the whole object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from cutlist.documents.delivery.argo.sources import sources_of
from cutlist.documents.members import Manifest, entries, mapping

_TEXTS: Final = ("repoURL", "path", "chart", "targetRevision", "ref")
_OF_HELM: Final = ("releaseName", "values", "namespace", "version", "kubeVersion")
_OF_KUSTOMIZE: Final = ("namePrefix", "nameSuffix", "namespace", "version")
_OF_DIRECTORY: Final = ("include", "exclude")
_SWITCHES: Final = {
    "helm": ("skipCrds", "ignoreMissingValueFiles", "skipTests", "skipSchemaValidation"),
    "directory": ("recurse",),
}


def wrong_types(data: Manifest) -> Iterator[tuple[str, str]]:
    """Yield the path of each member of an Application that has a wrong type, and what is allowed."""  # GO-32
    metadata, spec = mapping(data.get("metadata")), mapping(data.get("spec"))
    for member in ("labels", "annotations"):
        yield from _not_of(metadata.get(member), f"metadata.{member}", tuple(mapping(metadata.get(member))), str, "a text")
    yield from _not_of(spec.get("destination"), "spec.destination", ("server", "name", "namespace"), str, "a text")
    # Only members that Cutlist reads: the schema has many more, and this is no validation of Applications.
    for at, source in sources_of(spec):
        yield from _not_of(source, at, _TEXTS, str, "a text")
        for member, names in (("helm", _OF_HELM), ("kustomize", _OF_KUSTOMIZE), ("directory", _OF_DIRECTORY)):
            yield from _not_of(source.get(member), f"{at}.{member}", names, str, "a text")
            yield from _not_of(source.get(member), f"{at}.{member}", _SWITCHES.get(member, ()), bool, "true or false")
        helm = mapping(source.get("helm"))
        for index, name in enumerate(entries(helm.get("valueFiles"))):
            if not isinstance(name, str):
                yield f"{at}.helm.valueFiles[{index}]", "a text"
        for index, parameter in enumerate(entries(helm.get("parameters"))):
            yield from _not_of(parameter, f"{at}.helm.parameters[{index}]", ("name", "value"), str, "a text in quotes")


def _not_of(value: Any, at: str, names: tuple[str, ...], kind: type, allowed: str) -> Iterator[tuple[str, str]]:
    members = mapping(value)
    yield from ((f"{at}.{name}", allowed) for name in names if not isinstance(members.get(name), kind | None))
