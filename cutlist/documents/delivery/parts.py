"""What an Application of Argo CD, or a release or Kustomization of Flux, takes from a checkout, before it is rendered."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cutlist.core.errors import Place, Problems
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetched import NotFetched
from cutlist.documents.delivery.helm import Release
from cutlist.documents.document import Document
from cutlist.documents.folders import CHART_NAME
from cutlist.documents.members import Manifest
from cutlist.documents.rendered_sources import folder_of


@dataclass(frozen=True, slots=True)
class PlainFiles:
    """Files of a folder that Argo CD applies as they are. `include` and `exclude` are globs of paths below it."""

    folder: str
    recursive: bool = False
    include: str = ""
    exclude: str = ""


@dataclass(frozen=True, slots=True)
class ChartOfSource:
    """A release whose chart Flux takes from its copy of a checkout, without what `ignore` and its files leave out."""

    release: Release
    checkout: Checkout
    ignore: str


class Overlay(Protocol):
    """What a controller changes in the kustomization of a folder before it builds it."""

    def over(self, data: Manifest, folder: str) -> dict[str, Any]:
        """Return the changed members of a kustomization in a folder. Raises ValueError for what the controller refuses."""
        ...


@dataclass(frozen=True, slots=True)
class Build:
    """A folder of a checkout that a controller builds with kustomize, perhaps with changes.

    `ignore` has the patterns of what the controller's copy leaves out, besides those in the checkout's files; without it the
    copy is complete. If `generates` is set, a folder without a kustomization gets one. `options` are those of kustomize.
    """

    checkout: Checkout
    folder: str
    overlay: Overlay | None = None
    ignore: str | None = None
    generates: bool = False
    options: tuple[str, ...] = ()


Part = Release | ChartOfSource | PlainFiles | Build
Step = Callable[[Sequence[Document], Problems], Sequence[Document]]
"""What happens to the objects of a delivery after they are rendered; problems are added."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What an object stands for: parts of a checkout, and what happens to their objects, step by step.

    `revision` is the one that it names, if another is checked out, and `root` the folder of the checkout in which its path
    begins, if that is not the root. Its steps fill `unset` with the variables that are empty unless Flux is strict, which
    nothing says; None if it is known or if nothing is substituted.
    """

    document: Document
    parts: tuple[Part, ...]
    steps: tuple[Step, ...] = ()
    revision: str = ""
    root: str = ""
    unset: list[str] | None = None

    @property
    def covered(self) -> tuple[str, ...]:
        """Return the real paths of the folders that it takes."""
        return tuple(os.path.realpath(_folder_of(part)) for part in self.parts)


def _folder_of(part: Part) -> str:
    if isinstance(part, ChartOfSource):
        return part.release.chart
    return part.chart if isinstance(part, Release) else part.folder


@dataclass(frozen=True, slots=True)
class Undelivered:
    """Why an object is not rendered here; empty if a problem already says so.

    `covered` are the real paths of the folders that it would take, whose objects are not applied. If `says_how` is set, the
    reason itself says what renders it; if `is_elsewhere` is set, fetching does. `named` are the folders of the checkout that it
    would take if its source, of which nothing is known, is this repository: their objects are read by themselves.
    """

    why: str = ""
    covered: tuple[str, ...] = ()
    says_how: bool = False
    is_elsewhere: bool = False
    named: tuple[str, ...] = ()

    @staticmethod
    def of(error: NotFetched) -> Undelivered:
        """Return why an object is not rendered whose source is not here."""
        return Undelivered(str(error), says_how=not error.is_elsewhere, is_elsewhere=error.is_elsewhere)


def folder_at(path: str, checkout: Checkout, place: Place, problems: Problems) -> str | None:
    """Return a folder of a checkout; report a missing one and return None."""
    folder = _inside(path, checkout, place, problems)
    if folder is None or os.path.isdir(folder):
        return folder
    problems.add(place, f"{path} is not a folder of the checkout", "a path from its root")
    return None


def root_below(path: str, checkout: Checkout, document: Document) -> str:
    """Return the nearest folder around an object's file, below the root of its checkout, that has a path; empty if none has.

    A sample or a part of a larger repository may have been the root of its own.
    """
    own = os.path.realpath(folder_of(document.place.source))
    folder = os.path.relpath(own, os.path.realpath(checkout.root))
    while folder and not folder.startswith(os.pardir):
        root = checkout.folder(folder)
        if root is not None and os.path.isdir(os.path.join(root, os.path.normpath(path).lstrip("/"))):
            return root
        folder = os.path.dirname(folder)
    return ""


def file_at(path: str, checkout: Checkout, place: Place, problems: Problems) -> str | None:
    """Return a file of a checkout; report a missing one and return None."""
    file = _inside(path, checkout, place, problems)
    if file is None or os.path.isfile(file):
        return file
    problems.add(place, f"{path} does not exist", "a file of the checkout")
    return None


def _inside(path: str, checkout: Checkout, place: Place, problems: Problems) -> str | None:
    """Return where a path of a checkout leads; report one that leads out of it, and return None."""
    inside = checkout.folder(path)
    if inside is None:
        problems.add(place, f"{path} leaves the checkout", "a path below its root")
    return inside


def is_chart(folder: str) -> bool:
    """Tell whether a folder has a Chart.yaml."""
    return os.path.isfile(os.path.join(folder, CHART_NAME))
