"""The main file of a Pulumi program, run in this process where a language host would run it."""

from __future__ import annotations

import asyncio
import contextlib
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

from pulumi.runtime import run_in_stack, settings


def run_main(path: Path) -> None:
    """Run a folder with `__main__.py` or a file, until all that it registers is answered. Its first failure is raised."""
    folder = path if path.is_dir() else path.parent
    # Without bytecode beside it: a program that is edited twice within a second, to the same length, would be run from the
    # bytecode of before.
    with contextlib.chdir(folder), _without_bytecode(), asyncio.Runner() as runner:
        # The first failure also sits in every output that waits for the failed resource; the loop would print each of those,
        # with a traceback, whenever the garbage collector comes by.
        runner.get_loop().set_exception_handler(lambda _loop, _context: None)
        runner.run(run_in_stack(lambda: _execute(path)))


@contextlib.contextmanager
def _without_bytecode() -> Iterator[None]:
    """Import without writing bytecode for a while."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


async def _execute(path: Path) -> None:
    runpy.run_path(str(path), run_name="__main__")
    await _settle()


async def _settle() -> None:
    """Wait until every registration is answered and every output known, or until the first failure.

    Pulumi waits for the same afterwards and raises the failure. Its own wait looks at all outstanding outputs again whenever
    one of them is done, which takes a third of a run's time: here they are waited for at once.
    """
    running = settings.SETTINGS
    while not running.rpc_manager.unhandled_exception:
        tasks = [task for task in (*running.rpc_manager.rpcs, *running.outputs) if not task.done()]
        if not tasks:
            return
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        if any(task.cancelled() or task.exception() for task in done):
            return
