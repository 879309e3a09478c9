"""`cutlist upgrade`: two versions of Karpenter in, the changes between them out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.notes import notes_shown
from cutlist_cli.options import debug_option, file_option
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options

if TYPE_CHECKING:
    from cutlist.infrastructure.charts.upgrade import Upgrade
    from cutlist.planning.inputs import PlanInputs


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
@file_option("manifests, to show which nodes differ", required=False)
@input_options_without_files
@renderer_options(_FORMATS)
@debug_option
@click.pass_context
def command(
    ctx: click.Context, before: str, after: str, kubernetes: str, options: InputOptions, renderer: Renderer[Upgrade]
) -> None:
    """Show what an upgrade of Karpenter changes, and what has to be done first.

    Permissions of the controller, CRDs, versions of the API, settings and defaults of the chart, hashes by which nodes drift,
    and behaviour, each with the statement of docs/spec that describes it, where a page of a release does. Ends with 1 when the
    upgrade must not be made like this: the version is withdrawn or does not fit the cluster, or others have to come in between.
    Needs no cluster and no account.

    With -f the manifests are planned by the rules of both versions: nodes that differ, their price, pods that become pending. A
    node class that the later version does not make ready is a reason against the upgrade.

    \b
    Examples:
      cutlist upgrade --from 1.14.1 --to 1.15.1
      cutlist upgrade --from 1.14.1 --to 1.15.1 -o markdown
      cutlist upgrade --from 1.14.1 --to 1.15.1 -f pools.yaml -f app.yaml --region us-west-2
      cutlist upgrade --from 1.12.0 --to 1.14.1 --kubernetes 1.34
      cutlist upgrade --from 0.32.10 --to 1.14.1 -o json
    """
    if options.karpenter is not None:
        raise click.UsageError("--karpenter is not for upgrade: --from and --to name the versions")
    if renderer.show(lambda: _upgrade(before, after, kubernetes, options)).obstacles:
        ctx.exit(1)


def _upgrade(before: str, after: str, kubernetes: str, options: InputOptions) -> Upgrade:
    from cutlist.answers.upgrade import upgrade

    change = upgrade(before, after, kubernetes)
    if not options.files:
        return change
    from cutlist.answers.upgrade_nodes import with_nodes

    with notes_shown() as notes, progress_line("planning by both versions"):

        def read(version: str) -> PlanInputs:
            inputs = replace(options, karpenter=version).read()
            for note in inputs.workloads.notes:
                notes.add(note.code, note.text)
            return inputs

        return with_nodes(change, read, allow_empty=options.allow_empty)
