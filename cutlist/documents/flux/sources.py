"""Where Flux takes something from: the source that an object names, and the objects that hold values."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.checkout import Checkout
from cutlist.documents.document import Document
from cutlist.documents.parts import Manifest, mapping, text

GIT: Final = "GitRepository"
OWN: Final = "flux-system"
"""The name of the GitRepository that bootstrapping makes: the repository itself, even if the input does not hold it."""
_REVISIONS: Final = ("commit", "name", "semver", "tag", "branch")
"""The members that name a revision, the strongest first."""


class Missing(Exception):
    """Something that an object refers to is not here; the text says what."""


@dataclass(frozen=True, slots=True)
class Source:
    """The checkout as a source: the revision that is named, if another is checked out, and what is left out besides the files'
    own words."""

    revision: str = ""
    ignore: str = ""


def source_of(document: Document, reference: Manifest, checkout: Checkout, others: Iterable[Document]) -> Source:
    """Return the source of an object. Raises Missing if it is not the checkout."""  # GO-1
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    if kind != GIT:
        raise Missing(f"its source {kind} {name} is fetched" if kind else "it names no source")
    found = named(kind, name, text(reference.get("namespace")) or namespace_of(document), others)
    if found is None:
        if name == OWN:
            return Source()
        raise Missing(f"{kind} {name}, its source, is not in the input")
    spec = mapping(found.get("spec"))
    address, ref = text(spec.get("url")), mapping(spec.get("ref"))
    if not checkout.is_of(address):
        raise Missing(f"{address} is not the repository of this checkout")
    revision = next((text(ref.get(member)) for member in _REVISIONS if ref.get(member)), "")
    return Source(checkout.unless_here(revision) if revision else "", text(spec.get("ignore")))


def named(kind: str, name: str, namespace: str, others: Iterable[Document]) -> Mapping[str, Any] | None:
    """Return an object by kind, name and namespace; one without a namespace counts as being in the same one."""
    alike = (d for d in others if (d.kind, d.name) == (kind, name) and namespace_of(d) in ("", namespace))
    return next((d.data for d in alike), None)


def namespace_of(document: Document) -> str:
    """Return the namespace that an object names, or an empty text."""
    return text(mapping(document.data.get("metadata")).get("namespace"))


def texts_of(document: Document, reference: Manifest, at: str, others: Iterable[Document]) -> dict[str, str] | None:
    """Return the texts of a ConfigMap or Secret, or None for a missing one that is optional.

    Raises Missing for one that is not in the input, or whose texts are encrypted.
    """
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    source = named(kind, name, namespace_of(document), others)
    if source is None:
        if reference.get("optional") is True:
            return None
        raise Missing(f"{kind} {name}, which {at} names, is not in the input")
    if "sops" in source:
        raise Missing(f"{kind} {name}, which {at} names, is encrypted")
    data = {str(key): text(value) for key, value in mapping(source.get("data")).items()}
    if kind != "Secret":
        return data
    try:
        data = {key: base64.b64decode(value, validate=True).decode() for key, value in data.items()}
    except (binascii.Error, UnicodeDecodeError):
        raise Missing(f"{kind} {name}, which {at} names, is not in base64") from None
    return data | {str(key): text(value) for key, value in mapping(source.get("stringData")).items()}


def keep_secret(reference: Manifest, texts: Iterable[str], problems: Problems) -> None:
    """Keep the texts of a Secret out of messages: they are base64 there, but may appear elsewhere in plain text."""
    if reference.get("kind") == "Secret":
        problems.inputs.append({"secret": list(texts)})
