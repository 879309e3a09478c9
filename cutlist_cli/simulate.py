"""`cutlist simulate`: a cluster and the demand of some days in, what happens to it out."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.errors import InputError, Place
from cutlist.core.wording import counted
from cutlist.settings.cluster import AT
from cutlist.settings.simulate import RECORD, RESUME, SAVE, SETTINGS, UNTIL
from cutlist.verbs.simulate.answer import simulate
from cutlist.verbs.simulate.columns import csv
from cutlist.verbs.simulate.markdown import simulate_markdown
from cutlist.verbs.simulate.record import simulate_json
from cutlist.verbs.simulate.text import render_simulate
from cutlist_cli.cluster_input import gate_options
from cutlist_cli.command import Command
from cutlist_cli.files import OWNERS, make_folder_of, refuse_inputs, write_file
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.options import with_options
from cutlist_cli.progress import progress_line
from cutlist_cli.rates import read_rate_files
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.runner_options import RunnerOptions, runner_options
from cutlist_cli.setting_options import setting_option, setting_options
from cutlist_cli.simulate_runs import RunsOptions, show_runs, simulated_inputs

if TYPE_CHECKING:
    from cutlist.disruption.feature_gates import FeatureGates
    from cutlist.planning.inputs import PlanInputs
    from cutlist.simulation.recording.recorder import Recording
    from cutlist.verbs.simulate.answer import ClusterSimulation

_READ: Final = ("trace", "durations", "interruptions", "shortages", "events")
"""The options whose files a run reads besides its inputs."""
_FORMATS: Final[OutputFormats[ClusterSimulation]] = OutputFormats(
    text=render_simulate,
    others={
        "json": simulate_json,
        "markdown": simulate_markdown,
        "html": later("cutlist.verbs.simulate.html", "simulate_html"),
        "csv": csv,
    },
)


@dataclass(frozen=True, slots=True)
class StateOptions:
    """When a run ends early, the file for its state then, and the file or folder from which it continues."""

    until: str
    save: str | None
    resume: str

    def check(self, inputs: Sequence[str]) -> None:
        """Refuse a state file that is one of the inputs, or for which there would be no state."""
        if self.save is None:
            return
        if not self.until:
            raise click.UsageError("--save needs --until: it saves the state at that instant")
        refuse_inputs(SAVE.flag, [self.save], inputs)

    def refuse_for_many(self) -> None:
        """Refuse options that are for a single run."""
        if self.until or self.save is not None:
            raise click.UsageError("--until and --save are for a single run, without --seeds and --against")

    def keep(self, state: str) -> None:
        """Write the state of a run that has ended, for its owner alone. Raises InputError."""
        if self.save is not None:
            write_file(self.save, state, OWNERS)


def state_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--until`, `--save` and `--resume`, passed as `stopping`: a `StateOptions`."""

    @wraps(command)
    def with_state(until: str, save: str | None, resume: str, **options: Any) -> None:
        command(stopping=StateOptions(until, save, resume), **options)

    return with_options((setting_option(UNTIL), setting_option(SAVE), setting_option(RESUME)), with_state)


@click.command("simulate", cls=Command)
@input_options
@setting_options(SETTINGS)
@gate_options
@runner_options
@state_options
@setting_option(AT)
@renderer_options(_FORMATS)
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
      cutlist simulate -f pools.yaml -f workloads.yaml --cluster snapshot.yaml --region us-west-2 --trace usage/replicas.json
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
    with progress_line("simulating") as say:
        simulation = simulate(
            inputs,
            **terms,
            until=stopping.until,
            resume=stopping.resume,
            record=add,
            watch=lambda part: say("simulating", part),
        )
    stopping.keep(simulation.state)
    return simulation if folder is None else replace(simulation, notes=(*simulation.notes, folder.summary))


class RecordingFolder:
    """A folder into which recordings are written as they come. `counts` says how many of each kind."""

    def __init__(self, path: str, *, goes_on: bool = False) -> None:
        """Begin with a folder that does not exist yet or is empty; for a run that goes on, it may have the recordings of the
        parts before. Raises InputError for any other."""
        may_have_files = goes_on and os.path.isdir(path)
        if os.path.lexists(path) and not may_have_files and not (os.path.isdir(path) and not os.listdir(path)):
            problem = "has files already" if os.path.isdir(path) else "is a file"
            raise InputError.one(Place.of(RECORD), f"{path} {problem}", "a new or an empty folder")
        self._path = path
        self._written: set[str] = set()
        self.counts: Counter[str] = Counter()

    def add(self, recording: Recording) -> None:
        """Write a pass or a round: NAME.json is its scenario, NAME.run.json what the run decided. Raises InputError, also where
        the folder has one of this name."""
        if os.path.lexists(os.path.join(self._path, f"{recording.name}.json")):
            text = f"{self._path} has {recording.name}.json already"
            raise InputError.one(Place.of(RECORD), text, "a folder without the recordings of this part of the run")
        for name, content in recording.files.items():
            if name not in self._written:
                self._written.add(name)
                self._write(name, json.dumps(content))
        self._write(f"{recording.name}.json", json.dumps(recording.scenario, indent=1))
        self._write(f"{recording.name}.run.json", json.dumps(recording.answer, indent=1))
        self.counts[recording.kind] += 1

    def _write(self, name: str, text: str) -> None:
        file = os.path.join(self._path, name)
        make_folder_of(file)
        write_file(file, f"{text}\n", OWNERS)

    @property
    def summary(self) -> str:
        """Return what has been written, in words."""
        passes, rounds = self.counts["schedule"], self.counts["disrupt"]
        recorded = f"{counted(passes, 'pass', 'passes')} of the provisioner and {counted(rounds, 'round')} of disruption"
        return f"recorded {recorded} in {self._path}"
