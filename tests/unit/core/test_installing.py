"""Which command installs a missing part: that of the program which installed this copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core import errors
from cutlist.core.errors import MissingExtraError
from cutlist.core.installing import install_command


@pytest.mark.parametrize(
    ("receipt", "command"),
    [
        ("pipx_metadata.json", "pipx install --force 'cutlist[optimize]'"),
        ("uv-receipt.toml", "uv tool install 'cutlist[optimize]'"),
    ],
)
def test_a_tool_is_installed_again_by_what_installed_it(tmp_path: Path, receipt: str, command: str):
    """Each leaves a receipt in the environment of the tool, whoever has put the packages there."""
    (tmp_path / receipt).touch()
    assert install_command("optimize", tmp_path, "uv") == command


def test_a_copy_that_lives_in_a_cache_is_called_with_the_part(tmp_path: Path):
    """An environment of uvx is made again for other requirements: there is nothing to add to it."""
    assert install_command("mcp", tmp_path / "uv" / "archive-v0" / "x1", "uv") == "uvx --from 'cutlist[mcp]' cutlist"


@pytest.mark.parametrize(
    ("installer", "command"), [("uv", "uv pip install 'cutlist[live]'"), ("pip", "pip install 'cutlist[live]'")]
)
def test_an_environment_of_ones_own_takes_what_filled_it(tmp_path: Path, installer: str, command: str):
    """An environment that uv made need not have pip."""
    assert install_command("live", tmp_path, installer) == command


def test_an_error_says_how_its_own_copy_gets_the_part(monkeypatch: pytest.MonkeyPatch):
    """Whoever catches it, in a command or in Python."""
    monkeypatch.setattr(errors, "install_command", lambda extra: f"brew install {extra}")
    text = "cutlist suggest needs an optional part of Cutlist; install it with: brew install optimize"
    assert str(MissingExtraError("cutlist suggest", "optimize")) == text
