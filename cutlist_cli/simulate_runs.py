"""`cutlist simulate --seeds` and `--against`: runs with several seeds, and those of other clusters under the same events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.errors import Place, Problems
from cutlist.documents.files import is_stream
from cutlist.planning.absences import require_nodes
from cutlist.report.plain import money
from cutlist.settings.simulate import AGAINST, RESUME
from cutlist.simulation.demand.autoscaler_objects import HORIZONTAL
from cutlist.verbs.simulate.demand import DemandFiles
from cutlist.verbs.simulate.markdown import simulate_runs_markdown
from cutlist.verbs.simulate.record import simulate_runs_json
from cutlist.verbs.simulate.runs import simulate_runs
from cutlist.verbs.simulate.runs_columns import csv
from cutlist.verbs.simulate.text import render_simulate_runs
from cutlist.verbs.suggest.fleet_file import expanded
from cutlist_cli.answers_folder import AnswersFolder
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.input_options import InputOptions
from cutlist_cli.notes import show_not_read
from cutlist_cli.progress import bar, progress_line
from cutlist_cli.rates import read_rate_files
from cutlist_cli.renderer import Renderer
from cutlist_cli.runner_options import RunnerOptions

if TYPE_CHECKING:
    from cutlist.disruption.feature_gates import FeatureGates
    from cutlist.documents.document import Document
    from cutlist.planning.inputs import PlanInputs
    from cutlist.verbs.simulate.runs import RunsProgress, SimulationRuns


_FORMATS: Final[OutputFormats[SimulationRuns]] = OutputFormats(
    text=render_simulate_runs,
    others={
        "json": simulate_runs_json,
        "markdown": simulate_runs_markdown,
        "html": later("cutlist.verbs.simulate.html", "simulate_runs_html"),
        "csv": csv,
    },
)


@dataclass(frozen=True, slots=True)
class RunsOptions:
    """What is run: the input files and those of a cluster, the seeds, the files or folders of other clusters, the length in
    days, the start, and Karpenter's feature gates.

    `resume` is the folder in which the results of runs are kept, if they are. `rates` are files with rates of commitments.
    """

    inputs: InputOptions
    snapshots: tuple[str, ...]
    seeds: range
    against: tuple[str, ...]
    days: float
    instant: float | None
    gates: FeatureGates
    resume: str
    rates: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """Return all files that the inputs are read from."""
        return (*self.inputs.files, *self.snapshots)


def simulated_inputs(options: InputOptions, snapshots: tuple[str, ...]) -> PlanInputs:
    """Return the inputs of a run with the files of `--from`, which must have a node."""
    inputs = replace(options, files=(*options.files, *snapshots)).read_with_notes()
    if snapshots:
        require_nodes(inputs, allow_empty=options.allow_empty)
    return inputs


def show_runs(options: RunsOptions, demand: Mapping[str, Any], running: RunnerOptions, renderer: Renderer[Any]) -> None:
    """Show runs with several seeds, and beside them those of other clusters, if there are any."""
    if options.against and any(map(is_stream, (*options.files, *options.against))):
        raise click.UsageError("--against reads files twice; standard input and pipes can be read once only")
    replace(renderer, formats=_FORMATS).show(lambda: _runs(options, demand, running))


def _runs(options: RunsOptions, demand: Mapping[str, Any], running: RunnerOptions) -> SimulationRuns:
    inputs, rates = simulated_inputs(options.inputs, options.snapshots), read_rate_files(options.rates)
    kept = AnswersFolder(options.resume, RESUME) if options.resume else None
    paths = _paths(options.against)
    runs = len(options.seeds) * (1 + len(paths))
    with progress_line("simulating") as say, running.started(runs) as runner:
        return simulate_runs(
            inputs,
            DemandFiles(**demand),
            options.seeds,
            against={path: _other_inputs(options, inputs, path) for path in paths},
            days=options.days,
            start=options.instant,
            gates=options.gates,
            allow_empty=options.inputs.allow_empty,
            rates=rates,
            runner=runner,
            kept=kept,
            done=lambda progress: say(_progress_text(progress, inputs.catalog.currency), progress.done / progress.of),
        )


def _paths(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files and folders that patterns match."""
    return expanded(patterns, Place.of(AGAINST))


def _progress_text(progress: RunsProgress, currency: str) -> str:
    """Return a progress bar, and what the runs of the cluster itself have cost so far."""
    text = f"{bar(progress.done, progress.of)} {progress.done:,} of {progress.of:,} runs"
    if progress.usd is None:
        return text
    margin = "" if progress.usd.margin is None else f" ± {progress.usd.margin:,.2f}"
    return f"{text}, {money(progress.usd.mean, currency)}{margin}"


def _other_inputs(options: RunsOptions, inputs: PlanInputs, path: str) -> PlanInputs:
    """Return the inputs with the objects of a file or folder in place of their own; if these include NodePools, without any
    others."""
    against = options.inputs.read_files((path,), options.files)
    own = {document.place for document in inputs.documents}
    others = [document for document in against.documents if document.place not in own]
    if not _changes_something(others, inputs, against):
        kinds = sorted({document.kind for document in others})
        problems = Problems(allow_empty=options.inputs.allow_empty)
        found = f"has nothing that a simulation looks at: {', '.join(kinds) or 'no objects but those of -f'}"
        problems.add_absence(Place(path), found, "NodePools, node classes, workloads or autoscalers to compare with")
        problems.raise_if_any()
    pools = {document.name for document in others if document.kind == "NodePool"}
    removed = frozenset(pool.name for pool in inputs.node_pools if pool.name not in pools)
    if pools and removed:
        against = options.inputs.read_files((path,), options.files, removed)
    show_not_read(against.workloads.notes)
    return against


def _changes_something(others: Sequence[Document], inputs: PlanInputs, against: PlanInputs) -> bool:
    """Tell whether a simulation looks at any of the other objects; if not, both sides are the same."""
    passed_over = sum(against.workloads.passed_over.values()) - sum(inputs.workloads.passed_over.values())
    return passed_over < len(others) or any(document.kind == HORIZONTAL for document in others)
