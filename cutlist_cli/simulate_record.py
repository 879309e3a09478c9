"""`cutlist simulate --record`: a folder with the passes and rounds of a run."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import TYPE_CHECKING

from cutlist.core.errors import InputError, Place
from cutlist.core.wording import counted
from cutlist.settings.simulate import RECORD
from cutlist_cli.files import OWNERS, make_folder_of, write_file

if TYPE_CHECKING:
    from cutlist.simulation.recording.recorder import Recording


class RecordingFolder:
    """A folder into which recordings are written as they come. `counts` says how many of each kind."""

    def __init__(self, path: str, *, goes_on: bool = False) -> None:
        """Begin with a folder that does not exist yet or is empty; for a run that goes on, it may have the recordings of the
        parts before. Raises InputError for any other."""
        may_have_files = goes_on and os.path.isdir(path)
        if os.path.lexists(path) and not may_have_files and not (os.path.isdir(path) and not os.listdir(path)):
            problem = "has files already" if os.path.isdir(path) else "is a file"
            raise InputError.one(Place.of(RECORD), f"{path} {problem}", "a new or an empty folder")
        self._path = path
        self._written: set[str] = set()
        self.counts: Counter[str] = Counter()

    def add(self, recording: Recording) -> None:
        """Write a pass or a round: NAME.json is its scenario, NAME.run.json what the run decided. Raises InputError, also where
        the folder has one of this name."""
        if os.path.lexists(os.path.join(self._path, f"{recording.name}.json")):
            text = f"{self._path} has {recording.name}.json already"
            raise InputError.one(Place.of(RECORD), text, "a folder without the recordings of this part of the run")
        for name, content in recording.files.items():
            if name not in self._written:
                self._written.add(name)
                self._write(name, json.dumps(content))
        self._write(f"{recording.name}.json", json.dumps(recording.scenario, indent=1))
        self._write(f"{recording.name}.run.json", json.dumps(recording.answer, indent=1))
        self.counts[recording.kind] += 1

    def _write(self, name: str, text: str) -> None:
        file = os.path.join(self._path, name)
        make_folder_of(file)
        write_file(file, f"{text}\n", OWNERS)

    @property
    def summary(self) -> str:
        """Return what has been written, in words."""
        passes, rounds = self.counts["schedule"], self.counts["disrupt"]
        recorded = f"{counted(passes, 'pass', 'passes')} of the provisioner and {counted(rounds, 'round')} of disruption"
        return f"recorded {recorded} in {self._path}"
