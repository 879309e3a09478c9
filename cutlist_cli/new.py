"""`cutlist new`: starts a project, copies a stack under a new name, or writes a project file or a pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from cutlist.core.setting import Setting
from cutlist.settings.new import ACCOUNT, CLOUD, CLUSTER, FORCE, FROM, LIKE, PIPELINES, PLATFORM, PRICES, REGION, SOURCE
from cutlist.settings.stack import PROJECT_DIR, TIME_LIMIT
from cutlist_cli.command import Command
from cutlist_cli.new_pipeline import GITLAB, project_of_repository, write_pipeline, write_price_workflow
from cutlist_cli.new_project import write_project
from cutlist_cli.new_stack import copy_stack
from cutlist_cli.new_starter import Asked, start_project, starts_project
from cutlist_cli.options import debug_option
from cutlist_cli.setting_options import on_the_line, setting_option
from cutlist_cli.stack_options import project_dir_option


@click.command("new", cls=Command)
@click.argument("name", required=False)
@setting_option(CLOUD)
@setting_option(REGION)
@setting_option(ACCOUNT)
@setting_option(CLUSTER)
@setting_option(LIKE)
@setting_option(FROM)
@setting_option(PLATFORM)
@setting_option(SOURCE)
@setting_option(PRICES)
@setting_option(FORCE)
@project_dir_option("Folder of Pulumi.yaml.")
@setting_option(TIME_LIMIT)
@debug_option
@click.pass_context
def command(
    ctx: click.Context,
    name: str | None,
    cloud: str | None,
    region: str | None,
    account: str | None,
    from_cluster: str | None,
    like: str | None,
    from_folder: str | None,
    platform: str | None,
    source: str | None,
    prices: bool,
    force: bool,
    project_dir: Path,
    time_limit: float | None,
) -> None:
    """Start a project, copy a stack under a new name, or write the project file or the pipeline of a repository.

    In a folder without a Pulumi project, one is written: the program, stacks for development and production with their
    NodePools and gates, a workflow and CODEOWNERS. What no option says is asked. With --cluster, there is one stack, with
    what a cluster runs. Each stack is previewed and judged by its gates, and nothing is left behind if one does not pass.

    With --like, a stack of the project is copied: its file and its folder. The names of stack and cluster are replaced, and
    with them those of roles and the discovery tags; comments are kept. Nothing is overwritten, and everything is removed again
    if the new stack cannot be previewed.

    With --from, cutlist.yaml gets the environments of a folder by name: overlays, clusters of Flux, values of charts, files of
    variables, stacks, helmfiles, each with what is read and what renders it. No program is started and nothing is asked.

    With the name ci and no --like, a workflow for GitHub or a pipeline for GitLab is written, which keeps a comment on each
    change up to date: what it costs and why, and whether the gates let it through. It judges the environments of
    cutlist.yaml, else the stacks, else all of the repository. With --prices, a workflow is written that reads public prices
    once a week into the folder cutlist-catalog, and opens a pull request with what differs and what that does to the plans.

    \b
    Examples:
      cutlist new shop --cloud aws --region eu-west-1 --account 111122223333
      cutlist new shop --cluster snapshot.yaml
      cutlist new qa --like dev
      cutlist new tokyo --like prod --region ap-northeast-1 --account 777788889999
      cutlist new --from . --region us-west-2
      cutlist new ci
      cutlist new ci --prices
    """
    if from_folder is not None:
        _for_folder(ctx, from_folder, name, region or "", force=force)
    elif name == PIPELINES and like is None:
        _for_repository(ctx, project_dir, platform, source, prices=prices, force=force)
    elif like is None and (folder := starts_project(project_dir, is_named=bool(on_the_line(ctx, (PROJECT_DIR,))))):
        asked = Asked(name or "", cloud or "", region or "", account or "", from_cluster or "", platform, source, time_limit)
        _for_cluster(ctx, folder, asked)
    else:
        _for_stack(ctx, project_dir, name, like, account or "", region or "", time_limit)


def _for_folder(ctx: click.Context, folder: str, name: str | None, region: str, *, force: bool) -> None:
    """Write the project file of a folder."""
    why = f"and {FROM.flag} writes a project file"
    if name:
        raise click.UsageError(f"NAME is for a stack, {why}")
    _refuse(ctx, (LIKE, CLOUD, ACCOUNT, CLUSTER, PROJECT_DIR, TIME_LIMIT), f"is for a stack, {why}")
    _refuse(ctx, (PLATFORM, SOURCE, PRICES), f"is for a pipeline, {why}")
    write_project(folder, region, force=force)


def _for_repository(
    ctx: click.Context, project_dir: Path, platform: str | None, source: str | None, *, prices: bool, force: bool
) -> None:
    """Write the pipeline of a repository, or the workflow that proposes current prices."""
    of_stacks = (CLOUD, ACCOUNT, REGION, CLUSTER, TIME_LIMIT)
    _refuse(ctx, of_stacks, f"is for a stack; give {LIKE.flag} to make one of the name {PIPELINES}")
    if not on_the_line(ctx, (PROJECT_DIR,)):
        project_dir = project_of_repository(project_dir)
    if not prices:
        write_pipeline(project_dir, platform, source, force=force)
    elif platform == GITLAB:
        raise click.UsageError(f"{PRICES.flag} writes a workflow for GitHub")
    else:
        write_price_workflow(project_dir, source, force=force)


def _for_cluster(ctx: click.Context, folder: Path, asked: Asked) -> None:
    """Start a project in a folder without one."""
    _refuse(ctx, (FORCE, PRICES), "is not for a new project, which replaces no file")
    start_project(folder, asked)


def _for_stack(
    ctx: click.Context,
    project_dir: Path,
    name: str | None,
    like: str | None,
    account: str,
    region: str,
    time_limit: float | None,
) -> None:
    """Copy a stack of a project. Raises MissingParameter if its name or that of the new one is not given."""
    _refuse(ctx, (CLOUD, CLUSTER), f"is for a new project, and a stack of {project_dir / 'Pulumi.yaml'} is copied")
    _refuse(ctx, (FORCE, PLATFORM, PRICES, SOURCE), "is not for a new stack, which never replaces one")
    for parameter, value in (("name", name), ("like", like)):
        if not value:
            param = next(param for param in ctx.command.params if param.name == parameter)
            raise click.MissingParameter(ctx=ctx, param=param)
    copy_stack(project_dir, name or "", like or "", account, region, time_limit)


def _refuse(ctx: click.Context, settings: Iterable[Setting], why: str) -> None:
    """Raise UsageError for a setting on the command line that what is made does not have."""
    for setting in on_the_line(ctx, settings):
        raise click.UsageError(f"{setting.flag} {why}")
