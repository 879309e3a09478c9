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
