"""The settings of a project: options that need not be repeated, in `cutlist.yaml` or below `[tool.cutlist]` of pyproject.toml.

    region: us-west-2
    file: [pools.yaml, apps/]
    gates: gates.yaml

Members are options by their long names; one that may be given several times takes a list. The file is looked up in the working
directory and those above it, up to the root of the repository. An option of the command line takes precedence over the file,
and so does a variable of the environment. Paths are relative to the file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cutlist.core.errors import InputError, Place, Problems

if TYPE_CHECKING:
    from cutlist.core.shapes import Report, Rule

PROJECT_FILE: Final = "cutlist.yaml"
_PYPROJECT: Final = "pyproject.toml"
_FORM: Final = "one mapping with options, such as region: us-west-2"
_PATHS: Final = ("file", "catalog", "gates", "scheduler-config", "helm-values")
_PARAMETERS: Final = {
    "file": "files",
    "zone": "zones",
    "gates": "gates_file",
    "built-in-pool": "built_in_pools",
    "external-class": "external_classes",
    "feature-gate": "feature_gates",
    "helm-api-version": "helm_api_versions",
}
"""The parameters of options whose name differs."""
_PLANNING: Final = (
    *("budgets", "diff", "disrupt", "explain", "gate", "interrupt", "nodes", "plan", "serve", "simulate", "suggest"),
    *("top", "types", "upgrade", "userdata", "validate", "verify"),
)
_COMMANDS: Final = frozenset((*_PLANNING, "preview"))
_WITHOUT_FILES: Final = frozenset(("diff", "top", "upgrade"))
"""Commands whose answer is another one without files."""


@dataclass(frozen=True, slots=True)
class TopFolder:
    """A folder above which no settings are looked for."""

    path: str


def defaults_of(command: str, arguments: Sequence[str], top: TopFolder | None = None) -> dict[str, Any]:
    """Return the values that the project's settings give to options of a command, by parameter.

    Raises InputError with every mistake in the file.
    """
    if command not in _COMMANDS or (command == "gate" and _needs_no_files(arguments)):
        return {}
    path = _settings_file(os.getcwd(), top)
    if path is None:
        return {}
    folder = os.path.dirname(path)
    values = {name: _relative(value, folder) if name in _PATHS else value for name, value in _read(path).items()}
    if command in _WITHOUT_FILES:
        values.pop("file", None)
    return {_PARAMETERS.get(name, name.replace("-", "_")): value for name, value in values.items()}


def _needs_no_files(arguments: Sequence[str]) -> bool:
    """Tell whether the gates judge a stack, whose own file has its settings, or only rules are to be shown."""
    return any(word.startswith(("-s", "--stack", "--rule")) for word in arguments)


def _settings_file(folder: str, top: TopFolder | None) -> str | None:
    """Return the nearest file with settings, in a folder or above it; not beyond the top folder or the root of a repository."""
    while True:
        path = os.path.join(folder, PROJECT_FILE)
        if os.path.lexists(path):  # a folder or a link that leads nowhere is refused when it is read
            return _short(path)
        pyproject = os.path.join(folder, _PYPROJECT)
        if os.path.isfile(pyproject) and _has_table(pyproject):
            return _short(pyproject)
        above = os.path.dirname(folder)
        is_top = above == folder or (top is not None and folder == top.path)
        if is_top or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = above


def _has_table(path: str) -> bool:
    with open(path, "rb") as file:
        return b"[tool.cutlist]" in file.read()


def _short(path: str) -> str:
    """Return a path as a user of the working directory would write it."""
    return os.path.relpath(path)


def _read(path: str) -> dict[str, Any]:
    """Return the members of a file of settings, each of the kind that its option takes."""
    from cutlist.core.shapes import Report
    from cutlist.documents import Document, read_mapping

    if os.path.basename(path) == _PYPROJECT:
        document = Document(Place(path), _table(path), {})
    else:
        document = read_mapping(path, "settings", _FORM)
    problems = Problems()
    _rules()(document.data, "", Report(document, problems))
    problems.raise_if_any()
    return {name: _listed(name, value) for name, value in document.data.items() if value is not None}


def _table(path: str) -> dict[str, Any]:
    import tomllib

    with open(path, "rb") as file:
        try:
            tools = tomllib.load(file).get("tool")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError.one(Place(path), f"is not TOML: {error}") from None
    table: dict[str, Any] = tools.get("cutlist", {}) if isinstance(tools, dict) else {}
    return table


def _rules() -> Rule:
    from cutlist.core.shapes import boolean, closed, list_of, text

    def several(value: Any, path: str, report: Report) -> None:
        (list_of(text) if isinstance(value, list) else text)(value, path, report)

    return closed(
        optional={**dict.fromkeys(_TEXTS, text), **dict.fromkeys(_SEVERAL, several), **dict.fromkeys(_FLAGS, boolean)}
    )


_TEXTS: Final = (
    "region",
    "catalog",
    "karpenter",
    "gates",
    "scheduler-config",
    "overhead-profile",
    "kubernetes",
    "helm-kube-version",
)
_SEVERAL: Final = ("file", "zone", "built-in-pool", "external-class", "feature-gate", "helm-values", "helm-api-version")
_FLAGS: Final = ("recursive", "kustomize", "helm")


def _listed(name: str, value: Any) -> Any:
    return [value] if name in _SEVERAL and not isinstance(value, list) else value


def _relative(value: Any, folder: str) -> Any:
    """Return the paths of a value, relative to the working directory."""
    if isinstance(value, list):
        return [_relative(path, folder) for path in value]
    return os.path.normpath(os.path.join(folder, value)) + (os.sep if value.endswith(os.sep) else "")
