"""Jsonnet and the environments of Tanka: which were rendered into the files that are read, and what renders the others."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.core.ledger import Ledger, OpenInput
from cutlist.documents.beginnings import beginning_of

FORM: Final = "Jsonnet"
_MAIN: Final = "main.jsonnet"
_SPEC: Final = "spec.json"
_EXPORTED: Final = "manifest.json"
_TANKA: Final = "tanka.dev/"
_LIBRARIES: Final = ("jsonnetfile.json", "jsonnetfile.lock.json")


def is_jsonnet(path: str) -> bool:
    """Tell whether a file is one of Jsonnet's or Tanka's."""
    return path.endswith((".jsonnet", ".libsonnet")) or os.path.basename(path) in _LIBRARIES


def leave_jsonnet_open(files: Sequence[str], ledger: Ledger) -> None:
    """Add files of Jsonnet to the account: programs whose objects are not among the files are open."""
    sources = [path for path in files if is_jsonnet(path)]
    programs = [path for path in sources if path.endswith(".jsonnet")]
    if not sources:
        return
    rendered = _exported(files)
    for path in sources:
        ledger.is_passed_over(os.path.realpath(path), FORM)
    environments = {os.path.dirname(path) for path in programs if _is_environment(path)}
    for path in programs:
        folder = os.path.dirname(path)
        if folder in environments:
            if os.path.basename(path) == _MAIN and not _is_rendered(folder, rendered):
                command = f"tk show --dangerous-allow-redirect {folder or '.'} | cutlist plan -f -"
                why = f"an environment of Tanka whose {_MAIN} only tk evaluates"
                _open(ledger, path, OpenInput(folder or ".", FORM, why, command))
        elif "vendor" not in path.split(os.sep):
            command = f"jsonnet {path} | cutlist plan -f -"
            _open(ledger, path, OpenInput(path, FORM, "Jsonnet, which only jsonnet evaluates", command))


def _open(ledger: Ledger, path: str, what: OpenInput) -> None:
    ledger.is_open(os.path.realpath(path), FORM)
    ledger.leave_open(what)


def _is_environment(path: str) -> bool:
    """Tell whether a file of Jsonnet is in the folder of an environment of Tanka, or is one itself."""
    beside = os.path.join(os.path.dirname(path), _SPEC)
    return os.path.isfile(beside) or (os.path.basename(path) == _MAIN and _TANKA in beginning_of(path))


def _is_rendered(folder: str, rendered: Iterable[str]) -> bool:
    real = os.path.realpath(folder)
    return any(real == name or real.endswith(f"{os.sep}{name}") for name in rendered)


def _exported(files: Iterable[str]) -> set[str]:
    """Return the environments of which `tk export` wrote objects into one of the folders."""
    names: set[str] = set()
    for path in files:
        if os.path.basename(path) == _EXPORTED:
            try:
                written = json.loads(beginning_of(path) or "null")
            except ValueError:
                continue
            if isinstance(written, dict) and all(isinstance(value, str) for value in written.values()):
                names |= {os.path.normpath(value) for value in written.values()}
    return names
