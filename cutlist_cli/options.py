"""Options that several commands share, and the reading of the inputs that they name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from cutlist.core.errors import InputError, Place, Problem
from cutlist_cli import terminal
from cutlist_cli.failures import ALLOW_EMPTY
from cutlist_cli.progress import progress_line

if TYPE_CHECKING:
    from cutlist.core.notes import Note, Notes
    from cutlist.documents import Reading
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan

F = TypeVar("F", bound=Callable[..., Any])

_DEBUG: Final = "cutlist.debug"
_STDIN: Final = "cutlist.stdin"
REGION_VARIABLES: Final = ("AWS_REGION", "AWS_DEFAULT_REGION")
CATALOG_VARIABLE: Final = "CUTLIST_CATALOG"
_FIRST_YEAR: Final = 1970
_FEW_REGIONS: Final = 12
_SUCH_REGIONS: Final = "a region of AWS such as us-east-1, or a location of Azure such as eastus"


class Instant(click.ParamType[float]):
    """A time with its zone, such as 2026-01-05T12:00:00Z, as seconds since 1970."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds; a mistake is reported with the option's name."""
        from cutlist.workloads.schema import LAST_YEAR

        if isinstance(value, float):
            return value
        try:
            time = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is not a time; write one such as 2026-01-05T12:00:00Z", param, ctx)
        if time.tzinfo is None:
            self.fail(f"{value!r} has no time zone; write one such as {time.isoformat()}Z", param, ctx)
        if not _FIRST_YEAR <= time.year <= LAST_YEAR:
            self.fail(f"{value!r} is too far off; write one from {_FIRST_YEAR} to {LAST_YEAR}", param, ctx)
        return time.timestamp()


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
    """Add `--allow-empty`: whether an answer about nothing is an answer."""
    return click.option(
        ALLOW_EMPTY, is_flag=True, help="Go on where there is nothing to judge, such as an empty file; else that is exit 2."
    )(command)


def files_option(what: str, *, required: bool = True) -> Callable[[F], F]:
    """Return a decorator that adds `-f`, files and folders with what a command reads, and `--allow-empty`."""

    def with_files(command: F) -> F:
        return _file_option(what, required=required)(allow_empty_option(command))

    return with_files


def _file_option(what: str, *, required: bool = True) -> Callable[[F], F]:
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
    return click.option("-R", "--recursive", is_flag=True, help="Read the subfolders of folders too, as `kubectl -R` does.")(
        command
    )


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of how folders and kustomizations are read, passed as `reading`: a `Reading`."""

    @wraps(command)
    def with_reading(recursive: bool, kustomize: bool, kustomize_remote: bool, **values: Any) -> None:
        from cutlist.documents import Reading

        command(reading=Reading(recursive, kustomize or kustomize_remote, kustomize_remote), **values)

    return with_options((recursive_option, *_KUSTOMIZE_OPTIONS), with_reading)


_KUSTOMIZE_OPTIONS: Final = (
    click.option(
        "--kustomize",
        is_flag=True,
        help="Render kustomizations by the kustomize or kubectl that is installed, and not here, where patches are refused.",
    ),
    click.option("--kustomize-remote", is_flag=True, help="The same, and let it fetch what kustomizations name elsewhere."),
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


def external_class_option(command: F) -> F:
    """Add `--external-class`: node classes that are not among the files."""
    return click.option(
        "--external-class",
        "external_classes",
        multiple=True,
        metavar="NAME",
        help="Node class that is elsewhere, such as in Terraform: taken to have every default. May be given several times.",
    )(command)


@dataclass(frozen=True, slots=True)
class InputOptions:
    """Values of the options that name the inputs of a plan."""

    files: tuple[str, ...]
    allow_empty: bool
    region: str | None
    zones: tuple[str, ...]
    catalog: str | None
    built_in_pools: tuple[str, ...]
    overhead_profile: str | None
    external_classes: tuple[str, ...]
    reading: Reading

    def read(self) -> PlanInputs:
        """Return the inputs of a plan. Raises InputError with all mistakes, a missing region among them."""
        return self.read_files(self.files)

    def read_with_notes(self) -> PlanInputs:
        """Return the same, and write what of the files was not read to standard error."""
        inputs = self.read()
        show_not_read(inputs.workloads.notes)
        return inputs

    def read_files(
        self, files: tuple[str, ...], cluster: tuple[str, ...] = (), removed_pools: frozenset[str] = frozenset()
    ) -> PlanInputs:
        """Return the inputs of a plan from other files than those of `-f`, laid over those of a cluster without some of its
        NodePools.

        Raises as `read` does.
        """
        from cutlist.planning.read_inputs import read_inputs

        settings: dict[str, Any] = {
            "zones": self.zones,
            "stdin": stdin_of(files),
            "catalog": self.catalog,
            "built_in_pools": self.built_in_pools,
            "allow_empty": self.allow_empty,
            "external_classes": self.external_classes,
            "reading": self.reading,
        }
        if cluster:
            settings |= {"cluster": cluster, "removed_pools": removed_pools}
        if self.overhead_profile is not None:
            settings["overhead_profile"] = self.overhead_profile
        if self.region:
            with progress_line("reading the files"), named_as_options(**_PARAMETERS):
                return read_inputs(files, region=self.region, **settings)
        try:
            with named_as_options(**_PARAMETERS):
                read_inputs(files, region=None, **settings)
        except InputError as error:
            others = [problem for problem in error.problems if problem.place != Place(path="--region")]
            raise InputError([*_no_region(self.catalog), *others]) from None
        raise InputError(_no_region(self.catalog))


_PARAMETERS: Final = {
    "zones": "--zone",
    "region": "--region",
    "built_in_pools": "--built-in-pool",
    "overhead_profile": "--overhead-profile",
}
"""The options by the parameters that they are passed as."""


@contextmanager
def named_as_options(**options: str) -> Iterator[None]:
    """Raise mistakes in these parameters of a function as mistakes in the options that a user knows them by."""
    try:
        yield
    except InputError as error:
        names = {Place(path=parameter): Place(path=option) for parameter, option in options.items()}
        raise InputError([replace(p, place=names.get(p.place, p.place)) for p in error.problems]) from None


def stdin_of(files: Sequence[str]) -> bytes | None:
    """Return the contents of standard input if `-` is among the files.

    The contents are kept, since they can be read only once and a command may need them several times.
    """
    if "-" not in files or not sys.stdin:
        return None
    meta: dict[str, Any] = click.get_current_context().meta
    if _STDIN not in meta:
        meta[_STDIN] = sys.stdin.buffer.read()
    content: bytes = meta[_STDIN]
    return content


def input_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `-f`, `--region`, `--zone`, `--catalog` and the options of EKS Auto Mode, passed as `options`: an `InputOptions`."""
    return _file_option("manifests")(input_options_without_files(command))


def input_options_without_files(command: Callable[..., None]) -> Callable[..., None]:
    """Add the same without `-f`, which the command defines itself."""

    @wraps(command)
    def with_input_options(**values: Any) -> None:
        options = InputOptions(**{f.name: values.pop(f.name) for f in fields(InputOptions)})
        command(options=options, **values)

    return reading_options(with_options(_INPUT_OPTIONS, with_input_options))


_INPUT_OPTIONS: Final = (
    allow_empty_option,
    region_option("Region of AWS or location of Azure to plan for."),
    click.option(
        "--zone",
        "zones",
        multiple=True,
        metavar="ZONE",
        help="Zone that has a subnet; may be given several times.  [default: all zones of the region]",
    ),
    catalog_option,
    click.option(
        "--built-in-pool",
        "built_in_pools",
        multiple=True,
        metavar="NAME",
        help="NodePool that is switched on: general-purpose or system of EKS Auto Mode, default or system-surge of AKS. "
        "May be given several times.",
    ),
    click.option(
        "--overhead-profile",
        metavar="NAME",
        help="Estimate of what nodes of EKS Auto Mode keep for themselves.  [default: 2024-estimate]",
    ),
    external_class_option,
)


@contextmanager
def notes_shown() -> Iterator[Notes]:
    """Yield a collector of notes, and write what of the files was not read as `show_not_read` does."""
    from cutlist.core.notes import Notes

    notes = Notes()
    yield notes
    show_not_read(notes.all())


def show_not_read(notes: Iterable[Note]) -> None:
    """Write what of the files was not read to standard error, for answers that have no notes of their own."""
    from cutlist.core.notes import NOT_READ, notes_in_order

    for note in notes_in_order(notes):
        if note.code in NOT_READ:
            terminal.write_error(f"Note: {terminal.safe(note.text)}.\n")


def from_plan_option(command: F) -> F:
    """Add `--from-plan`: a plan that is taken for the cluster."""
    return click.option(
        "--from-plan",
        "plan_file",
        metavar="FILE",
        type=click.Path(),
        help="Plan, as `cutlist plan -o json` wrote it, to take for the cluster: its nodes with their pods.",
    )(command)


def stored_plan(path: str | None) -> Plan | None:
    """Return the plan in the file of `--from-plan`; None without one. Raises InputError for a file that has none."""
    from cutlist.planning.stored_plan import read_plan

    return None if path is None else read_plan(path)


def read_cluster(options: InputOptions, instant: float | None, plan_file: str | None) -> tuple[PlanInputs, float]:
    """Return the cluster to look at and the instant: what the files hold, or what it is once their plan has happened.

    The plan's region counts where the command line names none, and the present for a plan of files without a time.
    """
    from cutlist.answers.cluster_state import at_instant, newest_time

    plan = stored_plan(plan_file)
    if plan is None:
        return at_instant(options.read_with_notes(), instant)
    named = click.get_current_context().get_parameter_source("region") is ParameterSource.COMMANDLINE
    inputs = (options if named else replace(options, region=plan.region)).read_with_notes()
    present = datetime.now(UTC).timestamp() if instant is None and not newest_time(inputs) else instant
    with in_file(plan_file):
        return at_instant(inputs, present, plan)


@contextmanager
def in_file(name: str | None) -> Iterator[None]:
    """Raise mistakes that have no file as mistakes in this one."""
    try:
        yield
    except InputError as error:
        placed = [p if p.place.source else replace(p, place=replace(p.place, source=name or "")) for p in error.problems]
        raise InputError(placed) from None


def before_option(command: F) -> F:
    """Add `--before`: a plan to compare with."""
    return click.option(
        "--before",
        metavar="FILE",
        type=click.Path(),
        help="Plan of before, as `-o json` wrote it; what changes comes first. For -o markdown and -o html.",
    )(command)


def launch_option(command: F) -> F:
    """Add `--launch`: whether the text contains the requests to EC2."""
    return click.option("--launch", is_flag=True, help="Show the request to EC2 and its likely outcome; JSON always has it.")(
        command
    )


def width_option(command: F) -> F:
    """Add `--width`: how wide text is."""
    return click.option(
        "--width",
        type=click.IntRange(min=terminal.NARROWEST),
        metavar="COLUMNS",
        help=f"Columns of the text.  [default: the terminal's, else {terminal.DEFAULT_WIDTH}]",
    )(command)


def output_option(*formats: str) -> Callable[[F], F]:
    """Return a decorator that adds `--output` with these formats, the first by default."""
    return click.option(
        "-o", "--output", type=click.Choice(formats), default=formats[0], show_default=True, help="Form of the answer."
    )


def at_option(command: F) -> F:
    """Add `--at`: the instant at which a cluster is examined."""
    return click.option(
        "--at",
        "instant",
        type=Instant(),
        metavar="TIME",
        help="Instant to look at, such as 2026-01-05T12:00:00Z.  [default: the newest time in the files]",
    )(command)


def refuse_stdin(files: Sequence[str], what: str) -> None:
    """Refuse standard input, which cannot be read again when it changes."""
    if "-" in files:
        raise click.UsageError(f"{what} reads files again when they change; standard input (-f -) can be read once only")


def _no_region(catalog: str | None) -> tuple[Problem, ...]:
    """Return the problem that no region is named, with the catalogue's regions."""
    from cutlist.catalog import chosen_regions

    try:
        known = chosen_regions(catalog)
    except InputError as error:
        return error.problems
    variables = " or ".join(f"${name}" for name in REGION_VARIABLES)
    return (Problem(Place(path="--region"), f"no region is given, and none is in {variables}", _region_names(known)),)


def _region_names(known: Sequence[str]) -> str:
    """Return the regions of a small catalogue, else two that anybody knows."""
    return ", ".join(known) if len(known) <= _FEW_REGIONS else _SUCH_REGIONS
