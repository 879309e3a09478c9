"""`python -m tools.benchmarks plot FILE`: time and memory of a pass as a function of pods, shapes, claims and types."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.benchmarks.measure import Measured, in_child

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


@dataclass(frozen=True, slots=True)
class Panel:
    """A plot: the sizes on its axis, and the case of each."""

    title: str
    axis: str
    sizes: tuple[int, ...]
    case: str


PANELS = (
    Panel("200 shapes, all types of a region", "pods", (1_000, 10_000, 100_000, 1_000_000), "shapes:{}:200"),
    Panel("100,000 pods, all types of a region", "shapes", (10, 30, 100, 300, 1_000, 3_000), "shapes:100000:{}"),
    Panel("100,000 pods of 200 shapes", "instance types", (10, 30, 100, 300, 1_000), "types:100000:{}"),
)


def report(path: str, runs: int) -> int:
    """Measure, draw and write an SVG; return exit code 2 if the drawing library is missing."""
    figure = new_figure(11, 6.4)
    if figure is None:
        return 2
    axes = list(figure.subplots(2, 2, sharey=True).flat)
    every: list[Measured] = []
    for panel, ax in zip(PANELS, axes, strict=False):
        measured = [in_child("case", panel.case.format(size), runs) for size in panel.sizes]
        every += measured
        _draw(ax, panel.title, panel.axis, panel.sizes, measured)
    every.sort(key=lambda m: m.claims)
    lines = _draw(axes[3], "all of these", "claims", [m.claims for m in every], every, marker="o", linestyle="none")
    figure.legend(handles=lines, loc="outside lower center", ncols=len(lines))
    figure.savefig(path, metadata={"Date": None})
    return 0


def new_figure(width: float, height: float) -> Figure | None:
    """Return an empty figure of a size in inches, whose SVG is the same for the same figures; None with a message on stderr
    where the drawing library is missing."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        sys.stderr.write("drawing needs matplotlib: pip install 'cutlist[bench]'\n")
        return None
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "cutlist", "font.size": 9, "axes.grid": True})
    return Figure(figsize=(width, height), layout="constrained")


def _draw(left: Axes, title: str, axis: str, sizes: Sequence[int], measured: Sequence[Measured], **style: str) -> list[Line2D]:
    """Draw one panel; return the lines for the legend."""
    shape = {"marker": "o", **style}
    left.plot(sizes, [m.solve for m in measured], color="tab:blue", label="solve", **shape)
    left.plot(sizes, [m.whole for m in measured], color="tab:cyan", label="whole pass", **shape)
    left.set(title=title, xlabel=axis, ylabel="seconds", xscale="log", yscale="log")
    right = left.twinx()
    right.plot(sizes, [m.peak_memory_mib for m in measured], color="tab:orange", label="memory", **{**shape, "marker": "x"})
    right.set_ylabel("peak memory, MiB")
    right.set_ylim(bottom=0)
    right.grid(visible=False)
    return [*left.get_lines(), *right.get_lines()]
