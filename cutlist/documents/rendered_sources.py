"""The places of objects that helm and kustomize render: the file that has them, with the release; the folder that was built."""

from __future__ import annotations

import os
import re
from typing import Final

BUILDING: Final = ("kustomize build", "kubectl kustomize")
"""The commands that render a kustomization, the preferred one first."""
_RELEASE: Final = re.compile(r" \(helm, release [^)]*\)$")


def rendered_source(file: str, release: str) -> str:
    """Return the source of an object that a release renders from a file."""
    return f"{file} (helm, release {release})"


def file_of(source: str) -> str:
    """Return the file of a source: of one that was rendered, its template."""
    return _RELEASE.sub("", source)


def built_source(command: str, folder: str) -> str:
    """Return the source of an object that a program makes of a folder; the command is one of BUILDING."""
    return f"{command} {folder}"


def folder_of(source: str) -> str:
    """Return the folder of a source: that of its file, or the one that a program built; empty for others, as of a stream."""
    command = next((command for command in BUILDING if source.startswith(f"{command} ")), "")
    if command:
        return source.removeprefix(f"{command} ")
    file = file_of(source)
    return os.path.dirname(file) or os.curdir if os.path.isfile(file) else ""
