"""`cutlist preview`: run a stack's own program in this process, show its resources, what they cost, and the nodes its
workloads will get.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats
from cutlist_cli.options import debug_option, launch_option
from cutlist_cli.progress import telling
from cutlist_cli.renderer import Renderer, form_options

if TYPE_CHECKING:
    from pulumi_cutlist.stack_preview import Preview

    from cutlist.planning.model import Plan


@dataclass(frozen=True, slots=True)
class _Shown:
    """A preview, and its plans with as much as is shown of them."""

    preview: Preview
    plans: tuple[Plan, ...]


_FORMS: Final[OutputFormats[_Shown]] = OutputFormats(
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
def command(ctx: click.Context, stack: str, project_dir: Path, strict: bool, launch: bool, showing: Renderer[_Shown]) -> None:
    """Preview a stack's resources, what they cost, and its node plan, offline.

    No account, no cluster and no engine are needed.

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
    from pulumi_cutlist.stack_preview import preview

    with telling("running the program of the stack"):
        made = preview(project_dir, stack)
    return _Shown(made, made.launched if launch else made.plans)


def _as_text(made: Preview, plans: Iterable[Plan], width: int, colour: bool) -> str:
    from pulumi_cutlist.resource_tree import render_resources

    from cutlist.report.plan.text import render_plan
    from cutlist.report.preview.bill import render_bill

    shown = [render_resources(made.recording, width, colour), render_bill(made.bill, width, colour)]
    return "\n".join([part for part in shown if part] + [render_plan(plan, width, colour) for plan in plans])


def _as_json(made: Preview) -> str:
    from cutlist.report.preview.json import ShownResource, preview_json

    resources = [ShownResource(r.urn, r.type, r.name, r.parent) for r in made.recording.resources.values()]
    exports = json.dumps(
        made.recording.exports, sort_keys=True, default=_spelled
    )  # what came over the wire has no order of its own
    return preview_json(resources, json.loads(exports), made.bill, made.launched)


def _spelled(value: object) -> str:
    """What JSON has no form for; a value that only an update knows as an engine shows it, for it prints its address itself."""
    from pulumi.output import Unknown

    return "[unknown]" if isinstance(value, Unknown) else str(value)
