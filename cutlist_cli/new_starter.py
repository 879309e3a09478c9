"""`cutlist new` in a folder without a project: asks what is missing, writes a project, and judges it before it is kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.setting import Setting
from cutlist.core.wording import counted
from cutlist.documents.delivery.checkout import Checkout
from cutlist.policy.gates import OWN
from cutlist.settings.gate import DAY_OF_GATES
from cutlist.settings.new import ACCOUNT, CLOUD, LIKE, REGION
from cutlist.settings.stack import STACK
from cutlist_cli import terminal
from cutlist_cli.calendar import chosen_day
from cutlist_cli.code_owners import PLACES, owners_text
from cutlist_cli.files import make_folder_of, write_file
from cutlist_cli.new_pipeline import GITLAB, OWN_PIPELINES, own_source, platform_of
from cutlist_cli.pipelines import Judged, Source, github_workflow, gitlab_pipeline, lines_to_fill
from cutlist_cli.progress import progress_line

if TYPE_CHECKING:
    from pulumi_cutlist.starter.adopted import Adopted
    from pulumi_cutlist.starter.choices import StarterChoices
    from pulumi_cutlist.starter.project import ProjectFiles

    from cutlist.verbs.gate.answer import GateResult

_PROJECT: Final = "Pulumi.yaml"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call of `cutlist new` says about a new project; empty is what it does not say."""

    name: str
    cloud: str
    region: str
    account: str
    from_cluster: str
    platform: str | None
    source: str | None
    time_limit: float | None


def starts_project(project_dir: Path, *, is_named: bool) -> Path | None:
    """Return the folder of a new project, which has none yet; None in that of a project. Unless the folder is named, it is the
    working directory, even below a project."""
    folder = project_dir if is_named else Path()
    return None if (folder / _PROJECT).exists() else folder


def start_project(folder: Path, asked: Asked) -> None:
    """Write a project into a folder, run and judge each of its stacks, and say what is left to do. Everything is removed again
    if a stack does not pass.

    Raises InputError with all mistakes in the choices, and for files that exist already; UsageError for choices that are
    missing where nobody can be asked.
    """
    if not folder.is_dir():
        raise InputError.one(Place(str(folder)), "is not a folder", "the folder of the new project")
    adopted = _adopted(asked.from_cluster)
    choices = _choices(folder, asked, adopted)
    project = _project(choices, adopted)
    files = {**project.texts, **_pipeline(folder, asked, project.stacks)}
    _require_free(folder, files)
    results = _write_and_judge(folder, files, project.stacks, adopted is not None, asked.time_limit)
    lines = _summary(folder, choices, files, results)
    terminal.write("".join(f"{terminal.safe(line)}\n" for line in lines))


def _adopted(path: str) -> Adopted | None:
    from pulumi_cutlist.starter.adopted import read_snapshot

    return read_snapshot(path) if path else None


def _choices(folder: Path, asked: Asked, adopted: Adopted | None) -> StarterChoices:
    """Return the choices of the call, with what the cluster says and what the user answers."""
    from pulumi_cutlist.starter.choices import StarterChoices, cloud_of, likely_name

    likely = likely_name(folder.resolve().name)
    of_cluster = adopted is not None
    known = {"cloud": adopted.cloud, "region": adopted.region} if adopted else {}
    missing = [
        *([] if asked.name else [_NAME]),
        *([] if asked.cloud or known.get("cloud") or cloud_of(asked.region) else [CLOUD]),
        *([] if asked.region or known.get("region") else [REGION]),
        *([] if asked.account or of_cluster else [ACCOUNT]),
    ]
    answers = _answers(missing, likely)
    choices = StarterChoices(
        name=asked.name or answers.get(_NAME.name, ""),
        cloud=asked.cloud or known.get("cloud") or cloud_of(asked.region) or answers.get(CLOUD.name, ""),
        region=asked.region or known.get("region") or answers.get(REGION.name, ""),
        account=asked.account or answers.get(ACCOUNT.name, ""),
    )
    problems = Problems()
    choices.check(problems, needs_account=not of_cluster)
    problems.raise_if_any()
    return choices


_NAME: Final = Setting("name", "Name of the project.", metavar="NAME")


def _answers(missing: Sequence[Setting], likely: str) -> dict[str, str]:
    """Ask for the choices that a call leaves open, and return the answers. Raises UsageError where nobody answers."""
    texts = {
        _NAME: ("Name of the project and its clusters", likely or None),
        CLOUD: ("Cloud", CLOUD.choices[0]),
        REGION: ("Region", None),
        ACCOUNT: ("Account, or subscription", None),
    }
    answers: dict[str, str] = {}
    for setting in missing:
        text, default = texts[setting]
        type_ = click.Choice(setting.choices) if setting.choices else None
        try:
            answers[setting.name] = str(click.prompt(text, default=default, type=type_, err=True)).strip()
        except click.Abort:
            if sys.stdin.isatty():
                raise
            left = ", ".join(of.metavar if of is _NAME else of.flag for of in missing[len(answers) :])
            raise click.UsageError(f"a new project needs {left}; {LIKE.flag} copies a stack of an existing one") from None
    return answers


def _project(choices: StarterChoices, adopted: Adopted | None) -> ProjectFiles:
    from pulumi_cutlist.starter.project import adopting_project, new_project

    release = version("cutlist")
    return new_project(choices, release) if adopted is None else adopting_project(choices, adopted, release)


def _pipeline(folder: Path, asked: Asked, stacks: tuple[str, ...]) -> dict[str, str]:
    """Return the workflow that gates each change, and who reviews what judges, for the root of the repository, as far as it has
    neither yet."""
    from pulumi_cutlist.starter.project import stack_path

    checkout = Checkout.around(str(folder))
    root = str(folder) if checkout is None else checkout.root
    is_github = (asked.platform or ("" if checkout is None else platform_of(checkout))) != GITLAB
    judged = Judged((), stacks, os.path.relpath(os.path.realpath(folder), os.path.realpath(root)))
    source = Source.of(asked.source) if asked.source else own_source()
    text = github_workflow(judged, source) if is_github else gitlab_pipeline(judged, source)
    name = OWN_PIPELINES[0 if is_github else 1]
    judging = [name, PLACES[0 if is_github else 3], *(_below(judged.folder, stack_path(stack)) for stack in stacks)]
    judging.append(_below(judged.folder, _PROJECT))
    own = {name: text}
    if not any(os.path.lexists(os.path.join(root, place)) for place in PLACES):
        own[judging[1]] = owners_text(sorted(judging))
    paths = {os.path.relpath(os.path.join(root, path), folder): text for path, text in own.items()}
    return {path: text for path, text in paths.items() if not os.path.lexists(folder / path)}


def _below(folder: str, path: str) -> str:
    return path if folder == os.curdir else f"{folder}/{path}"


def _require_free(folder: Path, files: Mapping[str, str]) -> None:
    """Raise InputError for files that exist already, and for those in the place of a folder: nothing is replaced."""
    problems = Problems()
    for parent in sorted({parent for path in files for parent in (folder / path).parents}):
        if os.path.lexists(parent) and not parent.is_dir():
            problems.add(Place(os.path.normpath(parent)), "is not a folder", "a folder, or nothing of this name")
    for path in files:
        if os.path.lexists(folder / path):
            problems.add(Place(os.path.normpath(folder / path)), "exists already", "a folder without the files of a project")
    problems.raise_if_any()


def _write_and_judge(
    folder: Path, files: Mapping[str, str], stacks: Sequence[str], is_adopted: bool, time_limit: float | None
) -> dict[str, GateResult]:
    """Write the files and return what the gates of each stack say. They are removed if one of them stops the project."""
    made, written = _missing_folders(folder, files), list[Path]()
    try:
        for path, text in files.items():
            make_folder_of(str(folder / path))
            written.append(folder / path)
            write_file(str(folder / path), text)
        results = _judged(folder, stacks, time_limit)
        if is_adopted and not all(result.report.has_passed for result in results.values()):
            _lower(folder, stacks, results)
            results = _judged(folder, stacks, time_limit)
        _require_passed(results)
    except BaseException:
        for file in written:
            file.unlink(missing_ok=True)
        for missing in made:
            if missing.is_dir():
                missing.rmdir()
        raise
    return results


def _missing_folders(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Return the folders that the files need and that do not exist, the innermost first."""
    needed = {parent for path in files for parent in (folder / path).parents if not parent.exists()}
    return sorted(needed, key=lambda path: -len(path.parts))


def _judged(folder: Path, stacks: Sequence[str], time_limit: float | None) -> dict[str, GateResult]:
    """Return what the gates say of each stack."""
    from pulumi_cutlist.stack.gate import gate_stack  # needs Pulumi's SDK, an extra

    day = chosen_day(DAY_OF_GATES, None)
    with progress_line("running the programs of the stacks"):
        return {stack: gate_stack(folder, stack, day, None, time_limit) for stack in stacks}


def _lower(folder: Path, stacks: Sequence[str], results: Mapping[str, GateResult]) -> None:
    """Let rules that an adopted cluster breaks today advise, each with the reason, so that the gates hold for what changes."""
    from pulumi_cutlist.starter.project import stack_path, with_advisory_rules

    for stack in stacks:
        broken = sorted({of.rule for of in results[stack].report.stopping} - {own.id for own in OWN})
        path = folder / stack_path(stack)
        write_file(str(path), with_advisory_rules(path.read_text(), broken))


def _require_passed(results: Mapping[str, GateResult]) -> None:
    """Raise InputError with what the gates stop."""
    problems: list[Problem] = [problem for result in results.values() for problem in result.unread]
    for stack, result in results.items():
        stopping = (Problem(Place(f"stack {stack}"), f"{of.rule} {of.sentence}") for of in result.report.stopping)
        problems += [] if result.unread else stopping
    if problems:
        raise InputError(problems)


def _summary(
    folder: Path, choices: StarterChoices, files: Mapping[str, str], results: Mapping[str, GateResult]
) -> Iterator[str]:
    """Yield what was written, what each stack costs, what is left to fill in, and the next command."""
    from pulumi_cutlist.plan import price  # needs Pulumi's SDK, an extra

    shown = {path: os.path.normpath(os.path.join(os.path.relpath(folder), path)) for path in files}
    yield f"Project {choices.name} in {choices.region}"
    yield from ("", *(f"  {path}" for path in shown.values()), "")
    for stack, result in results.items():
        plans = "; ".join(f"{counted(plan.totals.nodes, 'node')}, {price(plan.totals)}" for plan in result.plans)
        report, (_, advice) = result.report, ("", result.report.counts["advisory"])
        more = f", {counted(advice, 'advice', 'pieces of advice')}" if advice else ""
        yield f"  {stack}  {plans}; passes {counted(report.rules, 'rule')} of its gates{more}"
    to_fill = [f"  {shown[path]}:{number}  {why}" for path in files for number, why in _left(folder / path)]
    if to_fill:
        yield from ("", "Only you know what these lines have to say:", *to_fill)
    yield from ("", f"Next: cutlist preview {STACK.flag} {next(iter(results))}")


def _left(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that somebody has to look at, each with the question."""
    from pulumi_cutlist.starter.stack_files import TO_CHECK

    text = path.read_text()
    for number, line in enumerate(text.splitlines(), 1):
        if TO_CHECK in line:
            yield number, line.partition(TO_CHECK)[2]
    if path.suffix == ".yml":
        yield from ((number, "the repository of Cutlist and the commit to use") for number in lines_to_fill(text))
    elif path.name == "CODEOWNERS":
        yield 2, "who reviews what judges a change"
