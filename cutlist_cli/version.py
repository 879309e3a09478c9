"""`cutlist version`: what is installed, and which versions of Karpenter its answers are about."""

from __future__ import annotations

import platform

import click

from cutlist_cli import terminal
from cutlist_cli.options import debug_option


@click.command("version")
@debug_option
def command() -> None:
    """Show the version of Cutlist, and those of Karpenter whose rules it knows.

    \b
    Examples:
      cutlist version
    """
    from importlib.metadata import version

    from cutlist.core.karpenter.baselines import BASELINES, DEFAULT

    releases = ", ".join(f"{baseline} (default)" if baseline is DEFAULT else str(baseline) for baseline in BASELINES)
    terminal.write(f"cutlist {version('cutlist')}\nKarpenter {releases}\nPython {platform.python_version()}\n")
