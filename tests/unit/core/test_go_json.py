"""JSON as Go's encoder writes it."""

from __future__ import annotations

import json

import pytest

from cutlist.core.go_json import go_json


@pytest.mark.parametrize("character", "<>&\u2028\u2029")
def test_what_is_escaped_reads_back_as_the_same_text(character):
    text = go_json({"é": character})
    assert text == f'{{"é":"\\u{ord(character):04x}"}}'
    assert json.loads(text) == {"é": character}


def test_the_keys_of_a_map_are_sorted_and_those_of_a_struct_are_not():
    value = {"b": [], "a": None}
    assert go_json(value) == '{"a":null,"b":[]}'
    assert go_json(value, indent=2, sort_keys=False) == '{\n  "b": [],\n  "a": null\n}'
