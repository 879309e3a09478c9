"""The two sides that a call of `cutlist diff` compares: paths, stacks, or files as they are and as they were."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click
from click.core import ParameterSource

from cutlist.core.errors import InputError, MissingExtraError, Place, Problems
from cutlist.core.wording import counted
from cutlist.documents.files import STDIN, is_stream
from cutlist.documents.revisions import MergeBase, RevisionCopy, at_revision, ignored_paths, merge_base
from cutlist.planning import absences
from cutlist.settings.diff import GIT
from cutlist.settings.plan import LAST
from cutlist.settings.planning import FILES, PLAN, RECURSIVE
from cutlist.verbs.diff.answer import diff_paths, diff_sides
from cutlist.verbs.diff.replicas import SharedReplicas
from cutlist.verbs.diff.sides import Side, own_pools, read_side, side_of
from cutlist_cli.environments import of_environment
from cutlist_cli.last_plan import LastPlan
from cutlist_cli.project_settings import TopFolder, files_of_project, read_project, settings_file

if TYPE_CHECKING:
    from cutlist.core.notes import Notes
    from cutlist.core.setting import Setting
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan
    from cutlist.settings.planning import PlanSettings
    from cutlist.verbs.diff.answer import Difference
    from cutlist.verbs.diff.sides import Reader
    from cutlist_cli.input_options import InputOptions

Paths = tuple[str, ...]
RunStack = Callable[[Path, str, float | None], "tuple[tuple[Plan, PlanInputs], ...]"]
"""Runs the program of a stack in a project's folder for some seconds, and returns its plans with what each is made from."""

_TWO_SIDES: Final = "OLD and NEW are needed: files, folders, stacks, or plans that `cutlist plan -o json` wrote"
_SIDES_NEEDED: Final = f"{_TWO_SIDES}; without either, the working tree is compared with the default branch"
_SIDE_NEEDED: Final = (
    "--git takes one side, -f, or the files of cutlist.yaml: the current files; OLD is their content at the revision"
)
_FILES_NEEDED: Final = "nothing says which files to compare: use -f, or file in cutlist.yaml; a repository's root needs neither"
_OF_FILES: Final = (ParameterSource.DEFAULT_MAP, ParameterSource.DEFAULT)
"""The sources of values for which that of the project's file counts."""
_PROJECT_FILE: Final = "Pulumi.yaml"
_STACK_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(?<!\.yaml)(?<!\.yml)(?<!\.json)")


@dataclass(frozen=True, slots=True)
class Call:
    """The two sides to compare, as the command line names them.

    `own` are the settings of an environment that lies in the folders, which count at both points in time. `base` is where the
    branch began, if that is known already, and `copy` the repository as it was. `run` runs the program of a stack for a caller
    that runs it as well.
    """

    sides: Paths
    options: InputOptions
    revision: str | None
    cluster: Paths
    instant: float | None
    time_limit: float | None
    environment: str | None = None
    own: Mapping[str, Any] = field(default_factory=dict)
    base: MergeBase | None = None
    copy: RevisionCopy | None = None
    run: RunStack | None = None

    @property
    def is_since(self) -> bool:
        """Tell whether files are compared with themselves at a revision: a named one, or where the branch began."""
        return self.revision is not None or not self.sides

    @property
    def is_since_last(self) -> bool:
        """Tell whether OLD is the word for the last plan of the files that a terminal has shown; no file and no stack has that
        name."""
        if self.revision is not None or self.sides[:1] != (LAST,) or len(self.sides) > 2:
            return False
        return not os.path.exists(LAST) and not _has_stack_file(LAST)

    @property
    def stacks(self) -> Callable[[str], tuple[Plan, PlanInputs] | None]:
        """Return a function that makes the plan of a side that is a stack."""
        return partial(_plan_of_stack, sides=self.sides, time_limit=self.time_limit, run=self.run)

    def reader(self, notes: Notes, replicas: SharedReplicas) -> Reader:
        """Return a function that reads a side, and adds files that were not read to `notes`."""

        def read(files: Paths, cluster: Paths = (), removed: frozenset[str] = frozenset()) -> PlanInputs:
            choices = self.options.settings.get("replicas", ())
            inputs = replicas.read(choices, lambda own: self.options.using(replicas=own).read_files(files, cluster, removed))
            for note in inputs.workloads.notes:
                notes.add(note.code, note.text)
            return inputs

        return read

    def refuse_stacks(self) -> None:
        """Refuse to follow a stack, whose program would have to run again and again."""
        stack = next((side for side in self.sides if is_stack(side, self.sides)), None)
        if stack is not None:
            raise click.UsageError(f"--watch follows files, and {stack} is a stack: its program makes the plan")


def difference_of(call: Call, notes: Notes, replicas: SharedReplicas) -> Difference:
    """Return the differences between the sides of a call. Raises InputError with every mistake in what is read."""
    if call.is_since_last:
        return _since_last(call, notes, replicas)
    if not call.is_since:
        return _between(call, notes, replicas)
    refuse_since(call)
    return since(call, notes, replicas)[0]


def refuse_since(call: Call) -> None:
    """Raise UsageError if a call cannot be compared with an earlier revision."""
    if len(call.sides) > 1:
        raise click.UsageError(_SIDE_NEEDED)
    if click.get_current_context().find_object(TopFolder) is not None:  # a call of an assistant, which starts no programs
        raise click.UsageError(_TWO_SIDES)
    compared = call.sides or call.options.files  # what is given by -f beside a side may be a stream: both sides have it
    if compared and all(map(is_stream, compared)):
        name = "standard input" if compared[0] == STDIN else compared[0]
        how = f"to compare it with by {GIT.flag} {call.revision}" if call.revision else "to compare it with"
        raise click.UsageError(f"{name} has no earlier revision {how}; name files of the repository, or OLD and NEW")


def require_compared(difference: Difference, call: Call) -> None:
    """Raise InputError if there is nothing that the call asks about, unless that is allowed."""
    problems = Problems(allow_empty=call.options.allow_empty)
    if call.cluster and difference.blast is None:
        problems.add_absence(Place(", ".join(call.cluster)), "no node of Karpenter is in the input", absences.NODES)
    if difference.objects is None and not any(scope.workloads for scope in difference.scopes):
        problems.add_absence(Place(", ".join(call.sides)), "neither plan has any pods", "plans of workloads")
    problems.raise_if_any()


def _between(call: Call, notes: Notes, replicas: SharedReplicas) -> Difference:
    """Return the changes from OLD to NEW."""
    if len(call.sides) != 2:
        raise click.UsageError(_SIDES_NEEDED)
    (old, new), read, stacks = call.sides, call.reader(notes, replicas), call.stacks
    files, cluster = call.options.files, call.cluster
    if not cluster:
        difference = diff_paths(old, new, files, read, call.instant, stacks, call.options.reading)
    else:
        before = read_side(old, files, cluster, read, stacks=stacks)
        after = read_side(new, files, cluster, read, own_pools(before, cluster), stacks)
        difference = diff_sides(before, after, call.instant)
    kinds = ["stack" if is_stack(side, call.sides) else "" for side in call.sides]
    return replace(difference, compared=_stacks_in_words(call.sides) if all(kinds) else "")


def _since_last(call: Call, notes: Notes, replicas: SharedReplicas) -> Difference:
    """Return the changes since the last plan of the files that was shown at a terminal: of NEW and `-f`, as `plan` was given
    them, else of the project's."""
    sides = call.sides[1:]
    call = replace(_named_files(replace(call, sides=sides)), sides=sides)
    files = (*sides, *call.options.files)
    kept = LastPlan.of(files).read(Place(LAST))
    after = _side(call, call.reader(notes, replicas))
    return diff_sides(Side("the last plan", lambda: kept), after, call.instant)


def _stacks_in_words(sides: Paths) -> str:
    return f"Stacks {sides[0]} and {sides[1]} of the project in this folder, by the plans of their programs."


# --- files as they are and as they were


def since(call: Call, notes: Notes, replicas: SharedReplicas) -> tuple[Difference, Side]:
    """Return the changes of files since a revision, or since the branch began, and the side of then."""
    call = _named_files(call) if call.copy is None else call  # one of all environments has its files, be it none
    base = None if call.revision else call.base or merge_base()
    # Both sides share the cluster and the catalogue, which need not be under version control.
    cluster = tuple(map(os.path.abspath, call.cluster))
    catalog, options = call.options.catalog, call.options
    now = replace(call, cluster=cluster, options=options.using(catalog=os.path.abspath(catalog)) if catalog else options)
    if base is not None:
        now = _without_ignored(now, ignored_paths())
    revision = base.commit if base is not None else str(call.revision)
    with at_revision(revision) if call.copy is None else call.copy.working() as root:
        then = as_it_was(now, root)
        before = _side(then, then.reader(notes, replicas))
    after = _side(now, now.reader(notes, replicas), own_pools(before, cluster))
    if base is None:
        return diff_sides(replace(before, label=f"{before.label} at {call.revision}"), after, call.instant), before
    labels = f"the merge base with {base.branch}", "the working tree"
    before, after = replace(before, label=labels[0]), replace(after, label=labels[1])
    return replace(diff_sides(before, after, call.instant), compared=_base_in_words(call, base)), before


def _without_ignored(call: Call, ignored: frozenset[str]) -> Call:
    """Return the call without what git ignores, be it named by the project or found in a folder."""
    files = tuple(file for file in call.options.files if os.path.realpath(file) not in ignored)
    return replace(call, options=replace(call.options, files=files, ignored=ignored))


def _base_in_words(call: Call, base: MergeBase) -> str:
    files = ", ".join(call.sides or call.options.files)
    everything = "the whole repository" if files == os.curdir else files
    return f"The working tree with commit {base.short}, its merge base with {base.branch}: {everything}."


def _named_files(call: Call) -> Call:
    """Return the call with the files to compare: those that it names, else those of the project's settings."""
    if call.sides or call.options.files:
        return call
    ctx = click.get_current_context()
    project = read_project(ctx.find_object(TopFolder))
    chosen = project.environment(call.environment) if call.environment and project.environments else None
    values = {setting.name: value for setting, value in files_of_project(project, chosen).items()}
    own: dict[str, Any] = {}
    if call.environment and chosen is None and values:
        own = of_environment(ctx, call.environment, {**call.options.settings, RECURSIVE.name: False, **values})
    values |= own
    if not values.get(FILES.name):
        raise click.UsageError(_FILES_NEEDED)
    files = tuple(values.pop(FILES.name))
    settings = cast("PlanSettings", {**call.options.settings, **{name: value for name, value in values.items() if value}})
    return replace(call, options=replace(call.options, files=files, settings=settings), own=own)


def files_of_all(call: Call) -> Call:
    """Return the call with the files in which its environments lie: those that it names, else those of the project, of all its
    environments, or the whole repository."""
    if call.options.files:
        return call
    project = read_project(click.get_current_context().find_object(TopFolder))
    values = {s.name: v for s, v in files_of_project(replace(project, environments=()), None).items() if v}
    files = tuple(values.pop(FILES.name, ()))
    if not files and not project.environments:
        raise click.UsageError(_FILES_NEEDED)
    settings = cast("PlanSettings", {**call.options.settings, **values})
    return replace(call, options=replace(call.options, files=files, settings=settings))


def as_it_was(call: Call, root: str, there: Mapping[Setting, Any] | None = None) -> Call:
    """Return the call for the working directory as it was at a revision, in a copy below `root`: with the settings that the
    project's file had `there`, and without the files that were not there yet, unless the command line names them."""
    ctx, options = click.get_current_context(), call.options
    own = settings_of_project(root, call) if there is None else there
    open_to_file = [s for s in PLAN if ctx.get_parameter_source(s.name) in _OF_FILES]
    settings: dict[str, Any] = dict(options.settings)
    files = options.files
    if own is not None:
        for setting in open_to_file:
            settings.pop(setting.name, None)
        settings |= {s.name: tuple(own[s]) if s.several else own[s] for s in open_to_file if own.get(s)}
        catalog = settings.get("catalog")
        if catalog and not os.path.exists(catalog):
            settings["catalog"] = call.options.catalog
        settings |= {name: value for name, value in call.own.items() if name != FILES.name}
    if not call.sides and (call.environment is not None or not _is_on_the_line(ctx)):
        of_project = files if own is None or FILES not in own else tuple(own[FILES])
        named = call.own.get(FILES.name, of_project)
        files = tuple(file for file in named if os.path.exists(file))
        settings["allow_empty"] = True  # the change may be the first that has any
    options = replace(options, files=files, settings=cast("PlanSettings", settings), ignored=frozenset())
    return replace(call, options=options)


def _is_on_the_line(ctx: click.Context) -> bool:
    return ctx.get_parameter_source(FILES.name) is ParameterSource.COMMANDLINE


def settings_of_project(root: str | None, call: Call) -> Mapping[Setting, Any] | None:
    """Return the settings of the project's file in the copy of a revision whose root is given, else of the present one; None
    without such a file, or if it does not have the environment of the call, whose present settings then count."""
    top = click.get_current_context().find_object(TopFolder) if root is None else TopFolder(root)
    if settings_file(top) is None:
        return None
    project = read_project(top)
    if call.environment is None:
        return project.values
    if call.own:
        return {setting: value for setting, value in project.values.items() if setting != FILES}
    chosen = next((of for of in project.environments if of.name == call.environment), None)
    return None if chosen is None else {**project.values, **chosen.values}


def _side(call: Call, read: Reader, removed: frozenset[str] = frozenset()) -> Side:
    """Return the named side, with its files as they are now; that of `-f` or of the project if none is named."""
    files, cluster = call.options.files, call.cluster
    if call.sides:
        return read_side(call.sides[0], files, cluster, read, removed, call.stacks)
    more = f" and {counted(len(files) - 1, 'more path')}" if len(files) > 1 else ""
    return side_of(f"{files[0]}{more}" if files else os.curdir, read(files, cluster, removed))


# --- stacks


def is_stack(name: str, sides: Paths) -> bool:
    """Tell whether a name may be a stack of the project in the working directory: one that is no path; and one that is, if
    every side has the name of a stack."""
    if _STACK_NAME.fullmatch(name) is None or not os.path.exists(_PROJECT_FILE):
        return False
    return not os.path.exists(name) or all(_has_stack_file(side) for side in sides)


def _has_stack_file(name: str) -> bool:
    if _STACK_NAME.fullmatch(name) is None:
        return False
    return any(True for pattern in (f"Pulumi.{name}.yaml", f"*/Pulumi.{name}.yaml") for _ in Path().glob(pattern))


def _plan_of_stack(
    name: str, sides: Paths, time_limit: float | None, run: RunStack | None = None
) -> tuple[Plan, PlanInputs] | None:
    """Return the plan that a stack's program makes, offline, with its inputs; None if the name cannot be a stack's.

    The project is the working directory. Raises InputError when the stack cannot be read or makes no plan or several,
    MissingExtraError when the extra that runs it is not installed.
    """
    if not is_stack(name, sides):
        return None
    try:
        from pulumi_cutlist.stack.preview import planned  # needs Pulumi's SDK, an extra
    except ModuleNotFoundError as error:
        raise MissingExtraError("comparing stacks", "kubernetes") from error
    plans = (run or planned)(Path(), name, time_limit)
    if len(plans) != 1:
        text = f"the program of stack {name} makes {len(plans)} plans"
        raise InputError.one(Place(name), text, "one plan; compare the manifests of several one by one")
    return plans[0]
