"""Edits in words: what is edited, with its values before and after."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cutlist.core.errors import Place
from cutlist.planning.model.changes import Bought, Change, NodeChange
from cutlist.verbs.diff.edit_words import edit_sentence
from cutlist.verbs.diff.objects import ChangedField, ObjectChange
from cutlist.verbs.diff.words import choice_change


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


def test_zones_of_two_regions_are_no_change_of_the_choice():
    """Those of one region are."""
    here, there = Bought(1, 0.1, zones=("us-west-2a",)), Bought(1, 0.1, zones=("us-west-2b",))
    elsewhere = replace(there, zones=("eu-west-1a",))
    texts = [choice_change(NodeChange("general", "m5.large", "spot", here, after), "us-west-2") for after in (there, elsewhere)]
    assert texts == ["zones a -> b", ""]
