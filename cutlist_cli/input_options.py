"""The options that name the inputs of a plan, and the reading of those inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, Unpack, cast

from cutlist.catalog.embedded import chosen_regions
from cutlist.core.errors import InputError, NotChosenError, Place, Problem
from cutlist.documents.delivery.fetching import Fetcher
from cutlist.documents.folders import Reading
from cutlist.planning.absences import require_offerings
from cutlist.planning.read_inputs import read_inputs
from cutlist.planning.services import running_services
from cutlist.settings.calendar import DAY
from cutlist.settings.planning import FETCHING, PLAN, REGION, PlanSettings
from cutlist_cli.calendar import chosen_day
from cutlist_cli.fetching import fetcher_for
from cutlist_cli.file_options import file_option
from cutlist_cli.notes import show_not_read, show_services
from cutlist_cli.progress import progress_line
from cutlist_cli.rendering import show_rendering
from cutlist_cli.setting_options import setting_options, taken
from cutlist_cli.stdin import stdin_of

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs
    from cutlist_cli.environments import CalledEnvironment

_FEW_REGIONS: Final = 12
_SUCH_REGIONS: Final = "a region of AWS such as us-east-1, or a location of Azure such as eastus"


@dataclass(frozen=True, slots=True)
class InputOptions:
    """Files, the settings of their plan that are set, and who fetches what is elsewhere, if that is asked for. `ignored` are
    real paths of files and folders that are passed over."""

    files: tuple[str, ...]
    settings: PlanSettings
    fetcher: Fetcher | None = None
    ignored: frozenset[str] = frozenset()

    @property
    def region(self) -> str | None:
        """Return the region that an option or the project's settings name; None without either."""
        return self.settings.get("region")

    @property
    def catalog(self) -> str | None:
        """Return the folder of a catalogue."""
        return cast("str | None", self.settings.get("catalog"))

    @property
    def allow_empty(self) -> bool:
        """Tell whether an answer about nothing is accepted."""
        return self.settings.get("allow_empty", False)

    @property
    def reading(self) -> Reading:
        """Return how files are read."""
        return Reading.of(self.settings, self.fetcher, self.ignored, show_rendering)

    @property
    def setting_files(self) -> list[str]:
        """Return the files that settings name."""
        return [
            str(self.settings.get(s.name)) for s in PLAN if s.metavar == "FILE" and not s.several and s.name in self.settings
        ]

    def using(self, **settings: Unpack[PlanSettings]) -> InputOptions:
        """Return the options with other settings."""
        return replace(self, settings={**self.settings, **settings})

    def of_environment(self, environment: CalledEnvironment) -> InputOptions:
        """Return the options with the files and settings of an environment. Raises InputError if another program renders it."""
        environment.require_files()
        return replace(self, files=environment.files, settings=environment.over(self.settings))

    def read(self) -> PlanInputs:
        """Return the inputs of a plan. Raises InputError with all mistakes, a missing region among them."""
        return self.read_files(self.files)

    def read_for_placing(self) -> PlanInputs:
        """Return the inputs of an answer on what may be launched.

        Raises as `read` does, and if the catalogue lacks what the region sells, unless that is allowed.
        """
        inputs = self.read()
        require_offerings(inputs, allow_empty=self.allow_empty)
        return inputs

    def read_for_placing_with_notes(self) -> PlanInputs:
        """Return the same, and write to standard error which files were not read, and which Karpenter a service runs."""
        inputs = self.read_for_placing()
        show_not_read(inputs.workloads.notes)
        show_services(running_services(inputs))
        return inputs

    def read_with_notes(self) -> PlanInputs:
        """Return the inputs of a plan, and write to standard error which files were not read, and which Karpenter a service
        runs."""
        inputs = self.read()
        show_not_read(inputs.workloads.notes)
        show_services(running_services(inputs))
        return inputs

    def read_files(
        self,
        files: tuple[str, ...],
        cluster: tuple[str, ...] = (),
        removed_pools: frozenset[str] = frozenset(),
        stdin: bytes | None = None,
    ) -> PlanInputs:
        """Return the inputs of a plan from other files than those of `-f`, laid over those of a cluster without some of its
        NodePools. `stdin` replaces standard input if a command supplies it.

        Raises as `read` does.
        """
        day = chosen_day(DAY, None)
        beside: dict[str, Any] = {"cluster": cluster, "removed_pools": removed_pools} if cluster else {}
        if self.fetcher is not None:
            beside["fetcher"] = self.fetcher
        if self.ignored:
            beside["ignored"] = self.ignored
        beside |= {"stdin": stdin_of(files) if stdin is None else stdin, "rendering": show_rendering}
        if self.region:
            with progress_line("reading the files"):
                return read_inputs(files, **beside, **self.settings).on_day(day)
        try:
            with progress_line("reading the files"):  # one of which may name the region
                return read_inputs(files, **beside, **self.using(region=None).settings).on_day(day)
        except NotChosenError:
            raise  # each has its own region
        except InputError as error:
            missing = [problem for problem in error.problems if problem.place == Place.of(REGION)]
            others = [problem for problem in error.problems if problem not in missing]
            of_region = [_no_region(self.catalog, problem) for problem in missing]
            raise InputError([*others, *(problem for problems in of_region for problem in problems)]) from None


def input_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `-f` and the settings of a plan, passed as `options`: an `InputOptions`."""
    return file_option("manifests")(input_options_without_files(command))


def input_options_without_files(command: Callable[..., None]) -> Callable[..., None]:
    """Add the same without `-f`, which the command defines itself."""

    @wraps(command)
    def with_input_options(files: tuple[str, ...], **values: Any) -> None:
        settings = cast("PlanSettings", taken(PLAN, values))
        fetcher = fetcher_for(files, values)
        command(options=InputOptions(files, settings, fetcher), **values)

    return setting_options((*PLAN, *FETCHING))(with_input_options)


def _no_region(catalog: str | None, missing: Problem) -> tuple[Problem, ...]:
    """Return the problem that no region is named, with those that the files name, or else with the catalogue's."""
    try:
        known = chosen_regions(catalog)
    except InputError as error:
        return error.problems
    variables = " or ".join(f"${name}" for name in REGION.variables)
    text = f"no region is given, and none is in {variables}"
    if missing.allowed:
        return (Problem(missing.place, f"{text}; the files name several", missing.allowed),)
    return (Problem(missing.place, text, _region_names(known)),)


def _region_names(known: Sequence[str]) -> str:
    """Return the regions of a small catalogue, else two well-known ones."""
    return ", ".join(known) if len(known) <= _FEW_REGIONS else _SUCH_REGIONS
