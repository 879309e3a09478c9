"""The disruption budgets of NodePools over a week: how many nodes they allow to be disrupted in each hour."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.api.read import read_objects
from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.notes import Notes
from cutlist.disruption.budget_calendar import BudgetCalendar, budget_calendar
from cutlist.disruption.budgets import counts
from cutlist.disruption.timeline import ForcedRemoval, timeline
from cutlist.documents.collecting import collect_documents
from cutlist.documents.files import sources
from cutlist.documents.folders import PLAIN, Reading
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.planned_cluster import check_pools
from cutlist.planning.services import RulesByService
from cutlist.state.checks import check_cluster
from cutlist.state.cluster import Cluster
from cutlist.state.statenode import state_nodes
from cutlist.state.statuses import with_readable_statuses
from cutlist.workloads.inventory import Inventory

_DAY: Final = 86400.0


@dataclass(frozen=True, slots=True)
class Upcoming:
    """What may be disrupted in the week from an instant (seconds since 1970) on, NodePool by NodePool, and what is removed
    forcibly."""

    now: float
    weeks: tuple[BudgetCalendar, ...]
    removals: tuple[ForcedRemoval, ...] = ()


def budgets(
    inputs: PlanInputs, start: float, nodes: int | None = None, *, plan: Plan | None = None
) -> tuple[BudgetCalendar, ...]:
    """Return a week of the budgets of each NodePool, from an instant on (seconds since 1970), by name of the NodePool.

    Percentages are of `nodes`, by default of the NodePool's nodes in the inputs and in a plan of them; without either they stay
    percentages.

    >>> from cutlist import budgets, read_inputs
    >>> week, = budgets(read_inputs(["examples/shop/pools.yaml"], region="us-west-2"), start=1767571200.0, nodes=20)
    >>> week.pool
    'general'
    """
    return _calendars(inputs.node_pools, inputs.cluster, start, nodes, plan, inputs.options.karpenter)


def budgets_of_files(
    paths: Sequence[str | os.PathLike[str]],
    start: float,
    nodes: int | None = None,
    stdin: str | bytes | None = None,
    *,
    plan: Plan | None = None,
    allow_empty: bool = False,
    reading: Reading = PLAIN,
    notes: Notes | None = None,
    karpenter: Baseline | None = None,
) -> tuple[BudgetCalendar, ...]:
    """Return the same for the NodePools in files, which need no region. Raises InputError with every mistake.

    Without a Karpenter each NodePool has the rules of what the service runs that it is for. Files that were not read are added
    to `notes`.
    """
    problems = Problems(allow_empty=allow_empty)
    documents = with_readable_statuses(collect_documents(paths, problems, stdin, reading, notes), notes)
    chosen, _ = RulesByService.chosen(None, documents, problems)
    rules = chosen if karpenter is None else RulesByService(karpenter, is_chosen=True)
    pools = read_objects(documents, problems, rules_of=rules.of).node_pools
    Inventory.take(documents, problems)
    check_cluster(documents, problems)
    if not pools and not problems:
        problems.add_absence(Place(sources(paths)), "no NodePool is in the input", "at least one NodePool")
    problems.raise_if_any()
    return _calendars(pools, Cluster.read(d.data for d in documents), start, nodes, plan, rules.karpenter)


def upcoming(inputs: PlanInputs, now: float) -> Upcoming:
    """Return the coming week for the nodes of a plan's inputs; the week of budgets begins at the midnight before."""
    return Upcoming(now, budgets(inputs, now - now % _DAY), timeline(state_nodes(inputs.cluster), now))


def _calendars(
    pools: Iterable[NodePool],
    cluster: Cluster,
    start: float,
    nodes: int | None,
    plan: Plan | None = None,
    karpenter: Baseline = DEFAULT,
) -> tuple[BudgetCalendar, ...]:
    running = Counter(node.pool for node in state_nodes(cluster) if counts(node))
    ordered = sorted(pools, key=lambda pool: pool.name)
    if plan is not None:
        check_pools(plan, [pool.name for pool in ordered])
        for planned in plan.nodes:
            running[planned.node_pool] += planned.count
    known = {p.name: running[p.name] for p in ordered if running[p.name] or plan is not None}
    return tuple(budget_calendar(p, known.get(p.name) if nodes is None else nodes, start, karpenter) for p in ordered)
