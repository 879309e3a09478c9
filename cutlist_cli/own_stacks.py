"""The stacks of a call that names none: those of the project in its folder."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from cutlist.documents.pulumi_stacks import stack_names
from cutlist.settings.environments import ENVIRONMENT
from cutlist.settings.planning import FILES
from cutlist.settings.stack import PROJECT_DIR, STACK
from cutlist_cli.environments import CalledEnvironment
from cutlist_cli.project_settings import TopFolder, read_project
from cutlist_cli.setting_options import on_the_line

_PROJECT: Final = "Pulumi.yaml"


def project_path(project_dir: Path) -> str:
    """Return the path of a project's file."""
    return os.path.normpath(project_dir / _PROJECT)


def environments_of_stacks(verb: str, project_dir: Path, stacks: Iterable[str]) -> tuple[CalledEnvironment, ...]:
    """Return stacks of a project as environments of a call."""
    folder = "" if project_dir == Path() else f" {PROJECT_DIR.flag} {project_dir}"
    return tuple(
        CalledEnvironment(stack, f"cutlist {verb} {STACK.flag} {stack}{folder}", stack=stack, project=str(project_dir))
        for stack in stacks
    )


def stacks_in(project_dir: Path) -> tuple[str, ...]:
    """Return the names of all stacks of a project, in order; none without a project."""
    return stack_names(project_path(project_dir))


def require_stacks(ctx: click.Context, project_dir: Path) -> tuple[str, ...]:
    """Return the names of all stacks of a project. Raises UsageError if it has no stack."""
    stacks = stacks_in(project_dir)
    if not stacks:
        project = project_path(project_dir)
        found = "has no stack" if os.path.exists(project) else "does not exist"
        message = f"{project} {found}; name a project with {PROJECT_DIR.flag}, or start one: cutlist new NAME"
        raise click.UsageError(message, ctx)
    return stacks


def stacks_instead_of_files(ctx: click.Context, project_dir: Path) -> tuple[str, ...]:
    """Return the stacks that a call is about which says nothing of what is read: those of the project in the folder, unless
    the settings of the repository say what is read."""
    if on_the_line(ctx, (FILES, STACK, ENVIRONMENT)):
        return ()
    project = read_project(ctx.find_object(TopFolder))
    return () if FILES in project.values or project.environments else stacks_in(project_dir)
