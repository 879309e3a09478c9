"""The installed helmfile: its version, and how it is run so that it starts nothing but helm and reaches nobody."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.delivery.helm import PROGRAM as HELM_PROGRAM
from cutlist.documents.delivery.processes import Ended, empty_home, run
from cutlist.settings.planning import HELMFILE

PROGRAM: Final = "helmfile"
_LEAST: Final = (1, 8)
"""The first release that Cutlist was tried with: it can switch hooks off. One before it might run them."""
_VERSION: Final = re.compile(r"v?(\d+)\.(\d+)\.\d+")
_SAFE: Final = {
    "HELMFILE_DISABLE_INSECURE_FEATURES": "true",  # exec and readFile in templates, and states from elsewhere
    "HELMFILE_DISABLE_HOOKS": "true",
    "HELMFILE_UPGRADE_NOTICE_DISABLED": "true",  # else it asks the network for its newest release
    "NO_COLOR": "true",
}
_NOT_RUN: Final = "kustomize-is-not-run"
"""A program that is not there: charts that kustomize would make are left open, since it may run plugins for helmfile."""


@dataclass(frozen=True, slots=True)
class Program:
    """The paths of the installed helmfile and of the helm that it runs."""

    helmfile: str
    helm: str

    @staticmethod
    def installed(home: str, problems: Problems) -> Program | None:
        """Return the installed programs, or None, with a problem added, if they are not there or too old to be run."""
        found, helm = shutil.which(PROGRAM), shutil.which(HELM_PROGRAM)
        if found is None or helm is None:
            missing = PROGRAM if found is None else HELM_PROGRAM
            problems.add(Place.of(HELMFILE), f"{missing} is not installed", "both helmfile and helm on the PATH")
            return None
        ended = run((found, "version", "-o", "short"), {**empty_home(home), **_SAFE}, home)
        version = _VERSION.search(ended.text)
        if version is None or (int(version[1]), int(version[2])) < _LEAST:
            what = f"version {version[0]} of helmfile" if version else "a helmfile of unknown version"
            least = ".".join(map(str, _LEAST))
            problems.add(Place.of(HELMFILE), f"{what} may run hooks, and is not started", f"helmfile {least} or newer")
            return None
        return Program(found, helm)

    def run(self, file: str, environment: str, words: Sequence[str], home: str) -> Ended:
        """Return how a command of helmfile ended. What a state names as helm or kustomize is not run."""
        own = (self.helmfile, "--quiet", "--helm-binary", self.helm, "--kustomize-binary", _NOT_RUN, "--file", file)
        chosen = ("--environment", environment) if environment else ()
        return run((*own, *chosen, *words), {**empty_home(home), **_SAFE}, home)
