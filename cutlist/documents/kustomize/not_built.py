"""Kustomizations that are not built here: what of them only kustomize itself does, or is elsewhere, and what builds them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.ledger import OpenInput
from cutlist.core.setting import Setting
from cutlist.core.wording import listed
from cutlist.documents.commands import plan_with
from cutlist.documents.document import Document
from cutlist.documents.folders import Reading
from cutlist.documents.kustomize.kustomization import UNRESTRICTED, Kustomization
from cutlist.documents.rendered_sources import BUILDING
from cutlist.settings.planning import FETCH, HELM, KUSTOMIZE

KUSTOMIZATION: Final = "kustomization"
"""The form of a kustomization that is open."""
NOT_INSTALLED: Final = f"neither {' nor '.join(command.split()[0] for command in BUILDING)} is installed"
_NAMED: Final = 3
_BY_PROGRAM: Final = (KUSTOMIZE,)
_OF_CHARTS: Final = (KUSTOMIZE, HELM, FETCH)
_ELSEWHERE: Final = (FETCH,)


@dataclass(frozen=True, slots=True)
class Left:
    """A part of a kustomization that is not done here: its member, or its address if it is elsewhere, the file that has it, and
    the options with which it would be done."""

    what: str
    file: str
    needs: tuple[Setting, ...]

    @staticmethod
    def to_program(what: str, kustomization: Kustomization, *, has_charts: bool = False) -> Left:
        """Return what only kustomize itself does, such as `replacements`; charts it renders with helm, and fetches."""
        return Left(what, kustomization.file, _OF_CHARTS if has_charts else _BY_PROGRAM)

    @staticmethod
    def elsewhere(name: str, kustomization: Kustomization) -> Left:
        """Return a part that lies elsewhere, under an address."""
        return Left(name, kustomization.file, _ELSEWHERE)


class NotBuiltError(Exception):
    """A kustomization is not built, because parts of it are left.

    `documents` are its objects without those parts: enough to name them, and too little to plan them.
    """

    def __init__(self, left: Sequence[Left], documents: Sequence[Document] = ()) -> None:
        self.left = tuple(dict.fromkeys(left))
        self.documents = tuple(documents)
        super().__init__(self.why(""))

    def why(self, file: str) -> str:
        """Return why the kustomization in a file is not built; parts of other kustomizations are named with their files."""
        left = [part for part in self.left if part.needs != _ELSEWHERE]
        own = [part.what if part.file == file else f"{part.what} of {part.file}" for part in left]
        far = [part.what for part in self.left if part.needs == _ELSEWHERE]
        its = "its " if any(part.file == file for part in left) else ""
        reasons = [f"only kustomize applies {its}{_first(own)}"] if own else []
        return " and ".join([*reasons, *([f"{_first(far)} {'is' if len(far) == 1 else 'are'} elsewhere"] if far else [])])

    def sentence(self, reading: Reading, file: str = "") -> str:
        """Return the same, with the option that runs kustomize, or that it is not installed."""
        why = self.why(file)
        if self._lacks_program(reading):
            return f"{why}, and {NOT_INSTALLED}"
        return f"{why}, and {KUSTOMIZE.flag} runs it" if KUSTOMIZE in self._needs and not reading.kustomize else why

    def open_input(self, kustomization: Kustomization, files: Sequence[str], reading: Reading) -> OpenInput:
        """Return a kustomization as an open part, with the command that plans the files with it."""
        is_by_hand, why = self._lacks_program(reading), self.why(kustomization.file)
        if is_by_hand:
            why = f"{why}, and {NOT_INSTALLED}"
        command = by_command(kustomization) if is_by_hand else plan_with(self._needs, files, reading.options)
        return OpenInput(kustomization.file, KUSTOMIZATION, f"a kustomization that is not built, because {why}", command)

    def _lacks_program(self, reading: Reading) -> bool:
        """Tell whether nothing but the program is missing."""
        is_asked_for = reading.kustomize if KUSTOMIZE in self._needs else may_fetch(reading)
        return is_asked_for and installed_command() is None

    @property
    def _needs(self) -> tuple[Setting, ...]:
        """Return the options with which all of it would be built, in the order in which commands have them."""
        needed = {setting for part in self.left for setting in part.needs}
        return tuple(setting for setting in _OF_CHARTS if setting in needed)


def installed_command() -> str | None:
    """Return the command of the installed program that renders a kustomization, or None if there is no such program."""
    return next((command for command in BUILDING if shutil.which(command.split()[0])), None)


def may_fetch(reading: Reading) -> bool:
    """Tell whether what kustomizations name elsewhere may be fetched."""
    return reading.remote or reading.fetcher is not None


def by_command(kustomization: Kustomization) -> str:
    """Return the command that renders a kustomization outside of Cutlist."""
    return f"{BUILDING[0]} {kustomization.shown} | cutlist plan -f -"


def unrestricted_way(kustomization: Kustomization) -> str:
    """Return how a kustomization is planned that takes files from outside its folder, if that is how it is applied."""
    command = f"kustomize build {' '.join(UNRESTRICTED)} {kustomization.shown} | cutlist plan -f -"
    return f"what Flux builds, or Argo CD with such kustomize.buildOptions: name its object too; else {command}"


def _first(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return listed([*names[:_NAMED], *([f"{more:,} more"] if more > 0 else [])])
