"""The numbered statements of docs/spec have tests that name them, and every number that is named is a statement."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.recorded import PROJECT, SCENARIOS, SPEC

TESTS = PROJECT / "tests"
FOLDERS = ("cutlist", "cutlist_cli", "cutlist_live", "components", "policies", "tools", "tests")
LETTERS = (*"SDAIZVHKWCF", "GO", "R", "V15", "VA15", "FE", "VL", "AD", "GA", "GS")
CHANGES = ("V15", "VA15")  # rows of tables, VA15 with gaps
NAMED = re.compile(rf"\b({'|'.join(LETTERS)})-(\d+)\b(?: to (?:\1-)?(\d+))?")


@cache
def stated(letter: str) -> frozenset[int]:
    """The statements of a letter that the pages define; capabilities are rows of a table."""
    if letter == "K":
        return frozenset(map(int, re.findall(r"^\| (\d+) \|", (SCENARIOS / "README.md").read_text("utf-8"), re.MULTILINE)))
    page_of_rows = r"^\| " if letter in CHANGES else r"^(?:- |\d+\. )(?:\*\*)?"
    pages = "\n".join(page.read_text("utf-8") for page in SPEC.glob("*.md") if page.name != "README.md")
    return frozenset(map(int, re.findall(rf"{page_of_rows}{letter}-(\d+)\b", pages, re.MULTILINE)))


@cache
def numbers(file: Path) -> Mapping[str, frozenset[int]]:
    """The statements that a file names by letter, alone or in a row such as `V-1 to V-9`."""
    by_letter: dict[str, set[int]] = {letter: set() for letter in LETTERS}
    for letter, first, last in NAMED.findall(file.read_text("utf-8")):
        by_letter[letter].update(range(int(first), int(last or first) + 1))
    return {letter: frozenset(named) for letter, named in by_letter.items()}


def named(letter: str) -> set[int]:
    """The statements of a letter that tests name."""
    files = (file for file in TESTS.rglob("*.py") if file != Path(__file__))
    return set[int]().union(*(numbers(file)[letter] for file in files))


@pytest.mark.parametrize("letter", [letter for letter in LETTERS if letter != "K"])
def test_each_statement_is_named_by_a_test(letter: str) -> None:
    """The numbers of a letter have no gap, but for those of the AWS provider's changes."""
    if letter != "VA15":
        assert stated(letter) == set(range(1, len(stated(letter)) + 1))
    assert stated(letter)
    assert stated(letter) - named(letter) == set()


def test_the_contents_page_has_the_last_statement_of_each_page() -> None:
    """A statement that is added shows there."""
    rows = re.findall(r"\| (\w+)-1 to \1-(\d+)", (SPEC / "README.md").read_text("utf-8"))
    assert {letter: int(last) for letter, last in rows} == {letter: max(stated(letter)) for letter in LETTERS if letter != "K"}


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_each_number_that_is_named_is_a_statement(folder: str) -> None:
    """In code and tests, so that whoever follows a number finds what it says."""
    unknown = {
        f"{file.relative_to(PROJECT)}: {letter}-{number}"
        for file in (PROJECT / folder).rglob("*.py")
        for letter in LETTERS
        for number in numbers(file)[letter] - stated(letter)
    }
    assert unknown == set()
