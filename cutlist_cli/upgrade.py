"""`cutlist upgrade`: two versions of Karpenter in, the changes between them out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats
from cutlist_cli.options import debug_option
from cutlist_cli.renderer import Renderer, renderer_options

if TYPE_CHECKING:
    from cutlist.infrastructure.charts.upgrade import Upgrade


def _text(answer: Upgrade, *, width: int, colour: bool) -> str:
    from cutlist.report.upgrade.text import render_upgrade

    return render_upgrade(answer, width=width, colour=colour)


def _markdown(answer: Upgrade) -> str:
    from cutlist.report.upgrade.markdown import upgrade_markdown

    return upgrade_markdown(answer)


def _json(answer: Upgrade) -> str:
    from cutlist.report.upgrade.json import upgrade_json

    return upgrade_json(answer)


_FORMATS: Final[OutputFormats[Upgrade]] = OutputFormats(
    text=_text,
    others={
        "markdown": _markdown,
        "json": _json,
    },
)


@click.command("upgrade")
@click.option("--from", "before", required=True, metavar="VERSION", help="The version that runs now, such as 1.12.0.")
@click.option("--to", "after", required=True, metavar="VERSION", help="The version to go to, such as 1.14.1.")
@click.option(
    "--kubernetes", default="", metavar="VERSION", help="The cluster's version, such as 1.34, to see whether it fits."
)
@renderer_options(_FORMATS)
@debug_option
@click.pass_context
def command(ctx: click.Context, before: str, after: str, kubernetes: str, renderer: Renderer[Upgrade]) -> None:
    """Show what an upgrade of Karpenter changes, and what has to be done first.

    Permissions of the controller, CRDs, versions of the API, settings and defaults of the chart, hashes by which nodes drift,
    and behaviour, each with the statement of docs/spec that describes it, where a page of a release does. Ends with 1 when the
    upgrade must not be made like this: the version is withdrawn or does not fit the cluster, or others have to come in between.
    Needs no cluster and no account.

    \b
    Examples:
      cutlist upgrade --from 1.14.1 --to 1.15.1
      cutlist upgrade --from 1.14.1 --to 1.15.1 -o markdown
      cutlist upgrade --from 1.12.0 --to 1.14.1 --kubernetes 1.34
      cutlist upgrade --from 0.32.10 --to 1.14.1 -o json
    """
    from cutlist.answers.upgrade import upgrade

    if renderer.show(lambda: upgrade(before, after, kubernetes)).obstacles:
        ctx.exit(1)
