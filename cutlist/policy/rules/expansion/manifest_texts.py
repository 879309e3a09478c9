"""Manifests in texts: YAML and JSON as a whole, packed, and inside scripts and programs.

Manifests that a program assembles at run time are in no text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.text.yaml import parse as parse_yaml
from cutlist.policy.rules.expansion.packed_texts import MOST_LAYERS, Budget, unpacked

VERSION: Final = "apiVersion"
_ESCAPED: Final = re.compile(r"\\u00|\\x[0-9a-fA-F]{2}")  # by which JSON and YAML may write any letter
_HERE_DOCUMENT: Final = re.compile(r"<<([-~]?)\s*['\"]?(\w+)['\"]?[^\n]*\n")
_TABS: Final = re.compile(r"^\t+", re.MULTILINE)
_QUOTE: Final = re.compile(r"(?<!\\)\"")
_VERSION_LINE: Final = re.compile(r"([ \t]*)(?:- )?[\"']?(?:apiVersion|kind|metadata|spec)[\"']?:(?:\s|$)")
_MEMBER_LINE: Final = re.compile(r"[ \t]*[\"']?[\w./-]+[\"']?:(?:\s|$)")
_MOST_TEXTS: Final = 200


def manifests_of_file(text: str) -> list[Any] | None:
    """Return the mappings and lists that a text is made of; None if it is anything else, which nobody can apply as a file."""
    problems = Problems()
    values = [document.value for document in parse_yaml(text, "", problems)]
    manifests = [value for value in values if isinstance(value, dict | list)]
    return manifests if not problems and len(manifests) == sum(value is not None for value in values) else None


def manifests_in(text: str, layers: int = MOST_LAYERS, budget: Budget | None = None) -> list[Any]:
    """Return what a text holds that may be or contain manifests: mappings and lists; nothing for any other text."""
    budget = Budget() if budget is None else budget
    if VERSION not in text and not _ESCAPED.search(text):
        return _decoded(text, layers, budget)
    manifests = manifests_of_file(text)
    if manifests is not None:
        return manifests
    manifests = [d.value for d in parse_yaml(text, "", Problems()) if isinstance(d.value, dict | list)]
    for part in islice(dict.fromkeys(_of_script(text)), _MOST_TEXTS):
        documents = parse_yaml(part, "", Problems())
        manifests += [d.value for d in documents if isinstance(d.value, dict | list) and d.value not in manifests]
    return manifests + [value for value in _decoded(text, layers, budget) if value not in manifests]


def plain_texts(text: str, layers: int = MOST_LAYERS, budget: Budget | None = None) -> Iterator[str]:
    """Yield a text and what it holds packed, as a whole or in long parts, through several layers."""
    yield text
    budget = Budget() if budget is None else budget
    for inner in unpacked(text, budget) if layers else ():
        yield from plain_texts(inner.text, layers - 1, budget) if inner.text else ()


def _of_script(text: str) -> Iterator[str]:
    """Yield the parts of a script that may be manifests: here-documents, quoted texts, blocks of lines, and braces."""
    yield from _here_documents(text)
    for quoted in (*text.split("'"), *_QUOTE.split(text)):
        if VERSION in quoted:
            yield quoted.replace('\\"', '"').replace("\\n", "\n")
    yield from _blocks(text.splitlines())
    yield from _braces(text)


def _here_documents(text: str) -> Iterator[str]:
    """Yield the here-documents of a script."""
    endless: set[str] = set()
    for match in islice(_HERE_DOCUMENT.finditer(text), _MOST_TEXTS):
        word = match[2]
        end = None if word in endless else re.compile(rf"^[ \t]*{word}\b", re.MULTILINE).search(text, match.end())
        if end is None:
            endless.add(word)
            continue
        body = text[match.end() : end.start()]
        yield _TABS.sub("", body) if match[1] == "-" else body  # as a shell does


def _blocks(lines: list[str]) -> Iterator[str]:
    """Yield the blocks of lines that begin with a member of a manifest and end where the indentation or the form does."""
    block: list[str] = []
    indent = 0
    for line in (*lines, "<end>"):
        deep = len(line) - len(line.lstrip())
        goes_on = bool(block) and (not line.strip() or deep > indent or (deep == indent and _MEMBER_LINE.match(line)))
        if goes_on:
            block.append(line)
            continue
        if any(VERSION in inner for inner in block):
            yield "\n".join(block)
        begins = _VERSION_LINE.match(line)
        block, indent = ([line], len(begins[1])) if begins else ([], 0)


def _braces(text: str) -> Iterator[str]:
    """Yield the outermost parts in braces that mention a version of an API, also behind a brace that is never closed."""
    versions = [match.start() for match in re.finditer(VERSION, text)]
    starts: list[int] = []
    outermost: list[tuple[int, int]] = []
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            starts.append(match.start())
        elif starts:
            start, end = starts.pop(), match.end()
            if bisect_left(versions, start) == bisect_left(versions, end):
                continue
            while outermost and outermost[-1][0] > start:
                outermost.pop()
            outermost.append((start, end))
    yield from (text[start:end] for start, end in outermost)


def _decoded(text: str, layers: int, budget: Budget) -> list[Any]:
    """Return what the packed parts of a text hold, through several layers."""
    manifests: list[Any] = []
    for inner in unpacked(text, budget) if layers else ():
        found = manifests_in(inner.text, layers - 1, budget) if inner.text else []
        manifests += [document for document in found if document not in manifests]
    return manifests
