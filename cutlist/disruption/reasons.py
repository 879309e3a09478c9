"""Why nodes are disrupted (spec: disruption 3)."""

from __future__ import annotations

from enum import StrEnum

from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.karpenter.behaviours import Behaviour


class Reason(StrEnum):
    """Why a node is disrupted: the word by which budgets distinguish reasons."""

    EMPTY = "Empty"
    DRIFTED = "Drifted"
    UNDERUTILIZED = "Underutilized"
    UNHEALTHY = "Unhealthy"


def budget_reasons(karpenter: Baseline = DEFAULT) -> tuple[Reason, ...]:
    """Return the reasons that budgets may name under a Karpenter (V15-36)."""
    knows_unhealthy = karpenter.does(Behaviour.UNHEALTHY_IS_A_BUDGET_REASON)
    return tuple(reason for reason in Reason if reason is not Reason.UNHEALTHY or knows_unhealthy)
