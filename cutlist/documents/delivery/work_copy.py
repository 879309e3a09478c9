"""A copy of a checkout in which a controller may write, and the names of its files in the checkout."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from cutlist.core.errors import Problem, Problems
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.document import Document

LeavesOut = Callable[[tuple[str, ...], bool], bool]
"""Tells whether a path, from the root, is left out; the second argument says whether it is a folder."""


@dataclass(frozen=True, slots=True)
class WorkCopy:
    """A copy of a checkout below a temporary folder.

    Its files are links to those of the checkout where the system allows it, so one is removed before it is written.
    """

    checkout: Checkout
    root: str

    @staticmethod
    def of(checkout: Checkout, folder: str, leaves_out: LeavesOut, *, keeps_links: bool) -> WorkCopy:
        """Copy a checkout into a new folder below one; symbolic links are left out unless they are kept."""
        root = tempfile.mkdtemp(dir=folder)
        _copy(checkout.root, root, (), leaves_out, keeps_links=keeps_links)
        return WorkCopy(checkout, root)

    def in_checkout(self, text: str) -> str:
        """Return a text with the paths of this copy as those of the checkout."""
        shown = os.path.relpath(self.checkout.root)
        outside = shown == os.curdir or shown.startswith(os.pardir)
        prefix = "" if shown == os.curdir else f"{self.checkout.root if outside else shown}{os.sep}"
        return text.replace(f"{self.root}{os.sep}", prefix).replace(self.root, prefix.rstrip(os.sep) or os.curdir)

    def renamed(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield documents of this copy under the names of the checkout's files."""
        for document in documents:
            place = replace(document.place, source=self.in_checkout(document.place.source))
            yield replace(document, place=place)

    def report(self, own: Problems, problems: Problems) -> None:
        """Add the problems of this copy's files under the names of the checkout's."""
        problems.extend(map(self._renamed, own.found))
        problems.inputs += own.inputs

    def _renamed(self, problem: Problem) -> Problem:
        place = replace(problem.place, source=self.in_checkout(problem.place.source))
        message, allowed = self.in_checkout(problem.message), self.in_checkout(problem.allowed)
        return replace(problem, place=place, message=message, allowed=allowed)


def _copy(source: str, target: str, path: tuple[str, ...], leaves_out: LeavesOut, *, keeps_links: bool) -> None:
    with os.scandir(source) as entries:
        listed = sorted(entries, key=lambda entry: entry.name)
    for entry in listed:
        own, is_folder = (*path, entry.name), entry.is_dir(follow_symlinks=False)
        if entry.name == ".git" or leaves_out(own, is_folder):
            continue
        there = os.path.join(target, entry.name)
        if entry.is_symlink():
            if keeps_links:
                os.symlink(os.readlink(entry.path), there)
        elif is_folder:
            os.mkdir(there)
            _copy(entry.path, there, own, leaves_out, keeps_links=keeps_links)
        elif entry.is_file():
            _link(entry.path, there)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
