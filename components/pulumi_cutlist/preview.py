"""`cutlist preview`: run a stack's own program in this process, show its resources, what they cost, and the nodes its
workloads will get.
"""

from __future__ import annotations

import contextvars
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.cli.forms import Forms
from cutlist.cli.options import debug_option, launch_option
from cutlist.cli.progress import telling
from cutlist.cli.showing import Showing, form_options
from cutlist.errors import CutlistError, InputError, Problem

if TYPE_CHECKING:
    from cutlist.infrastructure.costs import Bill
    from cutlist.plan import PlanInputs
    from cutlist.planned import Plan
    from pulumi_cutlist.offline import Program, Recording


class ProgramError(CutlistError):
    """A program ended its run with a message of its own."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a stack's program registered, and the plans that it made, with what each was made from.

    `config` has the settings that it ran with, by qualified key.
    """

    recording: Recording
    made: tuple[tuple[Plan, PlanInputs], ...]
    config: Mapping[str, str]

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plans."""
        return tuple(plan for plan, _ in self.made)

    @property
    def launched(self) -> tuple[Plan, ...]:
        """The plans with the requests that their nodes are launched with."""
        from cutlist.plan import with_launches

        return tuple(with_launches(plan, inputs) for plan, inputs in self.made)

    @property
    def bill(self) -> Bill:
        """What the resources and the planned nodes cost, as far as that is known; the user's own figures go before."""
        from pulumi_cutlist.resource_costs import bill_of

        own = {item: usd for _, inputs in self.made for item, usd in inputs.figures.resources.items()}
        return bill_of(self.recording, self.plans, self.config, own)

    @property
    def has_pending_pods(self) -> bool:
        """Whether any plan leaves pods without a node."""
        return any(plan.pending for plan in self.plans)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A preview, and its plans with as much as is shown of them."""

    preview: Preview
    plans: tuple[Plan, ...]


_FORMS: Final[Forms[_Shown]] = Forms(
    text=lambda answer, *, width, colour: _as_text(answer.preview, answer.plans, width, colour),
    others={"json": lambda answer: _as_json(answer.preview)},
)


@click.command("preview")
@click.option("--stack", required=True, metavar="NAME", help="Which stack: Pulumi.NAME.yaml is its file.")
@click.option(
    "--project-dir",
    default=Path(),
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder of Pulumi.yaml, which paths in messages are relative to.  [default: the working directory]",
)
@click.option("--strict", is_flag=True, help="Exit with 1 when pods stay pending.")
@launch_option
@form_options(_FORMS)
@debug_option
@click.pass_context
def command(ctx: click.Context, stack: str, project_dir: Path, strict: bool, launch: bool, showing: Showing[_Shown]) -> None:
    """Preview a stack's resources, what they cost, and its node plan, offline: no account, no cluster, no engine.

    \b
    Examples:
      cutlist preview --stack dev
      cutlist preview --stack dev --strict
      cutlist preview --stack dev --project-dir ../infrastructure -o json
    """
    made = showing.show(lambda: _shown(project_dir, stack, launch=launch))
    if strict and made.preview.has_pending_pods:
        ctx.exit(1)


def _shown(project_dir: Path, stack: str, *, launch: bool) -> _Shown:
    with telling("running the program of the stack"):
        made = preview(project_dir, stack)
    return _Shown(made, made.launched if launch else made.plans)


def planned(project_dir: Path, stack: str) -> tuple[tuple[Plan, PlanInputs], ...]:
    """The plans of a stack's program, with what each was made from. Raises as `preview` does."""
    return preview(project_dir, stack).made


def preview(project_dir: Path, stack: str) -> Preview:
    """Run the program of a stack in preview mode.

    Raises InputError with every mistake in the project's, the stack's and the program's files; ProgramError when the program
    refuses to run for a reason of its own.
    """
    from pulumi_cutlist import offline, stack_file

    with stack_file.working_in(project_dir):
        file = stack_file.load(Path(), stack)
        program = offline.Program(file.program, file.root, file.project, file.stack, file.config, file.secrets)
        return _run(program, file.problems)


def _run(program: Program, problems: tuple[Problem, ...]) -> Preview:
    """Run a program whose configuration has these problems: it is run all the same, to find those that only it can find."""
    from pulumi import RunError

    from pulumi_cutlist import offline
    from pulumi_cutlist.plan import announce

    plans: list[tuple[Plan, PlanInputs]] = []
    context = contextvars.copy_context()
    context.run(announce.set, lambda plan, maker: plans.append((plan, maker.inputs)))
    try:
        recording = context.run(program.run, offline.Mode.PREVIEW)
    except (RunError, InputError) as error:
        cause = error if isinstance(error, InputError) else error.__cause__
        if isinstance(cause, InputError):
            raise InputError(list(dict.fromkeys([*problems, *cause.problems]))) from error
        if not problems:
            raise ProgramError(str(error)) from error
        raise InputError(problems) from error
    if problems:
        raise InputError(problems)
    return Preview(recording, tuple(plans), program.config)


def _as_text(made: Preview, plans: Iterable[Plan], width: int, colour: bool) -> str:
    from cutlist.report.bill_text import render_bill
    from cutlist.report.text import render_plan
    from pulumi_cutlist.resource_tree import render_resources

    shown = [render_resources(made.recording, width, colour), render_bill(made.bill, width, colour)]
    return "\n".join([part for part in shown if part] + [render_plan(plan, width, colour) for plan in plans])


def _as_json(made: Preview) -> str:
    from cutlist.report.preview_json import ShownResource, preview_json

    resources = [ShownResource(r.urn, r.type, r.name, r.parent) for r in made.recording.resources.values()]
    exports = json.dumps(
        made.recording.exports, sort_keys=True, default=_spelled
    )  # what came over the wire has no order of its own
    return preview_json(resources, json.loads(exports), made.bill, made.launched)


def _spelled(value: object) -> str:
    """What JSON has no form for; a value that only an update knows as an engine shows it, for it prints its address itself."""
    from pulumi.output import Unknown

    return "[unknown]" if isinstance(value, Unknown) else str(value)
