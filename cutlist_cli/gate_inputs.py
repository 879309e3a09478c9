"""The options that name what the gates judge, a stack or files, and a function that judges it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

import click

from cutlist.core.errors import InputError, Problems
from cutlist.core.setting import Edge
from cutlist.documents.collecting import collect_texts
from cutlist.documents.files import is_stream
from cutlist.policy.registry import known_rules
from cutlist.policy.rules import Profile
from cutlist.settings.environments import ENVIRONMENT
from cutlist.settings.gate import BASE, DAY_OF_GATES, GATES, SETTINGS
from cutlist.settings.planning import ALLOW_EMPTY, FETCHING, FILES, PLAN
from cutlist.settings.stack import STACK, TIME_LIMIT
from cutlist.verbs.gate.answer import default_gates, gate, gates_of_file
from cutlist.verbs.gate.fix import fix
from cutlist.verbs.gate.own_documents import JudgedBy
from cutlist_cli import terminal
from cutlist_cli.bases import Bases, bases
from cutlist_cli.calendar import chosen_day
from cutlist_cli.file_options import require_files, with_files_of_environment
from cutlist_cli.files import leads_out, write_file
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.judge_at_base import GatesChosen, judge_at, require_digest
from cutlist_cli.options import with_options
from cutlist_cli.progress import progress_line
from cutlist_cli.project_settings import TopFolder, settings_file
from cutlist_cli.rendering import show_rendering
from cutlist_cli.setting_options import on_the_line, setting_option, setting_options
from cutlist_cli.stack_options import project_dir_option, stack_option
from cutlist_cli.stdin import stdin_of
from cutlist_cli.stored_plan import stored_plan

if TYPE_CHECKING:
    from pulumi_cutlist.stack.runs import StackRuns

    from cutlist.documents.folders import Reading
    from cutlist.documents.revisions import RevisionCopy
    from cutlist.planning.model import Plan
    from cutlist.policy.gates import Gates
    from cutlist.settings.planning import PlanSettings
    from cutlist.verbs.gate.answer import GateResult
    from cutlist.verbs.gate.change import Change


_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
STOPPED: Final = 1
"""The exit code where a mandatory rule is broken."""


@dataclass(frozen=True, slots=True)
class GateInputs:
    """Values of the options that name what is judged: a stack of a project, or files with the settings of their plan."""

    options: InputOptions
    stack: str | None
    project_dir: Path
    time_limit: float | None
    gates: str | None
    gates_digest: str | None
    gates_from: str | None
    profile: str | None
    before: str | None
    base: str | None
    fix: bool
    day: str | None

    @property
    def files(self) -> tuple[str, ...]:
        """Return the files that are judged; none for a stack."""
        return self.options.files

    def check(self) -> None:
        """Raise UsageError unless either a stack or files are named."""
        if self.stack and self.files:
            raise click.UsageError(f"give either {STACK.flag} {STACK.metavar} or {FILES.flag} {FILES.metavar}")
        if not self.stack:
            require_files(self.files, STACK.flag)
        if self.base is not None and any(map(is_stream, self.files)):
            raise click.UsageError(f"standard input has no earlier revision for {BASE.flag}; name files of the repository")

    def sources(self) -> Iterator[str]:
        """Yield the files that are read: those with manifests, those that a stack is made from, and those of settings."""
        yield from _files_of_stack(self.project_dir, self.stack) if self.stack else _manifests(self.files, self.options.reading)
        yield from (path for path in (self.gates, *self.options.setting_files, self.before) if path is not None)

    @contextlib.contextmanager
    def bases(self) -> Iterator[Bases]:
        """Give what the change is compared with and judged by, until the end. Raises InputError and UsageError as `bases`."""
        with bases(self.base, self.gates_from, self.before, self.project_dir if self.stack else Path()) as found:
            yield found

    def result(self, *, advises: bool = True) -> GateResult:
        """Return what the gates find, after repairing files if that is requested. `advises` is as in `gate`.

        Raises InputError for mistakes in the inputs that are not findings of the gates, and UsageError for an option that is
        not for a stack.
        """
        with self.bases() as found:
            return self.result_by(found, click.get_current_context().params.get(ENVIRONMENT.name), advises=advises)

    def result_by(
        self,
        found: Bases,
        environment: str | None,
        change: Change | None = None,
        own: Mapping[str, Any] = _NOTHING,
        *,
        advises: bool = True,
    ) -> GateResult:
        """Return what the gates find of an environment, by the repository as it was.

        `change` is what changes since then, where that is known already; `own` are the settings of an environment that lies in
        the folders. Raises as `result` does.
        """
        if self.stack:
            _refuse_options_of_files()
        if self.fix:
            self._repair()
        runs = _runs() if self.stack else None
        if change is None and found.compared is not None:
            change = self._change(found.compared, environment, runs)
        earlier = None if found.compared is not None and self.base is None else _plan_before(self.before)
        if earlier is None and change is not None and change.difference is not None:
            earlier = change.difference.comparison.before
        if self.stack:
            result = self._result_of_stack(self.stack, earlier, found, runs)
        else:
            result = self._result_of_files(earlier, found, environment, own, advises=advises)
        return replace(result, change=change)

    def _repair(self) -> None:
        """Repair the files that are judged, or a stack's own."""
        if self.stack:
            _repair_stack(self.project_dir, self.stack, self._day(), self._profile())
        else:
            _repair(self.files, _gates_of_files(self.gates, self._profile()), self._day(), self.options.reading)

    def _change(self, copy: RevisionCopy, environment: str | None, runs: StackRuns | None) -> Change:
        """Return what changes since then in what is judged."""
        from cutlist.verbs.gate.change import change_since  # only where it is asked for
        from cutlist_cli.diff import difference_since

        run = None if runs is None else runs.planned
        with contextlib.chdir(self.project_dir if self.stack else os.curdir):
            return change_since(
                copy.revision,
                lambda: difference_since(copy, self.stack, self.options, environment, self.time_limit, run),
            )

    def _result_of_stack(self, stack: str, earlier: Plan | None, found: Bases, runs: StackRuns | None) -> GateResult:
        from pulumi_cutlist.stack.gate import gate_stack  # needs Pulumi's SDK, an extra

        with progress_line("running the program of the stack"):
            return gate_stack(
                self.project_dir,
                stack,
                self._day(),
                earlier,
                self.time_limit,
                self._profile(),
                allow_empty=self.options.allow_empty,
                base=found.by,
                runs=runs,
            )

    def _result_of_files(
        self, earlier: Plan | None, found: Bases, environment: str | None, own: Mapping[str, Any], *, advises: bool
    ) -> GateResult:
        require_digest(self.gates, self.gates_digest)
        today, settings, by = self._day(), self.options.settings, JudgedBy(folder_of_gates(self.gates))
        if found.by is None:
            gates = _gates_of_files(self.gates, self._profile())
        else:
            chosen = GatesChosen(self.gates, self.profile)
            then = judge_at(found.by, self.options, environment, own, chosen, _gates_of_files)
            gates, settings, by = then.gates, cast("PlanSettings", then.settings), then.by
        stdin = stdin_of(self.files)
        with progress_line("planning, and asking the rules"):
            return gate(
                self.files,
                gates,
                today,
                settings,
                stdin,
                earlier,
                edge=Edge.COMMAND_LINE,
                fetcher=self.options.fetcher,
                by=by,
                rendering=show_rendering,
                advises=advises,
            )

    def _profile(self) -> Profile | None:
        """Return the profile that is asked for instead of the one that the gates name, or None."""
        return None if self.profile is None else Profile(self.profile)

    def _day(self) -> date:
        """Return the day of `--at`, else today."""
        return chosen_day(DAY_OF_GATES, self.day)


def _runs() -> StackRuns:
    from pulumi_cutlist.stack.runs import StackRuns  # needs Pulumi's SDK, an extra

    return StackRuns()


def _plan_before(path: str | None) -> Plan | None:
    """Return the plan in the file that an option names. Raises InputError for a file without one, which says that a folder is
    another base."""
    try:
        return stored_plan(path)
    except InputError as error:
        folder = "a folder with the files as they were"
        problems = [replace(p, allowed=f"{p.allowed}; or {folder}") if p.allowed else p for p in error.problems]
        raise InputError(problems) from None


def _refuse_options_of_files() -> None:
    """Raise UsageError for options whose values the file of a stack has."""
    of_files = [setting for setting in (*PLAN, *FETCHING, GATES) if setting != ALLOW_EMPTY]
    for setting in on_the_line(click.get_current_context(), of_files):
        what = "gates" if setting == GATES else "settings"
        raise click.UsageError(f"the {what} of a stack are in its file; {setting.flag} is for {FILES.flag}")


def gate_inputs(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that name what is judged, passed as `inputs`: a `GateInputs`."""

    @wraps(command)
    def with_gate_inputs(**values: Any) -> None:
        inputs = GateInputs(**{f.name: values.pop(f.name) for f in fields(GateInputs)})
        command(inputs=inputs, **values)

    return with_options(_OPTIONS, with_gate_inputs)


_OPTIONS: Final = (
    stack_option("The stack: its file Pulumi.NAME.yaml also has its gates."),
    project_dir_option(f"Folder of Pulumi.yaml, with {STACK.flag}."),
    setting_option(TIME_LIMIT),
    with_files_of_environment(replace(FILES, aside=", - for standard input; instead of a stack.")),
    input_options_without_files,
    setting_options(SETTINGS),
)


def _manifests(paths: Sequence[str], reading: Reading) -> Iterator[str]:
    """Yield the files of paths that hold manifests."""
    kept = [path for path in paths if not is_stream(path)]
    yield from (text.source for text in collect_texts(kept, Problems(), None, reading))


def _files_of_stack(project_dir: Path, stack: str) -> Iterator[str]:
    """Yield the files of a project that a stack is made from: its program, its configuration and its own objects."""
    from pulumi_cutlist.stack.gate import own_sources  # needs Pulumi's SDK, an extra

    yield from (str(path) for pattern in ("Pulumi*.yaml", "*/Pulumi.*.yaml", "*.py") for path in project_dir.glob(pattern))
    paths, reading, _ = own_sources(project_dir, stack)
    yield from _manifests([str(project_dir / path) for path in paths], reading)


def folder_of_gates(path: str | None) -> str | None:
    """Return the folder in which documents that configure the judge count: that of the file of gates, else that of the file
    with the project's settings; None without either."""
    file = settings_file(click.get_current_context().find_object(TopFolder)) if path is None else path
    return None if file is None else os.path.dirname(file) or os.curdir


def _gates_of_files(path: str | None, profile: Profile | None) -> Gates:
    """Return the gates of a file, by default those that apply without one, with a profile instead of theirs."""
    return gates_of_file(path, known_rules(), profile) if path is not None else default_gates(profile)


def _repair_stack(project_dir: Path, stack: str, today: date, profile: Profile | None) -> None:
    """Repair the files with a stack's own objects."""
    from pulumi_cutlist.stack import stack_file  # needs Pulumi's SDK, an extra
    from pulumi_cutlist.stack.gate import own_sources

    paths, reading, gates = own_sources(project_dir, stack, profile)
    with stack_file.working_in(project_dir):
        _repair(paths, gates, today, reading)


def _repair(paths: tuple[str, ...], gates: Gates, today: date, reading: Reading) -> None:
    """Repair files in place, and report what was repaired; what cannot be read is reported by the gates afterwards."""
    texts = collect_texts([path for path in paths if not is_stream(path)], Problems(), None, reading)
    for repaired in fix(texts, gates, today):
        target = leads_out(repaired.source)
        if not target:
            write_file(repaired.source, repaired.text)
        left = f"{repaired.source} is left unchanged, because it is a link that leads out of its folder, to {target}"
        terminal.write_error("".join(f"{terminal.safe(line)}\n" for line in ((left,) if target else repaired.report)))
