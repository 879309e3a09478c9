"""The sources of an Application: what it says itself, with what files beside them say."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.delivery.argo.environment import environment
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetched import chart_from, checkout_from
from cutlist.documents.delivery.fetching import OCI, ArtifactSource, ChartSource, Fetcher, GitSource
from cutlist.documents.document import Document
from cutlist.documents.files import file_text
from cutlist.documents.members import Manifest, entries, mapping, text
from cutlist.documents.text.go_yaml import from_yaml

_FIXED: Final = ("chart", "path", "repoURL", "targetRevision")
"""The members of a source that no file changes."""
TOOLS: Final = ("kustomize", "helm", "directory", "plugin")
"""The members of a source that say what renders it."""


@dataclass(frozen=True, slots=True)
class Repositories:
    """The sources of an Application, the checkout that it is in, and who fetches others."""

    sources: tuple[Manifest, ...]
    checkout: Checkout
    fetcher: Fetcher | None

    def named(self, reference: str) -> Checkout | None:
        """Return the checkout of the source with a name; None for an unknown name. Raises NotFetched."""
        source = next((source for source in self.sources if source.get("ref") == reference), None)
        return None if source is None else held_by(source, self.checkout, self.fetcher)


def is_here(source: Manifest, checkout: Checkout) -> bool:
    """Tell whether a source is the checkout, which has no charts of repositories."""
    return not source.get("chart") and checkout.is_of(text(source.get("repoURL")))


def held_by(source: Manifest, checkout: Checkout, fetcher: Fetcher | None) -> Checkout:
    """Return the checkout if a source is in it, else what is fetched. Raises NotFetched."""
    if is_here(source, checkout):
        return checkout
    address, revision = text(source.get("repoURL")), text(source.get("targetRevision"))
    if source.get("chart"):
        # Argo CD writes registries of charts without a scheme.
        repository = address if "://" in address else f"{OCI}{address}"
        return chart_from(ChartSource(repository, text(source.get("chart")), "" if revision == "*" else revision), fetcher)
    if address.startswith(OCI):
        return checkout_from(ArtifactSource(address, revision), fetcher)
    return repository_of(address, revision, fetcher)


def repository_of(address: str, revision: str, fetcher: Fetcher | None) -> Checkout:
    """Return a repository of git that is fetched, with its submodules, as Argo CD has it. Raises NotFetched."""  # FE-16
    return checkout_from(GitSource(address, "" if revision == "HEAD" else revision, submodules=True), fetcher)


@dataclass(frozen=True, slots=True)
class Source:
    """A source of an Application: its path in the object, its folder, and the checkout that this is in, or that was fetched.

    `repositories` are those of the Application's sources, of which one may name another.
    """

    document: Document
    at: str
    data: Manifest
    folder: str
    checkout: Checkout
    repositories: Repositories

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables that are filled in."""
        return environment(self.document, self.data)

    def place(self, member: str) -> Place:
        """Return where the Application has a member of this source."""
        return self.document.at(f"{self.at}.{member}")


def sources_of(spec: Manifest) -> Iterator[tuple[str, Manifest]]:
    """Yield the sources of an Application, each with its path in the object."""
    if entries(spec.get("sources")):
        yield from ((f"spec.sources[{index}]", mapping(source)) for index, source in enumerate(entries(spec.get("sources"))))
    elif mapping(spec.get("source")):
        yield "spec.source", mapping(spec.get("source"))


def overridden(source: Manifest, folder: str, name: str, problems: Problems) -> Manifest:
    """Return a source with what `.argocd-source.yaml` and `.argocd-source-NAME.yaml` in its folder say."""  # GO-34
    changed: Mapping[str, Any] = source
    for file in (".argocd-source.yaml", f".argocd-source-{name}.yaml"):
        path = os.path.join(folder, file)
        content = file_text(path, problems) if os.path.isfile(path) else None
        if content is None:
            continue
        try:
            changed = _decoded_over(changed, from_yaml(content))
        except ValueError as error:
            problems.add(Place(path), f"is not YAML: {error}")
    # Both ways: files neither change these members nor add one.
    fixed = {member: source[member] for member in _FIXED if member in source}
    return {**{member: value for member, value in changed.items() if member not in _FIXED}, **fixed}


def _decoded_over(value: Any, override: Any) -> Any:
    """Return a value with an override decoded into it.

    Null changes nothing. An entry of a list keeps the members of the one that it replaces, where it has none of its own.
    """
    if isinstance(override, Mapping):
        members = dict(value) if isinstance(value, Mapping) else {}
        # Go's decoder leaves a member alone for which it reads null, unlike a merge patch.
        given = {name: below for name, below in override.items() if below is not None}
        return members | {name: _decoded_over(members.get(name), below) for name, below in given.items()}
    if isinstance(override, list):
        # Go decodes into the entries that a list has, so an entry keeps members that the new one does not name.
        before = [*entries(value), *[None] * len(override)]
        return [_decoded_over(known, entry) for known, entry in zip(before, override, strict=False)]
    return override


def patched(value: Any, patch: Any) -> Any:
    """Return a value with a JSON merge patch applied: null removes a member, lists are replaced."""
    if not isinstance(patch, Mapping):
        return patch
    members = dict(value) if isinstance(value, Mapping) else {}
    for name, below in patch.items():
        if below is None:
            members.pop(name, None)
        else:
            members[name] = patched(members.get(name), below)
    return members


def tool_of(source: Manifest) -> str:
    """Return what a source itself says that renders it; empty if nothing. Raises ValueError where it names several."""
    named = [tool for tool in TOOLS if source.get(tool) is not None]
    if len(named) > 1:
        raise ValueError(f"{' and '.join(named)} are set, and Argo CD takes only one of them")
    return named[0] if named else ""


def path_of(name: str, source: Source) -> tuple[str, Checkout] | None:
    """Return the path of a file that a source names, from the root of a checkout; None where it is elsewhere.

    Raises NotFetched where that checkout is not here.
    """
    if "://" in name:
        return None
    if name.startswith("$"):
        reference, _, rest = name[1:].partition("/")
        checkout = source.repositories.named(reference)
        return None if checkout is None else (rest, checkout)
    # A leading slash is the root of the repository, not of the machine (GO-35).
    path = name if name.startswith("/") else os.path.join(text(source.data.get("path")), name)
    return path, source.checkout
