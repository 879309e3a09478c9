"""`cutlist explain`: a workload in, the reasons for its nodes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.formats import OutputFormats, as_yaml
from cutlist_cli.input_options import InputOptions, input_options
from cutlist_cli.options import debug_option
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options

if TYPE_CHECKING:
    from cutlist.planning.model.explanation import Explanation


@dataclass(frozen=True, slots=True)
class _Explanations:
    """The explanations of a workload in a region, one for each controller."""

    explanations: Sequence[Explanation]
    region: str


def _text(answer: _Explanations, *, width: int, colour: bool) -> str:
    from cutlist.report.explain.text import render_explain

    return render_explain(answer.explanations, answer.region, width=width, colour=colour)


def _markdown(answer: _Explanations) -> str:
    from cutlist.report.explain.markdown import explain_markdown

    return explain_markdown(answer.explanations, answer.region)


def _html(answer: _Explanations) -> str:
    from cutlist.report.explain.html import explain_html

    return explain_html(answer.explanations, answer.region)


def _json(answer: _Explanations) -> str:
    from cutlist.report.explain.json import explain_json

    return explain_json(answer.explanations, answer.region)


def _csv(answer: _Explanations) -> str:
    from cutlist.report.explain.csv import explain_csv

    return explain_csv(answer.explanations)


_FORMATS: Final[OutputFormats[_Explanations]] = OutputFormats(
    text=_text,
    others={
        "markdown": _markdown,
        "html": _html,
        "json": _json,
        "yaml": as_yaml(_json),
        "csv": _csv,
    },
)


@click.command("explain")
@click.argument("workload")
@input_options
@renderer_options(_FORMATS, can_watch=True)
@debug_option
def command(workload: str, options: InputOptions, renderer: Renderer[_Explanations]) -> None:
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
    renderer.show(lambda: _explain(options, workload))


def _explain(options: InputOptions, workload: str) -> _Explanations:
    from cutlist.answers.explain import explain

    inputs = options.read_for_placing_with_notes()
    with progress_line("looking for reasons"):
        return _Explanations(explain(inputs, workload), inputs.catalog.region)
