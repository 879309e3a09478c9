"""`cutlist explain`: a workload in, the reasons for its nodes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, as_yaml, writer
from cutlist_cli.options import Given, debug_option, input_options
from cutlist_cli.progress import telling
from cutlist_cli.renderer import Renderer, answer_options

if TYPE_CHECKING:
    from cutlist.planning.model.explanation import Explanation


@dataclass(frozen=True, slots=True)
class _Explained:
    """What decides about a workload in a region, once for each controller."""

    found: Sequence[Explanation]
    region: str


_JSON: Final = writer("cutlist.report.explain.text:explanations_json", "found", "region")
_FORMS: Final[OutputFormats[_Explained]] = OutputFormats(
    text=writer("cutlist.report.explain.text:render_explanations", "found", "region"),
    others={
        "markdown": writer("cutlist.report.explain.markdown:explanations_markdown", "found", "region"),
        "html": writer("cutlist.report.explain.html:explanations_html", "found", "region"),
        "json": _JSON,
        "yaml": as_yaml(_JSON),
        "csv": writer("cutlist.report.explain.csv:explanations_csv", "found"),
    },
)


@click.command("explain")
@click.argument("workload")
@input_options
@answer_options(_FORMS)
@debug_option
def command(workload: str, given: Given, showing: Renderer[_Explained]) -> None:
    """Show why the pods of a workload get the nodes they get, or none.

    WORKLOAD is named as plans name it: deployment/web, or shop/deployment/web outside of namespace default. Tells which nodes
    its pods get and how each NodePool's types come down to those; or for each NodePool the first rule that is broken, by how
    much, and the smallest change that helps; which preferences were given up, where spot was lost, and what the pods would
    cost at least.

    \b
    Examples:
      cutlist explain deployment/web -f pools.yaml -f app.yaml --region us-west-2
      cutlist explain deployment/web -f pools.yaml -f app.yaml --region us-west-2 --watch
      cutlist explain deployment/web -f pools.yaml -f app.yaml --region us-west-2 -o html > web.html
      cutlist explain shop/statefulset/db -f cluster.yaml -f app.yaml --region us-west-2 -o json
    """
    showing.show(lambda: _explained(given, workload))


def _explained(given: Given, workload: str) -> _Explained:
    from cutlist.answers.explain import explain

    inputs = given.read()
    with telling("looking for reasons"):
        return _Explained(explain(inputs, workload), inputs.catalog.region)
