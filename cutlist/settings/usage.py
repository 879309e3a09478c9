"""The settings by which measured use replaces written requests: of `plan`, `explain` and `suggest`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

USAGE: Final = Setting(
    "usage",
    "Take requests from measured use: a CSV table, VerticalPodAutoscalers, or cpu=FILE and memory=FILE with the JSON of "
    "Prometheus queries.",
    Kind.PATH,
    several=True,
    repeated="Repeatable.",
    metavar="FILE",
    prefixes=("cpu=", "memory="),
)
PERCENTILE: Final = Setting(
    "percentile",
    "The percentile of the samples that a request has to cover.",
    Kind.NUMBER,
    default=95,
    metavar="P",
    least=1,
    most=100,
)
MARGIN: Final = Setting(
    "margin",
    "The margin of a request above that percentile.",
    Kind.NUMBER,
    default=15,
    metavar="PERCENT",
    least=0,
    most=1000,
)

SETTINGS: Final = (USAGE, PERCENTILE, MARGIN)
