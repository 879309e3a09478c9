"""The settings of what runs the program of a stack, and of what names the stack."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

STACK: Final = Setting("stack", "The stack: its file is Pulumi.NAME.yaml.", metavar="NAME", short="-s")
PROJECT_DIR: Final = Setting(
    "project_dir",
    "Folder of Pulumi.yaml.",
    Kind.PATH,
    otherwise="the working directory, or the nearest folder above it that has one",
    metavar="DIR",
)
TIME_LIMIT: Final = Setting(
    "time_limit",
    "How long a stack's program may run, in its own process.",
    Kind.NUMBER,
    otherwise="300",
    metavar="SECONDS",
    above=0,
    variables=("CUTLIST_TIME_LIMIT",),
)
