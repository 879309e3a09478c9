"""The processes of a live cluster: started with a log each, known by their ids in files, stopped in order."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


class StartError(Exception):
    """Something did not start or did not happen in time; the text says what, and where its log is."""


def wait_for(what: str, condition: Callable[[], T], seconds: float = 90, pause: float = 0.25) -> T:
    """Return what a condition returns as soon as that is true. Raises StartError after so many seconds."""
    end = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > end:
            raise StartError(f"after {seconds:.0f} s still waiting for {what}")
        time.sleep(pause)


class Stillness:
    """Tells for how long a value has not changed."""

    def __init__(self) -> None:
        self._value: object = None
        self._since = time.monotonic()

    def of(self, value: object) -> float:
        """Return the seconds since the value became what it is."""
        if value != self._value:
            self._value, self._since = value, time.monotonic()
        return time.monotonic() - self._since


class Processes:
    """The processes of a folder: `NAME.pid` and `log/NAME.log`. They outlive the command that started them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._is_closed = False

    def log(self, name: str) -> Path:
        """Return the log file of a process."""
        return self.folder / "log" / f"{name}.log"

    def start(self, name: str, command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> None:
        """Start a process in a session of its own, so that an interrupt reaches only the command that started it.

        Raises StartError after `close`.
        """
        if self._is_closed:
            raise StartError(f"{name} is not started any longer: {self.folder} is being stopped")
        log = self.log(name)
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                cwd=self.folder,
                start_new_session=True,
            )
        self._children[name] = process
        self._file(name).write_text(f"{process.pid}\n{Path(command[0]).name}\n")

    def running(self, name: str) -> int | None:
        """Return the id of a process that runs. A process of another program that has got the id by now is not it."""
        if (child := self._children.get(name)) is not None and child.poll() is not None:
            return None
        try:
            pid, program = self._file(name).read_text().split("\n")[:2]
        except FileNotFoundError:
            return None
        shown = subprocess.run(["ps", "-o", "stat=,args=", "-p", pid], capture_output=True, text=True, check=False).stdout
        is_alive = program in shown and not shown.lstrip().startswith("Z")
        return int(pid) if is_alive else None

    def wait_until(self, name: str, what: str, condition: Callable[[], T], seconds: float = 120) -> T:
        """Return what a condition returns as soon as that is true. Raises StartError when the process ends or time is over."""

        def checked() -> T:
            result = condition()
            if not result and self.running(name) is None:
                raise StartError(f"{name} ended; the end of {self.log(name)}:\n{self.tail(name)}")
            return result

        try:
            return wait_for(what, checked, seconds)
        except StartError as error:
            if "still waiting" in str(error):
                raise StartError(f"{error}; the end of {self.log(name)}:\n{self.tail(name)}") from None
            raise

    def tail(self, name: str, lines: int = 5) -> str:
        """Return the last lines of a log."""
        try:
            text = self.log(name).read_text(errors="replace")
        except FileNotFoundError:
            return ""
        return "\n".join(line[:400] for line in text.splitlines()[-lines:])

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to a process that runs."""
        if (pid := self.running(name)) is not None:
            with contextlib.suppress(ProcessLookupError):  # it has ended since
                os.kill(pid, number)

    def stop(self, name: str, seconds: float = 10) -> None:
        """Stop a process, forcibly after some seconds."""
        self.signal(name, signal.SIGCONT)
        self.signal(name, signal.SIGTERM)
        end = time.monotonic() + seconds
        while self.running(name) is not None and time.monotonic() < end:
            time.sleep(0.1)
        self.signal(name, signal.SIGKILL)
        if (child := self._children.pop(name, None)) is not None:
            child.wait()
        self._file(name).unlink(missing_ok=True)

    def names(self) -> list[str]:
        """Return the names of all processes that were started and not stopped, the latest first."""
        files = sorted(self.folder.glob("*.pid"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        return [file.stem for file in files]

    def stop_all(self) -> None:
        """Stop all processes, the latest first."""
        for name in self.names():
            self.stop(name)

    def close(self) -> None:
        """Stop all processes, and start no more."""
        self._is_closed = True
        self.stop_all()

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.pid"
