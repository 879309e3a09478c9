"""Texts that get other values: what is different changes, all else stays byte for byte."""

from __future__ import annotations

import json

import pytest

from cutlist.documents.parsing import parse_values
from cutlist.documents.text.rewriting import Moves, rewrite
from cutlist.documents.text.writing import Style, block_lines

PLAIN = """\
# about it all
kind: Pool   # which kind
spec:
    # how long
    life: 240h # ten days
    size: "1"
    list:
    - a   # first
    -   b
    nested: {x: 1,   xs: [2]}
"""


def values(text):
    return parse_values(text, "f.yaml")


def rewritten(text, *new, **options):
    made = rewrite(text, [(one,) if isinstance(one, dict) else one for one in new], **options)
    return made.text


def changed(text, change):
    (value,) = values(text)
    change(value)
    made = rewrite(text, [(value,)])
    assert values(made.text) == (value,)
    return made


def test_a_word_changes_in_its_place():
    """Quotes and comments of its line stay."""
    made = changed(PLAIN, lambda v: v["spec"].update(size="2", life="1h"))
    assert made.text == PLAIN.replace('"1"', '"2"').replace("240h", "1h")


def test_a_member_goes_with_its_comment():
    """The comment right above it is about it."""
    made = changed(PLAIN, lambda v: v["spec"].pop("life"))
    assert made.text == PLAIN.replace("    # how long\n    life: 240h # ten days\n", "")


def test_comments_at_the_top_are_about_the_document():
    """They stay when the first member goes."""
    made = changed(PLAIN, lambda v: v.pop("kind"))
    assert made.text == PLAIN.replace("kind: Pool   # which kind\n", "")


def test_a_new_member_stands_where_the_order_says():
    """Behind the one that it follows, laid out as the file is."""

    def add(value):
        value["spec"] = {"size": "1", "new": {"deep": ["x"]}, **value["spec"]}

    made = changed(PLAIN, add)
    assert '    size: "1"\n    new:\n        deep:\n        - x\n    list:\n' in made.text


def test_a_member_that_moves_takes_its_comments_along():
    """The lines come up in the other place, indented for it."""
    made = changed(PLAIN, lambda v: v.update(life=v["spec"].pop("life")))
    assert made.text.endswith("    nested: {x: 1,   xs: [2]}\n# how long\nlife: 240h # ten days\n")


def test_a_list_that_moves_and_grows_keeps_its_lines():
    """What is new comes after what was there."""
    made = changed(PLAIN, lambda v: v.update(list=[*v["spec"].pop("list"), "c"]))
    assert made.text.endswith("list:\n- a   # first\n-   b\n- c\n")


def test_an_heir_takes_the_place_and_the_comment():
    """A key that another one follows leaves its line to it."""
    (value,) = values(PLAIN)
    value["spec"] = {("age" if k == "life" else k): (["x"] if k == "life" else v) for k, v in value["spec"].items()}
    made = rewritten(PLAIN, value, successors={"life": "age"})
    assert made == PLAIN.replace("life: 240h # ten days", "age: # ten days\n    - x")


def test_flow_style_stays_flow_style():
    """A mapping in braces is written in braces."""
    made = changed(PLAIN, lambda v: v["spec"]["nested"].update(more="a b"))
    assert made.text == PLAIN.replace("{x: 1,   xs: [2]}", '{x: 1, xs: [2], more: "a b"}')


@pytest.mark.parametrize("old", ["a:\nb: 1\n", "a: |\n  x\n\n  y\n\nb: 1\n", "a: >-\n  x\nb: 1\n", "a:\n  - 1\nb: 1\n"])
def test_any_value_can_become_another(old):
    """Nothing, texts in blocks and lists are replaced as a whole."""
    for new in ("word", {"c": [1]}, [{"d": "e"}], "two\nlines\n"):
        made = changed(old, lambda v, new=new: v.update(a=new))
        assert made.renewed == ()
        assert made.text.endswith("b: 1\n")


def test_an_alias_becomes_a_value_of_its_own():
    """What it stood for stays with the anchor."""
    text = "a: &x\n  b: 1\nc: *x # same\n"
    made = changed(text, lambda v: v.update(c={"b": 2}))
    assert made.text == "a: &x\n  b: 1\nc: # same\n  b: 2\n"


def test_what_is_anchored_elsewhere_is_written_anew():
    """A change under an anchor would change the alias, too; the document is right anyway, and its number is reported."""
    text = "---\n# head\na: &x\n  b: 1\nc: *x\n"
    made = changed(text, lambda v: v.update(a={"b": 2}))
    assert (made.text, made.renewed) == ("---\na:\n  b: 2\nc:\n  b: 1\n", (1,))


def test_merged_members_stay_merged():
    """What changes beside << is written beside it, and wins over what is merged."""
    text = "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  e: 3\n"
    made = changed(text, lambda v: v["d"].update(e=4, b=9))
    assert (made.text, made.renewed) == (text.replace("3", "4") + "  b: 9\n", ())
    assert changed(text, lambda v: v["d"].pop("b")).renewed == (1,)


def test_documents_stay_go_and_come():
    """Each document of a text is taken by itself."""
    text = "# one\na: 1\n---\n# two\na: 2\n---\na: 3"
    assert rewritten(text, None, (), None) == "# one\na: 1\n---\na: 3"
    assert rewritten(text, ({"a": 1}, {"a": 9}), None, ()) == "# one\na: 1\n---\n# one\na: 9\n---\n# two\na: 2\n"
    assert rewritten(text, (), (), ()) == ""


COMMENTED = """\
# licence

# the only pool
kind: Pool # which kind
spec:
  # how long
  life: 240h # ten "days"
  text: "# no comment" # a comment
  block: |
    # no comment either
  list: [a, # first
    b]
# the end
"""


def test_a_new_document_has_the_layout_but_no_comment_of_the_one_that_it_follows():
    """A comment is about what it was written for."""
    (first,) = values(COMMENTED)
    second = json.loads(json.dumps(first).replace("240h", "1h"))
    bare = """\
kind: Pool
spec:
  life: 1h
  text: "# no comment"
  block: |
    # no comment either
  list: [a,
    b]
"""
    for before, new in (("", (first,)), ("---\n", None)):
        text = before + COMMENTED
        assert rewritten(text, new, followers={0: [second]}) == f"{text}---\n{bare}"
    assert rewritten("a: 1", None, followers={0: [{"a": 2}, {"b": {"c": 3}}]}) == "a: 1\n---\na: 2\n---\nb:\n  c: 3\n"
    listed = {"apiVersion": "v1", "kind": "List", "items": [{"a": 1}, {"a": 2}]}
    assert json.loads(rewritten('{"a": 1}', None, followers={0: [{"a": 2}]})) == listed


def test_windows_line_ends_stay():
    """New lines end as the others do."""
    made = changed("a:\r\n  b: 1 # x\r\n", lambda v: v["a"].update(c=2))
    assert made.text == "a:\r\n  b: 1 # x\r\n  c: 2\r\n"


def test_a_last_line_without_an_end_is_ended():
    """A member behind it has a line of its own."""
    assert changed("a: 1", lambda v: v.update(b=2)).text == "a: 1\nb: 2\n"


def test_letters_of_all_kinds_do_not_shift_the_places():
    """Places are counted in characters."""
    text = "a: é😀 # ü\nb: 1\nc: 2\n"
    assert changed(text, lambda v: v.update(c=3)).text == "a: é😀 # ü\nb: 1\nc: 3\n"


def test_json_stays_json():
    """With its indentation, or in one line as before."""
    text = json.dumps({"a": {"b": 1}}, indent=3) + "\n"
    assert rewritten(text, {"a": {"b": 2}}) == text.replace("1", "2")
    assert rewritten('{"a": 1}', {"a": 2}) == '{"a": 2}\n'
    assert rewritten(text, None) == text


def test_moves_go_from_file_to_file():
    """A member that leaves one text comes up in another with its comments."""
    one, other = "a: 1\n# why\nb:\n  c: 2 # two\n", "x:\n  y: 1\n"
    new_one, new_other = [({"a": 1},)], [({"x": {"y": 1, "b": {"c": 2}}},)]
    moves = Moves.of([(one, new_one), (other, new_other)])
    assert rewrite(one, new_one, moves).text == "a: 1\n"
    assert rewrite(other, new_other, moves).text == "x:\n  y: 1\n  # why\n  b:\n    c: 2 # two\n"


@pytest.mark.parametrize(
    "value",
    ["", "yes", "No", "1e3", "010", "0x1f", "~", "null", ".inf", "a: b", "a #b", "- a", "*a", "&a", "!a", "%a", "@a", "`a", "|",
     "x ", " x", "a\tb", "a\nb", "\n", "a\n\n", " a\nb", "é", "\x1b[0m", "\u2028", "'", '"', "2025-01-01", "1_000", "1:30",
     "https://x.y/z", "a,b", "[a", "{a", "-", "--- x", "?", "=", "<<", True, None, 0,
     -1, 2.5, [], {}, ["", []], {"": {"a": []}}],
)  # fmt: skip
def test_what_is_written_is_read_back(value):
    """Whatever a value holds, its text says the same."""
    text = "\n".join(block_lines({"k": value, "l": [value, {"m": value}]}, Style()))
    assert values(text) == ({"k": value, "l": [value, {"m": value}]},)


@pytest.mark.parametrize("text", ["##vso[a]", "x ##[error]y", "#!/bin/sh\n::error::x\n", "a: b\n##[group]c\n"])
def test_no_line_that_is_written_is_a_command_of_a_build_server(text: str):
    """Manifests are printed in the logs of builds as well."""
    lines = [*block_lines({"k": text, text: [text]}, Style())]
    assert not any("##[" in line or "##vso[" in line or line.lstrip().startswith("::") for line in lines)
    assert parse_values("\n".join(lines), "a.yaml") == ({"k": text, text: [text]},)
