"""The look-ups of a recorded program as a preview shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.core.secrecy import masked
from cutlist.verbs.preview.look_ups import Lacking, ShownLookUp
from pulumi_cutlist.lookups.book import LookUp
from pulumi_cutlist.recorded.recording import STACK, Recording

OUTPUTS: Final = "outputs"


def shown_look_ups(recording: Recording) -> tuple[ShownLookUp, ...]:
    """Return the look-ups of a program in the order of its lines. Those that one line asks again are one."""
    shown: dict[tuple[str, int, str, str, str], ShownLookUp] = {}
    for look_up in sorted(recording.book.look_ups, key=lambda held: (held.question.file, held.question.line, held.number)):
        of = _shown(recording, look_up)
        key = of.file, of.line, of.asked, of.state, of.source
        held = shown.get(key)
        if held is not None:
            standing = tuple(dict.fromkeys((*held.stand_ins, *of.stand_ins)))
            lacking = tuple(sorted({*held.lacking, *of.lacking}))
            of = replace(of, stand_ins=standing, lacking=lacking)
        shown[key] = of
    return tuple(shown.values())


def _shown(recording: Recording, look_up: LookUp) -> ShownLookUp:
    question, answer = look_up.question, look_up.answer
    lacking = [
        Lacking(urn, _name(recording, urn), tuple(sorted(inputs)))
        for urn, inputs in recording.book.lacking.get(look_up.number, {}).items()
    ]
    return ShownLookUp(
        str(question.kind),
        str(masked(question.text)),
        question.file,
        question.line,
        str(answer.state),
        answer.source,
        tuple(recording.book.used.get(look_up.number, ())),
        tuple(sorted(lacking)),
    )


def _name(recording: Recording, urn: str) -> str:
    registered = recording.resources.get(urn)
    if registered is None or registered.type == STACK:
        return OUTPUTS
    return f"{registered.type.rpartition(':')[2]}/{registered.name}"
