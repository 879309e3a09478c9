"""The settings of what a command does with its answer, whichever verb it is of."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.core.setting import Kind, Setting

WATCH: Final = Setting("watch", "Show the answer again whenever a file changes, until Ctrl-C. Text only.", Kind.FLAG)
STRICT: Final = Setting("strict", "Exit with 1 if pods stay pending, or inputs stay open.", Kind.FLAG)
EXIT_CODE: Final = Setting(
    "exit_code", "Exit with 1 if anything but notes differs.", Kind.FLAG, option="strict", former=("exit-code",)
)

SET_THE_EXIT_CODE: Final = (STRICT, EXIT_CODE)
"""The settings by which the exit code depends on the answer."""


def strict_about(what: str) -> Setting:
    """Return the setting as a verb takes it for which something else is a failure."""
    return replace(STRICT, help=what)
