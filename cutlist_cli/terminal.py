"""The terminal: its width, whether it shows colour, and which characters it can show."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import IO, Any, Final, Literal

import click

DEFAULT_WIDTH: Final = 100  # when the output goes to a file or a pipe
NARROWEST: Final = 40


def width(columns: int | None = None) -> int:
    """Return the number of columns for output: the requested one, else the terminal's."""
    return columns or max(NARROWEST, shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns)


def has_colour(stream: Literal["stdout", "stderr"] = "stdout") -> bool:
    """Tell whether to use colour: only on a terminal, and not against NO_COLOR (no-color.org) or TERM=dumb."""
    file = sys.stdout if stream == "stdout" else sys.stderr
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and file.isatty()


def write(text: str) -> None:
    """Write to standard output, in characters that it can show."""
    click.echo(_showable(text, sys.stdout.encoding), nl=False)


def clear() -> None:
    """Clear the screen; do nothing if the output is not a terminal."""
    if sys.stdout.isatty():
        click.clear()


def write_error(text: str, file: IO[Any] | None = None) -> None:
    """Write to standard error, or to a file. What standard error cannot take is lost; the exit code remains."""
    try:
        click.echo(_showable(text, sys.stderr.encoding), file=file, nl=False, err=file is None)
    except OSError:
        silence(sys.stderr)


def write_note(text: str) -> None:
    """Write a sentence to standard error: on a terminal in lines that it can show, elsewhere in one."""
    sentence = f"Note: {safe(text)}."
    if sys.stderr.isatty():
        sentence = textwrap.fill(sentence, width(), break_long_words=False, break_on_hyphens=False)
    write_error(f"{sentence}\n")


def silence(stream: Any) -> None:
    """Redirect what is still buffered to nowhere, so that the interpreter does not complain about it at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError, AttributeError):  # no real file behind it
        return


def safe(text: str) -> str:
    """Return the text without characters that act on a terminal."""
    from cutlist.report.plain import escape  # takes 130 ms

    return escape(text)


def _showable(text: str, encoding: str | None) -> str:
    if text.isascii():
        return text
    from cutlist.report.plain import to_encoding  # takes 130 ms

    return to_encoding(text, encoding or "utf-8")
