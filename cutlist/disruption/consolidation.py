"""What both methods of consolidation share: whether candidates can be removed, and what replaces them (spec: disruption 1.9,
5.2 to 5.5, 5.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from cutlist.api.durations import NEVER
from cutlist.core.go_sums import sum_in_turn
from cutlist.core.labels import CAPACITY_TYPE, ON_DEMAND, SPOT, ZONE
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.disruption.balanced import Score
from cutlist.disruption.candidates import UNCONSOLIDATABLE, Candidate, Skipped, consolidation_disabled
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement, dollars
from cutlist.disruption.evaluation import MethodOutcome
from cutlist.disruption.reasons import Reason
from cutlist.disruption.simulation import SimulatedPass, Simulator
from cutlist.providers.min_values import lacking_values
from cutlist.scheduling.instancetypes import InstanceTypeIndex

ENOUGH_TYPES: Final = 15
"""This many cheaper types keep one spot node from being replaced over and over (spec 5.4)."""
_SPOT_ONLY: Final = Requirements((Requirement(CAPACITY_TYPE, False, frozenset({SPOT})),))
_UNPRICED: Final = float("inf")
CANDIDATE: Final = "ConsolidationCandidate"
APPROVED: Final = "ConsolidationApproved"


@dataclass(frozen=True, slots=True)
class NoChange:
    """Why nothing is done, in Karpenter's words; `error` when it could not even be tried."""

    text: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class ConsolidationOption:
    """A node that would be launched, with its types by number in the index, cheapest first."""

    simulation: SimulatedPass
    instance_types: InstanceTypeIndex
    requirements: Requirements
    types: tuple[int, ...]

    def command(self, candidates: Sequence[Candidate]) -> Command:
        """Return the command that replaces the candidates with this option."""
        claim = Replacement.of(self.simulation.claims[0])
        final = claim.narrowed(self.instance_types, self.requirements, self.types)
        return Command(Reason.UNDERUTILIZED, tuple(candidates), (final,), self.simulation)


def is_consolidatable(candidate: Candidate, _: ClusterState) -> Skipped | None:
    """Accept candidates of dynamic pools that are Consolidatable, not empty and of a known price: None for an accepted one."""
    if candidate.pool.is_static:
        return Skipped(candidate.name)
    text = _not_priced(candidate)
    if text:
        return Skipped(candidate.name, UNCONSOLIDATABLE, text)
    if candidate.pool.disruption.consolidate_after == NEVER:
        return consolidation_disabled(candidate)
    if candidate.empty:
        return Skipped(candidate.name)
    if candidate.pool.disruption.consolidation_policy == "WhenEmpty":
        text = f'NodePool "{candidate.pool.name}" has consolidation policy WhenEmpty, but node is not empty'
        return Skipped(candidate.name, UNCONSOLIDATABLE, text)
    return None if candidate.consolidatable else Skipped(candidate.name)


def _not_priced(candidate: Candidate) -> str:
    node = candidate.node
    if candidate.instance_type is None:
        return f'Instance Type "{node.instance_type}" not found'
    missing = next((label for label in (CAPACITY_TYPE, ZONE) if label not in node.state.labels), None)
    return f'Node does not have label "{missing}"' if missing else ""


def decide(candidates: Sequence[Candidate], simulator: Simulator) -> Command | ConsolidationOption | NoChange:
    """Decide whether the candidates are deleted, replaced or left alone (spec 5.2)."""
    simulation = simulator.without((c.node for c in candidates), resting=True)
    if simulation.error:
        return NoChange(error=simulation.error)
    # Only pods that run count here: others wait whether or not the nodes are removed.
    if simulation.stranded:
        return NoChange(stranded(simulation))
    # Removing nodes without a new one needs no comparison of prices.
    if not simulation.claims:
        return Command(Reason.UNDERUTILIZED, tuple(candidates), (), simulation)
    # Never several nodes for what there is, even if they were cheaper together (spec 5.2).
    if len(simulation.claims) > 1:
        return NoChange(f"Can't remove without creating {len(simulation.claims)} candidates")
    claim = simulation.claims[0]
    instance_types = simulator.type_index(claim.node_pool)
    types = tuple(instance_types.numbers[t.name] for t in claim.candidates.types)
    option = ConsolidationOption(simulation, instance_types, claim.requirements, types)
    price = sum_in_turn(c.price for c in candidates)
    gate = simulator.cluster.feature_gates.spot_to_spot
    # One node that is not spot takes all of them to the standard path, so a mix may become spot without the feature gate (spec
    # 5.5).
    if claim.requirements.get_or_any(CAPACITY_TYPE).has(SPOT) and all(c.node.capacity_type == SPOT for c in candidates):
        return _spot_to_spot(option, price, single=len(candidates) == 1, allowed=gate)
    return _standard(option, price)


def stranded(simulation: SimulatedPass) -> str:
    """Return which pods could not be placed, in Karpenter's words: five of them, and the number of the others."""
    names = [(f"{b.pod.namespace}/{b.name}", simulation.errors[i]) for i in simulation.stranded if (b := simulation.batches[i])]
    shown = " ".join(f"{name} => {text}" for name, text in names[:5])
    more = f" and {len(names) - 5} other(s)" if len(names) > 5 else ""
    return f"Not all pods would schedule, {shown}{more}"


def announce(command: Command, outcome: MethodOutcome) -> None:
    """Record the event that Karpenter emits on each candidate when it has found a command."""
    count = len(command.candidates)
    part = f"(part of {count}-node consolidation)" if count > 1 else "-> [1 replacement]"
    for candidate in command.candidates:
        text = f"Consolidation candidate: {command.decision}: [{candidate.name}] {part}"
        outcome.note(candidate, CANDIDATE, f"{text} (savings: {dollars(command.savings)})")


def approvals(votes: Sequence[Score], about: str = "") -> dict[str, str]:
    """Return the texts of approving votes by the object of their event: a node, or else the NodePool of each."""
    return {about or f"NodePool/{score.pool}": score.text for score in votes if score.approved}


# --- the two paths of a replacement (spec 5.3, 5.4)


def _standard(option: ConsolidationOption, price: float) -> ConsolidationOption | NoChange:
    cheaper = _cheaper(option, price)
    if isinstance(cheaper, NoChange):
        return cheaper
    if not cheaper.types:
        return NoChange("Can't replace with a cheaper node")
    allowed = option.requirements.get_or_any(CAPACITY_TYPE)
    if allowed.has(SPOT) and allowed.has(ON_DEMAND):
        # A launch that finds no spot capacity must fail, because on-demand may cost more than the removed nodes.
        return replace(cheaper, requirements=option.requirements & _SPOT_ONLY)
    return cheaper


def _spot_to_spot(option: ConsolidationOption, price: float, *, single: bool, allowed: bool) -> ConsolidationOption | NoChange:
    if not allowed:
        return NoChange("SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node")
    wanted = option.requirements & _SPOT_ONLY
    offered = option.instance_types.prices(wanted)
    spot = replace(option, requirements=wanted, types=tuple(i for i in option.types if i in offered))
    cheaper = _cheaper(spot, price)
    if isinstance(cheaper, NoChange):
        return cheaper
    if not cheaper.types:
        return NoChange("Can't replace with a cheaper node")
    # Several nodes become one here, which ends by itself. Only a single node could be replaced again at each change of price.
    if not single:
        return cheaper
    if len(cheaper.types) < ENOUGH_TYPES:
        return NoChange(
            f"SpotToSpotConsolidation requires {ENOUGH_TYPES} cheaper instance type options than the current candidate to "
            f"consolidate, got {len(cheaper.types)}"
        )
    return replace(cheaper, types=cheaper.types[: _enough(cheaper)])


def _enough(option: ConsolidationOption) -> int:
    """Return how many types must be able to replace a single spot node: 15, or more where `minValues` need them."""
    if not any(r.min_values for r in option.requirements.values()):
        return ENOUGH_TYPES
    listed = [option.instance_types.types[i] for i in option.types]
    prefixes = accumulate(([t] for t in listed), lambda before, listed: before + listed)
    karpenter = option.instance_types.karpenter
    satisfied = next((len(p) for p in prefixes if not lacking_values(option.requirements, p, karpenter)), len(listed))
    return max(ENOUGH_TYPES, satisfied)


def _cheaper(option: ConsolidationOption, price: float) -> ConsolidationOption | NoChange:
    """Return the option cut to types whose highest launch price is below this price.

    `minValues` have to hold, even if scheduling relaxes them.
    """
    # By the worst price at which a type may be launched, since the zone is chosen at the launch: every outcome has to be
    # cheaper. The order of the types is by their best price (spec 5.3).
    worst = option.instance_types.worst_prices(option.requirements)
    cheaper = tuple(i for i in option.types if worst.get(i, _UNPRICED) < price)
    types = [option.instance_types.types[i] for i in cheaper]
    lacking = lacking_values(option.requirements, types, option.instance_types.karpenter)
    if lacking:
        labels = ", ".join(lacking)
        return NoChange(f"Filtering by price: minValues requirement is not met for label(s) (label(s)=[{labels}])")
    return replace(option, types=cheaper)


# --- the same-type filter (spec 5.8)


def without_same_type(option: ConsolidationOption, candidates: Sequence[Candidate]) -> ConsolidationOption | None:
    """Return the option cut to types that are cheaper than every type that it shares with candidates, or None if none is left.

    Replacing several nodes with one of a type that one of them already has would be mere churn.
    """
    names = {option.instance_types.types[i].name for i in option.types}
    prices = _own_prices(candidates, option.instance_types.well_known)
    shared = [price for name, price in prices.items() if name in names]
    cut = _cheaper(option, min(shared, default=_UNPRICED))
    return None if isinstance(cut, NoChange) or not cut.types else cut


def _own_prices(candidates: Sequence[Candidate], well_known: frozenset[str]) -> Mapping[str, float]:
    """Return for each type of a candidate the lowest price at which it is offered with a candidate's labels."""
    cheapest: dict[str, float] = {}
    for candidate in candidates:
        if candidate.instance_type is None:
            continue
        labels = Requirements.of_labels(candidate.node.state.labels)
        offerings = candidate.instance_type.offerings
        sold = [o.price for o in offerings if o.price is not None and labels.compatible(o.requirements, well_known)]
        name = candidate.instance_type.name
        cheapest[name] = min(cheapest.get(name, _UNPRICED), min(sold, default=_UNPRICED))
    # A type that is not offered with the node's labels counts as free, as in Karpenter: then no option is cheaper.
    return {name: 0.0 if price == _UNPRICED else price for name, price in cheapest.items()}
