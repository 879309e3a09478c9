"""The options that name the inputs of a plan, and the reading of those inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.errors import InputError, Place, Problem
from cutlist_cli.file_options import file_option, reading_options
from cutlist_cli.notes import show_not_read
from cutlist_cli.options import (
    REGION_VARIABLES,
    allow_empty_option,
    catalog_option,
    external_class_option,
    feature_gates_option,
    karpenter_option,
    region_option,
    scheduler_config_option,
    with_options,
)
from cutlist_cli.places import named_as_options
from cutlist_cli.progress import progress_line
from cutlist_cli.stdin import stdin_of

if TYPE_CHECKING:
    from cutlist.documents import Reading
    from cutlist.planning.inputs import PlanInputs

_FEW_REGIONS: Final = 12
_SUCH_REGIONS: Final = "a region of AWS such as us-east-1, or a location of Azure such as eastus"


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
    karpenter: str | None
    scheduler_config: str | None
    feature_gates: tuple[str, ...]
    reading: Reading

    def read(self) -> PlanInputs:
        """Return the inputs of a plan. Raises InputError with all mistakes, a missing region among them."""
        return self.read_files(self.files)

    def read_for_placing(self) -> PlanInputs:
        """Return the inputs of an answer on what may be launched.

        Raises as `read` does, and if the catalogue lacks what the region sells, unless that is allowed.
        """
        from cutlist.planning.absences import require_offerings

        inputs = self.read()
        with named_as_options(**PLAN_PARAMETERS):
            require_offerings(inputs, allow_empty=self.allow_empty)
        return inputs

    def read_for_placing_with_notes(self) -> PlanInputs:
        """Return the same, and write to standard error which files were not read."""
        inputs = self.read_for_placing()
        show_not_read(inputs.workloads.notes)
        return inputs

    def read_with_notes(self) -> PlanInputs:
        """Return the inputs of a plan, and write to standard error which files were not read."""
        inputs = self.read()
        show_not_read(inputs.workloads.notes)
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
        from cutlist.planning.read_inputs import read_inputs

        settings: dict[str, Any] = {
            "zones": self.zones,
            "stdin": stdin_of(files) if stdin is None else stdin,
            "catalog": self.catalog,
            "built_in_pools": self.built_in_pools,
            "allow_empty": self.allow_empty,
            "external_classes": self.external_classes,
            "reading": self.reading,
        }
        if cluster:
            settings |= {"cluster": cluster, "removed_pools": removed_pools}
        optional = {
            "overhead_profile": self.overhead_profile,
            "karpenter": self.karpenter,
            "scheduler_config": self.scheduler_config,
            "feature_gates": self.feature_gates or None,
        }
        settings |= {name: value for name, value in optional.items() if value is not None}
        if self.region:
            with progress_line("reading the files"), named_as_options(**PLAN_PARAMETERS):
                return read_inputs(files, region=self.region, **settings)
        try:
            with named_as_options(**PLAN_PARAMETERS):
                read_inputs(files, region=None, **settings)
        except InputError as error:
            others = [problem for problem in error.problems if problem.place != Place(path="--region")]
            raise InputError([*_no_region(self.catalog), *others]) from None
        raise InputError(_no_region(self.catalog))


PLAN_PARAMETERS: Final = {
    "zones": "--zone",
    "region": "--region",
    "built_in_pools": "--built-in-pool",
    "overhead_profile": "--overhead-profile",
    "karpenter": "--karpenter",
    "scheduler_config": "--scheduler-config",
    "feature_gates": "--feature-gate",
}
"""The options by the parameters that they are passed as."""


def input_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `-f`, `--region`, `--zone`, `--catalog` and the options of EKS Auto Mode, passed as `options`: an `InputOptions`."""
    return file_option("manifests")(input_options_without_files(command))


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
        help="Zone with a subnet. May be given several times.  [default: all zones of the region]",
    ),
    catalog_option,
    click.option(
        "--built-in-pool",
        "built_in_pools",
        multiple=True,
        metavar="NAME",
        help="Built-in NodePool to plan with: for EKS Auto Mode general-purpose or system, for AKS default or system-surge. "
        "May be given several times.",
    ),
    click.option(
        "--overhead-profile",
        metavar="NAME",
        help="Estimate of what nodes of EKS Auto Mode reserve.  [default: 2024-estimate]",
    ),
    external_class_option,
    karpenter_option,
    scheduler_config_option,
    feature_gates_option,
)


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
    """Return the regions of a small catalogue, else two well-known ones."""
    return ", ".join(known) if len(known) <= _FEW_REGIONS else _SUCH_REGIONS
