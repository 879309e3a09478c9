"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
