"""The figures of what decides about the nodes of a workload, and the columns that each form has of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.catalog.prices import usd
from cutlist.planning.model import PendingPods, PlannedNode
from cutlist.planning.model.explanation import Answer, RelaxedPreference
from cutlist.report.columns import Figure, Figures, count, only_csv
from cutlist.report.markup import words
from cutlist.report.plain import short_name

_Answer = Figure[Answer]
_Place = tuple[str, int]
"""An existing node, or a reason; and how many pods or nodes that is about."""


def csv_nodes(workload: str) -> Figures[PlannedNode]:
    """Return the columns of CSV for equal new nodes, with the pods of a workload on all of them."""
    return (
        only_csv("node_pool", lambda n: n.node_pool),
        only_csv("instance_type", lambda n: n.instance_type),
        only_csv("capacity_type", lambda n: n.capacity_type),
        only_csv("zones", lambda n: " ".join(n.zones)),
        only_csv("nodes", lambda n: n.count),
        only_csv("price_per_hour", lambda n: usd(n.price)),
        only_csv("pods", lambda n: n.count * sum(share.count for share in n.pods if share.workload == workload)),
        only_csv("price_estimated", lambda n: n.is_estimated),
        only_csv("disk_price_per_hour", lambda n: usd(n.disk_price)),
        only_csv("os_disk", lambda n: None if n.os_disk is None else n.os_disk.in_short),
    )


def _took(answer: Answer) -> str:
    return f"takes {answer.took:,}" if answer.took else "refuses" if answer.refusal else "takes none"


def _badge(answer: Answer) -> str:
    return "badge stays" if answer.took else "badge blocked" if answer.refusal else "badge"


def _steps(answer: Answer) -> Iterable[str]:
    return [f"{step.types:,} {step.step}" for step in answer.narrowing]


_POOL: Final[_Answer] = Figure("NodePool", lambda a: a.node_pool, name="node_pool", is_name=True)
_WEIGHT: Final[_Answer] = Figure("weight", lambda a: f"{a.weight}", "right", page_class="n")
_TAKES: Final[_Answer] = count("takes", lambda a: a.took, "pods")
_TYPES: Final[_Answer] = Figure(
    "types",
    lambda a: " → ".join(f"{step.types:,}" for step in a.narrowing),
    page_title="Types left by each step",
    page_class="w",
    lines=_steps,
)
_WHY_NOT: Final[_Answer] = Figure(
    "why not", lambda a: a.refusal, name="reason", markdown=lambda a: words(a.refusal), page_class="w"
)
_HELPS: Final[_Answer] = Figure(
    "what would help", lambda a: a.remedy, name="remedy", markdown=lambda a: words(a.remedy), page_class="w"
)
COMMENT: Final[Figures[Answer]] = (_POOL, _WEIGHT, _TAKES, _TYPES, _WHY_NOT, _HELPS)
PAGE: Final[Figures[Answer]] = (_POOL, Figure("pods", _took, words_class=_badge), _WEIGHT, _TYPES, _WHY_NOT, _HELPS)
CSV: Final[Figures[Answer]] = (_POOL, _TAKES, _WHY_NOT, _HELPS)

EXISTING: Final[Figures[_Place]] = (
    Figure("node", lambda of: short_name(of[0]), name="node", exact=lambda of: of[0]),
    count("pods", lambda of: of[1], "pods"),
)
REFUSING: Final[Figures[_Place]] = (
    Figure("why others take none", lambda of: of[0], name="reason"),
    count("nodes", lambda of: of[1], "nodes"),
)
CSV_PENDING: Final[Figures[PendingPods]] = (
    only_csv("pods", lambda p: p.count),
    only_csv("reason", lambda p: p.reason),
    only_csv("remedy", lambda p: p.remedy),
)
CSV_GIVEN_UP: Final[Figures[RelaxedPreference]] = (only_csv("pods", lambda g: g.pods), only_csv("reason", lambda g: g.what))
