"""`cutlist history`: Karpenter's log in, what it did out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, writer
from cutlist_cli.options import debug_option, files_option
from cutlist_cli.renderer import Renderer, form_options

if TYPE_CHECKING:
    from cutlist.answers.history import Arrivals
    from cutlist.logs import LaunchedNode, Story


@dataclass(frozen=True, slots=True)
class _Told:
    """What a log tells: commands, lines that were passed over, and nodes beside their plan."""

    stories: Sequence[Story]
    others: int
    beside: Arrivals | None


_PARTS: Final = ("stories", "others", "beside")
_FORMS: Final[OutputFormats[_Told]] = OutputFormats(
    text=writer("cutlist.report.history.text:render_history", *_PARTS),
    others={"json": writer("cutlist.report.history.text:history_json", *_PARTS)},
)


@click.command("history")
@files_option("Karpenter's log, or events as JSON")
@click.option(
    "--plan",
    "plan_file",
    metavar="FILE",
    type=click.Path(),
    help="Plan of before, as `-o json` wrote it: what came of its nodes.",
)
@form_options(_FORMS)
@debug_option
def command(files: tuple[str, ...], plan_file: str | None, showing: Renderer[_Told]) -> None:
    """Show what Karpenter did, out of its log or events: commands and their steps.

    Reads the controller's JSON log, also of releases before v1.3, and events of the cluster. Lines of other programs are
    passed over and counted. With --plan the nodes that were launched are held against a plan that was made before.

    \b
    Examples:
      cutlist history -f karpenter.log
      cutlist history -f events.json -o json
      cutlist history -f karpenter.log --plan plan.json
      kubectl logs -n kube-system -l app.kubernetes.io/name=karpenter --tail=-1 | cutlist history -f -
    """
    showing.show(lambda: _told(files, plan_file))


def _told(files: tuple[str, ...], plan_file: str | None) -> _Told:
    from cutlist.logs import launched_nodes, read_records, tell
    from cutlist_cli.texts import read_texts

    read = read_records("\n".join(read_texts(files)))
    beside = _beside(plan_file, launched_nodes(read.records)) if plan_file is not None else None
    return _Told(tell(read.records), read.others, beside)


def _beside(plan_file: str, launched: tuple[LaunchedNode, ...]) -> Arrivals:
    from cutlist.answers.history import as_planned
    from cutlist.planning.stored_plan import read_plan

    return as_planned(read_plan(plan_file), launched)
