"""Performance, measured: `python -m tools.benchmarks` for a table; `schedule`, `against-karpenter`, `disruption` for files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tools.benchmarks import (
    against_karpenter,
    bill,
    bounds,
    disruption,
    gates,
    growth,
    hostile,
    large,
    plot,
    pools,
    profile,
    read,
    repository,
    schedule,
    simulate,
    simulate_plot,
    stable,
    start,
    suggest,
    table,
    views,
)
from tools.benchmarks.growth_inputs import VERBS
from tools.benchmarks.karpenter import named, release
from tools.benchmarks.recorded_files import located

_MEASUREMENTS: Final[Mapping[str | None, Callable[[argparse.Namespace], int]]] = {
    None: lambda options: table.report(options.n, options.largest),
    "bill": lambda options: bill.report(options.nodes, options.hours),
    "bounds": lambda _: bounds.report(),
    "gates": lambda options: gates.report(options.stack, options.n),
    "growth": lambda options: growth.report(options.file, options.verb),
    "hostile": lambda _: hostile.report(),
    "large": lambda options: large.report(options.kinds, options.nodes),
    "plot": lambda options: plot.report(options.file, options.n),
    "pools": lambda _: pools.report(),
    "profile": lambda options: profile.report(options.verb),
    "read": lambda _: read.report(),
    "repository": lambda options: repository.report(options.files, options.charts),
    "simulate": lambda options: _simulate(options),
    "stable": lambda _: stable.report(),
    "start": lambda options: start.report(options.n, is_check=options.check),
    "suggest": lambda options: suggest.report(options.n, options.plans),
    "views": lambda options: views.report(options.pods, options.n),
}
"""The measurements that make their own inputs; None is the table."""


def main(arguments: Sequence[str]) -> int:
    """Run the requested measurement; return exit code 2 for unknown arguments."""
    options = _parser().parse_args(arguments)
    return _MEASUREMENTS.get(options.kind, _of_files)(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks", description=__doc__)
    parser.add_argument("-n", type=_count, default=3, help="runs of each case, of which the median counts (default 3)")
    parser.add_argument("--largest", type=_count, default=1_000_000, help="leave out rows with more pods than this")
    kinds = parser.add_subparsers(dest="kind", title="other measurements")

    files = kinds.add_parser("schedule", help="one line of JSON a scenario file")
    files.add_argument("-n", type=_count, default=1, help="passes of each file, of which the median counts (default 1)")
    files.add_argument("file", nargs="+", help="a scenario, .json or .json.gz")

    made = kinds.add_parser("bill", help="the time and the memory in which a made bill is summed")
    made.add_argument("--nodes", type=_count, default=8_000, help="nodes of the bill (default 8000)")
    made.add_argument("--hours", type=_count, default=744, help="hours of each node (default 744)")

    both = kinds.add_parser("against-karpenter", help="Cutlist and Karpenter in turn on the same inputs")
    both.add_argument("-n", type=_count, default=5, help="runs of each side, of which the median counts (default 5)")
    both.add_argument("--bench", help=f"the oracle's bench program; default ${against_karpenter.VARIABLE}")
    both.add_argument("file", nargs="+", help="a scenario, .json or .json.gz")

    ended = kinds.add_parser("disruption", help="consolidation of large clusters, beside Karpenter's own code")
    ended.add_argument("-n", type=_count, default=3, help="runs of Cutlist, of which the median counts (default 3)")
    ended.add_argument("--bench", help=f"the oracle's benchdisrupt program; default ${disruption.VARIABLE}, else none")
    ended.add_argument("file", nargs="+", help="a disruption scenario, .json")

    for of_files in (files, both, ended):
        of_files.add_argument("--karpenter", type=release, metavar="VERSION", help="another Karpenter than the files name")

    _add_own_inputs(kinds)
    return parser


def _add_own_inputs(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurements that make their own inputs."""
    drawn = kinds.add_parser("plot", help="time and memory as a function of pods, shapes, claims and types, as an SVG file")
    drawn.add_argument("-n", type=_count, default=3, help="runs of each case, of which the median counts (default 3)")
    drawn.add_argument("file", help="where to write it")

    grown = kinds.add_parser("growth", help="time and memory of commands on inputs that grow, as a table and an SVG file")
    grown.add_argument("file", nargs="?", help="where to draw them (default: nowhere)")
    grown.add_argument("--verb", action="append", default=[], choices=sorted(VERBS), help="this command alone; repeatable")

    shown = kinds.add_parser("views", help="every view of a plan, beside the plan itself")
    shown.add_argument("-n", type=_count, default=3, help="runs of each view, of which the median counts (default 3)")
    shown.add_argument("--pods", type=_count, default=100_000, help="pods of the plan (default 100,000)")

    judged = kinds.add_parser("gates", help="a resource in the pack of policies, beside an empty pack; and the gate alone")
    judged.add_argument("-n", type=_count, default=5, help="runs of each resource, of which the median counts (default 5)")
    judged.add_argument("--stack", default="prod", help="the stack of this repository (default prod)")

    kinds.add_parser("hostile", help="the gate alone on inputs that are made to take long; exits with 1 where one does")

    kinds.add_parser("pools", help="commands on hundreds of NodePools; exits with 1 where one takes too long")

    many = kinds.add_parser("large", help="commands on many different pods that wait, and on large clusters")
    many.add_argument("--kinds", type=_count, default=large.KINDS, help="kinds of pods that wait (default 10,000)")
    many.add_argument("--nodes", type=_count, default=large.NODES, help="nodes of the larger cluster (default 10,000)")

    cheaper = kinds.add_parser("suggest", help="suggested NodePools beside the bound and a grid, on 50 sets of workloads")
    cheaper.add_argument("-n", type=_count, default=suggest.SETS, help=f"how many sets (default {suggest.SETS})")
    cheaper.add_argument("--plans", type=_count, default=300, help="plans for each set (default 300)")

    profiled = kinds.add_parser("profile", help="the ten heaviest functions of a command on a standard input")
    profiled.add_argument("verb", choices=sorted(profile.VERBS), help="the command")

    started = kinds.add_parser("start", help="commands on the README's example, as multiples of `cutlist --help`")
    started.add_argument("-n", type=_count, default=5, help="runs of each command, of which the least counts (default 5)")
    started.add_argument("--check", action="store_true", help="exit with 1 where a command takes more than its limit")

    kinds.add_parser("read", help="commands on 60,000 objects in a file, and on folders of 100,000")
    whole = kinds.add_parser("repository", help="the first command on a large repository, with charts from the cache")
    whole.add_argument("--files", type=_count, default=repository.FILES, help="files of it (default 10,000)")
    whole.add_argument("--charts", type=_count, default=repository.CHARTS, help="charts that it installs (default 100)")

    simulated = kinds.add_parser("simulate", help="days of a cluster, with more and more scale events")
    simulated.add_argument("--large", action="store_true", help="a year of 200 nodes, a day and a month of 5,000, instead")
    simulated.add_argument("--plot", metavar="FILE", help="draw the time by events and by pods times hours, as an SVG file")
    kinds.add_parser("stable", help="large clusters, followed until Karpenter does nothing more")
    kinds.add_parser("bounds", help="what each kind of lower bound proves, and how long it takes")


def _simulate(options: argparse.Namespace) -> int:
    if options.plot is not None:
        return simulate_plot.report(options.plot)
    return simulate.report(simulate.LARGE if options.large else simulate.CASES)


def _of_files(options: argparse.Namespace) -> int:
    with named(located(options.file), options.karpenter) as files:
        if options.kind == "schedule":
            return schedule.report(files, options.n)
        if options.kind == "disruption":
            return disruption.report(options.bench, files, options.n)
        return against_karpenter.report(options.bench, files, options.n)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
