"""The spellings that user data needs: YAML, TOML, quoted texts and durations."""

from __future__ import annotations

import tomllib
from datetime import date, datetime, time, timedelta, timezone
from functools import cmp_to_key

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.api.durations import in_go
from cutlist.core.errors import Problems
from cutlist.documents.text.yaml import parse as parse_yaml
from cutlist.providers.aws.userdata.go_text import quoted
from cutlist.providers.aws.userdata.toml_text import Fields, write_toml
from cutlist.providers.aws.userdata.yaml_text import holds_mapping, natural_order, reads_as_text, write_yaml

TEXTS = st.text(st.characters(exclude_categories=("Cs",)))
PRINTABLE = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=20)


# A key `<<` is left out: Karpenter's library writes it plain, and whoever reads that merges what stands under it.
KEYS = PRINTABLE.filter(lambda text: text != "<<")


@given(st.dictionaries(KEYS, st.one_of(PRINTABLE, st.integers(), st.booleans(), st.lists(PRINTABLE)), max_size=5))
def test_yaml_is_read_back(value):
    """Reading YAML undoes writing it: every text that would be something else is quoted."""
    # Not PyYAML's own loader: it knows no constructor for a bare =, which is plain text to everybody else.
    (read,) = parse_yaml(write_yaml(value), "node-config.yaml", Problems())
    assert read.value == value


@pytest.mark.parametrize(
    "text", ["", "yes", "N", "null", "~", "1", "08", "0x1f", "1_000", "1e3", ".5", "1:30", "2001-01-01", ".inf"]
)
def test_texts_that_would_be_read_as_something_else_are_quoted(text):
    """Booleans, numbers, dates and nothing, as old YAML knows them."""
    assert not reads_as_text(text)
    assert write_yaml([text]) == f'- "{text}"\n'


@pytest.mark.parametrize("text", ["5%", "100m", "1Gi", "<<", "tRue", "1e999", "2001-13-01", "-a"])
def test_other_texts_stay_plain(text):
    """Quotes only where they are needed."""
    assert write_yaml([text]) == f"- {text}\n"


def test_a_merge_key_is_written_plain():
    """As sigs.k8s.io/yaml writes it, though nobody gets it back from there."""
    assert write_yaml({"<<": {"a": 1}}) == "<<:\n  a: 1\n"


def test_yaml_keys_are_in_natural_order():
    """Numbers count by their amount, capital letters come first, letters after other signs."""
    keys = ["a10", "a9", "b", "A", "a-b", "ab", "1"]
    assert sorted(keys, key=cmp_to_key(natural_order)) == ["1", "A", "a-b", "a9", "a10", "ab", "b"]


def test_long_lines_of_yaml_break_at_spaces_alone():
    """Words go to the next line after 80 columns; a list of labels, which has no spaces, stays whole."""
    assert write_yaml({"a": "word " * 50 + "end"}).count("\n") == 4
    assert write_yaml(["--node-labels=" + "a=b," * 50]).count("\n") == 1


@pytest.mark.parametrize("text", ["a: b\n", "# only a comment\n", "---\na: 1\n---\n- second\n", "null\n", "~", "a: !Ref b\n"])
def test_a_mapping_is_found(text):
    """A mapping, or nothing at all, in the first document."""
    assert holds_mapping(text)


@pytest.mark.parametrize("text", ["words\n", "- a\n", "a: b: c\n", "a: .nan\n", "<<: 1\n", "*nowhere\n", "\x00"])
def test_no_mapping_is_found(text):
    """Other values, and what is not a YAML."""
    assert not holds_mapping(text)


VALUES = st.recursive(
    st.one_of(TEXTS, st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_toml_is_read_back(document):
    """Reading TOML undoes writing it."""
    assert tomllib.loads(write_toml(document)) == document


def test_toml_prefers_literal_strings_and_writes_every_header():
    """Texts stand in single quotes where they can; a table that holds only tables has its header, too."""
    assert write_toml({"a": {"b": {"c": "it is", "d": "it's"}}}) == "[a]\n[a.b]\nc = 'it is'\nd = \"it's\"\n"


def test_tables_by_key_and_fields_in_their_order():
    """A mapping is sorted, `Fields` are not; tables come after the other entries, after an empty line."""
    assert write_toml({"b": 1, "a": 2}) == "a = 2\nb = 1\n"
    assert write_toml(Fields(t={"x": 1}, b=1, a=[{"y": 1}, {"y": 2}])) == (
        "b = 1\n\n[t]\nx = 1\n\n[[a]]\ny = 1\n\n[[a]]\ny = 2\n"
    )


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (date(2024, 5, 1), "2024-05-01"),
        (time(7, 32, 0, 120000), "07:32:00.12"),
        (datetime(2024, 5, 1, 7, 32, tzinfo=timezone.utc), "2024-05-01T07:32:00Z"),  # noqa: UP017
        (datetime(2024, 5, 1, 7, 32, 0, 500000, tzinfo=timezone(timedelta(hours=-7))), "2024-05-01T07:32:00.5-07:00"),
    ],
)
def test_toml_dates(moment, text):
    """Dates and times without needless zeros."""
    assert write_toml({"a": moment}) == f"a = {text}\n"


@pytest.mark.parametrize(
    ("given_text", "canonical"),
    [
        ("90s", "1m30s"),
        ("1h", "1h0m0s"),
        ("1m30s", "1m30s"),
        ("0.5s", "500ms"),
        ("1.5h", "1h30m0s"),
        ("0", "0s"),
        ("100us", "100µs"),
        ("1.25s", "1.25s"),
        ("-90s", "-1m30s"),
    ],
)
def test_durations_are_spelled_canonically(given_text, canonical):
    """As the kubelet writes them."""
    assert in_go(given_text) == canonical


def test_quoted_texts():
    """Quotes, backslashes and what does not print are escaped."""
    assert quoted('a"b\\c\nü\x01\u200b') == '"a\\"b\\\\c\\nü\\x01\\u200b"'
