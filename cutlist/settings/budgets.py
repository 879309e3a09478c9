"""The settings of `budgets`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

NODES: Final = Setting(
    "nodes",
    "Nodes of each NodePool, for budgets in percent.",
    Kind.WHOLE_NUMBER,
    otherwise="those in the files, if any",
    metavar="N",
    least=0,
)
FROM: Final = Setting(
    "start",
    "Beginning of the week, such as 2026-01-05T00:00:00Z.",
    Kind.INSTANT,
    otherwise="last Monday",
    metavar="TIME",
    option="from",
)
WRITE: Final = Setting(
    "write",
    'Propose the budgets for a sentence, such as "drift only Monday 1 to 5 in Europe/Berlin"; no files are read.',
    several=True,
    repeated="May be given several times: the budgets do what all sentences say.",
    metavar="SENTENCE",
    option="propose",
    former=("write",),
)
