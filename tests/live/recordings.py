"""The recordings that lie in the project: an archive for each kind of scenario and minor of Karpenter."""

from __future__ import annotations

import json
import tarfile
import tempfile
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.live.recording import Recording
from tests.recorded import PROJECT, pack, unpack

RECORDINGS: Final = PROJECT / "tests" / "live" / "recordings"


def archives() -> list[Path]:
    """Return the archives of decisions, in order; a day is not a decision."""
    return sorted([*RECORDINGS.glob("scheduling-*.tar.xz"), *RECORDINGS.glob("disruption-*.tar.xz")])


def days() -> tuple[Recording, ...]:
    """Return the recorded days, by minor of Karpenter and name."""
    return tuple(recording for archive in sorted(RECORDINGS.glob("day-*.tar.xz")) for recording in recorded(archive))


@cache
def recorded(archive: Path) -> tuple[Recording, ...]:
    """Return the recordings of an archive, by name."""
    return tuple(sorted(_read(archive), key=lambda recording: recording.name))


def _read(archive: Path) -> Iterator[Recording]:
    with tarfile.open(archive) as packed:
        for member in packed:
            content = packed.extractfile(member)
            if content is not None:
                yield Recording(**json.loads(content.read()))


def take_in(folder: Path, known: Collection[str]) -> list[Path]:
    """Put the recordings below a folder into the archives, in the place of older ones of the same name; recordings of
    scenarios that are not known any longer are left out. Return the archives that were written."""
    written = []
    for kind in sorted(path for path in folder.glob("*") if path.is_dir()):
        archive = RECORDINGS / f"{kind.name}.tar.xz"
        with tempfile.TemporaryDirectory() as scratch:
            merged = Path(scratch) / kind.name
            merged.mkdir()
            if archive.exists():
                unpack([archive], Path(scratch))
            for file in kind.glob("*.json"):
                (merged / file.name).write_bytes(file.read_bytes())
            for file in merged.glob("*.json"):
                if file.stem not in known:
                    file.unlink()
            RECORDINGS.mkdir(exist_ok=True)
            pack(merged, archive)
        written.append(archive)
    return written
