"""The answers to look-ups that a stack has, under `lookups` in its configuration: themselves, or the file that has them."""

from __future__ import annotations

from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.shapes import Below
from cutlist.settings.preview import RECORD_LOOKUPS
from pulumi_cutlist.lookups.written import WrittenAnswers, read_lookups
from pulumi_cutlist.stack.gate_keys import OWN_NAME, json_value
from pulumi_cutlist.stack.stack_file import StackFile, read_mapping

LOOKUPS: Final = "lookups"
_ALLOWED: Final = "a file, or functions, resources and stacks with their answers"


def lookups_of(file: StackFile, problems: Problems, *, being_recorded: bool = False) -> WrittenAnswers:
    """Return the answers to look-ups that a stack has. Mistakes are noted where they are written. A file that is being recorded
    need not exist yet."""
    key, misplaced = f"{file.project}:{LOOKUPS}", f"{OWN_NAME}:{LOOKUPS}"
    if key != misplaced and misplaced in file.config:
        problems.add(file.at(misplaced), f"{misplaced} is not read by project {file.project}", key, key)
    written: Any = json_value(file.config.get(key))
    if written is None:
        return WrittenAnswers()
    if isinstance(written, str):
        path = file.root / written
        if not path.exists() and being_recorded:
            return WrittenAnswers()
        if not path.is_file():
            problems.add(
                file.at(key), f"no file {written!r}", f"a file that `cutlist preview {RECORD_LOOKUPS.flag} {written}` writes"
            )
            return WrittenAnswers()
        document = read_mapping(path, problems)
        return read_lookups(document.data, document, problems)
    if not isinstance(written, dict):
        problems.add(file.at(key), "is not the answers to look-ups", _ALLOWED)
        return WrittenAnswers()
    return read_lookups(written, Below(file.document, file.at(key).path), problems)
