"""What a search may vary: the nodes that NodePools offer for some pods, and the changes of each NodePool that may pay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutlist.api.nodepool import NodePool
from cutlist.optimization.candidates import ANY_TYPES, FirstChoices, PoolChoices, Variety, pool_choices
from cutlist.optimization.evaluation import Parts
from cutlist.optimization.first_pools import may_have_copy
from cutlist.optimization.pool_supply import placed_market
from cutlist.optimization.supply import Market
from cutlist.planning.allowed import allowed_types
from cutlist.settings.suggest import BOUND, BoundKind
from cutlist.verbs.suggest.variants import Variants


def market_for(parts: Parts, pending: Mapping[str, int], bound: BoundKind = BOUND.default) -> Market:
    """Return what the NodePools offer for the pods that get a node now, as a bound of this kind needs it."""
    return placed_market([of_controller for _, of_controller in parts.values()], pending, in_zones=bound != "quick")


def choices_in(
    market: Market, variants: Variants, worth: Sequence[float], variety: Variety = ANY_TYPES, *, may_copy: bool = True
) -> list[PoolChoices]:
    """Return what may be varied on each NodePool that may serve some pods; `worth` is that of one pod of each demand.

    Each keeps the `variety` of its types. `may_copy` tells whether NodePools without limits may have copies, which have none
    either.
    """
    from cutlist.optimization.filling import efficiencies  # needs an extra, which the schemas of answers do without

    values = efficiencies(market, market.options, worth)
    parts = variants.widest.values()
    allowed = [a for part, of_controller in parts for a in allowed_types(part.node_pools, of_controller.tables, {})]
    used = {option.node_pool for option in market.options}
    pools = [a.pool for a in allowed]

    def firsts(pool: NodePool) -> FirstChoices:
        is_possible = may_have_copy(pool, pools) and (pool.limits or may_copy)
        return FirstChoices.of(pool, variants.kept_for(pool.name)) if is_possible else FirstChoices()

    return [
        pool_choices(a.pool, a.types, market.options, values, firsts(a.pool), variety) for a in allowed if a.pool.name in used
    ]
