"""`cutlist new`: starts a project; copies a stack under a new name, and previews the copy before it is kept; or writes a
project file or a pipeline."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist import catalog
from cutlist.core.errors import InputError, Place, Problems, names_near, nearest
from cutlist.core.wording import counted
from cutlist.infrastructure.name_checks import wrong_account
from cutlist.settings.new import ACCOUNT, CLOUD, FORCE, FROM, FROM_CLUSTER, LIKE, PIPELINES, PLATFORM, PRICES, REGION, SOURCE
from cutlist.settings.stack import PROJECT_DIR, TIME_LIMIT
from cutlist_cli import terminal
from cutlist_cli.files import require_within
from cutlist_cli.new_pipeline import GITLAB, write_pipeline, write_price_workflow
from cutlist_cli.new_project import require_stack_words, write_project
from cutlist_cli.new_starter import Asked, start_project, starts_project
from cutlist_cli.options import debug_option
from cutlist_cli.setting_options import on_the_line, setting_option
from cutlist_cli.stack_options import project_dir_option

if TYPE_CHECKING:
    from pulumi_cutlist.stack.likeness import Likeness
    from pulumi_cutlist.stack.preview import Preview

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}", re.ASCII)
_SUBSCRIPTION: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


@click.command("new")
@click.argument("name", required=False)
@setting_option(CLOUD)
@setting_option(REGION)
@setting_option(ACCOUNT)
@setting_option(FROM_CLUSTER)
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
    NodePools and gates, a workflow and CODEOWNERS. What no option says is asked. With --from-cluster, there is one stack, with
    what a cluster runs. Each stack is previewed and judged by its gates, and nothing is left behind if one does not pass.

    With --like, a stack of the project is copied: its file and its folder. The names of stack and cluster are replaced, and
    with them those of roles and the discovery tags; comments are kept. Nothing is overwritten, and everything is removed again
    if the new stack does not preview.

    With --from, cutlist.yaml gets the environments of a folder by name: overlays, clusters of Flux, values of charts, files of
    variables, stacks, helmfiles, each with what is read and what renders it. No program is started and nothing is asked.

    With the name ci and no --like, a workflow for GitHub or a pipeline for GitLab is written, which keeps a comment on each
    change up to date: what it costs and why, and whether the gates let it through. It judges the environments of
    cutlist.yaml, else the stacks, else all of the repository. With --prices, a workflow is written that reads public prices
    once a week into the folder cutlist-catalog, and opens a pull request with what differs and what that does to the plans.

    \b
    Examples:
      cutlist new shop --cloud aws --region eu-west-1 --account 111122223333
      cutlist new shop --from-cluster snapshot.yaml
      cutlist new qa --like dev
      cutlist new tokyo --like prod --region ap-northeast-1 --account 777788889999
      cutlist new --from . --region us-west-2
      cutlist new ci
      cutlist new ci --prices
    """
    if from_folder is not None:
        others = on_the_line(ctx, (LIKE, CLOUD, ACCOUNT, FROM_CLUSTER, PROJECT_DIR, TIME_LIMIT))
        if name or others:
            what = others[0].flag if others else "NAME"
            raise click.UsageError(f"{what} is for a stack, and {FROM.flag} writes a project file")
        write_project(from_folder, region or "", force=force)
        return
    if name == PIPELINES and like is None:
        if others := on_the_line(ctx, (CLOUD, ACCOUNT, REGION, FROM_CLUSTER, TIME_LIMIT)):
            raise click.UsageError(f"{others[0].flag} is for a stack; give {LIKE.flag} to make one of the name {name}")
        _write_for_repository(project_dir, platform, source, prices=prices, force=force)
        return
    folder = starts_project(project_dir, is_named=bool(on_the_line(ctx, (PROJECT_DIR,)))) if like is None else None
    if folder is not None:
        if others := on_the_line(ctx, (FORCE, PRICES)):
            raise click.UsageError(f"{others[0].flag} is not for a new project, which replaces no file")
        start_project(
            folder,
            Asked(name or "", cloud or "", region or "", account or "", from_cluster or "", platform, source, time_limit),
        )
        return
    if others := on_the_line(ctx, (CLOUD, FROM_CLUSTER)):
        raise click.UsageError(f"{others[0].flag} is for a new project, and {project_dir / 'Pulumi.yaml'} is one already")
    of_pipelines = on_the_line(ctx, (FORCE, PLATFORM, PRICES, SOURCE))
    if of_pipelines:
        raise click.UsageError(f"{of_pipelines[0].flag} is not for a new stack, which never replaces one")
    stack, original = require_stack_words(ctx, name, like)
    from pulumi_cutlist.stack import stack_file  # needs Pulumi's SDK, an extra

    with stack_file.working_in(project_dir):
        copy = _plan_copy(stack, original, account or "", region or "")
        terminal.write(_summary(copy, _write_and_preview(copy, time_limit)))


def _write_for_repository(project_dir: Path, platform: str | None, source: str | None, *, prices: bool, force: bool) -> None:
    """Write the pipeline of a repository, or the workflow that proposes current prices."""
    if not prices:
        write_pipeline(project_dir, platform, source, force=force)
        return
    if platform == GITLAB:
        raise click.UsageError(f"{PRICES.flag} writes a workflow for GitHub")
    write_price_workflow(project_dir, source, force=force)


@dataclass(frozen=True, slots=True)
class _StackCopy:
    """The files of a new stack, by path, none of them written yet."""

    likeness: Likeness
    files: Mapping[Path, bytes]

    def undo(self) -> None:
        """Remove the written files: none of them existed before."""
        for path in self.files:
            path.unlink(missing_ok=True)
        shutil.rmtree(self.likeness.new.folder, ignore_errors=True)


def _plan_copy(name: str, like: str, account: str, region: str) -> _StackCopy:
    """Return what is to be written. Raises InputError with all problems of the request."""
    from pulumi_cutlist.stack import stack_file  # needs Pulumi's SDK, an extra
    from pulumi_cutlist.stack.likeness import Identity, Likeness

    problems = Problems()
    _check_words(name, account, region, problems)
    try:
        file = stack_file.load(Path(), like)
    except InputError as error:
        problems.extend(error.problems)
        raise InputError(problems.ordered()) from error
    problems.raise_if_any()
    stack_path = Path(file.at().source)
    old = Identity.of(file, stack_path.with_name(like).as_posix())
    likeness = Likeness(old, old.renamed(name, stack_path.with_name(name).as_posix(), account, region))
    target = stack_path.with_name(f"Pulumi.{name}.yaml")
    for path in (target, Path(likeness.new.folder)):
        if path.exists():
            problems.add(Place(str(path)), "exists already", "a name that no stack has")
    problems.raise_if_any()
    return _StackCopy(likeness, dict(_files(likeness, stack_path, target)))


def _check_words(name: str, account: str, region: str, problems: Problems) -> None:
    """Add the problems of the typed names."""
    if not _NAME.fullmatch(name):
        allowed = "at most 100 letters, digits, - and _, the first a letter or digit"
        problems.add(Place(path="NAME"), f"no name for a stack: {name!r}", allowed)
    if account and not _SUBSCRIPTION.fullmatch(account) and (wrong := wrong_account(account)):
        problems.add(Place.of(ACCOUNT), wrong, "twelve digits, or the id of a subscription")
    regions = (*catalog.regions(), *catalog.locations())
    if region and region not in regions:
        problems.add(Place.of(REGION), f"unknown region {region!r}", names_near(region, regions), nearest(region, regions))


def _files(likeness: Likeness, stack_path: Path, target: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the path and the contents of every file of the new stack."""
    yield target, _copied_content(likeness, stack_path)
    old, new = Path(likeness.old.folder), Path(likeness.new.folder)
    for path in sorted(old.rglob("*")):
        if path.is_file():
            yield new / path.relative_to(old), _copied_content(likeness, path)


def _copied_content(likeness: Likeness, path: Path) -> bytes:
    """Return a file's contents for the new stack; a file that is not text is copied unchanged."""
    content = path.read_bytes()
    try:
        return likeness.text(content.decode()).encode()
    except UnicodeDecodeError:
        return content


def _write_and_preview(copy: _StackCopy, time_limit: float | None) -> Preview:
    """Write the files and preview the stack. If that fails for any reason, the files are removed."""
    from pulumi_cutlist.stack.likeness import kept_by_program  # needs Pulumi's SDK, an extra
    from pulumi_cutlist.stack.preview import preview

    try:
        for path, content in copy.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            require_within([str(path)])
            path.write_bytes(content)
        previewed = preview(Path(), copy.likeness.new.stack, time_limit)
        if kept := list(kept_by_program(copy.likeness, previewed.recording)):
            raise InputError(kept)
        return previewed
    except BaseException:
        copy.undo()
        raise


def _summary(copy: _StackCopy, stack_preview: Preview) -> str:
    """Return what was written, what the stack would cost, and which lines the user still has to check."""
    from pulumi_cutlist.plan import price  # needs Pulumi's SDK, an extra

    old, new = copy.likeness.old, copy.likeness.new
    lines = [f"Stack {new.stack}, made after {old.stack}", "", *(f"  {path}" for path in copy.files), ""]
    for what in ("cluster", "account", "region"):
        before, after = getattr(old, what), getattr(new, what)
        if after:
            lines.append(f"  {what}  {after}" + (f", was {before}" if before != after else f", as {old.stack} has it"))
    plans = "; ".join(f"{counted(plan.totals.nodes, 'node')}, {price(plan.totals)}" for plan in stack_preview.plans)
    lines += ["", f"It previews: {plans}"]
    to_edit = [(path, number) for path, content in copy.files.items() for number in _lines_to_edit(content)]
    if to_edit:
        lines += ["", f"These lines name what was made for {old.stack}. Put in what {new.stack} has:"]
        lines += [f"  {path}:{number}" for path, number in to_edit]
    lines += ["", f"Next: cutlist preview --stack {new.stack}"]
    return "".join(f"{terminal.safe(line)}\n" for line in lines)


def _lines_to_edit(content: bytes) -> list[int]:
    """Return the numbers of the lines that name resources of other stacks."""
    from pulumi_cutlist.stack.likeness import lines_of_others  # needs Pulumi's SDK, an extra

    return lines_of_others(content.decode(errors="replace"))
