"""Where the shared vectors are: recorded inputs with the answers that Karpenter's own code gave.

They lie beside the project, in `shared/vectors`, or wherever `CUTLIST_VECTORS` says. Without them their tests skip.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_PROJECT = Path(__file__).resolve().parent.parent


def _find() -> Path | None:
    named = os.environ.get("CUTLIST_VECTORS")
    if named:
        vectors = Path(named).resolve()
        return vectors.parent if vectors.is_dir() else None
    candidates = (folder / "shared" for folder in (_PROJECT, *_PROJECT.parents))
    return next((shared for shared in candidates if (shared / "vectors").is_dir()), None)


SHARED = _find()
VECTORS = None if SHARED is None else Path(os.environ.get("CUTLIST_VECTORS") or SHARED / "vectors").resolve()

needs_shared = pytest.mark.skipif(
    SHARED is None,
    reason="the recorded vectors are not beside this project (a folder shared/vectors, or the one named by CUTLIST_VECTORS)",
)
