"""What an Application of Argo CD, or a release or Kustomization of Flux, takes from a checkout, before it is rendered."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cutlist.core.errors import Place, Problems
from cutlist.documents.checkout import Checkout
from cutlist.documents.document import Document
from cutlist.documents.folders import CHART_NAME
from cutlist.documents.helm import Release

Manifest = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Files:
    """A folder of manifests or with a kustomization. `include` and `exclude` are patterns of paths below it, as Argo CD writes
    them."""

    folder: str
    recursive: bool = False
    include: str = ""
    exclude: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What Flux changes in the objects of a Kustomization; without `variables` it substitutes nothing."""

    namespace: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """What an object stands for: parts of a checkout, and the namespace of objects that write none.

    `revision` is the one that it names, if another is checked out.
    """

    document: Document
    parts: tuple[Release | Files, ...]
    namespace: str = ""
    changes: Changes = Changes()
    revision: str = ""

    @property
    def covered(self) -> tuple[str, ...]:
        """Return the real paths of the folders that it takes."""
        folders = (part.chart if isinstance(part, Release) else part.folder for part in self.parts)
        return tuple(map(os.path.realpath, folders))


@dataclass(frozen=True, slots=True)
class Undelivered:
    """Why an object is not rendered here; empty if a problem already says so."""

    why: str = ""


def folder_at(path: str, checkout: Checkout, place: Place, problems: Problems) -> str | None:
    """Return a folder of a checkout; report a missing one and return None."""
    folder = checkout.folder(path)
    if folder is None:
        problems.add(place, f"{path} leaves the checkout", "a folder below its root")
    elif not os.path.isdir(folder):
        problems.add(place, f"{path} is not a folder of the checkout", "a path from its root")
    else:
        return folder
    return None


def file_at(path: str, checkout: Checkout, place: Place, problems: Problems) -> str | None:
    """Return a file of a checkout; report a missing one and return None."""
    file = checkout.folder(path)
    if file is None:
        problems.add(place, f"{path} leaves the checkout", "a file below its root")
    elif not os.path.isfile(file):
        problems.add(place, f"{path} does not exist", "a file of the checkout")
    else:
        return file
    return None


def is_chart(folder: str) -> bool:
    """Tell whether a folder is that of a chart."""
    return os.path.isfile(os.path.join(folder, CHART_NAME))


def mapping(value: Any) -> Manifest:
    """Return a value that is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def entries(value: Any) -> list[Any]:
    """Return a value that is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str:
    """Return a value that is a text, else an empty one."""
    return value if isinstance(value, str) else ""
