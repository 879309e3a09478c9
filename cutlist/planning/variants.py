"""The inputs of a plan made again from objects in memory, or with other settings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack, cast

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.document import Document
from cutlist.planning.document_inputs import inputs_of
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.planning import SCHEDULER_CONFIG, PlanSettings


def variant(inputs: PlanInputs, documents: Iterable[Document], **settings: Unpack[PlanSettings]) -> PlanInputs:
    """Return the inputs of a plan of other objects, with the same catalogue, figures, default spread and settings but these.

    Nothing is read or fetched again. Raises InputError where the objects have mistakes.
    """
    config = SCHEDULER_CONFIG.name
    chosen = cast("PlanSettings", {**inputs.settings, "replicas": inputs.replicas, **settings, config: None})
    problems = Problems(allow_empty=True)
    made = inputs_of(documents, chosen, problems, Notes(), inputs.source, inputs.known, catalog=inputs.catalog)
    return replace(
        made,
        options=replace(made.options, default_spread=inputs.options.default_spread),
        settings=cast("PlanSettings", {**made.settings, config: inputs.settings.get(config)}),
    )
