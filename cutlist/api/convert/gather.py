"""The documents of a conversion, sorted by what has to be done with them, and those that cannot be converted (spec: api-objects
7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.api import v1alpha5, v1beta1
from cutlist.api.convert.changes import ConversionChange, edits_of
from cutlist.api.convert.chart_values import SETTINGS, is_settings
from cutlist.api.convert.ec2nodeclass import UBUNTU, is_old_aks_class
from cutlist.api.convert.edits import Path, applied
from cutlist.api.convert.notes import PLACEHOLDER
from cutlist.api.convert.v1alpha5 import as_v1beta1, refusals
from cutlist.api.findings import Finding
from cutlist.api.kinds import kind_of_manifest
from cutlist.api.model import as_received
from cutlist.api.validation import validate
from cutlist.api.versions import SERVED, is_karpenters, version_findings
from cutlist.core.errors import Problems
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.documents.document import Document

POOL, CLAIM, NODE_CLASS = "NodePool", "NodeClaim", "EC2NodeClass"
_CHOOSE_IMAGES: Final = "amiSelectorTerms that find your Ubuntu images, or amiFamily AL2023 or Bottlerocket without terms"

_MAPPINGS: Final[tuple[Path, ...]] = (("metadata", "annotations"), ("metadata", "labels"), ("spec",))
"""The members that must be mappings if present."""


@dataclass(slots=True)
class Item:
    """A Karpenter object during its conversion: the document, the object in v1beta1 or v1, and the changes made so far."""

    document: Document
    old: Mapping[str, Any]
    changes: list[ConversionChange] = field(default_factory=list)
    copies: list[dict[str, Any]] = field(default_factory=list)
    is_older: bool = False

    @property
    def kind(self) -> str:
        """Return the kind in v1."""
        return str(self.old["kind"])

    @property
    def name(self) -> str:
        """Return the object's original name."""
        return str(self.old["metadata"]["name"])

    @property
    def is_v1(self) -> bool:
        """Tell whether it was v1 from the start."""
        return self.document.api_version == SERVED[self.kind]

    def take(self, changes: Iterable[ConversionChange]) -> None:
        """Apply changes to the object. For one older than v1beta1, the intermediate steps' renames are not reported."""
        listed = list(changes)
        self.copies = [applied(edits_of(listed), copy) for copy in self.copies or [dict(self.old)]]
        self.changes += [
            change for change in listed if not (self.is_older and change.kind == "carried over" and not change.is_ours)
        ]


@dataclass(slots=True)
class Gathered:
    """The documents by kind: objects of Karpenter, settings, Machines, old AKSNodeClasses, and all others."""

    items: list[Item] = field(default_factory=list)
    config_maps: list[Document] = field(default_factory=list)
    machines: list[Document] = field(default_factory=list)
    aks_classes: list[Document] = field(default_factory=list)
    rest: list[Document] = field(default_factory=list)

    def of_kind(self, kind: str) -> list[Item]:
        """Return the objects of a kind."""
        return [item for item in self.items if item.kind == kind]


def gather(documents: Iterable[Document], problems: Problems) -> Gathered:
    """Return the documents by kind. A document with a mistake is left out, and the mistake is added to `problems`."""
    listed, gathered = list(documents), Gathered()
    profile = _default_profile(listed)
    for document in listed:
        if v1alpha5.is_older(document.api_version, document.kind):
            _older(document, profile, gathered, problems)
        elif v1beta1.is_old(document.api_version, document.kind):
            wrong = v1beta1.findings(document.data)
            _take(Item(document, as_received(document.data)), wrong or list(_inconvertible(document.data)), gathered, problems)
        elif is_settings(document.data):
            gathered.config_maps.append(document)
        elif is_old_aks_class(document.api_version, document.kind):
            gathered.aks_classes.append(document)
            _note(document, _without_name(document.data), problems)
        elif SERVED.get(document.kind) == document.api_version and document.kind in (POOL, CLAIM, NODE_CLASS):
            _take(
                Item(document, document.data),
                list(_unreadable(document.data) or _inconvertible(document.data)),
                gathered,
                problems,
            )
        else:
            if is_karpenters(document.api_version, document.kind):
                _note(document, version_findings(document.data), problems)
            gathered.rest.append(document)
    _note_duplicates(gathered.items, problems)
    return gathered


def _older(document: Document, profile: str | None, gathered: Gathered, problems: Problems) -> None:
    if document.kind == v1alpha5.MACHINE:
        gathered.machines.append(document)
        return
    wrong = v1alpha5.findings(document.data) or list(refusals(as_received(document.data), profile))
    if wrong:
        _note(document, wrong, problems)
        return
    converted, changes = as_v1beta1(as_received(document.data), profile)
    item = Item(document, converted, is_older=True)
    item.changes += changes
    _take(item, v1beta1.findings(converted) or list(_inconvertible(converted)), gathered, problems)


def _take(item: Item, wrong: list[Finding], gathered: Gathered, problems: Problems) -> None:
    if wrong:
        _note(item.document, wrong, problems)
    else:
        gathered.items.append(item)


def _note(document: Document, findings: Iterable[Finding], problems: Problems) -> None:
    problems.extend(finding.problem(document.at(finding.path)) for finding in findings)


def _inconvertible(manifest: Mapping[str, Any]) -> Iterator[Finding]:
    if manifest["kind"] != NODE_CLASS:
        return
    spec = manifest.get("spec")
    if spec is None:
        yield Finding("spec", "is missing, so there is nothing to convert")
        return
    if spec.get("amiFamily") == UBUNTU and not spec.get("amiSelectorTerms"):
        text = "Karpenter removed Ubuntu and its images: without terms there is nothing to launch, so you have to choose"
        yield Finding("spec.amiFamily", text, _CHOOSE_IMAGES)
    if any(isinstance(term, dict) and term.get("id") == PLACEHOLDER for term in spec.get("amiSelectorTerms") or ()):
        text = f"{PLACEHOLDER} stands for the images of an Ubuntu class that Karpenter could not convert; choose them"
        yield Finding("spec.amiSelectorTerms", text, _CHOOSE_IMAGES)


def _unreadable(manifest: Mapping[str, Any]) -> list[Finding]:
    """Return why an object of v1 cannot be read; rules that it breaks are not reported here."""
    kind = kind_of_manifest(manifest, BASELINES[-1])  # the release that accepts the most
    validation = validate(kind, manifest) if kind is not None else None
    return validation.findings if validation is not None and validation.fields is None else _without_name(manifest)


def _without_name(manifest: Mapping[str, Any]) -> list[Finding]:
    """Return the findings on missing members that every object needs."""
    findings = [Finding(".".join(path), "is not a mapping") for path in _MAPPINGS if not isinstance(_at(manifest, path), dict)]
    name = None if findings else _at(manifest, ("metadata", "name"))
    return findings or ([] if name else [Finding("metadata.name", "is missing and required")])


def _at(manifest: Mapping[str, Any], path: Path) -> Any:
    """Return the mapping at a path, or an empty mapping if the manifest has none there."""
    here: Any = manifest
    for key in path:
        here = here.get(key) if isinstance(here, dict) else here
        here = {} if here is None else here
    return here


def _default_profile(documents: Iterable[Document]) -> str | None:
    """Return the instance profile that the settings name for all classes."""
    for document in documents:
        if is_settings(document.data) and document.name == SETTINGS and isinstance(document.data.get("data"), dict):
            profile = document.data["data"].get("aws.defaultInstanceProfile")
            if isinstance(profile, str) and profile:
                return profile
    return None


def _note_duplicates(items: Iterable[Item], problems: Problems) -> None:
    first: dict[tuple[str, str], Item] = {}
    for item in items:
        other = first.setdefault((item.kind, item.name), item)
        if other is not item:
            at = other.document.at("metadata.name")
            problems.add(item.document.at("metadata.name"), f"{item.kind} {item.name} is defined twice, first at {at}")
