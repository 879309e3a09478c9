"""`cutlist history`: Karpenter's log in, what Karpenter did out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import Place, Problems
from cutlist.documents import STDIN, sources, special_file, unreadable
from cutlist_cli.cluster_input import stored_plan
from cutlist_cli.formats import OutputFormats
from cutlist_cli.options import debug_option, files_option
from cutlist_cli.renderer import Renderer, renderer_options

if TYPE_CHECKING:
    from cutlist.answers.history import History


_MAX_BYTES: Final = 128 * 2**20
"""Size of a log that is read: months of a busy controller."""


def _text(answer: History, *, width: int, colour: bool) -> str:
    from cutlist.report.history.text import render_history

    return render_history(answer, width=width, colour=colour)


def _json(answer: History) -> str:
    from cutlist.report.history.json import history_json

    return history_json(answer)


_FORMATS: Final[OutputFormats[History]] = OutputFormats(
    text=_text,
    others={
        "json": _json,
    },
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
@renderer_options(_FORMATS)
@debug_option
def command(files: tuple[str, ...], allow_empty: bool, plan_file: str | None, renderer: Renderer[History]) -> None:
    """Show what Karpenter did, from its log or events: commands and their steps.

    Also shows the launches that failed and which pods waited for them. Reads the controller's JSON log, also of releases
    before v1.3, and events of the cluster. Lines of other programs are skipped and counted. With --plan the launched nodes are
    compared with an earlier plan.

    \b
    Examples:
      cutlist history -f karpenter.log
      cutlist history -f events.json -o json
      cutlist history -f karpenter.log --plan plan.json
      kubectl logs -n kube-system -l app.kubernetes.io/name=karpenter --tail=-1 | cutlist history -f -
    """
    renderer.show(lambda: _history(files, plan_file, allow_empty=allow_empty))


def _history(files: tuple[str, ...], plan_file: str | None, *, allow_empty: bool) -> History:
    from cutlist.answers.history import history

    log = "\n".join(_read_texts(files, allow_empty=allow_empty))
    return history(log, stored_plan(plan_file), source=sources(files), allow_empty=allow_empty)


def _read_texts(files: Sequence[str], *, allow_empty: bool) -> list[str]:
    """Return the text of each file, `-` being standard input. Raises InputError with every one that cannot be read or is empty.

    Bytes that are no UTF-8 become replacement characters: a log is read for what can be read of it.
    """
    problems, texts = Problems(allow_empty=allow_empty), []
    for name in files:
        special = special_file(name)
        if special is not None:
            problems.extend([special])
            continue
        try:
            data = sys.stdin.buffer.read(_MAX_BYTES + 1) if name == STDIN else _content_of(name)
        except OSError as error:
            problems.extend([unreadable(name, error)])
        else:
            if len(data) > _MAX_BYTES:
                problems.add(Place(sources([name])), f"is larger than {_MAX_BYTES // 2**20} MiB; split it")
                continue
            texts.append(data.decode("utf-8", "replace"))
            if not texts[-1].strip():
                problems.add_absence(Place(sources([name])), "the log is empty", "lines of Karpenter's log, or events")
    problems.raise_if_any()
    return texts


def _content_of(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read(_MAX_BYTES + 1)
