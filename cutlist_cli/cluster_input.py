"""The options of a command about a cluster: its instant, or a plan in place of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from cutlist_cli.input_options import InputOptions
from cutlist_cli.options import F, with_options
from cutlist_cli.places import in_file
from cutlist_cli.stdin import stdin_of

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan

_FIRST_YEAR: Final = 1970


class Instant(click.ParamType[float]):
    """A time with its zone, such as 2026-01-05T12:00:00Z, as seconds since 1970."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds; a mistake is reported with the option's name."""
        from cutlist.core.shapes import LAST_YEAR

        if isinstance(value, float):
            return value
        try:
            time = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is not a time; write one such as 2026-01-05T12:00:00Z", param, ctx)
        if time.tzinfo is None:
            self.fail(f"{value!r} has no time zone; write one such as {time.isoformat()}Z", param, ctx)
        if not _FIRST_YEAR <= time.year <= LAST_YEAR:
            self.fail(f"{value!r} is out of range; write one from {_FIRST_YEAR} to {LAST_YEAR}", param, ctx)
        return time.timestamp()


def from_plan_option(command: F) -> F:
    """Add `--from-plan`: a plan in place of the cluster."""
    return click.option(
        "--from-plan",
        "plan_file",
        metavar="FILE",
        type=click.Path(),
        help="Plan that `cutlist plan -o json` wrote, to use as the cluster, with its nodes and pods; - for standard input.",
    )(command)


def gate_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the feature gates that disruption depends on, passed as `gates`: a `FeatureGates`."""

    @wraps(command)
    def with_gates(**values: Any) -> None:
        from cutlist.disruption.feature_gates import FeatureGates

        gates = {name: values.pop(name) for name in _GATES}
        command(gates=FeatureGates(**gates), **values)

    options = [click.option(f"--{name.replace('_', '-')}", is_flag=True, help=text) for name, text in _GATES.items()]
    return with_options(options, with_gates)


_GATES: Final = {
    "spot_to_spot": "The feature gate SpotToSpotConsolidation is on.",
    "node_repair": "Turn on the feature gate NodeRepair: show which unhealthy nodes are replaced.",
    "legacy_node_repair": "Repair nodes as in 1.14, not as a disruption method.  [1.15]",
    "terminate_first_drift": "The feature gate TerminateFirstDrift is on.  [1.15]",
    "terminate_first_repair": "The feature gate TerminateFirstRepair is on.  [1.15]",
    "pod_deletion_cost_management": "The feature gate of this name is on.  [1.15]",
    "reboot_for_repair": "The AWS provider's feature gate RebootForRepair is on.  [1.15]",
}
"""The options by the members of `FeatureGates`."""


def stored_plan(path: str | None) -> Plan | None:
    """Return the plan in the file that an option names, `-` for standard input; None without one.

    Raises InputError for a file without one.
    """
    from cutlist.planning.stored_plan import read_plan

    return None if path is None else read_plan(path, stdin_of([path]))


def read_cluster(options: InputOptions, instant: float | None, plan_file: str | None) -> tuple[PlanInputs, float]:
    """Return the cluster and the instant: what the files hold, or what it is once their plan has happened. If the command line
    names no region, the plan's region counts; if the files have no time, a plan happens now.
    """
    from cutlist.verbs.cluster_state import at_instant, newest_time

    plan = stored_plan(plan_file)
    if plan is None:
        return at_instant(options.read_with_notes(), instant)
    named = click.get_current_context().get_parameter_source("region") is ParameterSource.COMMANDLINE
    inputs = (options if named else replace(options, region=plan.region)).read_with_notes()
    present = datetime.now(UTC).timestamp() if instant is None and not newest_time(inputs) else instant
    with in_file(plan_file):
        return at_instant(inputs, present, plan)


def at_option(command: F) -> F:
    """Add `--at`: the instant at which a cluster is examined."""
    return click.option(
        "--at",
        "instant",
        type=Instant(),
        metavar="TIME",
        help="The time to look at, such as 2026-01-05T12:00:00Z.  [default: the newest time in the files]",
    )(command)
