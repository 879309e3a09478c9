"""`cutlist validate`: everything that is wrong in manifests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, writer
from cutlist_cli.options import debug_option, files_option, stdin_of
from cutlist_cli.renderer import Renderer, form_options

if TYPE_CHECKING:
    from cutlist.answers.validate import Validation

_FORMS: Final[OutputFormats[Validation]] = OutputFormats(
    text=writer("cutlist.report.validate.text:render_checked"),
    others={"json": writer("cutlist.report.validate.json:problems_json")},
)
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
@form_options(_FORMS)
@debug_option
def command(files: tuple[str, ...], before: tuple[str, ...], showing: Renderer[Validation]) -> None:
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
    from cutlist.answers.validate import validate

    if showing.show(lambda: validate(files, stdin_of(files), before)).problems:
        raise click.exceptions.Exit(REFUSED)
