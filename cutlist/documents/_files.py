"""From paths to documents: files, folders, standard input; YAML and JSON; lists taken apart."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cutlist.core.errors import Place, Problem, Problems, nearest
from cutlist.documents import _json, _yaml
from cutlist.documents._document import Document, LinesBelow

STDIN: Final = "-"
STDIN_NAME: Final = "<stdin>"
NO_NAME: Final = "''"
_OBJECT: Final = "a mapping with apiVersion and kind"
MAX_BYTES: Final = 32 * 2**20
FILE_SUFFIXES: Final = (".yaml", ".yml", ".json")
"""What the names of files with manifests end in, in a folder."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """What a file holds: its name as messages give it, and its text."""

    source: str
    text: str


def collect_texts(
    paths: Sequence[str | os.PathLike[str]], problems: Problems, stdin: str | bytes | None = None
) -> Iterator[SourceText]:
    """Yield the texts of files and folders, in the order given; what cannot be read is noted in `problems` and left out.

    A folder stands for its `*.yaml`, `*.yml` and `*.json` files, those of its subfolders included, in alphabetical order. `-`
    stands for `stdin`. What is named twice is read once.
    """
    names: set[str] = set()
    for argument in paths:
        path = os.fspath(argument)
        for file in [path] if path == STDIN else _files(path, problems):
            real = file if file == STDIN else os.path.realpath(file)
            if real not in names:
                names.add(real)
                yield from _from_stdin(stdin, problems) if file == STDIN else _from_file(file, problems)


def sources(paths: Iterable[str | os.PathLike[str]]) -> str:
    """Return what messages call several files, folders and standard input together."""
    named = {STDIN: STDIN_NAME, "": NO_NAME}
    return ", ".join(dict.fromkeys(named.get(os.fspath(path), os.fspath(path)) for path in paths))


def unreadable(path: str | os.PathLike[str], error: OSError) -> Problem:
    """Return the problem that a file or folder cannot be read; for one that is missing the nearest name beside it."""
    other = _neighbour(os.fspath(path)) if isinstance(error, FileNotFoundError) else ""
    return Problem(Place(sources([path])), f"cannot be read: {(error.strerror or str(error)).lower()}", nearest=other)


def file_text(path: str | os.PathLike[str], problems: Problems) -> str | None:
    """Return the text of one file; None when it cannot be read, and why is noted."""
    return next((source.text for source in _from_file(os.fspath(path), problems)), None)


def collect_documents(
    paths: Sequence[str | os.PathLike[str]], problems: Problems, stdin: str | bytes | None = None
) -> tuple[Document, ...]:
    """Return the objects in files and folders, read as `collect_texts`; what is no object is noted and left out."""
    texts = collect_texts(paths, problems, stdin)
    return tuple(document for source in texts for document in _objects(source.text, source.source, problems))


def collect_inputs(
    paths: Sequence[str | os.PathLike[str]], problems: Problems, stdin: str | bytes | None = None
) -> tuple[Document, ...]:
    """Return the objects in files and folders, as `collect_documents`, where each of them is to hold some.

    One that holds none, such as the output of a command that failed, is noted as an absence.
    """
    documents = collect_documents(paths, problems, stdin)
    note_empty_inputs(paths, (document.place.source for document in documents), problems)
    return documents


def note_empty_inputs(paths: Iterable[str | os.PathLike[str]], read: Iterable[str], problems: Problems) -> None:
    """Note each file and folder as an absence that is not among the sources that were read, and has no problem of its own."""
    known = {_real(source) for source in (*read, *(problem.place.source for problem in problems.found)) if source}
    for path in dict.fromkeys(sources([path]) for path in paths):
        real = _real(path)
        below = real.rstrip(os.sep) + os.sep
        if real not in known and not any(source.startswith(below) for source in known):
            problems.add_absence(Place(path), "no object is in it", _OBJECT)


def _real(source: str) -> str:
    return source if source in (STDIN_NAME, NO_NAME) else os.path.realpath(source)


def read_documents(
    paths: Sequence[str | os.PathLike[str]], stdin: str | bytes | None = None, *, allow_empty: bool = False
) -> tuple[Document, ...]:
    """Return the objects in files and folders, as `collect_inputs`. Raises InputError with what cannot be read or is empty."""
    problems = Problems(allow_empty=allow_empty)
    documents = collect_inputs(paths, problems, stdin)
    problems.raise_if_any()
    return documents


def parse_documents(text: str, source: str, problems: Problems) -> tuple[Document, ...]:
    """Return the objects in a text of YAML or JSON; `source` is what messages call it."""
    return tuple(_objects(text, source, problems))


def given_documents(values: Sequence[Any], source: str, problems: Problems) -> tuple[Document, ...]:
    """Return objects that are data already, in no file; messages call them by `source` and position, such as `manifests[0]`."""
    places = (Place(f"{source}[{index}]") for index in range(len(values)))
    return tuple(
        document for place, value in zip(places, values, strict=True) for document in _flattened(place, value, {}, problems)
    )


def parse_values(text: str, source: str, problems: Problems | None = None) -> tuple[Any, ...]:
    """Return the values of the documents of a text that can be read, lists of objects as they are, None for an empty document.

    What cannot be read is noted in `problems` where they are given.
    """
    return tuple(value for _, value, _ in _values(text, source, Problems() if problems is None else problems))


def _files(path: str, problems: Problems) -> list[str]:
    if not path:
        problems.add(Place(NO_NAME), "is no file and no folder: the name is empty")
        return []
    if not os.path.isdir(path):
        return [path]
    paths: list[str] = []
    closed: list[OSError] = []
    for folder, subfolders, names in os.walk(path, onerror=closed.append):
        subfolders.sort()
        paths += [os.path.join(folder, name) for name in names if name.endswith(FILE_SUFFIXES)]
    problems.extend(unreadable(error.filename, error) for error in closed)
    if not paths and not closed:
        problems.add_absence(Place(path), "the folder holds no manifests", "files that end in .yaml, .yml or .json")
    return sorted(paths)


def _from_stdin(stdin: str | bytes | None, problems: Problems) -> Iterator[SourceText]:
    if stdin is None:
        problems.add_absence(Place(STDIN_NAME), "nothing was given on standard input")
        return
    text = stdin if isinstance(stdin, str) else _text(stdin, STDIN_NAME, problems)
    if text is not None:
        yield SourceText(STDIN_NAME, text)


def _from_file(path: str, problems: Problems) -> Iterator[SourceText]:
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        problems.extend([unreadable(path, error)])
        return
    if len(raw) > MAX_BYTES:
        problems.add(Place(path), f"is larger than {MAX_BYTES // 2**20} MiB; split it")
        return
    text = _text(raw, path, problems)
    if text is not None:
        yield SourceText(path, text)


def _neighbour(path: str) -> str:
    missing = Path(path)
    try:
        return nearest(missing.name, sorted({p.name for p in missing.parent.iterdir()} - {missing.name}))
    except OSError:
        return ""


def _text(raw: bytes, source: str, problems: Problems) -> str | None:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        problems.add(Place(source), "is text in UTF-16, as PowerShell writes it", "text in UTF-8")
        return None
    if b"\0" in raw:
        problems.add(Place(source), "is a binary file, not YAML or JSON text")
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problems.add(Place(source, line=line), f"is not text in UTF-8: byte 0x{raw[error.start]:02x}")
        return None


def _objects(text: str, source: str, problems: Problems) -> Iterator[Document]:
    for number, value, lines in _values(text, source, problems):
        if value is not None:
            yield from _flattened(Place(source, number, lines.get("", 0) if number > 1 else 1), value, lines, problems)


def _values(text: str, source: str, problems: Problems) -> Iterator[tuple[int, Any, Mapping[str, int]]]:
    if source.endswith(".json"):
        parsed = _json.parse(text, source, problems)
        if parsed is not None:
            yield 1, *parsed
        return
    if text.lstrip().startswith("{"):
        parsed = _json.parse(text, source, Problems())  # flow YAML begins like this too, so a failure means nothing yet
        if parsed is not None:
            yield 1, *parsed
            return
    for node in _yaml.parse(text, source, problems):
        yield node.number, node.value, node.lines


def _flattened(
    place: Place, value: Any, lines: Mapping[str, int], problems: Problems, member: tuple[str | int, ...] = ()
) -> Iterator[Document]:
    where = place.at("", lines.get("", 0))
    if value in ({}, []):
        problems.add_absence(where, f"is no Kubernetes object but an empty {'mapping' if value == {} else 'list'}", _OBJECT)
        return
    if not isinstance(value, dict):
        kind = "a list" if isinstance(value, list) else f"the text {value!r}" if isinstance(value, str) else repr(value)
        problems.add(where, f"is not a Kubernetes object but {kind[:60]}", _OBJECT)
        return
    document = Document(where, value, lines, member)
    missing = [name for name in ("apiVersion", "kind") if not isinstance(value.get(name), str) or not value[name]]
    if missing:
        problems.add(where, f"is not a Kubernetes object: it has no {' and no '.join(missing)}")
    elif _is_list(document, value):
        for index, item in enumerate(value.get("items") or ()):
            below = LinesBelow(lines, f"items[{index}]")
            yield from _flattened(place, _typed(item, document), below, problems, (*member, "items", index))
    else:
        yield document


def _is_list(document: Document, value: Mapping[str, Any]) -> bool:
    # The API writes a list without items as null; a kind of somebody else may be called ...List and be none.
    items = value.get("items")
    return document.kind.endswith("List") and (isinstance(items, list) or (document.kind == "List" and items is None))


def _typed(item: Any, of: Document) -> Any:
    # In a list of one kind (DeploymentList) the API leaves apiVersion and kind of the items out.
    kind = of.kind.removesuffix("List")
    return {"apiVersion": of.api_version, "kind": kind, **item} if kind and isinstance(item, dict) else item
