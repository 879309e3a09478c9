"""Programs that look something up, run in this process with what answers them offline."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from pulumi_cutlist.lookups.answers import Answers
from pulumi_cutlist.lookups.context import Context
from pulumi_cutlist.lookups.written import WrittenAnswers, read_lookups
from pulumi_cutlist.program.language import Language
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.look_ups import shown_look_ups
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import Problems
from cutlist.core.shapes import Paths
from cutlist.verbs.preview.look_ups import ShownLookUp

DAY = date(2026, 11, 29)


def run_with_look_ups(
    folder: Path,
    source: str,
    config: Mapping[str, str] | None = None,
    lookups: Mapping[str, Any] | None = None,
    language: Language = Language.PYTHON,
) -> Recording:
    """Return what a program of a project `shop` registers in a preview, with its look-ups. `lookups` are those of its stack."""
    written = WrittenAnswers()
    if lookups is not None:
        problems = Problems()
        written = read_lookups(lookups, Paths(), problems)
        problems.raise_if_any()
    (folder / ("Pulumi.yaml" if language is Language.YAML else "__main__.py")).write_text(source)
    settings = {"aws:region": "eu-west-1"} if config is None else dict(config)
    recording = Recording()
    recording.book.answers = Answers(Context("shop", settings, DAY, recording.provider_inputs), written)
    Program(folder, folder, "shop", "dev", settings, written=written, language=language).run_for(recording, Mode.PREVIEW)
    return recording


def of(recording: Recording, name: str) -> ShownLookUp:
    """Return the look-up whose question has a name in it."""
    [found] = [look_up for look_up in shown_look_ups(recording) if name in look_up.asked]
    return found


def lacking(recording: Recording, name: str) -> dict[str, tuple[str, ...]]:
    """Return what is unknown because of a look-up: inputs by resource."""
    return {resource.name: resource.inputs for resource in of(recording, name).lacking}
