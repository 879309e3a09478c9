"""Files, folders and standard input become documents that know their lines; what cannot be read is said, never raised."""

from __future__ import annotations

import gzip
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import InputError, Problems
from cutlist.core.notes import Notes
from cutlist.documents import files
from cutlist.documents.account.placeholders import without_placeholders
from cutlist.documents.collecting import collect_documents, read_documents
from cutlist.documents.document import Document
from cutlist.documents.files import MAX_BYTES, sources
from cutlist.documents.folders import Reading
from cutlist.documents.parsing import parse_documents
from cutlist.documents.text import json as json_text
from cutlist.documents.text import yaml as yaml_text
from tests.quoted_yaml import quoted

POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n"


def parse(text: str, source: str = "x.yaml") -> tuple[Document, ...]:
    problems = Problems()
    documents = parse_documents(text, source, problems)
    problems.raise_if_any()
    return documents


def value(text: str) -> object:
    """What one unquoted word means."""
    return parse(f"{POD}value: {text}\n")[0].data["value"]


def refusal(text: str, source: str = "x.yaml") -> str:
    """The one thing that is wrong with a text."""
    with pytest.raises(InputError) as error:
        parse(text, source)
    assert len(error.value.problems) == 1
    return str(error.value)


def test_a_document_knows_the_line_of_every_path() -> None:
    """Paths are spelled as the API server spells them."""
    document = parse(f"# comment\n{POD}spec:\n  containers:\n  - name: a\n    image: b\n")[0]
    assert document.lines["metadata.name"] == 5
    assert document.lines["spec.containers[0]"] == 8
    assert document.lines["spec.containers[0].image"] == 9
    assert str(document.at("spec.containers[0].image")) == "x.yaml:9 spec.containers[0].image"


def test_a_missing_path_is_placed_at_what_is_around_it() -> None:
    """A field that is missing is looked for where it would stand."""
    document = parse(f"{POD}spec:\n  containers:\n  - name: a\n")[0]
    assert document.at("spec.containers[0].resources.requests").line == 7
    assert document.at("status.phase").line == 1


def test_keys_with_dots_have_lines() -> None:
    """A label's key is a part of the path as it is."""
    document = parse(f"{POD}  labels:\n    example.com/team: a\n")[0]
    assert document.at("metadata.labels.example.com/team").line == 6


def test_several_documents_are_numbered() -> None:
    """Empty documents count, and are passed over."""
    first, second = parse(f"---\n{POD}---\n---\n# nothing\n---\n{POD}")
    assert (first.place.document, second.place.document) == (1, 4)
    assert "(document 4)" in str(second.at("kind"))
    assert second.at("kind").line == 11


def test_lists_are_taken_apart() -> None:
    """Items of a List are documents of their own, with lines of the file."""
    item = POD.rstrip().replace("\n", "\n  ")
    text = f"apiVersion: v1\nkind: List\nitems:\n- {item}\n- {{apiVersion: v1, kind: Node}}\n"
    pod, node = parse(text)
    assert (pod.kind, node.kind) == ("Pod", "Node")
    assert pod.at("metadata.name").line == 7
    assert node.at("metadata").line == 8


def test_items_of_a_typed_list_have_its_kind() -> None:
    """The API leaves kind and version of such items out."""
    assert parse("apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: {name: a}\n")[0].kind == "Deployment"


@pytest.mark.parametrize(
    "word", ["yes", "no", "on", "off", "y", "n", "2024-01-01", "1:30", "1.2.3", "0x", "a b", ".inf", "1e999"]
)
def test_words_stay_text(word: str) -> None:
    """Country codes, switches, dates and versions are not turned into something else."""
    assert value(word) == word


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("", None),
        ("null", None),
        ("010", 8),
        ("0o10", 8),
        ("0x1F", 31),
        ("0b11", 3),
        ("-5", -5),
        ("+5", 5),
        ("1_000", 1000),
        ("08", 8),
        ("5.0", 5),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000),
        ("'5'", "5"),
        ('"true"', "true"),
        ("!!str 5", "5"),
        ("!!int '5'", 5),
    ],
)
def test_numbers_and_booleans_are_read_as_kubectl_reads_them(text: str, meant: object) -> None:
    """Octal, underscores and whole floats included."""
    assert value(text) == meant
    assert type(value(text)) is type(meant)


def test_anchors_and_merge_keys() -> None:
    """What is written beside a merge key wins over what is merged."""
    document = parse(f"{POD}base: &b {{a: 1, b: 2}}\nmade: {{<<: *b, b: 3}}\nmany: {{<<: [*b, {{c: 4}}]}}\n")[0]
    assert document.data["made"] == {"a": 1, "b": 3}
    assert document.data["many"] == {"a": 1, "b": 2, "c": 4}


def test_keys_are_text() -> None:
    """As in JSON: numbers and booleans as keys become text."""
    assert parse(f"{POD}m: {{1: a, true: b}}\n")[0].data["m"] == {"1": "a", "true": "b"}


def test_a_key_written_twice_is_refused_with_both_lines() -> None:
    """The later one would silently win otherwise."""
    assert refusal(f"{POD}kind: Job\n") == "x.yaml:5 kind: the key 'kind' is written twice, first in line 2"


def test_the_same_goes_for_json() -> None:
    """JSON is no excuse."""
    assert "'kind' is written twice, first in line 1" in refusal(
        '{"apiVersion": "v1", "kind": "Pod",\n"kind": "Job"}', "x.json"
    )


def test_json_knows_its_lines() -> None:
    """Lines of JSON are found when they are asked for."""
    document = parse('{"apiVersion": "v1",\n "kind": "Pod",\n "metadata": {\n  "name": "a"}}', "x.json")[0]
    assert document.at("metadata.name").line == 4
    assert set(document.lines) == {"", "apiVersion", "kind", "metadata", "metadata.name"}


def test_json_is_read_once_where_no_message_needs_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Finding the line of each member takes longer than everything else about a large file."""
    monkeypatch.setattr("cutlist.documents.text.yaml.parse", None)
    (document,) = parse('\n\n {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}', "x.json")
    assert str(document.place) == "x.json:3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: b: c\n", "x.yaml:1: is not YAML at column 5"),
        ("a: 'b", "is not YAML at column"),
        ("---\n...\nb: 2\n", "x.yaml:3: is not YAML at column 1: did not find expected <document start>; after a line `...`"),
        ("a:\n\t- b\n", "x.yaml:2: is not YAML"),
        ("a: \x07\n", "U+0007 is not allowed"),
        ("- a\n", "is not a Kubernetes object but a list"),
        ("true\n", "is not a Kubernetes object but true"),
        ("kind: List\napiVersion: v1\nitems: [null]\n", "is not a Kubernetes object but null"),
        ("just words\n", "is not a Kubernetes object but the text 'just words'"),
        ("a: 1\n", "it has no apiVersion and no kind"),
        (f"{POD}a: *b\n", "the alias *b refers to an anchor that is not defined before it"),
        (f"{POD}a: &b [*b]\n", "x.yaml:5 a[0]: the alias *b is inside the value that it refers to"),
        (f"{POD}a: !Ref b\n", "x.yaml:5 a: the tag !Ref on 'b' is not understood"),
        (f"{POD}a: !!int b\n", "the tag !!int on 'b' is not understood"),
        (f"{POD}a: {{{{ .Values.image }}}}\n", "render it first (helm template, kustomize build)"),
        (f"{POD}? [a, b]\n: c\n", "a key must be a single word"),
        (f"# café\n{POD}a:\n\tb: c\n", "x.yaml:7: is not YAML at column 1: while"),
        (f"# café\n{POD}a:\n\tb: c\n", "; this is a tab, and YAML indents only with spaces"),
        (f"{POD}a: %b\n", "; text that begins with % must be in quotes"),
        (f"{POD}~: c\n", "a key must be text, and this one is empty"),
        (f"{POD}a: {{<<: 5}}\n", "only mappings can be merged with <<"),
        ("a: " + "[" * 100_000, "is nested more than 200 levels deep"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, said: str) -> None:
    """One message, with the line, and no traceback."""
    assert said in refusal(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1,}', "x.json:1: is not JSON at column"),
        ('{"a": "\\uD800"}', "x.json: is not JSON that can be used: U+D800 is not a character"),
        ('{"a":\n NaN}', "NaN is not a number"),
        ("[" * 100_000, "is nested more than 200 levels deep"),
        ('{"a": ' * 201 + "1" + "}" * 201, "is nested more than 200 levels deep"),
        ("", "is not JSON at column 1"),
    ],
)
def test_what_is_not_json_is_said(text: str, said: str) -> None:
    """A file called .json is read as JSON."""
    assert said in refusal(text, "x.json")


@pytest.mark.parametrize("name", ["x.json", "x.yaml"])
def test_json_may_be_as_deep_as_yaml(name: str) -> None:
    """The same text has the same bound, whichever way it is read."""
    pod = '{"apiVersion": "v1", "kind": "Pod", "a": %s1%s}'
    assert parse(pod % ("[" * 199, "]" * 199), name)
    assert "is nested more than 200 levels deep" in refusal(pod % ("[" * 200, "]" * 200), name)
    several = f'{{"apiVersion": "v1", "kind": "List", "items": [{pod % ("", "")}, {pod}]}}'
    assert len(parse(several % ("[" * 197, "]" * 197), name)) == 2
    assert "is nested more than 200 levels deep" in refusal(several % ("[" * 198, "]" * 198), name)


def test_aliases_cannot_grow_without_bound() -> None:
    """A small file that stands for a billion values is refused at once."""
    bomb = f"{POD}a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10))
    assert "its aliases stand for more than 500000 values" in refusal(bomb)


def test_a_mistake_in_one_document_leaves_the_others() -> None:
    """All documents are looked at, whatever is wrong with the first."""
    problems = Problems()
    documents = parse_documents(f"a: 1\na: 2\n---\n{POD}---\nb: 1\nb: 2\n", "x.yaml", problems)
    assert [d.kind for d in documents] == ["Pod"]
    assert [p.place.line for p in problems.found] == [2, 10]


def test_a_folder_stands_for_its_manifests(tmp_path: Path) -> None:
    """In alphabetical order, other files passed over; subfolders only when that is wanted, as with kubectl."""
    (tmp_path / "b").mkdir()
    for name in ("b/z.yml", "a.yaml", "c.json", "notes.txt"):
        (tmp_path / name).write_text(json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}}))
    assert [d.name for d in read_documents([tmp_path])] == ["a.yaml", "c.json"]
    assert [d.name for d in read_documents([tmp_path], reading=Reading(recursive=True))] == ["a.yaml", "b/z.yml", "c.json"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    """By itself and by its folder."""
    (tmp_path / "a.yaml").write_text(POD)
    assert len(read_documents([tmp_path / "a.yaml", tmp_path])) == 1


def test_standard_input_that_is_named_twice_is_read_once() -> None:
    """It counts as one input, and messages name it once."""
    assert len(read_documents(["-", "-"], stdin=POD)) == 1
    assert sources(["-", "a.yaml", "-"]) == "<stdin>, a.yaml"


def test_a_folder_that_is_closed_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in it may be what matters, so an answer without it would be wrong."""
    (tmp_path / "a.yaml").write_text(POD)
    (tmp_path / "closed").mkdir()
    listed = os.scandir

    def guarded(path: str) -> Any:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", guarded)
    with pytest.raises(InputError) as caught:
        read_documents([tmp_path], reading=Reading(recursive=True))
    assert str(caught.value) == f"{tmp_path}/closed: cannot be read: permission denied"


def test_standard_input_is_called_by_its_name() -> None:
    """`-` is what was given as standard input."""
    assert str(read_documents(["-"], stdin=POD)[0].at("kind")) == "<stdin>:2 kind"
    assert read_documents(["-"], stdin=POD.encode())[0].kind == "Pod"


def test_all_unreadable_files_are_named_together(tmp_path: Path) -> None:
    """A run reports every one, not the first."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "pools.yaml").write_text(POD)
    (tmp_path / "binary.yaml").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "latin.yaml").write_bytes(b"a: 1\nb: caf\xe9\n")
    (tmp_path / "windows.yaml").write_text(POD, encoding="utf-16")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    problems = Problems()
    names = ("empty", "pool.yaml", "binary.yaml", "latin.yaml", "windows.yaml", "loop.yaml", "pools.yaml")
    documents = collect_documents([*(tmp_path / name for name in names), "", "-"], problems)
    said = [str(p).removeprefix(f"{tmp_path}/") for p in problems.found]
    assert said == [
        "empty: the folder holds no manifests; allowed: files that end in .yaml, .yml or .json",
        "'': is neither a file nor a folder: the name is empty",
        "pool.yaml: cannot be read: no such file or directory; did you mean pools.yaml?",
        "binary.yaml: is a binary file, not YAML or JSON text",
        "latin.yaml:2: is not text in UTF-8: byte 0xe9",
        "windows.yaml: is text in UTF-16, as PowerShell writes it; allowed: text in UTF-8",
        "loop.yaml: cannot be read: too many levels of symbolic links",
        "<stdin>: nothing was given on standard input",
    ]
    assert len(documents) == 1


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    """Time and memory stay bounded."""
    with open(tmp_path / "huge.yaml", "wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError, match="is larger than 128 MiB"):
        read_documents([tmp_path / "huge.yaml"])


def test_a_byte_order_mark_is_no_obstacle() -> None:
    """Editors on Windows write one."""
    assert read_documents(["-"], stdin=b"\xef\xbb\xbf" + POD.replace("\n", "\r\n").encode())[0].name == "a"


words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_what_a_yaml_writer_writes_is_read_back(data: object) -> None:
    """Block and flow style, and JSON, all give the value."""
    wrapped = {"apiVersion": "v1", "kind": "Pod", "data": data}
    for text in (quoted(wrapped), quoted(wrapped, default_flow_style=True), json.dumps(wrapped)):
        assert parse(text)[0].data == wrapped


@given(values)
def test_every_value_has_a_line(data: object) -> None:
    """No path of a document is without one."""
    document = parse(yaml.safe_dump({"apiVersion": "v1", "kind": "Pod", "data": data}))[0]
    paths = []

    def walk(here: object, path: str) -> None:
        paths.append(path)
        if isinstance(here, dict):
            for key, member in here.items():
                walk(member, f"{path}.{key}" if key else path)
        elif isinstance(here, list):
            for index, member in enumerate(here):
                walk(member, f"{path}[{index}]")

    walk(document.data["data"], "data")
    assert all(document.lines.get(path) for path in paths)


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_input_error(raw: bytes) -> None:
    """Whatever a file holds, the answer is documents or problems."""
    problems = Problems()
    found = collect_documents(["-"], problems, stdin=raw)
    assert all(isinstance(document.data, dict) for document in found)
    assert all(str(problem).startswith("<stdin>") for problem in problems.found)


@given(st.text(alphabet="{}[]:,-&*!|>'\"#%@ \n\tab0<?~", max_size=60))
def test_no_text_raises_anything_but_input_error(text: str) -> None:
    """The same for text that is nearly YAML."""
    problems = Problems()
    found = parse_documents(text, "x.yaml", problems)
    assert all(isinstance(document.data, dict) for document in found)
    assert all(str(problem).startswith("x.yaml") for problem in problems.found)


def test_a_file_has_only_so_many_values(monkeypatch: pytest.MonkeyPatch):
    """Reading more would take longer than anybody waits."""
    monkeypatch.setattr(yaml_text, "MAX_VALUES", 100)
    problems = Problems()
    assert parse_documents("a: [" + "1, " * 100 + "1]\n", "a.yaml", problems) == ()
    assert [str(p) for p in problems.found] == ["a.yaml:1: it has more than 100 values; split it"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [" + "1, " * 100 + "1]\n", "a.yaml:1 a: a list has more than 50 items; split it"),
        ("\n".join(f"a{number}: 1" for number in range(100)), "a.yaml:51: a mapping has more than 50 members"),
        (json.dumps({f"a{number}": 1 for number in range(100)}), "a.yaml:1: a mapping has more than 50 members"),
    ],
)
def test_a_list_and_a_mapping_have_only_so_many(text: str, message: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(yaml_text, "MAX_ITEMS", 50)
    monkeypatch.setattr(yaml_text, "MAX_MEMBERS", 50)
    problems = Problems()
    assert parse_documents(text, "a.yaml", problems) == ()
    assert [str(p) for p in problems.found] == [message]


LISTED = '{"apiVersion": "v1", "kind": "List", "items": [\n%s\n]}'


def _listed(count: int) -> str:
    pods = (f'{{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "p{n}"}}, "spec": {{}}}}' for n in range(count))
    return LISTED % ",\n\n".join(pods)


@pytest.mark.parametrize("space", ["", "\n\n  "])
def test_items_of_a_list_have_their_lines_without_a_second_reading(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines are those that reading the text as YAML gives."""
    text = space + _listed(4)
    (by_yaml,) = yaml_text.parse(text, "list.yaml", Problems())
    lines = [by_yaml.lines[f"items[{number}]"] for number in range(4)]
    assert lines == [2 + space.count("\n") + 2 * number for number in range(4)]
    monkeypatch.setattr(yaml_text, "parse", lambda *_: pytest.fail("read a second time"))
    assert [document.place.line for document in parse_documents(text, "list.json", Problems())] == lines


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        '{"a": 1,}',
        '{"items": [1,]}',
        '{"items": [1 2]}',
        '{"items": []} x',
        '{"a" 1}',
        '{"a": 1 "b": 2}',
        "{1: 2}",
        '{"items": [',
    ],
)
def test_what_is_not_json_is_named_as_the_parser_does(broken: str) -> None:
    with pytest.raises(json.JSONDecodeError) as error:
        json.loads(broken)
    problems = Problems()
    assert parse_documents(broken, "x.json", problems) == ()
    assert f"is not JSON at column {error.value.colno}: {error.value.msg}" in problems.found[0].message


@pytest.mark.parametrize("name", ["cluster.json.gz", "cluster.yaml.gz", "cluster.gz"])
def test_a_file_that_is_compressed_is_unpacked(name: str, tmp_path: Path) -> None:
    """Whatever its name; one that is damaged or too large once it is unpacked is named."""
    file = tmp_path / name
    file.write_bytes(gzip.compress(_listed(3).encode()))
    assert [document.name for document in read_documents([file])] == ["p0", "p1", "p2"]
    assert len(read_documents(["-"], stdin=file.read_bytes())) == 3
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(InputError, match="is compressed with gzip, and ends early"):
        read_documents([file])


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 2**20)
    (tmp_path / "bomb.yaml.gz").write_bytes(gzip.compress(b"# \n" * 2**20))
    with pytest.raises(InputError, match="is larger than 1 MiB; split it"):
        read_documents([tmp_path / "bomb.yaml.gz"])


def test_a_list_of_twice_the_objects_is_parsed_with_twice_the_calls() -> None:
    """Each object is parsed once, and its line counted from that of the one before."""
    counts: list[int] = []
    for number in (100, 200, 400):
        seen = [0]
        before = sys.getprofile()
        sys.setprofile(lambda _frame, event, _argument, seen=seen: seen.__setitem__(0, seen[0] + (event in ("call", "c_call"))))
        try:
            parse_documents(_listed(number), "list.json", Problems())
        finally:
            sys.setprofile(before)
        counts.append(seen[0])
    assert counts[2] - counts[1] == pytest.approx(2 * (counts[1] - counts[0]), rel=0.02)


@given(
    st.lists(
        st.recursive(
            st.one_of(st.integers(), st.text("ab: ", max_size=4), st.none()),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3), st.dictionaries(st.text("ab.[]1", min_size=1, max_size=3), inner, max_size=3)
            ),
            max_leaves=8,
        ),
        max_size=4,
    ),
    st.sampled_from([None, 1]),
)
def test_lines_within_items_are_those_of_the_whole_text(items: list[Any], indent: int | None) -> None:
    """A message about one object reads that object again, and not the whole list."""
    text = json.dumps({"apiVersion": "v1", "items": items, "kind": "List"}, indent=indent)
    parsed = json_text.parse(text, "x.json", Problems())
    (whole,) = yaml_text.parse(text, "x.json", Problems())
    assert parsed is not None
    for path, line in whole.lines.items():
        assert parsed[1][path] == line, path


@pytest.mark.parametrize("kind", ["List", "PodList"])
def test_places_for_values_are_found_in_the_text_of_an_object_as_in_its_data(kind: str) -> None:
    """Whatever the text escapes; an object that is not what was parsed is looked at as it is."""
    values = [
        "plain",
        "${A}",
        "{{ a }}",
        "<your-zone>",
        "a < b",
        "$ {A}",
        "\u00e9",
        "a\\${A}",
        "$",
        "{",
        "\n${A}",
        "\\u0024{A}",
    ]
    texts = [json.dumps(value) for value in values] + ['"\\u0024{A}"', '"$\\u007bA}"', '"\\u003cyour-zone\\u003e"', '"\\/"']
    items = [
        f'{{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "p{number}"}}, "spec": {{"nodeName": {text}}}}}'
        for number, text in enumerate(texts)
    ]
    documents = parse(f'{{"apiVersion": "v1", "kind": "{kind}", "items": [{", ".join(items)}]}}', "x.json")
    by_data = [replace(document, lines={}) for document in documents]
    notes, notes_by_data = Notes(), Notes()
    kept = [document.data for document in without_placeholders(documents, notes)]
    assert kept == [document.data for document in without_placeholders(tuple(by_data), notes_by_data)]
    assert 0 < len(kept) < len(texts)
    assert notes == notes_by_data
    assert [document.written for document in documents] == (items if kind == "List" else [None] * len(items))
    other = replace(documents[0], data={**documents[0].data, "spec": {"nodeName": "${A}"}})
    assert other.written is None
    assert without_placeholders((other,), Notes()) == ()
