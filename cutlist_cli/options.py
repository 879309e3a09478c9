"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from cutlist.core.karpenter.baselines import DEFAULT, SUPPORTED
from cutlist.core.karpenter.feature_gates import FEATURE_GATES
from cutlist_cli import terminal
from cutlist_cli.completion import regions, stacks
from cutlist_cli.failures import ALLOW_EMPTY

F = TypeVar("F", bound=Callable[..., Any])

_DEBUG: Final = "cutlist.debug"
_AWS_GATES: Final = tuple(gate.name for gate in FEATURE_GATES if gate.is_of_aws)
REGION_VARIABLES: Final = ("AWS_REGION", "AWS_DEFAULT_REGION")
CATALOG_VARIABLE: Final = "CUTLIST_CATALOG"
TIME_LIMIT_VARIABLE: Final = "CUTLIST_TIME_LIMIT"
BOUNDS: Final = ("quick", "linear", "strong")
"""How a lower bound may be proven, as `cutlist.planning.model.BoundKind` names it."""


def _remember_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[_DEBUG] = True


def is_debug(ctx: click.Context) -> bool:
    """Tell whether tracebacks are wanted; `--debug` counts both before and after the command's name."""
    return bool(ctx.meta.get(_DEBUG))


def debug_option(command: F) -> F:
    """Add `--debug`."""
    return click.option(
        "--debug", is_flag=True, expose_value=False, callback=_remember_debug, help="Show the traceback of an unexpected error."
    )(command)


def with_options(options: Sequence[Any], command: F) -> F:
    """Return the command with these options, in this order in its help."""
    for option in reversed(options):
        command = option(command)
    return command


def allow_empty_option(command: F) -> F:
    """Add `--allow-empty`: whether an answer about nothing is accepted."""
    return click.option(
        ALLOW_EMPTY,
        is_flag=True,
        help="Accept input with nothing to judge, such as an empty file; otherwise the exit code is 2.",
    )(command)


def stack_option(help_text: str, *, required: bool = False) -> Callable[[F], F]:
    """Return a decorator that adds `--stack`, a stack of the project, with this help."""
    return click.option("-s", "--stack", required=required, metavar="NAME", shell_complete=stacks, help=help_text)


def time_limit_option(command: F) -> F:
    """Add `--time-limit`, how long the program of a stack may run."""
    return click.option(
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        envvar=TIME_LIMIT_VARIABLE,
        help="How long a stack's program may run, in its own process.   [default: 300]",
    )(command)


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


def region_option(what: str, otherwise: str = "", *, required: bool = False) -> Callable[[F], F]:
    """Return a decorator that adds `--region`, which the environment can set: `what` says what it is for, `otherwise` what
    happens without it."""
    variables = ", ".join(f"${name}" for name in REGION_VARIABLES)
    return click.option(
        "--region",
        envvar=list(REGION_VARIABLES),
        required=required,
        metavar="REGION",
        shell_complete=regions,
        help=f"{what}  [default: {variables}{otherwise}]",
    )


def catalog_option(command: F) -> F:
    """Add `--catalog`: the source of types and prices."""
    return click.option(
        "--catalog",
        envvar=CATALOG_VARIABLE,
        metavar="DIR",
        type=click.Path(),
        help=f"Catalogue that `cutlist catalog update` wrote.  [default: ${CATALOG_VARIABLE}, else the embedded one]",
    )(command)


def karpenter_option(command: F) -> F:
    """Add `--karpenter`: the version whose rules apply."""
    return click.option(
        "--karpenter",
        metavar="VERSION",
        help=f"Version of Karpenter to follow: {' or '.join(map(str, SUPPORTED))}, or a release.  [default: {DEFAULT.minor}]",
    )(command)


def scheduler_config_option(command: F) -> F:
    """Add `--scheduler-config`: default spread constraints."""
    return click.option(
        "--scheduler-config",
        metavar="FILE",
        type=click.Path(),
        help="File with the value of Karpenter's --scheduler-config: default spread constraints. Since Karpenter 1.15.",
    )(command)


def feature_gates_option(command: F) -> F:
    """Add `--feature-gate`: gates of Karpenter's AWS provider that are on."""
    return click.option(
        "--feature-gate",
        "feature_gates",
        multiple=True,
        metavar="NAME",
        type=click.Choice(_AWS_GATES),
        help=f"Feature gate of the AWS provider to turn on: {', '.join(_AWS_GATES)}. May be given several times.",
    )(command)


def external_class_option(command: F) -> F:
    """Add `--external-class`: node classes that are not among the files."""
    return click.option(
        "--external-class",
        "external_classes",
        multiple=True,
        metavar="NAME",
        help="Node class defined elsewhere, such as in Terraform; assumed to have all defaults. May be given several times.",
    )(command)


def before_option(command: F) -> F:
    """Add `--before`: a plan to compare with."""
    return click.option(
        "--before",
        metavar="FILE",
        type=click.Path(),
        help="Earlier plan, written with `-o json`; the changes come first. For text, markdown and html.",
    )(command)


def launch_option(command: F) -> F:
    """Add `--launch`: whether the text contains the requests to EC2."""
    return click.option("--launch", is_flag=True, help="Show the request to EC2 and its likely outcome; JSON always has it.")(
        command
    )


class WholeNumber(click.IntRange):
    """A whole number within limits, as click's `IntRange`, in plain words."""

    name = "whole number"


class Percentage(WholeNumber):
    """A whole number of percent, with or without the percent sign."""

    name = "percentage"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; fail for everything else."""
        number: Any = value.removesuffix("%") if isinstance(value, str) else value
        return super().convert(number, param, ctx)


def width_option(command: F) -> F:
    """Add `--width`: how wide text is."""
    return click.option(
        "--width",
        type=WholeNumber(min=terminal.NARROWEST),
        metavar="COLUMNS",
        help=f"Columns of the text.  [default: the terminal's, else {terminal.DEFAULT_WIDTH}]",
    )(command)


PROJECT_DIR: Final = "project_dir"
"""The parameter of `--project-dir`."""


def project_dir_option(help_text: str) -> Callable[[F], F]:
    """Return a decorator that adds `--project-dir`, the folder of a Pulumi project, with this help."""
    return click.option(
        "--project-dir",
        PROJECT_DIR,
        default=_nearest_project,
        metavar="DIR",
        type=click.Path(path_type=Path),
        help=f"{help_text}  [default: the working directory, or the nearest folder above it that has one]",
    )


def _nearest_project() -> Path:
    """Return the nearest folder with a Pulumi project, where Pulumi looks for it too: the working directory or one above it."""
    for above in range(len(Path.cwd().parts)):
        folder = Path(*[".."] * above)
        if (folder / "Pulumi.yaml").is_file():
            return folder
    return Path()


ANSWER_FILE: Final = "answer_file"
"""The parameter of `--to`."""


def to_option(help_text: str) -> Callable[[F], F]:
    """Return a decorator that adds `--to`, the file that a command writes its answer to, with this help."""
    return click.option("--to", ANSWER_FILE, metavar="FILE", type=click.Path(dir_okay=False), help=help_text)


def output_option(*formats: str) -> Callable[[F], F]:
    """Return a decorator that adds `--output` with these formats, the first by default."""
    return click.option(
        "-o", "--output", type=click.Choice(formats), default=formats[0], show_default=True, help="Form of the answer."
    )
