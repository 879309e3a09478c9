"""Kustomizations rendered by the installed program: `kustomize`, else `kubectl kustomize`."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.setting import Advice
from cutlist.documents.delivery.helm import NO_NETWORK
from cutlist.documents.delivery.helm import PROGRAM as HELM_PROGRAM
from cutlist.documents.document import Document
from cutlist.documents.folders import Reading
from cutlist.documents.kustomize.kustomization import UNRESTRICTED, Kustomization, below, is_partly_elsewhere
from cutlist.documents.parsing import parse_documents
from cutlist.settings.planning import FETCH, KUSTOMIZE, KUSTOMIZE_REMOTE

_COMMANDS: Final = (("kustomize", "build"), ("kubectl", "kustomize"))
_CHARTS: Final = ("helmCharts", "helmChartInflationGenerator")
_SECONDS: Final = 300
_LAST_LINES: Final = 3


def installed_command() -> tuple[str, str] | None:
    """Return the words of the installed program that renders a kustomization, or None if there is no such program."""
    return next((command for command in _COMMANDS if shutil.which(command[0])), None)


def is_left_to_program(kustomization: Kustomization, reading: Reading) -> bool:
    """Tell whether kustomize renders a kustomization: it may fetch what this one names elsewhere, or it is asked to and is
    installed. Without it, plain kustomizations are rendered alike, and others are refused."""
    may_fetch = (reading.remote or reading.fetcher is not None) and is_partly_elsewhere(kustomization)
    return may_fetch or (reading.kustomize and installed_command() is not None)


def render_by_program(
    kustomization: Kustomization, problems: Problems, *, remote: bool, options: Sequence[str] = ()
) -> tuple[Document, ...]:
    """Return the objects that kustomize renders from a kustomization; failures are added to `problems`.

    Nothing remote is fetched unless `remote` is set: such a kustomization is refused before anything runs. `options` are those
    of `kustomize build`.
    """
    refused = False
    for part in () if remote else (kustomization, *below(kustomization).values()):
        for place, name in part.elsewhere():
            advice = Advice.of((FETCH, " for it to be fetched"), (KUSTOMIZE_REMOTE, " to let kustomize fetch it"))
            problems.add(place, f"{name} is remote, and Cutlist fetches nothing", advice)
            refused = True
    command = installed_command()
    if command is None:
        programs = " nor ".join(program for program, _ in _COMMANDS)
        problems.add(Place.of(KUSTOMIZE), f"neither {programs} is installed", "one of them on the PATH")
    if refused or command is None:
        return ()
    environment = dict(os.environ) if remote else {**os.environ, **NO_NETWORK, "GIT_ALLOW_PROTOCOL": "none"}
    text = _output((*command, *options, kustomization.shown), environment, kustomization, problems)
    return parse_documents(text, f"{' '.join(command)} {kustomization.shown}", problems)


def helm_options(kustomization: Kustomization) -> tuple[str, ...]:
    """Return the options that let kustomize render charts, if it or one that it builds on names any; empty otherwise."""
    members = (part.document.data for part in (kustomization, *below(kustomization).values()))
    has_charts = any(data.get(member) for data in members for member in _CHARTS)
    return ("--enable-helm", "--helm-command", HELM_PROGRAM) if has_charts else ()


_RESTRICTED: Final = "is not in or below"


def _output(command: tuple[str, ...], environment: Mapping[str, str], kustomization: Kustomization, problems: Problems) -> str:
    where = Place(kustomization.file)
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS, env=environment)  # noqa: S603 - what was asked for
    except (OSError, subprocess.TimeoutExpired) as error:
        problems.add(where, f"{command[0]} cannot be run: {error}")
        return ""
    if done.returncode:
        lines = [line.strip() for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        from cutlist.documents.kustomize.rendering import unrestricted_way  # only for a mistake

        said = " ".join(lines[-_LAST_LINES:]).removeprefix("Error: ")
        allowed = unrestricted_way(kustomization) if _RESTRICTED in said and UNRESTRICTED[0] not in command else ""
        problems.add(where, f"{command[0]} refuses it: {said}", allowed)
        return ""
    return done.stdout.decode(errors="replace")
