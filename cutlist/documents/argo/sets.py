"""ApplicationSets: the Applications that their generators and templates make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cutlist.documents.checkout import Checkout
from cutlist.documents.document import Document
from cutlist.documents.parts import Undelivered


@dataclass(frozen=True, slots=True)
class Applications:
    """The Applications of a set, and why others are left out."""

    documents: tuple[Document, ...]
    left_out: tuple[str, ...] = ()


def applications(document: Document, checkout: Checkout, others: Iterable[Document]) -> Applications | Undelivered:  # noqa: ARG001
    """Return the Applications that a set makes, or why it makes none here."""
    return Undelivered("only Argo CD knows what its generators give")
