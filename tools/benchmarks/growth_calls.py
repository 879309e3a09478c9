"""How many functions a command calls on inputs that grow: the same on every machine, however busy it is."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any, Final

from cutlist_cli import main
from tools.benchmarks.growth_inputs import DIMENSIONS, VERBS

DOUBLINGS: Final = 3


class CommandError(Exception):
    """A command did not answer; the text is what it said."""


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions a piece of work calls."""
    calls = 0

    def count(_frame: object, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def run(arguments: Sequence[str]) -> None:
    """Run a command, whose answer is thrown away. Raises CommandError for one that answers nothing."""
    out, err, code = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(list(arguments))
        except SystemExit as ended:
            code = int(ended.code or 0)
    out.flush()
    if code not in (0, 1) or not (out.buffer.tell() or err.getvalue()):
        raise CommandError(f"cutlist {' '.join(arguments)} ended with {code}: {err.getvalue()[-600:]}")


@contextlib.contextmanager
def written(dimension: str, size: int) -> Iterator[Path]:
    """Return a folder with the input of a size."""
    with tempfile.TemporaryDirectory() as folder:
        DIMENSIONS[dimension].write(Path(folder), size)
        yield Path(folder)


def counted_calls(verb: str, dimension: str) -> list[int]:
    """Return the calls of a command on an input, and on inputs of twice, four and eight times that size."""
    found = []
    least = DIMENSIONS[dimension].counted
    for size in (least, *(least << doubling for doubling in range(DOUBLINGS + 1))):  # the first run does what is done once
        with written(dimension, size) as folder:
            arguments = VERBS[verb].on(folder, dimension)
            found.append(calls_of(lambda arguments=arguments: run(arguments)))
    return found[1:]


def exponent(costs: Sequence[float]) -> float:
    """Return the power of the size with which a cost grows, from its costs for sizes that double: 1 means as much for as much
    again, 0 that the size does not matter.

    What every run costs does not count, and neither does what grows by less than a fiftieth of the whole.
    """
    first, *_, last = (max(after - before, after / 50) for before, after in pairwise(costs))
    return log2(last / first) / (len(costs) - 2)
