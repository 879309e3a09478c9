"""What to give instead, where a call is incomplete: after the message of click, in the words of its command."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import click

from cutlist.settings.answers import WATCH
from cutlist.settings.new import FROM
from cutlist.settings.planning import FILES, RECURSIVE
from cutlist_cli import terminal
from cutlist_cli.project_settings import OF_A_REPOSITORY, PROJECT_FILE

_OF_CLUSTERS: Final = frozenset(("disrupt", "interrupt", "nodes", "verify"))
"""Commands whose files have the nodes of a cluster."""
_PULUMI: Final = "Pulumi.yaml"


def file_hint(error: click.UsageError, arguments: Sequence[str]) -> str:
    """Return how to give files, if an unexpected argument looks like a file; else an empty text."""
    command = error.ctx.command if error.ctx is not None else None
    if error.ctx is None or command is None or not any(param.name == "files" for param in command.params):
        return ""
    if any(isinstance(param, click.Argument) and param.nargs == -1 for param in command.params):
        return ""
    flags = {name for param in command.params if isinstance(param, click.Option) and param.is_flag for name in param.opts}
    pairs = pairwise(["", *arguments])
    files = [word for before, word in pairs if _is_like_a_file(word) and (not before.startswith("-") or before in flags)]
    named = terminal.safe(" ".join(f"-f {file}" for file in files))
    return f" Files are given with -f: {error.ctx.command_path} {named}" if files else ""


def missing_hint(error: click.UsageError) -> str:
    """Return what to give where no files or no name are given, and where that is not needed; else an empty text."""
    param = error.param if isinstance(error, click.MissingParameter) else None
    if error.ctx is None or param is None:
        return ""
    if isinstance(param, click.Argument) and error.ctx.info_name in ("explain", "why"):
        return f" Name a workload such as deployment/web{_OTHER_NAMES if error.ctx.info_name == 'why' else ''}."
    return f" {' '.join(_files(error.ctx))}" if param.name == FILES.name else ""


_OTHER_NAMES: Final = ", a pod, a node or a NodePool, as kubectl and plans print it"


def _files(ctx: click.Context) -> list[str]:
    """Return sentences on how a command is given its files."""
    reads_folders = any(option.name == RECURSIVE.name for option in ctx.command.params)
    folder = f", or {FILES.short} . {RECURSIVE.short} for all of this folder" if reads_folders else ""
    sentences = [f"Name what is read: {FILES.short} {FILES.metavar}{folder}."]
    if ctx.info_name in _OF_CLUSTERS:
        live = f" {ctx.command_path} {WATCH.flag} reads the live one." if ctx.info_name == "nodes" else ""
        return [*sentences, f"The file of a cluster is one that `cutlist snapshot` writes.{live}"]
    if reads_folders:
        sentences.append(f"`cutlist new {FROM.flag} .` writes {PROJECT_FILE}, which says it for every command.")
    if ctx.info_name in OF_A_REPOSITORY:
        sentences.append(
            f"In a checkout of git, {ctx.command_path} reads the folder that it is started in without {FILES.short}."
        )
    if os.path.exists(_PULUMI):
        sentences.append("`cutlist preview` plans the stacks of this Pulumi project.")
    return sentences


def _is_like_a_file(word: str) -> bool:
    return word == "-" or word.endswith((".yaml", ".yml", ".json", ".log")) or os.path.exists(word)
