"""The result of a check of manifests, as text: the effects of edits on nodes, and every mistake, or that nothing is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.api.external_classes import MissingClass
from cutlist.core.notes import OPEN, Note
from cutlist.report.edits import render_edits
from cutlist.report.page import WARN, Page
from cutlist.report.plain import escape
from cutlist.report.problems import render_problems
from cutlist.verbs.validate.answer import Validation, listed_kinds
from cutlist.verbs.validate.warnings import elsewhere_text


def render_validate(checked: Validation, width: int = 100, colour: bool = False) -> str:
    """Return the result as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    edits = ""
    if checked.edits or checked.drifted:
        edits = render_edits(checked.edits, checked.drifted, width, colour=colour) + "\n"
    passed_over = f"Not looked at: {escape(listed_kinds(checked.passed_over))}.\n" if checked.passed_over else ""
    missing = _missing(checked.missing_classes, width, colour=colour)
    warnings = _warnings(checked.warnings, width, colour=colour)
    notes = warnings + "".join(f"\nNote: {escape(note.text)}.\n" for note in checked.notes if not _is_said(checked, note))
    if checked.inputs is not None and checked.inputs.files > checked.inputs.read:
        passed_over += f"{escape(checked.inputs.sentence)}.\n"
    missing += _open(checked, width, colour=colour)
    if checked.problems:
        return edits + passed_over + missing + render_problems(checked.problems, width, colour=colour) + notes
    right = f"{checked.verdict}: {escape(listed_kinds(checked.kinds)) or 'nothing was checked'}.\n"
    return edits + right + passed_over + missing + notes


def _is_said(checked: Validation, note: Note) -> bool:
    """Tell whether the sentence about what is open says what a note says."""
    is_open = checked.inputs is not None and bool(checked.inputs.open)
    return is_open and note.code in OPEN and note.text.startswith("not read")


def _warnings(warnings: Sequence[Note], width: int, *, colour: bool) -> str:
    """Return the warnings, a paragraph each."""
    if not warnings:
        return ""
    page = Page(width)
    for warning in warnings:
        page.blank()
        page.paragraph(warning.text, first="Warning: ", indent=2, style=WARN)
    return page.text(colour=colour)


def _open(checked: Validation, width: int, *, colour: bool) -> str:
    """Return what of the files is not checked, and the command that checks it too, as a plan says it of itself."""
    if checked.inputs is None or not checked.inputs.open:
        return ""
    page = Page(width)
    page.blank()
    sentence = checked.inputs.open_sentence
    page.paragraph(f"{sentence[:1].upper()}{sentence[1:]}.".replace("cutlist plan ", "cutlist validate "), style=WARN)
    return page.text(colour=colour)


def _missing(missing_classes: Sequence[MissingClass], width: int, *, colour: bool) -> str:
    """Return the node classes that must be defined elsewhere, a paragraph each."""
    if not missing_classes:
        return ""
    page = Page(width)
    for missing in missing_classes:
        page.paragraph(elsewhere_text(missing), indent=2, first="")
    return page.text(colour=colour)
