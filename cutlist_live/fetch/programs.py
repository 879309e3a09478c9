"""Programs that fetch, run within limits: of time, of what they write, and of what they may ask."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cutlist.documents.delivery.fetching import FetchError
from cutlist_live.fetch.limits import Limits

_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 0.5
_LAST_LINES: Final = 3
_ERROR_BYTES: Final = 2**16
_TOO_LARGE: Final = -getattr(signal, "SIGXFSZ", 0) or None
"""How a program ends that writes a file beyond the limit."""


@dataclass(frozen=True, slots=True)
class Program:
    """An installed program that runs in a folder of its own, from which it may not grow beyond the limits.

    `environment` replaces that of this process. It reads no input and has no terminal, so that it cannot ask for a password.
    """

    name: str
    folder: str
    environment: Mapping[str, str]
    limits: Limits

    @property
    def printed(self) -> str:
        """Return the path of what the last run printed."""
        return os.path.join(self.folder, ".stdout")

    def run(self, words: Sequence[str], *, shown: str, reads: bool = True) -> bytes:
        """Return what the program prints, or nothing if that is only to be in the file `printed`.

        Raises FetchError with the program's reason, and `shown` as the command to try by hand.
        """
        path = shutil.which(self.name)
        if path is None:
            raise FetchError(f"{self.name} is not installed", f"{self.name} on the PATH")
        errors = os.path.join(self.folder, ".stderr")
        with open(self.printed, "wb") as standard_output, open(errors, "wb") as standard_error:
            try:
                process = subprocess.Popen(  # noqa: S603 - words are checked, and what was asked for
                    [path, *words],
                    cwd=self.folder,
                    env=dict(self.environment),
                    stdin=subprocess.DEVNULL,
                    stdout=standard_output,
                    stderr=standard_error,
                    start_new_session=True,  # no terminal, and one group to end
                )
            except OSError as error:
                raise FetchError(f"{self.name} cannot be run: {error.strerror or error}", shown) from None
            try:
                _limit_memory(process.pid, self.limits)
                self._wait(process, shown)
            finally:  # also when the user ends the run
                _end(process)
        if process.returncode == _TOO_LARGE:
            raise self._too_much(shown)
        if process.returncode:
            raise FetchError(f"{self.name} refuses it: {_last_lines(errors)}", shown)
        if not reads:
            return b""
        with open(self.printed, "rb") as printed:
            return printed.read()

    def _wait(self, process: subprocess.Popen[bytes], shown: str) -> None:
        """Wait for the end, and raise FetchError at a limit."""
        start, pause = time.monotonic(), _PAUSE
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(pause)
            if size_of(self.folder) > self.limits.transferred:
                raise self._too_much(shown)
            if process.returncode is not None:
                return
            if time.monotonic() - start > self.limits.seconds:
                raise FetchError(f"{self.name} takes longer than {self.limits.seconds:g} s", shown)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _too_much(self, shown: str) -> FetchError:
        return FetchError(f"{self.name} fetches more than {self.limits.transferred // 2**20} MiB", shown)


def size_of(folder: str) -> int:
    """Return the bytes of the files in a folder and below it."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # it may be renamed meanwhile
                total += os.lstat(os.path.join(root, name)).st_size
    return total


def empty_folder(above: str, name: str) -> str:
    """Return a new folder."""
    path = Path(above, name)
    path.mkdir()
    return str(path)


def _limit_memory(pid: int, limits: Limits) -> None:
    if sys.platform == "linux":
        import resource

        with contextlib.suppress(OSError, ValueError):  # it may have ended, or may not be limited
            resource.prlimit(pid, resource.RLIMIT_DATA, (limits.memory, limits.memory))
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (limits.transferred, limits.transferred))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program with all that it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    if process.poll() is None:
        process.kill()
    process.wait()


def _last_lines(path: str) -> str:
    with open(path, "rb") as file:
        said = file.read(_ERROR_BYTES).decode(errors="replace")
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith(("level=", "hint:"))]
    return " ".join(lines[-_LAST_LINES:]).removeprefix("Error: ") or "it says nothing"
