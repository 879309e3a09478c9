"""`cutlist validate`: everything that is wrong in manifests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import click

from cutlist.cli import terminal
from cutlist.cli.options import debug_option, files_option, output_options, stdin_of

if TYPE_CHECKING:
    from cutlist.manifests import Checked

REFUSED: Final = 1


@click.command("validate")
@files_option("manifests")
@click.option(
    "--before",
    multiple=True,
    metavar="PATH",
    type=click.Path(),
    help="File or folder with the objects as they are now: tells what may not change, and which nodes drift.",
)
@output_options
@debug_option
def command(files: tuple[str, ...], before: tuple[str, ...], output: str, width: int | None) -> None:
    """Check manifests: all that would be refused, by whom, and what is right.

    A mistake says who refuses it: the API server at apply (schema, rule), Karpenter once the object is there (runtime), or
    Cutlist alone (lint), because the object would not do what it says. Nothing is needed but the files. With --before it
    also says which nodes each edit has replaced, and by which of its members.

    Exit code 0 when nothing is wrong, 1 when something is.

    \b
    Examples:
      cutlist validate -f karpenter/
      helm template ./chart | cutlist validate -f - -o json
      cutlist validate -f karpenter/ --before cluster.yaml
    """
    from cutlist.manifests import check

    checked = check(files, stdin_of(files), before)
    if output == "json":
        from cutlist.report.problems import problems_json

        terminal.write(problems_json(checked))
    else:
        _tell(checked, terminal.width(width))
    if checked.problems:
        raise click.exceptions.Exit(REFUSED)


def _tell(checked: Checked, width: int) -> None:
    from cutlist.report.edits import render_edits
    from cutlist.report.text import render_problems

    if checked.edits or checked.drifted:
        terminal.write(render_edits(checked.edits, checked.drifted, width, colour=terminal.has_colour()) + "\n")
    if checked.problems:
        terminal.write(render_problems(checked.problems, width, colour=terminal.has_colour()))
    else:
        terminal.write(f"Nothing is wrong: {_counted(checked.kinds)}.\n")


def _counted(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {terminal.safe(kind)}" for kind, count in kinds.items())
