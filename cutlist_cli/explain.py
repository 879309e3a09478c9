"""`cutlist explain`: a workload in, the reasons for its nodes out."""

from __future__ import annotations

from typing import Final

import click

from cutlist.core.records import json_of
from cutlist.planning.model.explanation import Explanations
from cutlist.planning.services import running_services
from cutlist.settings.environments import ALL
from cutlist.settings.explain import RESTRICTIONS
from cutlist.verbs.explain.answer import explain
from cutlist.verbs.explain.csv import explain_csv
from cutlist.verbs.explain.markdown import explain_markdown
from cutlist.verbs.explain.text import render_explain
from cutlist.verbs.plan.restriction_prices import with_prices_of_restrictions
from cutlist_cli.command import Command
from cutlist_cli.completion import workloads
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option
from cutlist_cli.usage_options import UsageOptions, usage_options

_FORMATS: Final[OutputFormats[Explanations]] = OutputFormats(
    text=render_explain,
    others={
        "markdown": explain_markdown,
        "html": later("cutlist.verbs.explain.html", "explain_html"),
        "json": json_of,
        "csv": explain_csv,
    },
)


@click.command("explain", cls=Command)
@click.argument("workload", shell_complete=workloads)
@input_options
@setting_option(ALL)
@setting_option(RESTRICTIONS)
@usage_options
@renderer_options(_FORMATS, can_watch=True)
@click.pass_context
def command(
    ctx: click.Context,
    workload: str,
    options: InputOptions,
    all_environments: bool,
    restrictions: bool,
    usage: UsageOptions,
    renderer: Renderer[Explanations],
) -> None:
    """Show why the pods of a workload get the nodes they get, or none.

    WORKLOAD is named as in plans: deployment/web, or shop/deployment/web outside of namespace default. Shows which nodes its
    pods get and how each NodePool's types are narrowed down to those. For pods that get none, it shows for each NodePool the
    first rule that is broken, by how much, and the smallest change that helps. It also shows which preferences were given up,
    why spot was not used, and the lowest possible price of the pods. With --restrictions, it adds the price of its spread,
    affinity and node selectors; with --usage also that of requests beyond its measured use.

    \b
    Examples:
      cutlist explain deployment/web -f pools.yaml -f workloads.yaml --region us-west-2
      cutlist explain deployment/web -f pools.yaml -f workloads.yaml --region us-west-2 --watch
      cutlist explain deployment/web -f pools.yaml -f workloads.yaml --region us-west-2 -o html > web.html
      cutlist explain deployment/web -f pools.yaml -f workloads.yaml --region us-west-2 --restrictions --usage usage/use.csv
      cutlist explain deployment/web -f pools.yaml -f workloads.yaml --region us-west-2 --all
      cutlist explain deployment/trainer -f pools.yaml -f workloads.yaml --region us-west-2 -o json
    """
    if usage.files and not restrictions:
        raise click.UsageError(
            "--usage is only for --restrictions: otherwise, explain plans with the requests as they are written"
        )
    if all_environments:
        from cutlist_cli.explain_all import show_all  # brings the views of other answers

        show_all(ctx, workload, options, renderer, lambda own: _explain(own, workload, None))
        return
    renderer.show(lambda: _explain(options, workload, usage if restrictions else None))


def _explain(options: InputOptions, workload: str, usage: UsageOptions | None) -> Explanations:
    """Return the explanations, with the prices of restrictions if requested; measured use may be one of them."""
    inputs = options.read_for_placing_with_notes()
    sized = None if usage is None else usage.applied_to(inputs)
    with progress_line("looking for reasons"):
        explanations = explain(inputs, workload)
    if usage is not None:
        with progress_line("pricing restrictions"):
            explanations = with_prices_of_restrictions(explanations, inputs, sized)
    return Explanations(inputs.catalog.region, explanations, inputs.price_age, running_services(inputs) or None)
