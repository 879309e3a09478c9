"""`cutlist validate`: every mistake in manifests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.records import json_of
from cutlist.core.setting import Edge
from cutlist.settings.environments import ALL
from cutlist.settings.validate import BEFORE, CHECKING
from cutlist.settings.words import spelled
from cutlist.verbs.validate.answer import validate
from cutlist.verbs.validate.columns import csv
from cutlist.verbs.validate.markdown import validate_markdown
from cutlist.verbs.validate.text import render_validate
from cutlist_cli.command import Command
from cutlist_cli.file_options import manifests_option
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_options, taken
from cutlist_cli.stdin import stdin_of

if TYPE_CHECKING:
    from cutlist.documents.folders import Reading
    from cutlist.verbs.validate.answer import Validation

_FORMATS: Final[OutputFormats[Validation]] = OutputFormats(
    text=render_validate,
    others={
        "markdown": validate_markdown,
        "html": later("cutlist.verbs.validate.html", "validate_html"),
        "json": json_of,
        "csv": csv,
    },
)
REFUSED: Final = 1


@click.command("validate", cls=Command)
@manifests_option("manifests")
@setting_options((ALL, BEFORE, *CHECKING))
@renderer_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    allow_empty: bool,
    reading: Reading,
    all_environments: bool,
    before: tuple[str, ...],
    renderer: Renderer[Validation],
    **values: Any,
) -> None:
    """Check manifests: what would be refused, by whom, and how to correct it.

    Each mistake names who refuses it: the API server at apply (schema, rule), Karpenter once the object exists (runtime), or
    only Cutlist (lint), because the object would not do what it says. Needs nothing but the files.

    Karpenter's objects are checked completely. Pods, pod templates, ReplicationControllers, kinds of apps/v1 and batch/v1,
    PodDisruptionBudgets, HorizontalPodAutoscalers, PriorityClasses, RuntimeClasses, StorageClasses, LimitRanges,
    ResourceQuotas, claims, volumes, Namespaces and Services are checked as the API server checks them: fields, types and rules.
    Cutlist cannot check what only a cluster knows: webhooks and policies, quotas, and whether referenced objects exist. Of
    other kinds, only the parts that plans read are checked.

    A value of a NodePool that no known type or zone has is a warning, since Karpenter ignores it. So is a node class that works
    now but would not be ready under a later Karpenter. With --before, forbidden changes are mistakes, and the answer lists the
    nodes that each edit replaces, and the fields that cause it. With --kubernetes, fields of other versions are mistakes, and
    so is an alias without an image for that version.

    Exits with 0 if nothing is wrong, 1 if something is, and 2 if a file cannot be opened or there is nothing to check.

    \b
    Examples:
      cutlist validate -f pools.yaml
      helm template charts/web | cutlist validate -f - -o json
      cutlist validate -f next/pools.yaml --before snapshot.yaml
      cutlist validate -f pools.yaml --kubernetes 1.35
      cutlist validate -f pools.yaml --region us-west-2
      cutlist validate -f pools.yaml --karpenter 1.15
      cutlist validate -f pools.yaml -f workloads.yaml --all
    """
    settings: dict[str, Any] = {"allow_empty": allow_empty, "reading": reading, **taken(CHECKING, values)}
    if all_environments:
        from cutlist_cli.validate_all import show_all  # brings the views of other answers

        if not show_all(ctx, files, settings, renderer, lambda own, of: _checked(own, (), of)):
            raise click.exceptions.Exit(REFUSED)
        return
    if renderer.show(lambda: _checked(files, before, settings)).problems:
        raise click.exceptions.Exit(REFUSED)


def _checked(files: tuple[str, ...], before: tuple[str, ...], settings: Mapping[str, Any]) -> Validation:
    answer = validate(files, stdin_of(files), before, **settings)
    return replace(answer, problems=spelled(answer.problems, Edge.COMMAND_LINE))
