"""`cutlist mcp`: plans, explanations, differences, suggestions and gates as tools of an assistant."""

from __future__ import annotations

import signal
import sys

import click

from cutlist.settings.mcp import ROOTS
from cutlist_cli import terminal
from cutlist_cli.assistants.roots import read_roots
from cutlist_cli.command import Command
from cutlist_cli.options import debug_option
from cutlist_cli.setting_options import setting_option


@click.command("mcp", cls=Command)
@setting_option(ROOTS)
@debug_option
def command(roots: tuple[str, ...]) -> None:
    """Serve plan, explain, diff, suggest and gate to an assistant, over the Model Context Protocol.

    An assistant or editor starts this command and speaks with it over standard input and output. Its tools only read files
    below the folders of --root; they use no network, no cluster and no account. Paths that leave these folders, by .. or a
    symbolic link, are refused. Answers are those of the commands with -o json. Needs the extra `mcp`.

    \b
    Examples:
      cutlist mcp
      cutlist mcp --root . --root ../other-project
    """
    from importlib.metadata import version  # takes 30 ms

    import anyio  # needs the extra mcp

    from cutlist_cli.assistants.server import serve

    folders = read_roots(roots or (".",))
    # Nothing is to be cleaned up, and a thread that waits for a line would keep the process until one comes.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.stdin.isatty():
        terminal.write_note("an assistant starts this command and speaks with it over standard input; Ctrl-C ends it")
    anyio.run(serve, folders, version("cutlist"))
