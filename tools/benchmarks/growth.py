"""`python -m tools.benchmarks growth [FILE]`: time and memory of commands on inputs that grow, as a table and an SVG file.

Each size of a dimension is twice the one before. Starting is left out, as in `profile`: each command runs in a copy of a
process that has loaded it. What is shown is the processor time, in which other work on the machine does not count.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cutlist_cli.__main__ import collect_rarely
from cutlist_cli.commands import load
from tools.benchmarks.growth_calls import DOUBLINGS, CommandError, run, written
from tools.benchmarks.growth_inputs import DIMENSIONS, VERBS, cases
from tools.benchmarks.plot import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MIB: Final = 1024
_COLUMNS: Final = 3
_COLOURS: Final = 10


@dataclass(frozen=True, slots=True)
class Grown:
    """The processor seconds and the peak memory, in MiB, of a command for each size of a dimension."""

    verb: str
    dimension: str
    seconds: tuple[float, ...]
    memory: tuple[float, ...]


def sizes(verb: str, dimension: str) -> list[int]:
    """Return the sizes of a dimension that a command is timed on."""
    return [VERBS[verb].least(dimension) << doubling for doubling in range(DOUBLINGS + 1)]


def report(path: str | None, verbs: Iterable[str]) -> int:
    """Print a row for each command and dimension, and draw them if a file is named; return 1 where a command fails and 2 if the
    drawing library is missing."""
    if path is not None and new_figure(1, 1) is None:
        return 2
    wanted, grown, is_wrong = frozenset(verbs) or VERBS.keys(), list[Grown](), False
    for verb in VERBS:
        load(verb)
    collect_rarely()
    print("| command | what grows | sizes | processor time | for 8 times as much | peak memory |\n|---|---|---|---|---|---|")
    for verb, dimension in cases():
        if verb not in wanted:
            continue
        try:
            grown.append(_grown(verb, dimension))
        except CommandError as error:
            is_wrong = True
            print(error, file=sys.stderr)
            continue
        print(_row(grown[-1]), flush=True)
    if path is not None:
        _draw(path, grown)
    return int(is_wrong)


def _grown(verb: str, dimension: str) -> Grown:
    costs = []
    for size in sizes(verb, dimension):
        with written(dimension, size) as folder:
            costs.append(_in_copy(verb, VERBS[verb].on(folder, dimension)))
    seconds, memory = zip(*costs, strict=True)
    return Grown(verb, dimension, seconds, memory)


def _in_copy(verb: str, arguments: list[str]) -> tuple[float, float]:
    """Return the processor seconds and the peak memory of a command in a copy of this process."""
    process = os.fork()
    if not process:
        code = 1
        try:
            run(arguments)
            code = 0
        except CommandError as error:
            print(error, file=sys.stderr)
        finally:
            os._exit(code)
    _, status, usage = os.wait4(process, 0)
    if status:
        raise CommandError(f"{verb} could not be measured")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / _MIB


def _row(of: Grown) -> str:
    every = sizes(of.verb, of.dimension)
    seconds = ", ".join(f"{each:.2f}" for each in of.seconds)
    between, memory = f"{every[0]:,} to {every[-1]:,}", f"{of.memory[0]:.0f} to {of.memory[-1]:.0f} MiB"
    return f"| {of.verb} | {of.dimension} | {between} | {seconds} s | x {of.seconds[-1] / of.seconds[0]:.1f} | {memory} |"


def _draw(path: str, grown: list[Grown]) -> None:
    """Draw a panel for each dimension, with a line for each command, by how many times the least size an input has."""
    by_dimension: Mapping[str, list[Grown]] = {
        name: of for name in DIMENSIONS if (of := [each for each in grown if each.dimension == name])
    }
    rows = -(-len(by_dimension) // _COLUMNS)
    figure = new_figure(11, 3.6 * rows)
    if figure is None:
        return
    axes = list(figure.subplots(rows, _COLUMNS, squeeze=False).flat)
    for (name, lines), ax in zip(by_dimension.items(), axes, strict=False):
        _panel(ax, name, lines)
    for ax in axes[len(by_dimension) :]:
        ax.set_visible(False)
    figure.savefig(path, metadata={"Date": None})


def _panel(ax: Axes, name: str, lines: list[Grown]) -> None:
    times = [1 << doubling for doubling in range(DOUBLINGS + 1)]
    for number, of in enumerate(lines):
        style = "-" if number < _COLOURS else "--"
        ax.plot(times, of.seconds, style, marker="o", markersize=3, label=of.verb, color=f"C{number % _COLOURS}")
    every = [second for of in lines for second in of.seconds]
    low, high = min(every) / 1.5, max(every) * 1.5
    ax.set(title=name, xscale="log", yscale="log", ylim=(low, high), ylabel="processor seconds")
    ax.set_xticks(times, [f"x {each}" for each in times])
    ticks = [digit * 10.0**power for power in range(-2, 3) for digit in (1, 2, 5)]
    shown = [tick for tick in ticks if low <= tick <= high]
    ax.set_yticks(shown, [f"{tick:g}" for tick in shown])
    ax.minorticks_off()
    ax.legend(fontsize=6, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.1))
