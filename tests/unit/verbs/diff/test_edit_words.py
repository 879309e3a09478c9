"""Edits in words: what is edited, with its values before and after."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.errors import Place
from cutlist.planning.model.changes import Change
from cutlist.verbs.diff.edit_words import edit_sentence
from cutlist.verbs.diff.objects import ChangedField, ObjectChange


def sentence(path: str, before: Any, after: Any) -> str:
    """Return the sentence of an edit of one field of a Deployment."""
    return edit_sentence(
        ObjectChange("Deployment", "shop", "web", Change.CHANGED, Place(), (ChangedField(path, before, after),))
    )


@pytest.mark.parametrize(
    ("path", "before", "after", "words"),
    [
        ("spec.replicas", 6, 12, "replicas 6 to 12"),
        ("spec.template.metadata.labels['example.com/team']", "a", "", 'metadata.labels.example.com/team a to ""'),
        ("spec.paused", None, True, "paused true added"),
        ("requirements[arch]", {"operator": "In", "values": ["arm64"]}, None, "requirement arch In arm64 removed"),
        ("requirements[arch]", None, {"operator": "Exists"}, "requirement arch Exists added"),
        ("spec.args", ["a", "b"], ["c"], "args a, b to c"),
        ("spec.flags", [True], [False], "flags true to false"),
        ("spec.text", "a" * 81, "b", f"text {'a' * 80}... to b"),
    ],
)
def test_a_field_is_named_with_both_values(path: str, before: Any, after: Any, words: str):
    """An empty text is written as one, so that no sentence ends in the middle."""
    assert sentence(path, before, after) == f"shop/deployment/web: {words}"
