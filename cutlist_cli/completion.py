"""Complete what the user types in a shell: regions, stacks, environments, workloads. Whatever cannot be read is not offered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from cutlist.core.errors import CutlistError, Problems
from cutlist_cli.project_settings import defaults_of, read_project

_KINDS: Final = frozenset(("Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicaSet", "Pod"))
_OF_CLUSTER: Final = frozenset(("Node", "NodePool"))
_DEFAULT_NAMESPACE: Final = "default"


def regions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """Return the regions of the chosen catalogue that begin with the typed text."""
    from cutlist.catalog.embedded import chosen_regions  # takes 20 ms

    try:
        known = chosen_regions(ctx.params.get("catalog"))
    except (CutlistError, OSError):
        return []
    return [region for region in known if region.startswith(incomplete)]


def stacks(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """Return the stacks of the project, by their files, that begin with the typed text."""
    from cutlist.documents.pulumi_stacks import stack_names  # reads YAML, which no command line needs before

    project = Path(ctx.params.get("project_dir") or ".") / "Pulumi.yaml"
    return [name for name in stack_names(str(project)) if name.startswith(incomplete)]


def environments(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """Return the environments of the project's file that begin with the typed text."""
    try:
        names = [environment.name for environment in read_project().environments]
    except (CutlistError, OSError):
        return []
    return [name for name in names if name.startswith(incomplete)]


def workloads(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """Return the workloads of the files, named as plans name them, that begin with the typed text."""
    return sorted(name for name in set(_workloads(ctx)) if name.startswith(incomplete))


def named_things(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """Return the pods, workloads, nodes and NodePools of the files that begin with the typed text."""
    names = {*_workloads(ctx), *_workloads(ctx, _OF_CLUSTER)}
    return sorted(name for name in names if name.startswith(incomplete))


def _workloads(ctx: click.Context, kinds: frozenset[str] = _KINDS) -> Iterator[str]:
    from cutlist.documents.collecting import collect_documents  # takes 50 ms, with the next
    from cutlist.documents.folders import Reading

    try:
        files = ctx.params.get("files") or defaults_of(ctx.command.name or "", ()).get("files", ())
        paths = [path for path in files if path != "-"]
        documents = collect_documents(paths, Problems(), None, Reading(bool(ctx.params.get("recursive"))))
    except (CutlistError, OSError):
        return
    for document in documents:
        if document.kind in kinds and document.name:
            namespace = (document.data.get("metadata") or {}).get("namespace", _DEFAULT_NAMESPACE)
            name = f"{document.kind.lower()}/{document.name}"
            yield name if namespace == _DEFAULT_NAMESPACE else f"{namespace}/{name}"
