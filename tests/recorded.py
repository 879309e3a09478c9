"""The recorded inputs and answers that tests compare with, unpacked when they are first used.

They lie in the project as archives, a folder each, since 60 MB of JSON pack into 1.5 MB:

    tests/conformance/answers/*.tar.xz   questions with the answers of Karpenter's own code: VECTORS
    tests/facts.tar.xz                   tables of public figures, and the structure of Karpenter's CRDs: FACTS

`python -m tests.recorded unpack FOLDER` writes them out, `python -m tests.recorded pack FOLDER ARCHIVE` makes an archive.
"""

from __future__ import annotations

import contextlib
import hashlib
import lzma
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests import commands

PROJECT: Final = Path(__file__).resolve().parent.parent
SCENARIOS: Final = PROJECT / "tests" / "seeds" / "scenarios"
SPEC: Final = PROJECT / "docs" / "spec"
_ANSWERS: Final = PROJECT / "tests" / "conformance" / "answers"
_FACTS: Final = PROJECT / "tests" / "facts.tar.xz"


def _unpacked(name: str, archives: Sequence[Path]) -> Path:
    """Return the folder with what the archives hold. It is kept, under a name that changes with their content."""
    digest = hashlib.sha256(b"".join(archive.read_bytes() for archive in archives)).hexdigest()[:12]
    folder = _cache() / f"{name}-{digest}"
    if not folder.is_dir():
        # Test processes may do this at the same time: each unpacks for itself, and the first to rename wins.
        own = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=_cache()))
        unpack(archives, own)
        with contextlib.suppress(OSError):
            own.rename(folder)
        shutil.rmtree(own, ignore_errors=True)
    return folder


def _cache() -> Path:
    """Return where unpacked archives are kept: in the project, or with temporary files where that cannot be written to."""
    folder = PROJECT / ".recorded"
    try:
        folder.mkdir(exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        folder = Path(tempfile.gettempdir()) / "cutlist-recorded"
        folder.mkdir(exist_ok=True)
    return folder


def unpack(archives: Sequence[Path], folder: Path) -> None:
    """Write out what archives hold."""
    for archive in archives:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")


def pack(folder: Path, archive: Path) -> None:
    """Write an archive of a folder, named after it, the same bytes for the same content."""
    with lzma.open(archive, "wb", preset=9 | lzma.PRESET_EXTREME) as file, tarfile.open(fileobj=file, mode="w") as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                packed.add(path, f"{folder.name}/{path.relative_to(folder)}", filter=_anonymous)


def _anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = ""
    info.mode = 0o644
    return info


def _vectors() -> Path:
    named = os.environ.get("CUTLIST_VECTORS")
    return Path(named).resolve() if named else _unpacked("answers", sorted(_ANSWERS.glob("*.tar.xz")))


VECTORS: Final = _vectors()
FACTS: Final = _unpacked("facts", [_FACTS]) / "facts"


def _unpack_all(folder: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    unpack([*sorted(_ANSWERS.glob("*.tar.xz")), _FACTS], Path(folder))


_COMMANDS: Final[Mapping[str, Callable[..., None]]] = {
    "unpack": _unpack_all,
    "pack": lambda folder, archive: pack(Path(folder), Path(archive)),
}


if __name__ == "__main__":
    sys.exit(commands.run(__doc__, _COMMANDS, sys.argv[1:]))
