"""The settings of `suggest`, besides those of the plans that it makes."""

from __future__ import annotations

from typing import Final, Literal

from cutlist.core.setting import Edge, Kind, Setting

BoundKind = Literal["quick", "linear", "strong"]
"""How a lower bound is proven: by dual ascent, by linear programmes, or by fillings of whole nodes as well."""
BOUNDS: Final[tuple[BoundKind, ...]] = ("quick", "linear", "strong")

ARM64: Final = "arm64"
WIDENINGS: Final = (ARM64, "spot", "types", "workloads")
"""The allowances beyond narrower NodePools, by the names that users write."""
ZONE_SPREAD: Final = "zone-spread"
NODE_LOSS: Final = "node-loss"
ZONE_LOSS: Final = "zone-loss"
NODES: Final = "nodes"
KEPT: Final = (ZONE_SPREAD, NODE_LOSS, ZONE_LOSS, NODES)
"""What a suggestion may have to keep of the current plan, by the names that users write: nodes in each zone that has some, no
more pods lost with a node or with a zone, and no fewer nodes."""

ALLOW: Final = Setting(
    "allow",
    "What may change beyond narrower NodePools: arm64, spot, types, which drops rules on families, generations and sizes, "
    "workloads, which get tolerations.",
    several=True,
    repeated="Repeatable, or several with commas.",
    metavar=f"[{'|'.join(WIDENINGS)}]",
    choices=WIDENINGS,
    has_commas=True,
)
KEEP: Final = Setting(
    "keep",
    "What every option has to keep of today's plan: nodes in each zone that has some, no more pods lost with a node or "
    "with a zone, as many nodes.",
    several=True,
    repeated="Repeatable, or several with commas.",
    metavar=f"[{'|'.join(KEPT)}]",
    choices=KEPT,
    has_commas=True,
)
SPARE: Final = Setting(
    "spare",
    "Room that every plan keeps for this many more pods of each workload, by a CapacityBuffer each.",
    Kind.PERCENTAGE,
    default=0,
    shows_default=False,
    metavar="N%",
    least=0,
    most=100,
)
MIN_NODES: Final = Setting(
    "min_nodes",
    "Suggest plans of at least this many nodes.",
    Kind.WHOLE_NUMBER,
    default=0,
    shows_default=False,
    metavar="N",
    least=0,
)
MAX_NODES: Final = Setting("max_nodes", "Suggest plans of at most this many nodes.", Kind.WHOLE_NUMBER, metavar="N", least=1)
PLANS: Final = Setting("plans", "Plan at most this many candidates.", Kind.WHOLE_NUMBER, default=300, metavar="N", least=1)
SECONDS: Final = Setting(
    "seconds",
    "Stop after this time: bounds have a sixth of it, and the last third is for simpler options and restrictions.",
    Kind.WHOLE_NUMBER,
    metavar="N",
    least=1,
    unset={Edge.FLEET_FILE: "the time is that of all environments together, on the command line"},
)
SEED: Final = Setting("seed", "Where the order of random tries begins.", Kind.WHOLE_NUMBER, default=1, metavar="N", least=0)
WRITE: Final = Setting(
    "write",
    "Write an option's NodePools into the files that they were read from, or the values of their charts: the best, or one.",
    metavar="[best|N]",
    unset={
        Edge.FLEET_FILE: "suggestions for a fleet change no files",
        Edge.ASSISTANT: "calls of assistants write no files",
    },
)
BOUND: Final = Setting(
    "bound",
    "How to prove the lowest possible price; strong takes some seconds more.",
    default="linear",
    choices=BOUNDS,
)
RATES: Final = Setting(
    "rates",
    "Rates of savings plans or reservations: a CSV table of family, region, term (1y or 3y), discount and source.",
    Kind.PATH,
    several=True,
    repeated="Repeatable.",
    metavar="FILE",
)

SCENARIO: Final = Setting(
    "scenario",
    "How much a scenario counts, NAME=WEIGHT, 0 to leave it out; or one's own, such as 'sale=5: deployment/web x3, spot x1.2'.",
    several=True,
    repeated="Repeatable.",
    metavar="NAME=WEIGHT",
)
WEEK: Final = Setting(
    "week",
    "Replicas over time, a table as for a simulation: fifths of its hours count instead of today's replicas.",
    Kind.PATH,
    several=True,
    repeated="Repeatable.",
    metavar="FILE",
)
SPOT_TYPES: Final = Setting(
    "spot_types",
    "The fewest instance types that a NodePool with spot keeps.",
    Kind.WHOLE_NUMBER,
    default=15,
    metavar="N",
    least=1,
)
SPOT_ZONES: Final = Setting(
    "spot_zones",
    "The fewest zones that a NodePool with spot keeps.",
    Kind.WHOLE_NUMBER,
    default=3,
    metavar="N",
    least=1,
)
SETTLED: Final = Setting(
    "settled",
    "Compare prices once Karpenter has consolidated the nodes, in every scenario; takes much longer.",
    Kind.FLAG,
)
PULL_REQUEST: Final = Setting(
    "pull_request",
    "Print a title and a text for a pull request with the recommended option.",
    Kind.FLAG,
    unset={Edge.FLEET_FILE: "suggestions for a fleet change no files", Edge.ASSISTANT: "assistants write their own texts"},
)
SHOW_REFUSED: Final = Setting(
    "show_refused",
    "List the cheaper options that are not offered, with the rules that they newly break.",
    Kind.FLAG,
    unset={Edge.FLEET_FILE: "the answer for one environment lists them", Edge.ASSISTANT: "the JSON always has them"},
)

SETTINGS: Final = (
    *(ALLOW, KEEP, SPARE, MIN_NODES, MAX_NODES, SCENARIO, WEEK, SPOT_TYPES, SPOT_ZONES),
    *(SETTLED, PLANS, SECONDS, SEED, WRITE, PULL_REQUEST, BOUND, RATES, SHOW_REFUSED),
)
"""The settings of one environment, in the order in which help lists them."""

FLEET: Final = Setting(
    "fleet_file",
    "Suggest NodePools for every environment in this file, instead of -f; the other options are members of it.",
    Kind.PATH,
    metavar="FILE",
    option="fleet",
)
RESUME: Final = Setting(
    "resume",
    "Keep the answers of a fleet in this folder, and compute only what is not there yet or has changed.",
    Kind.FOLDER,
    metavar="DIR",
)
