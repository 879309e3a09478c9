"""What Flux does with texts: variables, patterns of what it leaves out, values that are set by a path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import Place, Problems
from cutlist.documents.delivery.flux.envsubst import BadSubstitution, expand
from cutlist.documents.delivery.flux.ignore import Ignored
from cutlist.documents.delivery.flux.substitution import Variables, substituted
from cutlist.documents.document import Document
from cutlist.documents.text.go_yaml import from_yaml, to_yaml
from cutlist.documents.text.set_values import BadSetting, set_literally, set_values

VARIABLES = {"n": "7", "word": "Large", "empty": "", "path": "a-b-c", "é": "x"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${n}", "7"),
        ("${none}", ""),
        ("${empty:=2}${none=3}${none:-4}${none:?5}${none:+6}", "23456"),
        ("${none:-${other:=a}b}", "ab"),
        ("${#word}", "5"),
        ("${path:2}|${path:2:1}|${path:0:-2}|${path:9}|${path:x}", "b-c|b|a-b||a-b-c"),
        ("${word^^}${word,,}${word^}${word,}", "LARGElargeLargelarge"),
        ("${path/-/.}${path//-/}${path/#a/z}${path/%c/}", "a.b-cabcz-b-ca-b-c"),
        ("${path#*-}|${path##*-}|${path%-*}|${path%%-*}", "b-c|c|a-b|a"),
        ("$n $${n} $$", "$n ${n} $"),
        ("${path//\\//x}", "a-b-c"),
    ],
)
def test_expressions_are_those_of_a_shell(text: str, expected: str) -> None:
    """GO-15: with a few differences, which are Flux's own."""
    assert expand(text, VARIABLES) == expected


@pytest.mark.parametrize("text", ["${n-1}", "${n", "${}", "${n:}", "${n::1}", "${n/a}", "${n#}", "${#}", "${n^^^}"])
def test_expressions_that_flux_refuses(text: str) -> None:
    """GO-15: what no form has."""
    with pytest.raises(BadSubstitution):
        expand(text, VARIABLES)


def test_a_strict_controller_refuses_what_has_no_value() -> None:
    """GO-17: unless the expression has a default."""
    assert expand("${none:=1}${n}", VARIABLES, strict=True) == "17"
    with pytest.raises(BadSubstitution, match="none"):
        expand("${none^^}", VARIABLES, strict=True)


def replaced(data: dict[str, Any], variables: Variables) -> tuple[Any, list[str]]:
    problems = Problems()
    documents = substituted([Document(Place("a.yaml"), {"kind": "A", **data}, {})], variables, problems)
    return [d.data for d in documents], [str(problem) for problem in problems.found]


def test_a_text_may_become_anything_in_yaml() -> None:
    """GO-14: a number, a switch of YAML 1.1, null; in quotes that YAML needs it stays a text."""
    data = {"n": "${n}", "on": "${on}", "none": "${none}", "text": "a: ${n}", "block": "${n}\n${n}\n"}
    ((objects,), problems) = replaced(data, Variables({"n": "7", "on": "yes"}))
    assert objects == {"kind": "A", "n": 7, "on": True, "none": None, "text": "a: 7", "block": "7\n7\n"}
    assert problems == []


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        (Variables(), "${n:=1}"),
        (Variables(always=True), 1),
        (Variables({"other": "x"}), 1),
    ],
)
def test_without_variables_nothing_is_replaced(variables: Variables, expected: object) -> None:
    """GO-16: unless the strategy says so."""
    assert replaced({"n": "${n:=1}"}, variables)[0][0]["n"] == expected


def test_what_breaks_the_text_is_reported() -> None:
    """GO-14, GO-18: a quote in a text that has quotes, and a name that is no word."""
    assert "is no object after Flux substitutes its variables" in replaced({"t": "a: ${q}"}, Variables({"q": "it's"}))[1][0]
    assert "'a-b'" in replaced({"t": "x"}, Variables({"a-b": "1"}))[1][0]


@pytest.mark.parametrize("mark", [{"labels": {"kustomize.toolkit.fluxcd.io/substitute": "disabled"}}])
def test_a_mark_keeps_an_object_as_it_is(mark: dict[str, Any]) -> None:
    """GO-18: as a label or an annotation."""
    assert replaced({"metadata": mark, "n": "${n}"}, Variables({"n": "1"}))[0][0]["n"] == "${n}"


@pytest.mark.parametrize("value", ["on", "0123", "5", "null", "", "a: b", "#x", "a\nb", "y", "1_000", "0o7", {"n": ["é", 1.5]}])
def test_yaml_as_go_writes_it_reads_back(value: Any) -> None:
    """Whatever looks like something else is in quotes."""
    assert from_yaml(to_yaml({"a": value})) == {"a": value}


def ignored(root: Path, files: dict[str, str], text: str = "") -> list[str]:
    """Return the files of a folder that Flux leaves out."""
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    patterns = Ignored.of(str(root), text)
    return [name for name in files if patterns.has(name.split("/"), is_folder=False)]


def test_what_the_files_name_is_left_out(tmp_path: Path) -> None:
    """GO-5: patterns of a folder are about what is below it; later ones win."""
    files = {
        ".sourceignore": "# words\n/*.md\n**/tmp/\n!keep.md\n",
        "a.md": "",
        "keep.md": "",
        "b/a.md": "",
        "b/tmp/x.yaml": "",
        "b/.sourceignore": "*.draft.yaml\nsub/\n",
        "b/x.draft.yaml": "",
        "x.draft.yaml": "",
        "b/sub/y.yaml": "",
        "c.png": "",
        ".github/w.yaml": "",
    }
    assert ignored(tmp_path, files) == ["a.md", "b/tmp/x.yaml", "b/x.draft.yaml", "b/sub/y.yaml", "c.png", ".github/w.yaml"]


def test_the_patterns_of_the_source_come_last(tmp_path: Path) -> None:
    """GO-5: they may take back what a file leaves out."""
    assert ignored(tmp_path, {".sourceignore": "a.yaml\n", "a.yaml": "", "b.yaml": ""}, "!a.yaml\nb.yaml\n") == ["b.yaml"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a.b=5", {"a": {"b": 5}}),
        ("a=true,b=null,c=0.5,d=007,e=-1", {"a": True, "b": None, "c": "0.5", "d": "007", "e": -1}),
        ("a[1].b=x", {"a": [None, {"b": "x"}]}),
        ("a={1,x}", {"a": [1, "x"]}),
        (r"a\.b=x\,y", {"a.b": "x,y"}),
        ("a={}", {"a": []}),
    ],
)
def test_values_are_set_as_helm_sets_them(expression: str, expected: object) -> None:
    """GO-25: numbers with a fraction stay texts."""
    values: dict[str, Any] = {}
    set_values(values, expression)
    assert values == expected


def test_a_value_may_be_set_literally() -> None:
    """GO-25: commas and braces are its own; without a value an expression is refused."""
    values: dict[str, Any] = {"a": {"c": 1}}
    set_literally(values, "a.b", "{1,2},x=3")
    assert values == {"a": {"c": 1, "b": "{1,2},x=3"}}
    with pytest.raises(BadSetting):
        set_values(values, "a.b")
