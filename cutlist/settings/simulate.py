"""The settings of `simulate`, besides those of plans and of disruption."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

TYPICAL_WEEKS: Final = ("web", "batch", "mixed")

CLUSTER: Final = Setting(
    "snapshots",
    "Snapshot of the cluster that the run begins with.",
    Kind.PATH,
    several=True,
    repeated="",
    metavar="FILE",
    option="cluster",
    former=("from",),
)
TRACE: Final = Setting(
    "trace",
    "Replicas over time: a table, or series of Prometheus. METRIC=FILE: curves that autoscalers follow. FORM=FILE: a public "
    "trace or Karpenter's log (karpenter=FILE).",
    Kind.PATH,
    several=True,
    repeated="",
    metavar="FILE",
)
TYPICAL: Final = Setting(
    "typical",
    "Generate a typical week for workloads without a curve. Their replicas are those at its peak.",
    choices=TYPICAL_WEEKS,
)
DURATIONS: Final = Setting(
    "durations", "How long pods of Jobs run: workload,duration.", Kind.PATH, several=True, repeated="", metavar="FILE"
)
INTERRUPTIONS: Final = Setting(
    "interruptions",
    "How often spot instances are interrupted: a table with instance_type,zone,monthly, or the file of the Spot Advisor.",
    Kind.PATH,
    several=True,
    repeated="",
    metavar="FILE",
)
SHORTAGES: Final = Setting(
    "shortages",
    "How often the cloud has no capacity: instance_type,zone,capacity_type,short.",
    Kind.PATH,
    several=True,
    repeated="",
    metavar="FILE",
)
EVENTS: Final = Setting(
    "events",
    "What else happens, and when: new images, applied files, failed nodes.",
    Kind.PATH,
    several=True,
    repeated="",
    metavar="FILE",
)
RATES: Final = Setting(
    "rates",
    "Rates of savings plans or reservations, as for `suggest`: show the commitments that cost least.",
    Kind.PATH,
    several=True,
    repeated="",
    metavar="FILE",
)
DAYS: Final = Setting("days", "Length of the run.", Kind.NUMBER, default=7.0, above=0)
SEED: Final = Setting("seed", "Seed of the random numbers.", Kind.WHOLE_NUMBER, default=1)
SEEDS: Final = Setting(
    "seeds",
    ("Run with this many seeds, from ", SEED, " on, and show means with intervals."),
    Kind.WHOLE_NUMBER,
    default=1,
    metavar="N",
    least=1,
)
AGAINST: Final = Setting(
    "against",
    "File or folder with other NodePools to compare with, under the same demand and seeds. They replace those of -f; other "
    "objects replace those with the same name. A pattern such as 'pools-*/' adds a cluster for each match.",
    Kind.PATH,
    several=True,
    repeated="",
    metavar="PATH",
)
RECORD: Final = Setting(
    "record",
    "Write each pass of the provisioner and each round of disruption into a new folder, as conformance scenarios.",
    Kind.PATH,
    metavar="DIR",
)
UNTIL: Final = Setting(
    "until",
    "End the run here: an instant, or the time since the start such as 36h.",
    default="",
    shows_default=False,
    metavar="TIME",
)
SAVE: Final = Setting("save", ("Write the state at the end of ", UNTIL, ", to continue from."), Kind.FILE, metavar="FILE")
RESUME: Final = Setting(
    "resume",
    (
        "Continue from a state that ",
        SAVE,
        " wrote. With ",
        SEEDS,
        " or ",
        AGAINST,
        ": a folder that keeps the results of runs, so that only missing ones are run.",
    ),
    Kind.PATH,
    default="",
    shows_default=False,
    metavar="PATH",
)

DEMAND: Final = (TRACE, TYPICAL, DURATIONS, INTERRUPTIONS, SHORTAGES, EVENTS)
"""What happens over time, as `DemandFiles` has it."""
SETTINGS: Final = (CLUSTER, *DEMAND, RATES, DAYS, SEED, SEEDS, AGAINST, RECORD)
