"""A folder in which answers are kept, so that only missing ones, and those whose inputs have changed, are computed again."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from cutlist.core.errors import InputError, Place
from cutlist.core.setting import Setting
from cutlist_cli.files import write_file


class AnswersFolder:
    """Answers in the files of a folder that a setting names, each by the digest of what it depends on. Raises InputError if the
    folder cannot be made.
    """

    def __init__(self, folder: str, setting: Setting) -> None:
        self._folder = Path(folder)
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError.one(Place.of(setting), f"{folder} cannot be created: {why}", "a folder") from None

    def get(self, digest: str) -> str | None:
        """Return the kept answer, or None."""
        with suppress(OSError, ValueError):
            return self._file(digest).read_text("utf-8")
        return None

    def put(self, digest: str, answer: str) -> None:
        """Keep an answer. Raises InputError if the folder cannot be written to."""
        write_file(str(self._file(digest)), answer)

    def _file(self, digest: str) -> Path:
        return self._folder / f"{digest}.json"
