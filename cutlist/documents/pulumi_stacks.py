"""Stacks of Pulumi projects whose files have Cutlist's own form: each is a cluster with its NodePools and workloads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.account.forms import is_template
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.members import mapping
from cutlist.documents.regions import NamedRegion
from cutlist.documents.text.yaml import parse

_PROJECT: Final = "Pulumi.yaml"
_BEGINNING, _END = "Pulumi.", ".yaml"
_FILES: Final = ("nodePools", "workloads")
REGION_KEYS: Final = ("aws:region", "azure-native:location", "azure:location")
"""Where a stack has its region: the configuration of the providers."""
_OWN: Final = ("nodePools", "builtInPools", "karpenterCluster", "autoModeCluster", "aksCluster")
"""Keys of which a stack of Cutlist's own form has at least one."""


@dataclass(frozen=True, slots=True)
class PulumiStack:
    """A stack: its name, the folder of its project, and the files and folders with its objects."""

    name: str
    project: str
    files: tuple[str, ...]

    def holds(self, path: str) -> bool:
        """Tell whether a file is one of its objects'."""
        real = os.path.realpath(path)
        return any(real == os.path.realpath(own) or real.startswith(os.path.realpath(own) + os.sep) for own in self.files)


def pulumi_stacks(files: Iterable[str]) -> tuple[PulumiStack, ...]:
    """Return the stacks of the projects among files that have Cutlist's own form, in the order of their names."""
    return tuple(stack for path in files if os.path.basename(path) == _PROJECT for stack in _stacks(path))


def stack_regions(files: Iterable[str]) -> tuple[NamedRegion, ...]:
    """Return the regions that the stacks of the projects among files have for their providers."""
    return tuple(
        NamedRegion(region, f"{key} of stack {stack} ({file})", os.path.dirname(path))
        for path in files
        if os.path.basename(path) == _PROJECT
        for stack, file in sorted(_stack_files(path).items())
        for key, region in mapping(_mapping(file).get("config")).items()
        if key in REGION_KEYS and isinstance(region, str) and not is_template(file)
    )


def stack_names(project: str) -> tuple[str, ...]:
    """Return the names of all stacks of a project, given its file, in order; none if there is no such file."""
    return tuple(sorted(_stack_files(project)))


def project_name(project: str) -> str:
    """Return the name of a project, given its file; empty if there is no such file or it has no name."""
    named = _mapping(project).get("name") if os.path.isfile(project) else None
    return named if isinstance(named, str) else ""


def _stack_files(project: str) -> Mapping[str, str]:
    """Return the file of each stack of a project."""
    data, root = _mapping(project), os.path.dirname(project)
    older = data.get("config")  # a text here is the deprecated spelling of stackConfigDir
    folder = os.path.join(root, str(data.get("stackConfigDir") or (older if isinstance(older, str) else "")))
    try:
        files = [name for name in os.listdir(folder or os.curdir) if name.startswith(_BEGINNING) and name.endswith(_END)]
    except OSError:
        return {}
    names = {file.removeprefix(_BEGINNING).removesuffix(_END): file for file in files if file != _PROJECT}
    return {name: os.path.join(folder, file) for name, file in names.items() if name}


def _stacks(project: str) -> Iterator[PulumiStack]:
    root = os.path.dirname(project)
    for stack, file in sorted(_stack_files(project).items()):
        config = _config(file)
        if any(config.get(key) for key in _OWN):
            listed = [path for key in _FILES for path in _texts(config.get(key))]
            yield PulumiStack(stack, root or os.curdir, tuple(os.path.join(root, path) for path in listed))


def _config(path: str) -> dict[str, Any]:
    """Return what a stack file says, by the names of keys without their namespaces."""
    config = _mapping(path).get("config")
    return {str(key).rpartition(":")[2]: value for key, value in config.items()} if isinstance(config, Mapping) else {}


def _mapping(path: str) -> Mapping[str, Any]:
    """Return the mapping that a file holds; an empty one if it holds anything else, which running the stack reports."""
    values = [parsed.value for parsed in parse(beginning_of(path), path, Problems())]
    return values[0] if values and isinstance(values[0], Mapping) else {}


def _texts(value: Any) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
