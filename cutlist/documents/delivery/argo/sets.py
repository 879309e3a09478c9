"""ApplicationSets: the Applications that their generators and templates make."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.documents.delivery.argo.clusters import secrets_in
from cutlist.documents.delivery.argo.generators import Elsewhere, Generators
from cutlist.documents.delivery.argo.repository import excluded_folders
from cutlist.documents.delivery.argo.sources import patched
from cutlist.documents.delivery.argo.templates import Parameters, Templates
from cutlist.documents.delivery.argo.types import wrong_types
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetched import NotFetched
from cutlist.documents.delivery.fetching import Fetcher
from cutlist.documents.delivery.gotemplate import TemplateError, UnknownFunction
from cutlist.documents.delivery.parts import Undelivered, is_chart
from cutlist.documents.document import Document
from cutlist.documents.members import Manifest, entries, mapping, text
from cutlist.documents.text.go_yaml import from_yaml

_NAMESPACE: Final = "argocd"
_WHOLE: Final = ("valuesObject",)
"""Members that are taken as a whole where templates are laid together."""
_PLACE: Final = re.compile(r"\{\{.*?\}\}")
_ONLY_KNOWN: Final = "only those clusters are known whose Secrets are in the input"


@dataclass(frozen=True, slots=True)
class Applications:
    """The Applications of a set, why others are left out, and the folders that its generators exclude. `unknown` says why there
    may be others; empty if there are none."""

    documents: tuple[Document, ...]
    left_out: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    unknown: str = ""


def applications(
    document: Document, checkout: Checkout, others: Iterable[Document], fetcher: Fetcher | None
) -> Applications | Undelivered:
    """Return the Applications that a set makes, or why it makes none here: one mistake, and it makes none."""  # GO-40
    spec = mapping(document.data.get("spec"))
    namespace = text(mapping(document.data.get("metadata")).get("namespace")) or _NAMESPACE
    templates = Templates(spec.get("goTemplate") is True, tuple(map(str, entries(spec.get("goTemplateOptions")))))
    generators = Generators(templates, checkout, secrets_in(others, namespace), fetcher)
    try:
        made = list(_made(spec, generators, namespace))
    except (Elsewhere, UnknownFunction) as error:
        return Undelivered(str(error), _charts_of(spec, checkout))
    except NotFetched as error:
        return Undelivered.of(error)
    except TemplateError as error:
        return Undelivered(f"Argo CD makes no Application of it: {error}")
    counts = Counter(mapping(data.get("metadata")).get("name") for data in made)
    twice = sorted(str(name) for name, count in counts.items() if count > 1)
    left_out = [f"several of its Applications are called {name}, and Argo CD makes none of these" for name in twice]
    unknown = _ONLY_KNOWN if _asks_for_clusters(spec.get("generators")) and not generators.secrets else ""
    unfilled = next((place for data in made if (place := _unfilled(data))), "") if unknown else ""
    if unfilled:  # of the only known cluster, which has no labels and annotations
        made = [data for data in made if not _unfilled(data)]
        unknown += f", and the {unfilled} of an Application comes from one"
    if unknown and not made:
        return Undelivered(unknown, _charts_of(spec, checkout))
    # Of several with one name none is kept: which one would come is not decided (GO-40).
    kept = [data for data in made if counts[mapping(data.get("metadata")).get("name")] == 1]
    excluded = tuple(os.path.join(checkout.root, path) for path in _excluded(spec.get("generators"), checkout))
    return Applications(tuple(replace(document, data=data, lines={}) for data in kept), tuple(left_out), excluded, unknown)


def _unfilled(data: Manifest) -> str:
    """Return the place for a value that is left where an Application takes its files from; empty if there is none."""
    spec = mapping(data.get("spec"))
    sources = map(mapping, (spec.get("source"), *entries(spec.get("sources"))))
    written = (text(of.get(name)) for of in sources for name in ("repoURL", "path", "targetRevision"))
    return next((match[0] for each in written if (match := _PLACE.search(each))), "")


def _charts_of(spec: Manifest, checkout: Checkout) -> tuple[str, ...]:
    """Return the charts of this checkout that a set installs with values of its own, whatever its generators give."""
    template = mapping(mapping(spec.get("template")).get("spec"))
    sources = map(mapping, (template.get("source"), *entries(template.get("sources"))))
    own = (of for of in sources if "{{" in text(of.get("repoURL")) or checkout.is_of(text(of.get("repoURL"))))
    paths = (path for of in own if (path := text(of.get("path"))) and "{{" not in path)
    folders = (folder for path in paths if (folder := checkout.folder(path)) is not None)
    return tuple(os.path.realpath(folder) for folder in folders if is_chart(folder))


def _excluded(generators: Any, checkout: Checkout) -> Iterator[str]:
    """Yield the folders that generators of this checkout exclude, at any depth."""
    for generator in map(mapping, entries(generators)):
        git = mapping(generator.get("git"))
        if git and checkout.is_of(text(git.get("repoURL"))):
            yield from excluded_folders(git, checkout)
        for kind in ("matrix", "merge"):
            yield from _excluded(mapping(generator.get(kind)).get("generators"), checkout)


def _made(spec: Manifest, generators: Generators, namespace: str) -> Iterator[dict[str, Any]]:
    """Yield the Applications of a set. Raises TemplateError, Elsewhere and NotFetched."""
    template, patch = mapping(spec.get("template")), text(spec.get("templatePatch"))
    for generator in map(mapping, entries(spec.get("generators"))):
        own = next(
            (mapping(mapping(value).get("template")) for value in generator.values() if mapping(value).get("template")), {}
        )
        # The generator's own template wins, member by member, over the set's.
        whole = _completed(own, template)
        for values in generators.values(generator):
            yield _application(whole, patch, values, generators.templates, namespace)


def _application(template: Manifest, patch: str, values: Parameters, templates: Templates, namespace: str) -> dict[str, Any]:
    # Without any value nothing is filled in, and names stay as they are.
    filled = mapping(templates.filled(template, values) if values else template)
    metadata, spec = dict(mapping(filled.get("metadata"))), dict(mapping(filled.get("spec")))
    data: dict[str, Any] = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {**metadata, "namespace": namespace},
        "spec": spec,
    }
    if patch:
        data = _patched(data, templates.text(patch, values))
    wrong = next(wrong_types(data), None)
    if wrong is not None:
        raise TemplateError(f"{wrong[0]} of an Application is not {wrong[1]}")
    return data


def _patched(data: dict[str, Any], patch: str) -> dict[str, Any]:
    """Return an Application with a patch applied; its project stays."""  # GO-47
    try:
        members = from_yaml(patch)
    except ValueError as error:
        raise TemplateError(f"the templatePatch cannot be read: {error}") from None
    if members is not None and not isinstance(members, Mapping):
        raise TemplateError("the templatePatch is not a mapping")
    changed: dict[str, Any] = patched(data, members or {})
    project = mapping(data.get("spec")).get("project")
    # A patch must not move an Application to a project with other rights (GO-47).
    return {**changed, "spec": {**mapping(changed.get("spec")), "project": project}}


def _completed(own: Any, other: Any) -> dict[str, Any]:
    """Return the members of a template, with those of another one where it says nothing."""
    members = dict(mapping(own))
    for name, value in mapping(other).items():
        if isinstance(members.get(name), Mapping) and isinstance(value, Mapping) and name not in _WHOLE:
            members[name] = _completed(members[name], value)
        # An empty text or list counts as missing, as in Go's merge.
        elif not members.get(name):
            members[name] = value
    return members


def _asks_for_clusters(generators: Any) -> bool:
    """Tell whether any generator, at any depth, is one of clusters."""
    for generator in map(mapping, entries(generators)):
        inner = (mapping(generator.get(kind)).get("generators") for kind in ("matrix", "merge"))
        if generator.get("clusters") is not None or any(map(_asks_for_clusters, inner)):
            return True
    return False
