"""The main file of a Pulumi program, run in this process where a language host would run it."""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import inspect
import re
import runpy
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

from pulumi.runtime import run_in_stack, settings

from cutlist.core.errors import Place, Problem, nearest
from pulumi_cutlist.program.modules import from_source, is_installed

_OURS: Final = ("cutlist", "pulumi_cutlist")
_KEYWORD: Final = re.compile(r"(\w+)(?:\.__init__)?\(\) got an unexpected keyword argument '(\w+)'")
_IMPORTED: Final = re.compile(r"cannot import name '(\w+)' from '[\w.]+'")


def run_main(
    path: Path, heard: Callable[[BaseException], None] | None = None, run: Callable[[Path], object] | None = None
) -> None:
    """Run a folder with `__main__.py` or a file, until all its registrations are answered. Its first failure is raised. `heard`
    is called with the failure before the program's tasks are cancelled, since some tasks prevent that from ending. `run` runs a
    program in another language than Python.
    """
    folder = path if path.is_dir() else path.parent
    with contextlib.chdir(folder), from_source(), asyncio.Runner() as runner:
        # The first failure also sits in every output that waits for the failed resource; the loop would print each of those,
        # with a traceback, whenever the garbage collector comes by.
        runner.get_loop().set_exception_handler(lambda _loop, _context: None)
        try:
            runner.run(run_in_stack(lambda: _execute(path, run or _run_python)))
        except BaseException as error:
            if heard is not None:
                heard(error)
            raise


async def _execute(path: Path, run: Callable[[Path], object]) -> None:
    run(path)
    await _settle()


def _run_python(path: Path) -> None:
    runpy.run_path(str(path), run_name="__main__")


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


def crash_of(error: BaseException, main: Path) -> Problem | None:
    """Return the exception that ended a program, at the program's own line, or None if the fault is in Cutlist.

    `main` is what `run_main` was called with. It is named where no line of the program is known, since the exception came out
    of what Pulumi does later with a registered resource.
    """
    if isinstance(error, SyntaxError) and error.filename and not is_installed(error.filename):
        return _problem(place_of(error.filename, error.lineno or 0), f"{type(error).__name__}: {error.msg}")
    message = _message(error)
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        module = frame.f_globals.get("__name__", "")
        if module == __name__:
            break
        if module.partition(".")[0] in _OURS:
            return None
        if _is_of_program(frame):
            return _problem(place_of(frame.f_code.co_filename, line), message, _meant(error, frame))
    return _problem(place_of(str(main / "__main__.py" if main.is_dir() else main), 0), message)


def place_in_program(error: BaseException) -> Place:
    """Return the innermost line of the program that an exception came through; no place where none is known."""
    lines = ((frame, line) for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))))
    return next((place_of(frame.f_code.co_filename, line) for frame, line in lines if _is_of_program(frame)), Place())


def _problem(place: Place, message: str, nearest: str = "") -> Problem:
    return Problem(place, message, nearest=nearest, is_unread=True)


def _message(error: BaseException) -> str:
    """Return an exception in the words of Python. `sys.exit` counts as one: Pulumi would stop before its resources are
    answered."""
    if isinstance(error, SystemExit):
        code = "" if error.code is None else repr(error.code)
        return f"the program ends itself with sys.exit({code}), before all its resources were known"
    text = " ".join(str(error).split())
    if imported := _IMPORTED.match(text):
        text = imported[0]  # without the file of the module, which is long and says no more
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _meant(error: BaseException, frame: FrameType) -> str:
    """Return the name that there is and that a misspelt one is nearest to; empty where none is near."""
    if isinstance(error, AttributeError) and error.name:
        return nearest(error.name, [name for name in dir(error.obj) if not name.startswith("_")])
    if isinstance(error, NameError) and error.name:
        return nearest(error.name, [*frame.f_locals, *frame.f_globals, *dir(builtins)])
    if isinstance(error, TypeError) and (unexpected := _KEYWORD.match(str(error))):
        called = frame.f_locals.get(unexpected[1], frame.f_globals.get(unexpected[1]))
        return nearest(unexpected[2], inspect.signature(called).parameters) if callable(called) else ""
    if isinstance(error, ImportError) and (missing := _IMPORTED.match(str(error))) and error.name in sys.modules:
        return nearest(missing[1], dir(sys.modules[error.name]))
    return ""


def _is_of_program(frame: FrameType) -> bool:
    """Tell whether a frame is of the user's files: neither Python's, an installed package's, nor generated code."""
    file = frame.f_code.co_filename
    return not file.startswith("<") and not is_installed(file)


def place_of(file: str, line: int) -> Place:
    """Return a line of a file, relative to the working directory where the file is below it."""
    path = Path(file).resolve()
    here = Path.cwd()
    return Place(str(path.relative_to(here) if path.is_relative_to(here) else path), line=line)
