"""`cutlist simulate`: a cluster and the demand of some days in, what happens to it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.settings.cluster import AT
from cutlist.settings.simulate import SETTINGS
from cutlist.verbs.simulate.answer import simulate
from cutlist.verbs.simulate.columns import csv
from cutlist.verbs.simulate.markdown import simulate_markdown
from cutlist.verbs.simulate.record import simulate_json
from cutlist.verbs.simulate.text import render_simulate
from cutlist_cli.cluster_input import gate_options
from cutlist_cli.formats import OutputFormats, as_yaml, later
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.options import debug_option
from cutlist_cli.progress import progress_line
from cutlist_cli.rates import read_rate_files
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.runner_options import RunnerOptions, runner_options
from cutlist_cli.setting_options import setting_option, setting_options
from cutlist_cli.simulate_record import RecordingFolder
from cutlist_cli.simulate_runs import RunsOptions, show_runs, simulated_inputs
from cutlist_cli.simulate_state import StateOptions, state_options

if TYPE_CHECKING:
    from cutlist.disruption.feature_gates import FeatureGates
    from cutlist.planning.inputs import PlanInputs
    from cutlist.verbs.simulate.answer import ClusterSimulation

_READ: Final = ("trace", "durations", "interruptions", "shortages", "events")
"""The options whose files a run reads besides its inputs."""


_FORMATS: Final[OutputFormats[ClusterSimulation]] = OutputFormats(
    text=render_simulate,
    others={
        "json": simulate_json,
        "yaml": as_yaml(simulate_json),
        "markdown": simulate_markdown,
        "html": later("cutlist.verbs.simulate.html", "simulate_html"),
        "csv": csv,
    },
)


@click.command("simulate")
@input_options
@setting_options(SETTINGS)
@gate_options
@runner_options
@state_options
@setting_option(AT)
@renderer_options(_FORMATS)
@debug_option
def command(
    options: InputOptions,
    snapshots: tuple[str, ...],
    days: float,
    seed: int,
    seeds: int,
    rates: tuple[str, ...],
    against: tuple[str, ...],
    record: str | None,
    running: RunnerOptions,
    stopping: StateOptions,
    instant: float | None,
    gates: FeatureGates,
    renderer: Renderer[Any],
    **demand: Any,
) -> None:
    """Show what happens to a cluster in the days to come: cost, waiting pods, evictions.

    Replicas follow the trace, autoscalers react to curves of their metrics, and CronJobs start on schedule. kube-scheduler
    places the pods. Karpenter launches nodes for pods that wait, consolidates, and replaces expired nodes; it decides as in
    `cutlist plan` and `cutlist disrupt`. Equal inputs and seeds give equal results.

    \b
    Examples:
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2 --trace week.csv --days 7 --seed 1
      cutlist simulate -f pools.yaml -f workloads.yaml --from snapshot.yaml --region us-west-2 --trace usage/replicas.json
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2 --typical web --interruptions spot.csv
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2 --typical web --events events.yaml --node-repair
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2 --typical web --rates rates.csv
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2 --typical web --until 36h --save state.json
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2 --typical web --resume state.json
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2 --typical web --seeds 20
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2 --trace week.csv --seeds 20 --against next/
      cutlist simulate -f pools.yaml -f workloads.yaml --region us-west-2 --trace week.csv --days 0.5 --record rounds/
    """
    if seeds > 1 or against:
        if record is not None:
            raise click.UsageError("--record is for a single run, without --seeds and --against")
        stopping.refuse_for_many()
        runs = RunsOptions(options, snapshots, range(seed, seed + seeds), against, days, instant, gates, stopping.resume, rates)
        show_runs(runs, demand, running, renderer)
        return
    if running.is_given:
        raise click.UsageError("--workers and --dask are for several runs: give --seeds or --against as well")
    stopping.check([*options.files, *snapshots, *(file for name in _READ for file in demand[name]), *rates])
    terms = {"days": days, "seed": seed, "start": instant, "gates": gates, "allow_empty": options.allow_empty}

    def answer() -> ClusterSimulation:
        inputs, rates_of_plans = simulated_inputs(options, snapshots), read_rate_files(rates)
        return _simulation(inputs, {**demand, **terms, "rates": rates_of_plans}, stopping, record)

    renderer.show(answer)


def _simulation(inputs: PlanInputs, terms: Mapping[str, Any], stopping: StateOptions, record: str | None) -> ClusterSimulation:
    folder = None if record is None else RecordingFolder(record, goes_on=bool(stopping.resume))
    add = None if folder is None else folder.add
    with progress_line("simulating"):
        simulation = simulate(inputs, **terms, until=stopping.until, resume=stopping.resume, record=add)
    stopping.keep(simulation.state)
    return simulation if folder is None else replace(simulation, notes=(*simulation.notes, folder.summary))
