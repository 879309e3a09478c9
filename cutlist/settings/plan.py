"""The settings of `plan`, besides those of every plan."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Edge, Kind, Setting
from cutlist.settings.suggest import BOUNDS

BOUND: Final = Setting(
    "bound",
    "How to prove the lowest price of any packing of the pods; linear if it has no value. All after quick need the extra "
    "optimize.",
    default="quick",
    choices=("none", *BOUNDS),
    bare="linear",
)
RESTRICTIONS: Final = Setting(
    "restrictions",
    "Price each restriction of workloads and NodePools, which needs a plan for each, and name the three that cost most.",
    Kind.FLAG,
)
SETTLED: Final = Setting(
    "settled",
    "Also show the price once Karpenter has consolidated the nodes. A plan of at most 20 nodes has it anyway.",
    Kind.FLAG,
)
SCALING: Final = Setting(
    "scaling",
    "Also show the price at the minimum and maximum of autoscalers, and that of a rollout's extra nodes. A small plan "
    "has them anyway.",
    Kind.FLAG,
)
LAST: Final = "last"
"""The name of the last plan of the same files that was shown at a terminal."""
EARLIER: Final = (
    "Earlier plan, written with `-o json`, or the word last for the last plan of these files at a terminal; the changes come "
    "first."
)
"""What an earlier plan is for."""
BEFORE: Final = Setting(
    "before",
    f"{EARLIER} For text, markdown and html.",
    Kind.PATH,
    metavar="FILE",
    unset={Edge.ASSISTANT: "it adds to forms of the answer that tools do not have"},
)

LAUNCH: Final = Setting("launch", "Show the request to EC2 and its likely outcome; JSON always has it.", Kind.FLAG)
SUMMARY: Final = Setting(
    "summary", "Show one row for each instance type and capacity type, without pods. Text only.", Kind.FLAG
)
WRITE: Final = Setting(
    "write",
    "Also write the NodeOverlays that tell Karpenter what nodes offer of shared GPUs, by the configuration of NVIDIA's device "
    "plugin in the input.",
    Kind.FILE,
    metavar="FILE",
    option="overlays-to",
    former=("write",),
    unset={Edge.ASSISTANT: "calls of assistants write no files"},
)

SETTINGS: Final = (BOUND, RESTRICTIONS, SETTLED, SCALING, BEFORE)
