"""The result of a check of manifests as a page: every mistake, what edits replace, what is odd."""

from __future__ import annotations

from itertools import groupby

from cutlist.core.notes import Note
from cutlist.disruption.drifted_nodes import in_words
from cutlist.report.html.rendering import render
from cutlist.verbs.validate.answer import Validation, listed_kinds
from cutlist.verbs.validate.columns import EDITS, MISTAKES
from cutlist.verbs.validate.warnings import elsewhere_text


def validate_html(checked: Validation) -> str:
    """Return the result as one page."""
    elsewhere = (Note("missing-class", elsewhere_text(missing)) for missing in checked.missing_classes)
    drifted = groupby(checked.drifted, key=lambda node: node.node_pool)
    return render(
        "validate/page.html.j2",
        checked=checked,
        kinds=listed_kinds(checked.kinds),
        passed_over=listed_kinds(checked.passed_over),
        mistake_columns=MISTAKES,
        edit_columns=EDITS,
        edits=[(edit, member) for edit in checked.edits for member in edit.members],
        drifted=[in_words(pool, list(nodes)) for pool, nodes in drifted],
        warnings=[*checked.warnings, *elsewhere],
    )
