"""Patch what a chart renders, as the post-renderers of a HelmRelease do."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.delivery.flux.overlay import over
from cutlist.documents.document import Document
from cutlist.documents.folders import KUSTOMIZATION_NAMES, Reading
from cutlist.documents.kustomize.kustomization import NEW, UNRESTRICTED, Kustomization
from cutlist.documents.kustomize.program import render_by_program
from cutlist.documents.members import Manifest, mapping
from cutlist.documents.text.go_yaml import to_yaml

_FILE: Final = "all.yaml"
_DEFINITIONS: Final = f"{os.sep}crds{os.sep}"
_HOOK: Final = "helm.sh/hook"


def post_rendered(
    renderers: Sequence[Manifest],
    strategy: str,
    reading: Reading,
    place: Place,
    documents: Sequence[Document],
    problems: Problems,
) -> Sequence[Document]:
    """Return the objects of a chart as its post-renderers leave them, one after the other; those of `crds` stay as they are.

    Hooks are patched together with the others, on their own, or not at all, as the strategy says.
    """  # GO-27
    definitions = [d for d in documents if _DEFINITIONS in d.place.source]
    others = [d for d in documents if _DEFINITIONS not in d.place.source]
    hooks, plain = [d for d in others if _is_hook(d)], [d for d in others if not _is_hook(d)]
    groups = {"nohooks": [plain], "separate": [plain, hooks]}.get(strategy, [others])
    kept = [*definitions, *(hooks if strategy == "nohooks" else [])]
    for group in groups:
        for renderer in renderers:
            group = _rendered(group, renderer, reading, place, problems)
        kept += group
    return kept


def _rendered(
    documents: list[Document], renderer: Manifest, reading: Reading, place: Place, problems: Problems
) -> list[Document]:
    if not documents:
        return []
    with tempfile.TemporaryDirectory(prefix="cutlist-post-render-") as folder:
        # Images change nothing that a plan depends on.
        data = over({key: value for key, value in renderer.items() if key != "images"}, {**NEW, "resources": [_FILE]}, folder)
        files = {KUSTOMIZATION_NAMES[0]: json.dumps(data), _FILE: "---\n".join(to_yaml(d.data) for d in documents)}
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        own, rendered = Problems(), tuple[Document, ...]()
        kustomization = Kustomization.of_file(os.path.join(folder, KUSTOMIZATION_NAMES[0]), own)
        if kustomization is not None:
            rendered = render_by_program(kustomization, own, remote=reading.remote, options=UNRESTRICTED)
    problems.extend(replace(problem, place=place, message=f"its post-renderers: {problem.message}") for problem in own.found)
    return list(_placed(rendered, documents))


def _placed(rendered: Iterable[Document], documents: Iterable[Document]) -> Iterable[Document]:
    """Yield objects with the places that they had before, where they kept kind and name."""
    # What comes back from kustomize has the places of a temporary file.
    places = {(d.kind, d.name): d.place for d in documents}
    fallback = next(iter(places.values()))
    for document in rendered:
        yield replace(document, place=places.get((document.kind, document.name), fallback), lines={})


def _is_hook(document: Document) -> bool:
    return _HOOK in mapping(mapping(document.data.get("metadata")).get("annotations"))
