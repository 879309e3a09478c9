"""Scenario files for another Karpenter than the one that they name: copies that name it."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cutlist.core.karpenter.baselines import baseline_of

VECTORS = "CUTLIST_VECTORS"


def release(text: str) -> str:
    """Return the recorded release of a Karpenter such as 1.15. Raises ValueError for one that is not supported."""
    baseline = baseline_of(text)
    if baseline is None:
        raise ValueError(text)
    return str(baseline)


@contextmanager
def named(files: Sequence[str], karpenter: str | None) -> Iterator[list[str]]:
    """Yield the files, or for a Karpenter copies that name it; type files are found beside the originals."""
    if karpenter is None:
        yield list(files)
        return
    with tempfile.TemporaryDirectory() as folder:
        copies = [_copy(Path(file), Path(folder), karpenter) for file in files]
        before = os.environ.get(VECTORS)
        os.environ[VECTORS] = before or str(vectors_of(Path(files[0])))
        try:
            yield copies
        finally:
            if before is None:
                del os.environ[VECTORS]


def vectors_of(file: Path) -> Path:
    """Return the folder of the type files that a scenario names, searching upwards from it."""
    upwards = [at for folder in file.resolve().parents for at in (folder, folder / "vectors", folder / "shared" / "vectors")]
    return next((at for at in upwards if (at / "types").is_dir()), file.resolve().parent)


def _copy(file: Path, folder: Path, karpenter: str) -> str:
    if not file.is_file():  # reported as any file that is not there
        return str(file)
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    copy = folder / file.name.removesuffix(".gz")
    copy.write_text(json.dumps({**json.loads(content), "karpenter": karpenter}))
    return str(copy)
