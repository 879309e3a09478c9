"""The command `cutlist`. Commands hold no logic: they read options, call one function and print the result.

Exit codes: 0 done, 1 the answer is no (pending pods under `--strict`), 2 bad input, 70 an error in Cutlist itself, 130
interrupted, 141 the reader of the output closed it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cutlist_cli.application import main

__all__ = ["main"]


def __getattr__(name: str) -> object:
    """Return the command group, imported when it is first asked for, so that a process can prepare itself before."""
    if name != "main":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cutlist_cli.application import main  # takes 50 ms

    return main
