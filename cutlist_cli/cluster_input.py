"""The options of a command about a cluster: its instant, or a plan in place of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cutlist.disruption.feature_gates import FeatureGates
from cutlist.settings.disruption_gates import SETTINGS
from cutlist.verbs.cluster_state import at_instant, newest_time
from cutlist_cli.input_options import InputOptions
from cutlist_cli.setting_options import setting_options, taken
from cutlist_cli.stored_plan import stored_plan
from cutlist_cli.words import in_file

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs


def gate_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the feature gates that disruption depends on, passed as `gates`: a `FeatureGates`."""

    @wraps(command)
    def with_gates(**values: Any) -> None:
        command(gates=FeatureGates(**taken(SETTINGS, values)), **values)

    return setting_options(SETTINGS)(with_gates)


def read_cluster(options: InputOptions, instant: float | None, plan_file: str | None) -> tuple[PlanInputs, float]:
    """Return the cluster and the instant: what the files hold, or what it is once their plan has happened. If the command line
    names no region, the plan's region counts; if the files have no time, a plan happens now.
    """
    plan = stored_plan(plan_file)
    if plan is None:
        return at_instant(options.read_with_notes(), instant)
    named = click.get_current_context().get_parameter_source("region") is ParameterSource.COMMANDLINE
    inputs = (options if named else options.using(region=plan.region)).read_with_notes()
    present = datetime.now(UTC).timestamp() if instant is None and not newest_time(inputs) else instant
    with in_file(plan_file):
        return at_instant(inputs, present, plan)
