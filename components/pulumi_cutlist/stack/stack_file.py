"""A stack's configuration read from its files, by the engine's rules (spec: pulumi 1.2, 1.3).

`Pulumi.yaml` declares what a stack may and must say; `Pulumi.<stack>.yaml` says it. A program receives all of it as text.
Encrypted values cannot be read without the engine, so a placeholder of the declared type replaces them and the key counts as
secret.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cutlist.core.errors import InputError, Place, Problem, Problems, nearest
from cutlist.core.setting import Advice
from cutlist.core.shapes import Report, anything, closed, fields, filled, map_of, text
from cutlist.documents.document import Document
from cutlist.documents.files import file_text
from cutlist.documents.text.yaml import parse as parse_yaml
from cutlist.settings.stack import PROJECT_DIR
from pulumi_cutlist.program.language import Language
from pulumi_cutlist.stack.declarations import Declaration, as_text, read_declarations

PROJECT_FILE: Final = "Pulumi.yaml"
_OTHER_PROJECT_FILES: Final = ("Pulumi.json", "Pulumi.yml")
_PROJECT: Final = fields(
    {"name": filled("a name")}, {"main": text, "stackConfigDir": text, "config": anything, "runtime": anything}
)
_KEYS: Final = dict.fromkeys(("encryptedkey", "encryptionsalt", "secretsprovider"), text)
_STACK: Final = closed(optional={"config": map_of(anything), "environment": anything, **_KEYS})
_PLACEHOLDERS: Final = {"integer": "0", "boolean": "false", "object": "{}", "array": "[]"}
PLACEHOLDER: Final = "[secret]"
_PROJECT_DIR: Final = Advice.of(("the folder of a Pulumi project, here or named by ", PROJECT_DIR))


@dataclass(frozen=True, slots=True)
class StackFile:
    """The configuration of one stack of a project.

    `config` has qualified keys and text values, defaults included; `secrets` are the keys that hold anything encrypted.
    `program` is what runs; `declared` are the qualified keys that the project declares. `opened` names the environments that
    the file imports; only an engine opens them, and they add to the configuration there. `problems` are the reasons why an
    engine would refuse the configuration: missing, mistyped, not encrypted.
    """

    project: str
    stack: str
    root: Path
    program: Path
    config: Mapping[str, str]
    secrets: frozenset[str]
    problems: tuple[Problem, ...]
    document: Document = field(repr=False)
    declared: frozenset[str] = frozenset()
    opened: str = ""
    language: Language = Language.PYTHON

    def at(self, key: str = "", path: str = "") -> Place:
        """Return where the stack file says a key (qualified), and inside its value a path such as `[0]`."""
        written = self.document.data.get("config") or {}
        bare = key.removeprefix(f"{self.project}:")
        spelling = bare if bare in written and key not in written else key
        return self.document.at(f"config.{spelling}{path}" if key else "config")


def load(root: Path, stack: str) -> StackFile:
    """Return the configuration of a stack of the project in a folder.

    Raises InputError when there is no such project or stack, or when either file cannot be read.
    """
    problems = Problems()
    project = _project(root, problems)
    document = _stack_document(root / _config_folder(project), stack, problems)
    problems.raise_if_any()
    name = project.data["name"]
    declared = read_declarations(project, name, problems)
    _STACK(document.data, "", Report(document, problems))
    written = _written(document, name, problems)
    return StackFile(
        project=name,
        stack=stack,
        root=root,
        program=root / str(project.data.get("main") or "."),
        config=_texts(written, declared),
        secrets=frozenset(k for k, (_, value) in written.items() if _is_encrypted(value)),
        problems=(*problems.found, *_refusals(document, stack, written, declared)),
        document=document,
        declared=frozenset(declared),
        opened=_opened(document.data.get("environment")),
        language=_language(project),
    )


def _opened(environment: Any) -> str:
    """Return the names of the environments that a stack file imports."""
    names = environment.get("imports", ["of its own"]) if isinstance(environment, Mapping) else environment
    listed = names if isinstance(names, list) else [names] if names else []
    return ", ".join(map(str, listed))


def missing(place: Place, stack: str, key: str, hint: str = "") -> Problem:
    """Return the problem of a value that a stack must give and does not, in the engine's words."""
    return Problem(place, f"Stack '{stack}' is missing configuration value '{key}'{hint}")


def mistyped(place: Place, stack: str, key: str, type_name: str) -> Problem:
    """Return the problem of a value of another type than declared, in the engine's words."""
    return Problem(place, f"Stack '{stack}' with configuration key '{key}' must be of type '{type_name}'")


@contextlib.contextmanager
def working_in(project_dir: Path) -> Iterator[None]:
    """Work in the folder of a project, so that paths in messages are relative to it. Raises InputError if it is not one."""
    if not project_dir.is_dir():
        raise InputError.one(Place(str(project_dir)), "no such folder", _PROJECT_DIR)
    _check_project(project_dir)
    with contextlib.chdir(project_dir):
        yield


def _check_project(root: Path) -> None:
    if not (root / PROJECT_FILE).is_file():
        raise InputError.one(Place(str(root)), f"no {PROJECT_FILE} here", _PROJECT_DIR)


def _project(root: Path, problems: Problems) -> Document:
    _check_project(root)
    document = read_mapping(root / PROJECT_FILE, problems)
    problems.raise_if_any()
    _PROJECT(document.data, "", Report(document, problems))
    _check_program(document, root, problems)
    problems.raise_if_any()
    return document


def _check_program(project: Document, root: Path, problems: Problems) -> None:
    """Add a problem for settings with which an engine would run another program than the one that is run here."""
    language = _written_language(project)
    if language not in list(Language):
        text = f"the program is one of {language}: without an engine only programs in Python and YAML can be run"
        problems.add(project.at("runtime"), text, f"{', '.join(Language)}, or `pulumi preview --policy-pack`")
    for name in _OTHER_PROJECT_FILES:
        if (root / name).exists():
            problems.add(
                Place(str(root / name)), f"is a project beside {PROJECT_FILE}, and an engine may take it", "one of them"
            )


def _written_language(project: Document) -> Any:
    runtime = project.data.get("runtime", Language.PYTHON)
    return runtime.get("name") if isinstance(runtime, Mapping) else runtime


def _language(project: Document) -> Language:
    return Language(_written_language(project))


def _config_folder(project: Document) -> str:
    older = project.data.get("config")  # a text here is the deprecated spelling of stackConfigDir
    return str(project.data.get("stackConfigDir") or (older if isinstance(older, str) else "."))


def _stack_document(folder: Path, stack: str, problems: Problems) -> Document:
    path = folder / f"Pulumi.{stack}.yaml"
    if path.is_file():
        return read_mapping(path, problems)
    stacks = sorted(p.name.removeprefix("Pulumi.").removesuffix(".yaml") for p in folder.glob("Pulumi.*.yaml"))
    place = Place(str(folder))
    raise InputError.one(place, f"no stack {stack!r}: {path.name} is missing", ", ".join(stacks), nearest(stack, stacks))


def read_mapping(path: Path, problems: Problems) -> Document:
    """Return a YAML file that holds one mapping; empty when it holds nothing or is not that, which is then noted."""
    text = file_text(path, problems) or ""
    documents = [parsed for parsed in parse_yaml(text, str(path), problems) if parsed.value is not None]
    if len(documents) > 1:
        problems.add(Place(str(path)), f"has {len(documents)} documents, and an engine reads the first", "one document")
    parsed = next(iter(documents), None)
    if parsed is None:
        return Document(Place(str(path)), {}, {})
    if not isinstance(parsed.value, dict):
        problems.add(Place(str(path)), "is not a mapping", "keys with their values")
        return Document(Place(str(path)), {}, {})
    return Document(Place(str(path), 1, 1), parsed.value, parsed.lines)


def _written(document: Document, project: str, problems: Problems) -> dict[str, tuple[Place, Any]]:
    """Return what the stack file says, by qualified key. A key without a value has an empty text, as in the engine.

    One that is written twice, in different spellings, is noted: an engine takes either.
    """
    config = document.data.get("config")
    written: dict[str, tuple[Place, Any]] = {}
    for key, value in (config if isinstance(config, dict) else {}).items():
        place, qualified = document.at(f"config.{key}"), _qualified(str(key), project)
        if qualified in written:
            problems.add(place, f"{qualified} is written twice, first in line {written[qualified][0].line}", "one of them")
        written[qualified] = place, "" if value is None else value
    return written


def _qualified(key: str, project: str) -> str:
    """Return a key with its namespace: `gates` and the older `shop:config:gates` are `shop:gates`."""
    namespace, _, name = key.rpartition(":")
    return f"{namespace.removesuffix(':config') or project}:{name}"


def _texts(written: Mapping[str, tuple[Place, Any]], declared: Mapping[str, Declaration]) -> dict[str, str]:
    """Return what a program receives: the stack's values, then the project's defaults, all as text."""
    texts = {key: d.default for key, d in declared.items() if d.default is not None}
    for key, (_, value) in written.items():
        stand_in = _PLACEHOLDERS.get(declared[key].type, PLACEHOLDER) if key in declared else PLACEHOLDER
        texts[key] = stand_in if _is_ciphertext(value) else as_text(_without_ciphertext(value))
    return dict(sorted(texts.items()))


def _refusals(
    document: Document, stack: str, written: Mapping[str, tuple[Place, Any]], declared: Mapping[str, Declaration]
) -> Iterable[Problem]:
    opened = document.data.get("environment")
    hint = " (it may come from an imported environment, which only an engine can open)" if opened else ""
    for key, declaration in declared.items():
        if key not in written:
            if declaration.is_required:
                yield missing(document.at("config"), stack, declaration.key, hint)
            continue
        place, value = written[key]
        if declaration.secret and not _is_encrypted(value):
            yield Problem(place, f"Stack '{stack}' with configuration key '{declaration.key}' must be encrypted as it's secret")
        elif not _is_encrypted(value) and not declaration.accepts(value):
            yield mistyped(place, stack, declaration.key, declaration.shape.words)


def _is_ciphertext(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"secure"}


def _is_encrypted(value: Any) -> bool:
    if isinstance(value, dict):
        return _is_ciphertext(value) or any(_is_encrypted(inner) for inner in value.values())
    return isinstance(value, list) and any(_is_encrypted(inner) for inner in value)


def _without_ciphertext(value: Any) -> Any:
    if _is_ciphertext(value):
        return PLACEHOLDER
    if isinstance(value, dict):
        return {key: _without_ciphertext(inner) for key, inner in value.items()}
    return [_without_ciphertext(inner) for inner in value] if isinstance(value, list) else value
