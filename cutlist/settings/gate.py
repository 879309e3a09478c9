"""The settings of `gate`, besides those of the plan that it makes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.core.setting import Edge, Kind, Setting
from cutlist.settings.calendar import DAY

GATES: Final = Setting(
    "gates",
    "File with the gates for plain files.",
    Kind.PATH,
    metavar="FILE",
)
PROFILE: Final = Setting(
    "profile",
    "How many rules may stop a change: start, for those that are right for everybody, recommended or strict.",
    choices=("start", "recommended", "strict"),
    otherwise="the one that the gates name, else start",
)
BEFORE: Final = Setting(
    "before",
    "The last plan as JSON, to compare the price with; or a folder with the files as they were, which is a base.",
    Kind.PATH,
    metavar="FILE",
)
BASE: Final = Setting(
    "base",
    ("Also say what changes since a branch, tag or commit: its plan is the last one where ", BEFORE, " names none."),
    metavar="REV",
    unset={Edge.ASSISTANT: "calls of assistants start no programs"},
)
GATES_FROM: Final = Setting(
    "gates_from",
    "Judge by the gates, Figures and PodKinds as a branch, tag or commit has them.",
    metavar="REV",
    otherwise="the base, if one is named",
    unset={Edge.ASSISTANT: "calls of assistants start no programs"},
)
GATES_DIGEST: Final = Setting("gates_digest", "Refuse a file of gates that has another SHA-256.", metavar="SHA256")
FIX: Final = Setting(
    "fix",
    "First fix files in place, where that is safe; comments are kept.",
    Kind.FLAG,
    option="write",
    former=("fix",),
    unset={Edge.ASSISTANT: "calls of assistants write no files"},
)
DAY_OF_GATES: Final = replace(DAY, help="The day for which exemptions and ends of support are checked.", former=("today",))
ALSO_TO: Final = Setting(
    "written",
    "Also write the answer to this file; its extension selects the form, as in gate.sarif, or its name, as in sarif=gate.json.",
    several=True,
    metavar="[FORM=]FILE",
    option="also-to",
    former=("write",),
)
VERBOSE: Final = Setting(
    "verbose",
    "Show every finding of a rule, and for each undetermined rule what is unknown, instead of one line for all.",
    Kind.FLAG,
)
RULES: Final = Setting("lists_rules", "Print the page of all rules and exit.", Kind.FLAG, option="rules")
RULE: Final = Setting(
    "shown_rule", "Print one rule, such as NP-01: what it checks, why, examples, settings.", metavar="ID", option="rule"
)

SETTINGS: Final = (GATES, GATES_DIGEST, GATES_FROM, PROFILE, BEFORE, BASE, FIX, DAY_OF_GATES)
"""What the gates depend on; the others choose what is shown of the answer, and where."""
