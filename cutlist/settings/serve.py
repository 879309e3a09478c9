"""The settings of `serve`, besides those of every plan."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

PORT: Final = Setting(
    "port",
    "Port on this machine, 0 for any free one.",
    Kind.WHOLE_NUMBER,
    default=8710,
    metavar="PORT",
    least=0,
    most=65535,
)
