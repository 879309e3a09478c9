"""Kustomizations rendered by the installed program: `kustomize`, else `kubectl kustomize`."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.secrecy import masked
from cutlist.documents.delivery.helm import PROGRAM as HELM_PROGRAM
from cutlist.documents.delivery.processes import NO_NETWORK
from cutlist.documents.document import Document
from cutlist.documents.folders import Reading
from cutlist.documents.kustomize.kustomization import CHARTS, UNRESTRICTED, Kustomization, below, is_partly_elsewhere
from cutlist.documents.kustomize.not_built import (
    NOT_INSTALLED,
    Left,
    NotBuiltError,
    installed_command,
    may_fetch,
    unrestricted_way,
)
from cutlist.documents.parsing import parse_documents
from cutlist.documents.rendered_sources import built_source
from cutlist.settings.planning import KUSTOMIZE

_SECONDS: Final = 300
_LAST_LINES: Final = 3


def is_left_to_program(kustomization: Kustomization, reading: Reading) -> bool:
    """Tell whether kustomize renders a kustomization: it is installed, and may fetch what this one names elsewhere, or is asked
    to render. Without it, plain kustomizations are rendered alike, and others are left open."""
    is_asked_for = may_fetch(reading) if is_partly_elsewhere(kustomization) else reading.kustomize
    return is_asked_for and installed_command() is not None


def render_by_program(
    kustomization: Kustomization, problems: Problems, *, remote: bool, options: Sequence[str] = ()
) -> tuple[Document, ...]:
    """Return the objects that kustomize renders from a kustomization; failures are added to `problems`.

    Nothing remote is fetched unless `remote` is set: where it is not, NotBuiltError is raised before anything runs. `options`
    are those of `kustomize build`.
    """
    parts = () if remote else (kustomization, *below(kustomization).values())
    left = [Left.elsewhere(name, part) for part in parts for _, name in part.elsewhere()]
    if left:
        raise NotBuiltError(left)
    command = installed_command()
    if command is None:
        problems.add(Place.of(KUSTOMIZE), NOT_INSTALLED, "one of them on the PATH")
        return ()
    environment = dict(os.environ) if remote else {**os.environ, **NO_NETWORK, "GIT_ALLOW_PROTOCOL": "none"}
    text = _output((*command.split(), *options, kustomization.shown), environment, kustomization, problems)
    return parse_documents(text, built_source(command, kustomization.shown), problems)


def helm_options(kustomization: Kustomization) -> tuple[str, ...]:
    """Return the options that let kustomize render charts, if it or one that it builds on names any; empty otherwise."""
    members = (part.document.data for part in (kustomization, *below(kustomization).values()))
    has_charts = any(data.get(member) for data in members for member in CHARTS)
    return ("--enable-helm", "--helm-command", HELM_PROGRAM) if has_charts else ()


_RESTRICTED: Final = "is not in or below"
_KLOG: Final = re.compile(r'^[A-Z]\d{4} [\d:.]+ +\d+ \S+:\d+\] (?:"command failed" err=)?')
"""What kubectl puts before what it says: the time, its process and its line of code."""


def _output(command: tuple[str, ...], environment: Mapping[str, str], kustomization: Kustomization, problems: Problems) -> str:
    where = Place(kustomization.file)
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS, env=environment)  # noqa: S603 - what was asked for
    except (OSError, subprocess.TimeoutExpired) as error:
        problems.add(where, f"{command[0]} cannot be run: {error}")
        return ""
    if done.returncode:
        lines = [_KLOG.sub("", line).strip() for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        said = masked(" ".join(lines[-_LAST_LINES:]).removeprefix("Error: "))
        allowed = unrestricted_way(kustomization) if _RESTRICTED in said and UNRESTRICTED[0] not in command else ""
        problems.add(where, f"{command[0]} refuses it: {said}", allowed)
        return ""
    return done.stdout.decode(errors="replace")
