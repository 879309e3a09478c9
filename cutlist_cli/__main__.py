"""Start the process `cutlist`: set up what has to hold before anything else is imported.

Until a command runs, Ctrl-C ends the process as a signal does, without a traceback. Standard streams that are closed are
replaced, so that no file that a command opens takes their place.
"""

import atexit
import gc
import os
import signal
import sys

_CLOSED = "error: standard output is closed, so the answer cannot be written\n"
_NEW_OBJECTS = 300_000  # about what a small plan makes


def run() -> None:
    """Run the command that the arguments name, and end the process with its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if _lacks_output():
        sys.stderr.write(_CLOSED)
        sys.exit(2)
    collect_rarely()
    from cutlist_cli.application import main  # once signals and streams are set up

    main()


def collect_rarely() -> None:
    """Look for cycles of garbage rarely, and not at all when the interpreter ends: see docs/decisions/garbage.md."""
    gc.set_threshold(_NEW_OBJECTS, 20, 20)
    atexit.register(gc.freeze)


def _lacks_output() -> bool:
    """Open the null device in place of each closed standard stream; tell whether output was one of them."""
    was_closed = sys.stdout is None
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for as long as the process runs, as the next two
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    return was_closed


if __name__ == "__main__":
    run()
