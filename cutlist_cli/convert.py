"""`cutlist convert`: old objects in, v1 out, and a report of the changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from cutlist.api.convert import stream, values_text
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.records import json_of
from cutlist.documents.collecting import collect_texts, note_empty_inputs
from cutlist.documents.folders import Reading
from cutlist.documents.parsing import parse_values
from cutlist.settings.convert import IN_PLACE, VALUES
from cutlist.settings.planning import RECURSIVE
from cutlist.verbs.convert.answer import convert
from cutlist.verbs.convert.text import render_convert
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.file_options import files_option
from cutlist_cli.files import refuse_inputs, write_file, write_files
from cutlist_cli.notes import notes_shown
from cutlist_cli.options import debug_option, to_option, width_option
from cutlist_cli.setting_options import setting_option
from cutlist_cli.stdin import stdin_of

if TYPE_CHECKING:
    from cutlist.api.convert import ConvertedTexts
    from cutlist.documents.files import SourceText


@click.command("convert", cls=Command)
@files_option("objects of old versions, and objects that belong to them")
@setting_option(RECURSIVE)
@to_option("Write the objects to a file.  [default: standard output]")
@setting_option(IN_PLACE)
@setting_option(VALUES)
@click.option(
    "-o",
    "--output",
    "report",
    type=click.Choice(["text", "json", "none"]),
    default="text",
    show_default=True,
    help="Form of the report on standard error.",
)
@width_option
@debug_option
def command(
    files: tuple[str, ...],
    allow_empty: bool,
    recursive: bool,
    answer_file: str | None,
    in_place: bool,
    values: str | None,
    report: str,
    width: int | None,
) -> None:
    """Convert objects of Karpenter's old versions to v1, and report what changes.

    NodePools, NodeClaims and EC2NodeClasses of v1beta1 are converted as Karpenter 1.0 did it. Provisioners and AWSNodeTemplates
    become NodePools and EC2NodeClasses, and the ConfigMaps karpenter-global-settings and config-logging become values of the
    chart. Only the necessary lines change: comments, order and all other objects are kept. Give pools together with their
    classes, since the kubelet's settings move from one to the other. Nothing is written if anything is wrong.

    \b
    Examples:
      cutlist convert -f old/v1beta1.yaml > new.yaml
      cutlist convert -f old/v1beta1.yaml --write
      cutlist convert -f old/ --to new.yaml --values values.yaml
      kubectl get nodepools,ec2nodeclasses -o yaml | cutlist convert -f - -o json
    """
    if in_place and (answer_file or "-" in files):
        raise click.UsageError("--write writes back to the files it read: leave out --to and standard input")
    texts = _texts(files, recursive=recursive, allow_empty=allow_empty)
    sources = [text.source for text in texts]
    refuse_inputs("--to", () if answer_file is None else [answer_file], sources)
    refuse_inputs(VALUES.flag, () if values is None else [values], [*sources, *([answer_file] if answer_file else ())])
    converted = convert(texts, allow_empty=allow_empty)
    _write_objects(converted, answer_file, values, in_place=in_place)
    _write_report(converted, report, width)


def _texts(files: Iterable[str], *, recursive: bool, allow_empty: bool) -> list[SourceText]:
    paths, problems = list(files), Problems(allow_empty=allow_empty)
    with notes_shown() as notes:
        texts = list(collect_texts(paths, problems, stdin_of(paths), Reading(recursive), notes))
    read = (text.source for text in texts if any(value is not None for value in parse_values(text.text, text.source, problems)))
    note_empty_inputs(paths, read, problems)
    problems.raise_if_any()
    return texts


def _write_objects(converted: ConvertedTexts, file: str | None, values: str | None, *, in_place: bool) -> None:
    objects, settings = stream(converted.texts), values_text(converted.conversion.values)
    if settings and not values and (objects or in_place or file):
        problem = "the ConfigMaps have settings that become values of Karpenter's chart, and no file for them is named"
        raise InputError.one(Place.of(VALUES), problem, f"{VALUES.flag} FILE")
    if values:
        write_file(values, settings)
    if in_place:
        changed = zip(converted.texts, converted.is_changed, strict=True)
        write_files((text.source, text.text) for text, is_changed in changed if is_changed and text.text.strip())
    elif file:
        write_file(file, objects)
    else:
        click.echo((objects if objects or values else settings).encode(), nl=False)


def _write_report(converted: ConvertedTexts, report: str, width: int | None) -> None:
    if report == "json":
        terminal.write_error(json_of(converted.conversion, allow_nan=True))
    elif report == "text":
        colour = terminal.has_colour("stderr")
        terminal.write_error(render_convert(converted.conversion, terminal.width(width), colour=colour))
