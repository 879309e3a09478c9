"""Generators of kustomizations that decrypt Secrets with their own programs: left out, since no plan depends on Secrets."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any, Final

import yaml

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.document import Document
from cutlist.documents.files import file_text
from cutlist.documents.kustomize.kustomization import Kustomization, below
from cutlist.documents.parsing import parse_values

_MAKERS: Final = frozenset(
    (
        ("viaduct.ai", "ksops"),
        ("goabout.com", "SopsSecretGenerator"),
        ("kustomize-sopssecretgenerator", "SopsSecretGenerator"),
        ("cloudshift.co.nz", "SecretsFromVault"),
    )
)
"""Groups and kinds of generators that make Secrets, or what encrypted files hold."""
_KIND: Final = re.compile(r"""^[\s{]*["']?kind["']?\s*:\s*["']?([\w-]+)""", re.MULTILINE)
_SECRETS: Final = ("Secret", "SecretList", "ConfigMap")
MEMBER: Final = "generators"


def secret_generators(kustomization: Kustomization) -> tuple[str, ...]:
    """Return the entries of `generators` that can make nothing but Secrets."""
    return tuple(name for name in map(str, kustomization.entries(MEMBER)) if _makes_secrets(kustomization.path_of(name)))


def has_other_generators(kustomization: Kustomization) -> bool:
    """Tell whether a generator may make something that a plan depends on."""
    return len(secret_generators(kustomization)) < len(kustomization.entries(MEMBER))


def note_secret_generators(kustomization: Kustomization, notes: Notes) -> None:
    """Note the generators that are left out."""
    for part in (kustomization, *below(kustomization).values()):
        for name in secret_generators(part):
            text = "left out, because they make only Secrets, on which no plan depends: {who}"
            notes.add("kustomization", text, part.path_of(name))


@contextmanager
def without_secret_generators(kustomization: Kustomization) -> Iterator[Kustomization]:
    """Yield the kustomization, or a copy without generators of Secrets, whose programs kustomize would have to run."""
    parts = [kustomization, *below(kustomization).values()]
    if not any(secret_generators(part) for part in parts):
        yield kustomization
        return
    files = {real for part in parts for real in (os.path.realpath(part.file), *part.named_files()) if os.path.isfile(real)}
    top = os.path.commonpath([os.path.dirname(real) for real in files])
    with TemporaryDirectory(prefix="cutlist-") as folder:
        for real in sorted(files):
            target = os.path.join(folder, os.path.relpath(real, top))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(real, target)
        for part in parts:
            removed = secret_generators(part)
            rest = [name for name in part.entries(MEMBER) if name not in removed]
            with open(os.path.join(folder, os.path.relpath(os.path.realpath(part.file), top)), "w", encoding="utf-8") as file:
                yaml.safe_dump({**part.document.data, MEMBER: rest}, file)
        copy = os.path.join(folder, os.path.relpath(os.path.realpath(kustomization.file), top))
        copied = Kustomization.of_file(copy, Problems())
        yield copied if copied is not None else kustomization


def as_named(document: Document, copy: Kustomization, kustomization: Kustomization) -> Document:
    """Return an object of a copy as one of the kustomization that was copied."""
    source = document.place.source.replace(copy.shown, kustomization.shown)
    return replace(document, place=replace(document.place, source=source))


def _makes_secrets(path: str) -> bool:
    text = file_text(path, Problems()) if os.path.isfile(path) else None
    values = [value for value in parse_values(text or "", path) if value is not None]
    return bool(values) and all(_is_maker(value, os.path.dirname(path)) for value in values)


def _is_maker(value: Any, folder: str) -> bool:
    if not isinstance(value, dict) or (str(value.get("apiVersion")).partition("/")[0], value.get("kind")) not in _MAKERS:
        return False
    files = value.get("files")
    named = [os.path.join(folder, name) for name in files if isinstance(name, str)] if isinstance(files, list) else []
    if value["kind"] != "ksops":
        return True
    kinds = {kind for name in named for kind in _KIND.findall(beginning_of(name))}
    return kinds <= set(_SECRETS)
