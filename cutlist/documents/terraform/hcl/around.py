"""ConfigMaps that configurations elsewhere in a checkout write, where Flux takes variables from them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from glob import escape
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.account.forms import files_below
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.releases import FLUX_KUSTOMIZATION, kind_of
from cutlist.documents.document import Document
from cutlist.documents.folders import CONFIGURATIONS
from cutlist.documents.terraform.hcl.configuration import Configuration
from cutlist.documents.terraform.hcl.json_syntax import searchable
from cutlist.documents.terraform.hcl.parsing import is_installed
from cutlist.documents.terraform.partly_known import MARK

_WRITES: Final = re.compile(r'^\s*resource\s+"kubernetes_config_map', re.MULTILINE)


def config_maps_for(documents: Iterable[Document], config_maps: Sequence[Document]) -> tuple[Document, ...]:
    """Return the ConfigMaps from which Flux's Kustomizations take variables and that are not among the objects: of those that
    the configurations of the input write, or else others in the checkout. A name of which only an apply knows a part is the one
    that fits.
    """
    listed = tuple(documents)
    takers = [document for document in listed if kind_of(document) == FLUX_KUSTOMIZATION]
    wanted = {name for document in takers for name in _named(document)}
    wanted -= {document.name for document in listed if document.kind == "ConfigMap"}
    return (_fitting(wanted, config_maps) or _fitting(wanted, _written_around(takers))) if wanted else ()


def _fitting(wanted: Iterable[str], config_maps: Iterable[Document]) -> tuple[Document, ...]:
    """Return the ConfigMaps of names, each under its name."""
    fitting = ((name, each) for each in config_maps for name in sorted(wanted) if fnmatchcase(name, _pattern(each.name)))
    return tuple(
        replace(each, data={**each.data, "metadata": {**each.data["metadata"], "name": name}}) for name, each in fitting
    )


def _pattern(name: str) -> str:
    """Return the names that a name may be once an apply knows it; none for one of which nothing is known."""
    return escape(name).replace(MARK, "*") if name.replace(MARK, "").strip("-_.") else ""


def _written_around(takers: Sequence[Document]) -> tuple[Document, ...]:
    """Return the ConfigMaps that configurations in the checkout of objects write. Mistakes there are not those of the input."""
    place = next((d.place.source for d in takers if os.path.exists(d.place.source)), "")
    checkout = Checkout.around(place) if place and is_installed() else None
    if checkout is None:
        return ()
    files = [path for path in files_below(os.path.relpath(checkout.root), recursive=True) if path.endswith(CONFIGURATIONS)]
    folders = {os.path.dirname(path) for path in files if _WRITES.search(searchable(path))}
    configuration = Configuration(Problems(), Notes(), frozenset())
    configuration.documents([path for path in files if os.path.dirname(path) in folders])
    return tuple(configuration.config_maps)


def _named(document: Document) -> set[str]:
    """Return the names of the ConfigMaps from which a Kustomization takes variables."""
    spec: Any = document.data.get("spec")
    build: Any = spec.get("postBuild") if isinstance(spec, dict) else None
    sources: Any = build.get("substituteFrom") if isinstance(build, dict) else None
    references = [each for each in sources if isinstance(each, dict)] if isinstance(sources, list) else []
    return {str(each.get("name")) for each in references if each.get("kind") == "ConfigMap"}
