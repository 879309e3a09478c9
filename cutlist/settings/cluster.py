"""The settings of verbs about a cluster: where a live one is, its instant, or a plan in its place."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

AT: Final = Setting(
    "instant",
    "The time to look at, such as 2026-01-05T12:00:00Z.",
    Kind.INSTANT,
    otherwise="the newest time in the files",
    metavar="TIME",
    option="at",
)
FROM_PLAN: Final = Setting(
    "plan_file",
    "Plan that `cutlist plan -o json` wrote, to use as the cluster, with its nodes and pods; - for standard input.",
    Kind.PATH,
    metavar="FILE",
    option="from-plan",
)
CONTEXT: Final = Setting("context", "Context of the kubeconfig.", otherwise="the current one", metavar="NAME")
