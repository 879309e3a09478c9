"""The settings that choose among the environments of a repository, and those that only an environment of a project has."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

ALL: Final = Setting(
    "all_environments",
    "Answer for every environment of the project or of the folders, in one table.",
    Kind.FLAG,
    option="all",
)
WITH_ALL: Final = frozenset(("plan", "diff", "gate", "explain", "suggest", "validate"))
"""The verbs that answer for every environment."""
ENVIRONMENT: Final = Setting(
    "environment",
    "One environment of the project or of the folders, by its name.",
    metavar="NAME",
)
COMMAND: Final = Setting("command", "What renders or plans an environment that Cutlist does not read by itself.")
