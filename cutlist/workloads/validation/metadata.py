"""Metadata of objects and of pod templates: names, labels, annotations, owners (W-8 to W-12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cutlist.workloads.validation import formats
from cutlist.workloads.validation.refusals import Refusals

NameRule = Callable[[str, str, Refusals], None]

_FINALIZERS: Final = ("kubernetes", "orphan", "foregroundDeletion")
_NUMBERED_OWNERS: Final = 37  # the first minor version that says which owner is wrong
_ANNOTATIONS: Final = 256 * 1024  # bytes that all keys and values together may have


def any_name(value: str, path: str, refusals: Refusals) -> None:
    """Add why a text cannot be part of an address: the only rule for the names of PodDisruptionBudgets."""
    if value in (".", "..") or "/" in value or "%" in value:
        refusals.invalid(path, value, "cannot name an object", "a name that is not . or .. and has no / and no %")


def check_metadata(metadata: Mapping[str, Any], name_rule: NameRule, is_namespaced: bool, refusals: Refusals) -> None:
    """Add what is wrong with an object's metadata."""
    name, generated = metadata.get("name") or "", metadata.get("generateName") or ""
    if name:
        name_rule(name, "metadata.name", refusals)
    elif not generated:
        refusals.required("metadata.name")
    if generated:
        name_rule(generated.rstrip("-") if len(generated) > 1 else generated, "metadata.generateName", refusals)
    if is_namespaced and metadata.get("namespace"):
        formats.dns_label(metadata["namespace"], "metadata.namespace", refusals)
    formats.labels(metadata.get("labels"), "metadata.labels", refusals)
    check_annotations(metadata.get("annotations"), "metadata.annotations", refusals)
    for index, finalizer in enumerate(metadata.get("finalizers") or ()):
        check_finalizer(finalizer or "", "metadata.finalizers", f"metadata.finalizers[{index}]", refusals)
    _check_owners(metadata.get("ownerReferences") or (), refusals)


def check_finalizer(name: str, path: str, domain_path: str, refusals: Refusals) -> None:
    """Add why a text is not a finalizer; a missing domain is reported at `domain_path`."""
    formats.qualified_name(name, path, refusals)
    if "/" not in name and name not in _FINALIZERS:
        refusals.invalid(domain_path, name, "must be a standard finalizer or have a domain", "such as example.com/cleanup")


def check_annotations(annotations: Mapping[str, Any] | None, path: str, refusals: Refusals, written: str = "") -> None:
    """Add what is wrong with the keys of annotations, ignoring case, and with their size."""
    texts = annotations or {}
    for key in texts:
        formats.qualified_name(key.lower(), path, refusals, f"{written or path}.{key}")
    size = sum(len(key.encode()) + len((value or "").encode()) for key, value in texts.items())
    if size > _ANNOTATIONS:
        refusals.add(path, f"has {size} bytes", f"at most {_ANNOTATIONS} bytes")


def check_template_metadata(metadata: Mapping[str, Any], path: str, refusals: Refusals) -> None:
    """Add what is wrong with the metadata that a template gives to its claims: labels and annotations, and nothing else."""
    formats.labels(metadata.get("labels"), f"{path}.labels", refusals)
    check_annotations(metadata.get("annotations"), f"{path}.annotations", refusals)
    for name, value in metadata.items():
        if value and name not in ("labels", "annotations"):
            refusals.add(f"{path}.{name}", "cannot be set for claims of a template", "labels, annotations")


def _check_owners(owners: Any, refusals: Refusals) -> None:
    path = "metadata.ownerReferences"
    for index, owner in enumerate(owners):
        for name in ("apiVersion", "kind", "name", "uid"):
            if not owner.get(name) or (name == "apiVersion" and owner[name].count("/") > 1):
                here = f"{path}[{index}]"
                shown_at = here if refusals.minor >= _NUMBERED_OWNERS else path
                refusals.add_at(here, f"{shown_at}.{name}", "is missing or malformed")
    if sum(owner.get("controller") is True for owner in owners) > 1:
        refusals.add(path, "has more than one owner with controller: true", "one")
