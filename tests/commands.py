"""Programs of the tests with a few commands, each with arguments of its own by their places."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any


def run(usage: str | None, commands: Mapping[str, Callable[..., Any]], arguments: Sequence[str]) -> int:
    """Run the command that the first argument names, with the others. Returns 2, and writes how to use the program, for a name
    that is no command's and for another number of arguments."""
    name, *others = arguments or ("",)
    command = commands.get(name)
    if command is None or len(signature(command).parameters) != len(others):
        sys.stderr.write(f"{usage}\n")
        return 2
    command(*others)
    return 0
