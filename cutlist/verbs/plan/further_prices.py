"""The prices that a plan may have besides its own: once settled, with other numbers of pods, and without its restrictions.

Each is computed if it was asked for, and else where that takes little time. Its module is imported only then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cutlist.planning.gpu_sharing.sharing import gpu_sharing
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.verbs.plan.small_plans import is_far_above_bound, scales_at_once, settles_at_once


@dataclass(frozen=True, slots=True)
class AskedPrices:
    """Which further prices of a plan the user asked for, whatever time they take."""

    settled: bool = False
    scaling: bool = False
    restrictions: bool = False


NOTHING_ASKED: Final = AskedPrices()


def with_further_prices(
    plan: Plan, inputs: PlanInputs, asked: AskedPrices = NOTHING_ASKED, say: Callable[[str], None] = lambda _: None
) -> Plan:
    """Return the plan of these inputs with every further price that was asked for or takes little time.

    `say` is given what is computed next. Raises InputError if the price once settled was asked for and NodePools have two
    controllers.
    """
    if any(map(gpu_sharing(inputs.documents).of, inputs.node_pools)):
        from cutlist.verbs.plan.shared_gpus import with_miscounted_gpus

        say("planning with the GPUs as they are shared")
        plan = with_miscounted_gpus(plan, inputs)
    if asked.settled or settles_at_once(plan, inputs):
        from cutlist.verbs.plan.settled import with_settled, with_settled_if_small  # brings disruption

        say("following Karpenter until it has settled")
        plan = with_settled(plan, inputs) if asked.settled else with_settled_if_small(plan, inputs)
    if asked.scaling or scales_at_once(plan, inputs):
        from cutlist.verbs.plan.scaling import MOST_ROLLOUTS, with_scaling

        say("planning other numbers of pods")
        plan = with_scaling(plan, inputs, MOST_ROLLOUTS if asked.scaling else 0)
    if asked.restrictions or is_far_above_bound(plan, inputs):
        from cutlist.verbs.plan.restriction_prices import with_drivers_of_few, with_restriction_prices  # takes 30 ms

        say("pricing restrictions")
        plan = with_restriction_prices(plan, inputs) if asked.restrictions else with_drivers_of_few(plan, inputs)
    return plan
