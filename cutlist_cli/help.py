"""`cutlist help`: the help of a command, as `--help` after its name shows it."""

from __future__ import annotations

import click

from cutlist.core.errors import nearest
from cutlist_cli import terminal
from cutlist_cli.commands import command_names
from cutlist_cli.options import debug_option


def _completions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """Return the commands that begin with the typed text."""
    return [name for name in command_names() if name.startswith(incomplete)]


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]...", shell_complete=_completions)
@debug_option
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Show the help of a command, or the list of commands.

    \b
    Examples:
      cutlist help plan
      cutlist help catalog update
    """
    parent = ctx.find_root()
    described: click.Command = parent.command
    for name in names:
        child = described.get_command(parent, name) if isinstance(described, click.Group) else None
        if child is None:
            known = described.list_commands(parent) if isinstance(described, click.Group) else []
            near = nearest(name, known)
            hint = f" Did you mean {near!r}?" if near else ""
            raise click.UsageError(f"{parent.command_path} has no command {terminal.safe(name)!r}.{hint}")
        parent = child.make_context(name, [], parent=parent, resilient_parsing=True)
        described = child
    terminal.write(f"{described.get_help(parent)}\n")
