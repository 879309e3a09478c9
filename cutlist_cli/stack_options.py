"""The option of the folder that a stack's project is in, and of stacks in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from cutlist.settings.stack import PROJECT_DIR, STACK
from cutlist_cli.options import F
from cutlist_cli.setting_options import setting_option


def stack_option(help_text: str, *, required: bool = False) -> Callable[[F], F]:
    """Return a decorator that adds `--stack`, a stack of the project, with this help."""
    return setting_option(replace(STACK, help=help_text), required=required)


def project_dir_option(help_text: str) -> Callable[[F], F]:
    """Return a decorator that adds `--project-dir`, the folder of a Pulumi project, with this help."""
    return setting_option(replace(PROJECT_DIR, help=help_text), callback=_project_of)


def _project_of(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Path:
    """Return the folder that is named, or else the nearest one with a Pulumi project, where Pulumi looks for it too: the
    working directory or one above it."""
    if value is not None:
        return Path(value)
    for above in range(len(Path.cwd().parts)):
        folder = Path(*[".."] * above)
        if (folder / "Pulumi.yaml").is_file():
            return folder
    return Path()
