"""The plan: which nodes a set of workloads will get. One pure function of its inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from cutlist.core.ledger import Inputs
from cutlist.core.notes import notes_in_order
from cutlist.core.wording import first_of
from cutlist.optimization.bound import bound_of
from cutlist.optimization.pool_supply import placed_market
from cutlist.planning.addresses import address_notes, subnet_uses
from cutlist.planning.advice import advice_in, warnings_in
from cutlist.planning.allowed import AllowedTypes, allowed_types
from cutlist.planning.attach_settings import attach_assumptions
from cutlist.planning.attaching import held_back_notes
from cutlist.planning.beside.filling import with_node_groups
from cutlist.planning.beside.nodes import further_nodes, group_nodes
from cutlist.planning.claimed_volumes import claimed_volumes
from cutlist.planning.cloud import KeptPredictions
from cutlist.planning.controllers import SELF_MANAGED, join_plans, missing_launch_notes, split_by_controller
from cutlist.planning.gangs import planned_gangs
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.karpenter_choice import without_gated
from cutlist.planning.known_subnets import address_assumptions
from cutlist.planning.kubernetes_support import support_notes
from cutlist.planning.measures import measures
from cutlist.planning.model import BoundKind, PendingPods, Plan
from cutlist.planning.model.measures import Measures
from cutlist.planning.nodes import filled_nodes, planned_nodes, pod_sizes
from cutlist.planning.notes import (
    assumptions,
    node_pool_notes,
    pass_notes,
    rejected_overlays,
    unfinished_notes,
    warnings,
)
from cutlist.planning.pass_inputs import PassInputs, overlaid_types, pass_inputs
from cutlist.planning.passes import PassesOutcome, run_joint_passes
from cutlist.planning.pending import pending_pods
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.planning.services import inputs_by_service, running_services
from cutlist.planning.traps import ClaimPlanning, PoolSetup, Setup, overlaid_resources, traps
from cutlist.scheduling.inputs import is_ready
from cutlist.settings.plan import BOUND
from cutlist.workloads.groups import OPEN_OBJECT

__all__ = [
    "PlanInputs",
    "bounded_plan",
    "inputs_by_controller",
    "joint_plan",
    "plan",
    "plan_of_outcome",
    "plan_with_measures",
    "with_launches",
]
_GUESS: Final = re.compile(r"; did you mean [^;?]*\?")
_NAMED: Final = 2


def plan(inputs: PlanInputs) -> Plan:
    """Return which nodes will be launched, at what price, and which pods stay pending. Equal inputs give equal plans, byte for
    byte.

    NodePools of EKS Auto Mode and of self-managed Karpenter are two controllers: neither knows what the other launches.

    >>> from cutlist import plan, read_inputs
    >>> web = plan(read_inputs(["examples/shop/pools.yaml", "examples/shop/workloads.yaml"], region="us-west-2"))
    >>> [(node.count, node.instance_type, node.capacity_type) for node in web.nodes]
    [(1, 'c6a.2xlarge', 'spot')]
    >>> [(pods.workload, pods.count) for pods in web.pending]
    [('deployment/trainer', 1)]
    """
    parts = inputs_by_controller(inputs)
    return _with_traps(parts, inputs, _allowed(parts, inputs))


def plan_with_measures(inputs: PlanInputs, before: Plan | None = None) -> tuple[Plan, Measures]:
    """Return the plan, and its figures for the gates; `before` is an earlier plan of the same environment."""
    parts = inputs_by_controller(inputs)
    allowed = _allowed(parts, inputs)
    whole = _with_traps(parts, inputs, allowed)
    return whole, measures(whole, inputs, allowed, before)


def inputs_by_controller(inputs: PlanInputs, kept: KeptPredictions | None = None) -> dict[str, tuple[PlanInputs, PassInputs]]:
    """Return the inputs of each controller; without any NodePool, those of a controller without a name. `kept` are predictions
    that other plans share."""
    by_controller = inputs_by_service(inputs) or {"": replace(inputs, node_pools=())}
    parts = {name: without_gated(part) for name, part in by_controller.items()}
    return {name: (part, pass_inputs(part, kept=kept)) for name, part in parts.items()}


_Parts = Mapping[str, tuple[PlanInputs, PassInputs]]


def _with_traps(parts: _Parts, inputs: PlanInputs, allowed: Sequence[AllowedTypes]) -> Plan:
    """Return the joint plan of all controllers with the traps of their inputs, which are those of all NodePools together, with
    the types that these allow."""
    whole = joint_plan(parts)
    pools = tuple(PoolSetup.of_allowed(types) for types in allowed if is_ready(types.pool))
    claims = ClaimPlanning(inputs.options.karpenter, not inputs.options.ignore_dra_requests, inputs.devices)
    overlaid = overlaid_resources(inputs.overlays)
    setup = Setup(pools, inputs.workloads, inputs.documents, whole.nodes, overlaid, claims)
    found = traps(setup)
    return replace(
        whole,
        warnings=notes_in_order([*whole.warnings, *warnings_in(found)]),
        assumptions=notes_in_order([*whole.assumptions, *advice_in(found)]),
    )


def _allowed(parts: _Parts, inputs: PlanInputs) -> list[AllowedTypes]:
    """Return the types that each NodePool may launch, of all controllers."""
    classes = node_classes_by_pool(inputs.node_pools, inputs.node_classes)
    return [types for part, ready in parts.values() for types in allowed_types(part.node_pools, ready.tables, classes)]


def joint_plan(parts: _Parts) -> Plan:
    """Return the joint plan of all controllers; `parts` are the inputs of each by name."""
    inputs, first = next(iter(parts.values()))
    groups = group_nodes(inputs, first.passes)
    outcomes = run_joint_passes([ready.controller for _, ready in parts.values()], beside=further_nodes(groups))
    plans = {
        name: plan_of_outcome(part, ready, outcome)
        for (name, (part, ready)), outcome in zip(parts.items(), outcomes, strict=True)
    }
    whole = next(iter(plans.values()))
    if len(plans) > 1:
        whole = join_plans(plans, {first.batches[number].name for outcome in outcomes for number in outcome.several})
    uses = subnet_uses(inputs, whole.nodes)
    warned = notes_in_order([*whole.warnings, *address_notes(inputs, whole.nodes, uses), *support_notes(inputs)])
    volumes = claimed_volumes(inputs, first.storage)
    followed = attach_assumptions(inputs.attach_settings) if volumes else ()
    of_addresses = address_assumptions(inputs.figures.addresses, inputs.node_classes) if whole.nodes else ()
    assumed = notes_in_order([*whole.assumptions, *followed, *of_addresses])
    found = replace(whole, volumes=volumes, subnets=uses, warnings=warned, assumptions=assumed, price_age=inputs.price_age)
    filled = with_node_groups(found, groups, outcomes[0], first.passes)
    return replace(filled, gangs=planned_gangs(inputs.workloads, outcomes, filled.nodes))


def plan_of_outcome(inputs: PlanInputs, ready: PassInputs, outcome: PassesOutcome) -> Plan:
    """Return the plan of one controller from the outcome of its passes."""
    registry, batches = ready.passes.registry, ready.batches
    classes = node_classes_by_pool(inputs.node_pools, inputs.node_classes)
    nodes = planned_nodes(outcome.result, batches, registry, ready.predictions, ready.idle)
    pool_notes = node_pool_notes(inputs, ready.tables, classes)
    pending, unsought = pending_pods(inputs, ready, outcome)
    return Plan(
        region=inputs.catalog.region,
        karpenter=str(inputs.options.karpenter),
        services=running_services(inputs),
        nodes=nodes,
        existing=filled_nodes(outcome.result, batches),
        pending=with_open_inputs(pending, inputs.whole_account),
        assumptions=notes_in_order([*ready.notes, *assumptions(inputs, nodes), *pass_notes(outcome), *advice_in(pool_notes)]),
        warnings=notes_in_order(
            [
                *unfinished_notes(outcome),
                *held_back_notes(outcome.held_back, batches, sum(node.count for node in nodes)),
                *inputs.warnings,
                *warnings(inputs, nodes),
                *rejected_overlays(ready.overlaid),
                *warnings_in(pool_notes),
                *unsought,
            ]
        ),
        passes=outcome.passes,
        further_passes=outcome.further,
        unfinished=outcome.unfinished,
        pod_sizes=pod_sizes(nodes, batches),
        inputs=inputs.whole_account,
    )


def bounded_plan(inputs: PlanInputs, kind: BoundKind = BOUND.default) -> Plan:
    """Return the plan with the least that any packing of its pods costs.

    All kinds but `quick` need the extra `optimize`. A plan with nodes of unknown price has no bound: they might be free.
    """
    parts = inputs_by_controller(inputs)
    whole = _with_traps(parts, inputs, _allowed(parts, inputs))
    if whole.totals.unpriced_nodes:
        return whole
    ready = [of_controller for _, of_controller in parts.values()]
    market = placed_market(ready, whole.pods_apart, in_zones=kind != "quick", only_best=kind == "quick")
    return replace(whole, bound_per_hour=bound_of(market, kind).price, bound_kind=kind)


def with_launches(plan: Plan, inputs: PlanInputs) -> Plan:
    """Return the plan of these inputs with the fleet requests of its nodes: one for all nodes that lead to the same request.

    Nodes of EKS Auto Mode have none, since EKS's requests are not published; on Azure there is no such request.
    """
    self_managed = replace(inputs, node_pools=split_by_controller(inputs.node_pools).get(SELF_MANAGED, ()))
    classes = node_classes_by_pool(self_managed.node_pools, inputs.node_classes)
    launches = inputs.cloud.launches(overlaid_types(self_managed).types, classes, inputs.options)
    nodes = tuple(replace(node, launch=launches.number(node)) for node in plan.nodes)
    notes = (*plan.assumptions, *missing_launch_notes(nodes, inputs.node_pools))
    return replace(plan, nodes=nodes, launches=launches.all, assumptions=notes_in_order(notes))


def with_open_inputs(pending: tuple[PendingPods, ...], inputs: Inputs | None) -> tuple[PendingPods, ...]:
    """Return pending pods whose reasons say which files were not read, in place of guesses at other names: what no NodePool
    offers may be in one of them. A pod that Karpenter skips gets no node from any."""
    names = [of.what for of in inputs.open if of.form != OPEN_OBJECT] if inputs is not None else []
    if not names:
        return pending
    unread = f"; {first_of(names, _NAMED)} not read, which may hold a NodePool for it"
    return tuple(pods if pods.skipped else replace(pods, reason=f"{_GUESS.sub('', pods.reason)}{unread}") for pods in pending)
