"""The settings of `preview`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.core.setting import Kind, Setting
from cutlist.settings import answers, plan

BEFORE: Final = replace(
    plan.BEFORE,
    help="Earlier preview or plan, written with `-o json`; the changes come first. For text, Markdown and HTML.",
)
MERGE_BASE: Final = "merge-base"
"""What stands for the commit at which the checked-out branch left the default one."""
BASE: Final = Setting(
    "base",
    "Say first what changes since a branch, tag or commit, whose own program and stack file are run too; without a name, since "
    "the merge base with the default branch.",
    metavar="REV",
    bare=MERGE_BASE,
)
STRICT: Final = answers.strict_about("Exit with 1 when pods stay pending.")
RECORD_LOOKUPS: Final = Setting(
    "record_lookups",
    "Ask the account, and other stacks, what the program looks up, and write the answers to this file. Name it as `lookups` in "
    "the stack's configuration, and previews read it offline.",
    Kind.PATH,
    metavar="FILE",
)
RESOURCES: Final = Setting(
    "resources", "List every resource; otherwise components, with the number of resources in each.", Kind.FLAG
)
