"""The pages of commands: what `--help` says, as a page each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import click

from cutlist_cli import main
from cutlist_cli.commands import COMMANDS, load

FOLDER: Final = "commands"
_COLUMNS: Final = "| option | |\n|---|---|\n"


def command_pages() -> Mapping[str, str]:
    """Return the page of each command and the list of them, by their place on the site."""
    listed = "".join(f"| [`cutlist {name}`]({name}.md) | {_inline(summary)} |\n" for name, summary in sorted(COMMANDS.items()))
    overview = f"# Commands\n\nThese pages say what `--help` says.\n\n| | |\n|---|---|\n{listed}"
    pages = {name: "".join(_page(name)) for name in sorted(COMMANDS)}
    return {f"{FOLDER}/index.md": overview, **{f"{FOLDER}/{name}.md": page for name, page in pages.items()}}


def _page(name: str) -> Iterator[str]:
    """Yield the parts of a command's page."""
    command = load(name)
    if command is None or command.help is None:
        raise LookupError(f"the command {name!r} has no help: what it needs is not installed")
    top = click.Context(main, info_name="cutlist")
    context = click.Context(command, info_name=name, parent=top)
    yield f"# cutlist {name}\n\n"
    yield from _described(command, context)
    if isinstance(command, click.Group):
        for child_name, child in sorted(command.commands.items()):
            yield f"## cutlist {name} {child_name}\n\n"
            yield from _described(child, click.Context(child, info_name=child_name, parent=context))


def _described(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the help of a command: what it does, how it is called, examples, options."""
    texts = [text.strip() for text in re.split(r"\n\s*\n", command.help or "")]
    verbatim = [text for text in texts if text.startswith("\b")]  # click's mark of lines that keep their breaks
    yield from (f"{_inline(' '.join(text.split()))}\n\n" for text in texts if text not in verbatim)
    yield f"```text\n{command.get_usage(context)}\n```\n\n"
    for text in verbatim:
        title, *lines = [line.strip() for line in text.removeprefix("\b\n").splitlines()]
        shown = "\n".join(lines).replace("\\\n", "\\\0").replace("\n", "\n$ ").replace("\0", "\n    ")
        yield f"**{title.removesuffix(':')}**\n\n```console\n$ {shown}\n```\n\n"
    records = [record for parameter in command.get_params(context) if (record := parameter.get_help_record(context))]
    yield _COLUMNS + "".join(f"| `{_cell(name)}` | {_inline(_cell(text))} |\n" for name, text in records) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _inline(text: str) -> str:
    """Return a text that Markdown shows as it is written: code stays code, nothing else is markup."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<>\[])", r"\\\1", part) for part in parts)
