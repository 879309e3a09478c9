"""How a missing part of Cutlist is installed where this copy is: by pipx, by uv, or by pip."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

_UV_RECEIPT: Final = "uv-receipt.toml"
"""What uv writes into the environment of a tool that it has installed."""
_PIPX_RECEIPT: Final = "pipx_metadata.json"
_UVX: Final = "archive-v0"
"""The folder of uv's cache with environments that live as long as the cache does, as `uvx` makes them."""


def install_command(extra: str, prefix: Path | None = None, installer: str | None = None) -> str:
    """Return the command that installs an extra.

    `prefix` is the environment of this copy, `installer` the program that its metadata names; both are looked up by default.
    """
    environment = Path(sys.prefix) if prefix is None else prefix
    wanted = f"'cutlist[{extra}]'"
    if (environment / _PIPX_RECEIPT).is_file():
        return f"pipx install --force {wanted}"
    if (environment / _UV_RECEIPT).is_file():
        return f"uv tool install {wanted}"
    if _UVX in environment.parts:
        return f"uvx --from {wanted} cutlist"
    by = _installer() if installer is None else installer
    return f"uv pip install {wanted}" if by == "uv" else f"pip install {wanted}"


def _installer() -> str:
    """Return which program has installed this copy, as its metadata has it; empty where nothing says so."""
    from importlib.metadata import PackageNotFoundError, distribution  # which reads mails for their headers

    try:
        return (distribution("cutlist").read_text("INSTALLER") or "").strip()
    except PackageNotFoundError:
        return ""
