"""The inputs of a plan made again from objects in memory: some of them changed, or with other settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Unpack, cast

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents import Document
from cutlist.planning.document_inputs import inputs_of
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.planning import PlanSettings


def variant(inputs: PlanInputs, documents: Iterable[Document], **settings: Unpack[PlanSettings]) -> PlanInputs:
    """Return the inputs of a plan of other objects, with the same catalogue, figures and settings but these.

    Nothing is read or fetched again. Raises InputError where the objects have mistakes.
    """
    chosen = cast("PlanSettings", {**inputs.settings, "replicas": inputs.replicas, **settings})
    problems = Problems(allow_empty=True)
    return inputs_of(documents, chosen, problems, Notes(), inputs.source, inputs.known, catalog=inputs.catalog)


Spec = Mapping[str, Any]


def with_node_pools(inputs: PlanInputs, change: Callable[[str, Spec], Spec]) -> tuple[Document, ...]:
    """Return the objects with NodePools of other specs: `change` makes the spec of each from its name and its own."""

    def changed(document: Document) -> Document:
        spec = document.data.get("spec")
        if document.kind != "NodePool" or not isinstance(spec, dict):
            return document
        return replace(document, data={**document.data, "spec": dict(change(document.name, spec))})

    return tuple(map(changed, inputs.documents))
