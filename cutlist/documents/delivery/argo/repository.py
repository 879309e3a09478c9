"""What generators of git find in a checkout: folders and files, and the values that they give for each."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from typing import Any

from cutlist.core.errors import Problems
from cutlist.documents.delivery.argo.templates import Templates
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.gotemplate.dicts import as_data
from cutlist.documents.delivery.gotemplate.texts import sanitized
from cutlist.documents.delivery.gotemplate.values import TemplateError, printed
from cutlist.documents.files import file_text
from cutlist.documents.members import Manifest, entries, mapping, text
from cutlist.documents.patterns import matches_pathspec, path_pattern
from cutlist.documents.text.go_yaml import from_yaml


def of_folders(git: Manifest, checkout: Checkout, templates: Templates) -> list[dict[str, Any]]:
    """Return the values for each folder that is included and not excluded; hidden ones are none."""  # GO-42
    included, excluded = _matching_folders(git, checkout)
    return [_about(path, git, templates) for path in included if path not in excluded]


def excluded_folders(git: Manifest, checkout: Checkout) -> list[str]:
    """Return the folders that a generator would take if it did not exclude them."""  # GO-42
    included, excluded = _matching_folders(git, checkout)
    return [path for path in included if path in excluded]


def _matching_folders(git: Manifest, checkout: Checkout) -> tuple[list[str], set[str]]:
    """Return the folders that are included, in order, and those that are excluded."""
    wanted = list(map(mapping, entries(git.get("directories"))))
    patterns: tuple[list[Any], list[Any]] = ([], [])
    for entry in wanted:
        pattern = path_pattern(text(entry.get("path")))
        if pattern is not None:
            patterns[entry.get("exclude") is True].append(pattern)
    included, excluded = ([p for p in _folders(checkout.root) if any(x.fullmatch(p) for x in group)] for group in patterns)
    return included, set(excluded)


def of_files(git: Manifest, checkout: Checkout, templates: Templates) -> list[dict[str, Any]]:
    """Return the values in each file that is included and not excluded; one may hold a list of them.

    Raises TemplateError for a file that holds something else.
    """  # GO-43
    wanted = list(map(mapping, entries(git.get("files"))))
    included = [text(entry.get("path")) for entry in wanted if entry.get("exclude") is not True]
    excluded = [text(entry.get("path")) for entry in wanted if entry.get("exclude") is True]
    found: list[dict[str, Any]] = []
    for path in sorted(_files(checkout.root)):
        if any(matches_pathspec(path, p) for p in included) and not any(matches_pathspec(path, p) for p in excluded):
            found += _in_file(path, git, checkout, templates)
    return found


def _in_file(path: str, git: Manifest, checkout: Checkout, templates: Templates) -> Iterator[dict[str, Any]]:
    content = file_text(os.path.join(checkout.root, path), Problems())
    try:
        value = None if content is None else from_yaml(content)
    except ValueError as error:
        raise TemplateError(f"{path} cannot be read: {error}") from None
    for item in value if isinstance(value, list) else [{} if value is None else value]:
        if not isinstance(item, Mapping):
            raise TemplateError(f"{path} holds no mapping")
        own = dict(as_data(item)) if templates.of_go else flat(item)
        # What says where the file is wins over what the file says.
        yield {**own, **_about(posixpath.dirname(path) or ".", git, templates, posixpath.basename(path))}


def flat(value: Any, path: str = "") -> dict[str, str]:
    """Return the values in mappings and lists as texts, each by its path with dots."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else None
    if items is None or not value:
        return {path: printed(as_data(value), nested=True)} if path else {}
    found: dict[str, str] = {}
    for key, item in items:
        found |= flat(item, f"{path}.{key}" if path else str(key))
    return found


def _about(path: str, git: Manifest, templates: Templates, file: str = "") -> dict[str, Any]:
    """Return the values that say where something was found."""
    base, segments = posixpath.basename(path) or path, path.split("/")
    # The names are Argo CD's, and templates depend on them.
    about: dict[str, Any] = {"path": path, "basename": base, "basenameNormalized": sanitized(base), "segments": segments}
    if file:
        about |= {"filename": file, "filenameNormalized": sanitized(file)}
    prefix = text(git.get("pathParamPrefix"))
    if templates.of_go:
        return {prefix: {"path": about}} if prefix else {"path": about}
    name = f"{prefix}.path" if prefix else "path"
    own = {f"{name}.{key}": value for key, value in about.items() if key not in ("path", "segments")}
    return {name: path, **own, **{f"{name}[{index}]": part for index, part in enumerate(segments) if part}}


def _folders(root: str) -> Iterator[str]:
    for folder, subfolders, _ in os.walk(root):
        # In place, which keeps os.walk out of the others.
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        for name in subfolders:
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def _files(root: str) -> Iterator[str]:
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [name for name in subfolders if name != ".git"]
        yield from (os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/") for name in names)
