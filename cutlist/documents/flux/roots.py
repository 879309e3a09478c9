"""The folder that Flux itself begins with: what it builds holds the Kustomization that names it."""

from __future__ import annotations

import os
from collections.abc import Iterable

from cutlist.documents.checkout import Checkout
from cutlist.documents.document import Document
from cutlist.documents.releases import FLUX_KUSTOMIZATION, kind_of


def is_built_by_flux(folder: str, documents: Iterable[Document]) -> bool:
    """Tell whether a Kustomization of Flux among the objects of a folder takes this folder from its checkout."""
    checkout = Checkout.around(folder)
    paths = (_path(document) for document in documents if kind_of(document) == FLUX_KUSTOMIZATION)
    taken = (None if checkout is None else checkout.folder(path) for path in paths)
    return any(path is not None and os.path.realpath(path) == folder for path in taken)


def _path(document: Document) -> str:
    spec = document.data.get("spec")
    path = spec.get("path") if isinstance(spec, dict) else None
    return path if isinstance(path, str) else "."
