"""The stack that is selected in Pulumi's workspace of a project, as `pulumi stack select` leaves it.

It answers a call that can only be about one stack. What may be about each of them, above all a gate, never depends on it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from cutlist.documents.pulumi_stacks import project_name
from cutlist_cli.own_stacks import project_path

_VARIABLE: Final = "PULUMI_STACK"


def selected_stack(project_dir: Path, stacks: Collection[str], environment: Mapping[str, str]) -> str | None:
    """Return the one of a project's stacks that is selected; None if none is, or another one for each backend.

    The variable PULUMI_STACK takes precedence, as it does for Pulumi. `environment` also says where Pulumi's home is.
    """
    chosen = environment.get(_VARIABLE)
    names = {chosen} if chosen else {name for path in _workspaces(project_dir, environment) for name in _chosen_in(path)}
    short = {name.rpartition("/")[2] for name in names}
    return next(iter(short)) if len(short) == 1 and short <= set(stacks) else None


def _workspaces(project_dir: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield where Pulumi keeps what is chosen for a project: by its name and its file, as the shell names its folder."""
    file = project_path(project_dir)
    home = Path(environment.get("PULUMI_HOME") or Path.home() / ".pulumi")
    here = environment.get("PWD") or os.getcwd()
    if not (os.path.isabs(here) and os.path.isdir(here) and os.path.samefile(here, os.curdir)):
        here = os.getcwd()
    for path in dict.fromkeys((os.path.normpath(os.path.join(here, file)), os.path.realpath(file))):
        digest = hashlib.sha1(path.encode(), usedforsecurity=False).hexdigest()
        yield home / "workspaces" / f"{project_name(file)}-{digest}-workspace.json"


def _chosen_in(path: Path) -> Iterator[str]:
    """Yield the names in a workspace's file: of each backend, else the one for all."""
    try:
        data: Any = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return
    if not isinstance(data, dict):
        return
    by_backend = data.get("stacks")
    names = list(by_backend.values()) if isinstance(by_backend, dict) else []
    yield from (name for name in names or [data.get("stack")] if isinstance(name, str) and name)
