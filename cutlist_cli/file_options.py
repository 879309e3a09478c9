"""Options of the files that a command reads, and of how folders, kustomizations and charts among them are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import click

from cutlist_cli.options import F, allow_empty_option, with_options


def files_option(what: str, *, required: bool = True) -> Callable[[F], F]:
    """Return a decorator that adds `-f`, files and folders with what a command reads, and `--allow-empty`."""

    def with_files(command: F) -> F:
        return file_option(what, required=required)(allow_empty_option(command))

    return with_files


def file_option(what: str, *, required: bool = True) -> Callable[[F], F]:
    """Return a decorator that adds only `-f`."""
    return click.option(
        "-f",
        "--file",
        "files",
        multiple=True,
        required=required,
        metavar="PATH",
        type=click.Path(allow_dash=True),
        help=f"File or folder with {what}, - for standard input. May be given several times.",
    )


def manifests_option(what: str, *, required: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds `-f`, `--allow-empty`, and how what `-f` names is read."""

    def with_manifests(command: Callable[..., None]) -> Callable[..., None]:
        return files_option(what, required=required)(reading_options(command))

    return with_manifests


def recursive_option(command: F) -> F:
    """Add `-R`: whether subfolders are read."""
    return click.option("-R", "--recursive", is_flag=True, help="Also read subfolders, as `kubectl -R` does.")(command)


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of how folders, kustomizations and charts are read, passed as `reading`: a `Reading`."""

    @wraps(command)
    def with_reading(
        recursive: bool,
        kustomize: bool,
        kustomize_remote: bool,
        helm: bool,
        helm_values: tuple[str, ...],
        helm_kube_version: str | None,
        helm_api_versions: tuple[str, ...],
        **values: Any,
    ) -> None:
        from cutlist.documents import Charts, Reading

        charts = Charts.where_asked(helm, helm_values, helm_kube_version, helm_api_versions)
        command(reading=Reading(recursive, kustomize or kustomize_remote, kustomize_remote, charts), **values)

    return with_options((recursive_option, *_KUSTOMIZE_OPTIONS, *_HELM_OPTIONS), with_reading)


_KUSTOMIZE_OPTIONS: Final = (
    click.option(
        "--kustomize",
        is_flag=True,
        help="Render kustomizations with the installed kustomize or kubectl; without it, those with patches are refused.",
    ),
    click.option("--kustomize-remote", is_flag=True, help="Like --kustomize, and fetch what kustomizations name elsewhere."),
)
_HELM_OPTIONS: Final = (
    click.option(
        "--helm",
        is_flag=True,
        help="Render charts, and those of Argo CD and Flux in this checkout, with the installed helm. Fetches nothing.",
    ),
    click.option(
        "--helm-values",
        multiple=True,
        metavar="FILE",
        type=click.Path(),
        help="Like --helm, with these values for charts given as folders. May be given several times.",
    ),
    click.option("--helm-kube-version", metavar="VERSION", help="Like --helm, for a version of Kubernetes such as 1.34."),
    click.option(
        "--helm-api-version",
        "helm_api_versions",
        multiple=True,
        metavar="NAME",
        help="Like --helm, with an API that charts look for, such as monitoring.coreos.com/v1. May be given several times.",
    ),
)
