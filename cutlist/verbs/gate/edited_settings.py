"""The settings that say what a plan costs, as a base has them: their values, and the contents of the files that they name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.documents.revisions import RevisionCopy, same_contents
from cutlist.settings.planning import CATALOG, PAID, SCHEDULER_CONFIG
from cutlist.verbs.gate.gate_changes import differing
from cutlist.verbs.gate.own_documents import OF_JUDGE, EditedSetting

_FILES: Final = tuple(setting.name for setting in (CATALOG, PAID, SCHEDULER_CONFIG))


def edited_settings(
    before: Mapping[str, Any], now: Mapping[str, Any], copy: RevisionCopy, folder: str | os.PathLike[str] = os.curdir
) -> tuple[EditedSetting, ...]:
    """Return the settings that a change edits, or of which it edits the files that they name: those of the copy count.

    Paths of settings are relative to `folder` of the working directory. A file that the copy does not have counts as it is.
    """
    return tuple(_edited(before, now, copy, folder))


def _edited(
    before: Mapping[str, Any], now: Mapping[str, Any], copy: RevisionCopy, folder: str | os.PathLike[str]
) -> Iterator[EditedSetting]:
    for name in OF_JUDGE:
        was, is_now = before.get(name), now.get(name)
        differs = (was or None) != (is_now or None)
        if name not in _FILES or not was:
            if differs:
                yield EditedSetting(name, was, is_now, differing(name, was, is_now))
            continue
        path = os.path.join(folder, was)
        there = copy.at(path)
        if differs:
            yield EditedSetting(name, there or was, is_now, differing(name, was, is_now))
        elif there and not same_contents(there, path):
            yield EditedSetting(name, there, is_now, f"{name} names {was}, whose contents differ from those of the base")
        elif not there and copy.is_edited(path):
            text = f"{name} names {was}, which is not at the base"
            yield EditedSetting(name, was, is_now, text, counts_as_is=True)
