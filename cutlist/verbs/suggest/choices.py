"""What a search may vary: the nodes that NodePools offer for some pods, and the changes of each NodePool that may pay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutlist.core.quantity import Quantity
from cutlist.optimization.candidates import FirstChoices, PoolChoices, pool_choices
from cutlist.optimization.demand import placed_demands
from cutlist.optimization.evaluation import Parts
from cutlist.optimization.first_pools import copy_limit
from cutlist.optimization.pool_supply import market_of
from cutlist.optimization.supply import Market
from cutlist.planning.allowed import allowed_types
from cutlist.verbs.suggest.variants import Variants


def market_for(parts: Parts, pending: Mapping[str, int]) -> Market:
    """Return what the NodePools offer for the pods that get a node now."""
    ready = [of_controller for _, of_controller in parts.values()]
    return market_of(ready, placed_demands(ready[0].passes, pending))


def choices_in(market: Market, variants: Variants, worth: Sequence[float]) -> list[PoolChoices]:
    """Return what may be varied on each NodePool that may serve some pods; `worth` is that of one pod of each demand."""
    from cutlist.optimization.filling import efficiencies  # needs an extra, which the schemas of answers do without

    values = efficiencies(market, market.options, worth)
    parts = variants.widest.values()
    allowed = [a for part, of_controller in parts for a in allowed_types(part.node_pools, of_controller.tables, {})]
    used = {option.node_pool for option in market.options}
    pools = [a.pool for a in allowed]
    firsts = {p.name: FirstChoices(_cores(market, p.name, copy_limit(p, pools)), variants.kept_for(p.name)) for p in pools}
    return [pool_choices(a.pool, a.types, market.options, values, firsts[a.pool.name]) for a in allowed if a.pool.name in used]


def _cores(market: Market, pool: str, most: int | None) -> int:
    """Return how many cores the pods that may run on a NodePool's nodes request, up to a maximum."""
    suits = 0
    for option in market.options:
        suits |= option.suits if option.node_pool == pool else 0
    requests = (dict(d.requests).get("cpu", 0) * d.count for n, d in enumerate(market.demands) if suits >> n & 1)
    cores = Quantity(sum(requests)).value()
    return cores if most is None else min(cores, most)
