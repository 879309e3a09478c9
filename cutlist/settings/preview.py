"""The settings of `preview`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.settings import plan

BEFORE: Final = replace(
    plan.BEFORE,
    help="Earlier preview or plan, written with `-o json`; the changes come first. For text, Markdown and HTML.",
)
