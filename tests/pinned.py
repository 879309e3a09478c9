"""Which releases of dependencies a test speaks about: those that constraints.txt pins."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest

_CONSTRAINTS = (Path(__file__).resolve().parents[1] / "constraints.txt").read_text("utf-8")


def needs_pinned(*packages: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test where other releases than the pinned ones are installed, such as the oldest allowed."""
    others = [name for name in packages if version(name) != pinned(name)]
    return pytest.mark.skipif(bool(others), reason=f"is about the pinned releases: {', '.join(others)} are others")


def pinned(package: str) -> str:
    """Return the release of a package that constraints.txt names."""
    (release,) = re.findall(rf"^{re.escape(package)}==(\S+)$", _CONSTRAINTS, re.MULTILINE)
    return str(release)
