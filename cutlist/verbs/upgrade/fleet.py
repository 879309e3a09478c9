"""What an upgrade of Karpenter does to a fleet: its plans and outlooks by both sets of rules, compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial

from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.hashes import hash_version
from cutlist.core.karpenter.steps import Cause, causes, steps_between
from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.outlook import Outlook, OutlookComparison, outlook
from cutlist.disruption.restamping import with_drift_by_class
from cutlist.disruption.trajectory import judged
from cutlist.infrastructure.charts.upgrade import ReleaseChanges
from cutlist.planning.controllers import AUTO_MODE, ON_AKS, split_by_controller
from cutlist.planning.fleet_upgrade import FleetUpgrade, outlook_differences, plan_differences, restampings, under_rules
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.verbs.cluster_state import at_instant, cluster_state_of, known_gates
from cutlist.verbs.plan.answer import plan


def of_upgraded_controllers(inputs: PlanInputs, *, allow_empty: bool) -> tuple[PlanInputs, list[str]]:
    """Return the inputs without NodePools of EKS Auto Mode, and notes on what an upgrade does not concern."""
    parts = split_by_controller(inputs.node_pools)
    auto = [pool.name for pool in parts.pop(AUTO_MODE, ())]
    pools = tuple(pool for of_controller in parts.values() for pool in of_controller)
    problems = Problems(allow_empty=allow_empty)
    if auto and not pools:
        text = "every NodePool is of EKS Auto Mode, whose Karpenter AWS upgrades by itself"
        problems.add_absence(Place(inputs.source), text, "NodePools of a Karpenter that is installed in the cluster")
    problems.raise_if_any()
    notes = []
    if auto:
        notes.append(f"NodePools of EKS Auto Mode are left out, since AWS upgrades its Karpenter: {', '.join(auto)}")
    if ON_AKS in parts:
        notes.append(
            "on AKS, Azure upgrades node auto-provisioning by itself. For a Karpenter that you install, the rules of core "
            "count; charts, permissions, EC2NodeClass and statements VA15 are of AWS"
        )
    return replace(inputs, node_pools=pools), notes


def check_both(inputs: PlanInputs, *sides: tuple[Baseline, KarpenterVersion]) -> None:
    """Raise InputError with what one of two versions refuses in the manifests, and which one that is."""
    problems = Problems()
    for rules, version in sides:
        try:
            under_rules(inputs, rules)
        except InputError as error:
            problems.extend(replace(p, message=f"under Karpenter {version}: {p.message}") for p in error.problems)
    problems.raise_if_any()


def older_rules(version: KarpenterVersion, rules: Baseline) -> Iterator[str]:
    """Yield a note if the rules of a version are not recorded, and those of a later one are used."""
    if version.line < rules.minor:
        yield f"nodes of Karpenter {version} are planned by the rules of {rules}, the oldest that are recorded"


@dataclass(frozen=True, slots=True)
class Fleet:
    """A fleet as each Karpenter plans it and sees it, at an instant (seconds since 1970) and with some feature gates."""

    inputs: PlanInputs
    now: float | None
    gates: FeatureGates

    def plan(self, karpenter: Baseline) -> Plan:
        """Return the plan by the rules of a Karpenter."""
        return plan(under_rules(self.inputs, karpenter).inputs)

    def outlook(self, karpenter: Baseline, planned: Plan | None) -> Outlook:
        """Return what a Karpenter does next to the running nodes, or, if there are none, to those of a plan."""
        inputs, instant = at_instant(under_rules(self.inputs, karpenter).inputs, self.now, planned)
        cluster = cluster_state_of(inputs, instant, known_gates(self.gates, karpenter), allow_empty=True)
        classes = node_classes_by_pool(inputs.node_pools, inputs.node_classes)
        ec2 = {pool: c for pool, c in classes.items() if isinstance(c, EC2NodeClass)}
        nodes = with_drift_by_class(cluster.nodes, ec2, karpenter.ec2_node_class_hash, instant)
        return outlook(judged(replace(cluster, nodes=nodes)))


def compared_fleet(fleet: Fleet, old: Baseline, new: Baseline, changes: ReleaseChanges, *, is_ready: bool) -> FleetUpgrade:
    """Return what differs for a fleet between two sets of rules, and why: the ends are compared, then the steps in between."""
    ends = (changes.before, changes.after)
    hashes = {kind: (hash_version(kind, ends[0]), hash_version(kind, ends[1])) for kind in (NodePool.KIND, EC2NodeClass.KIND)}
    new_hashes = [now.statements for was, now in hashes.values() if was.version != now.version]
    steps = steps_between(old, new, Cause("hashes have another version", ", ".join(filter(None, new_hashes))))
    plans = cache(fleet.plan)
    comparison = Comparison.of(plans(old), plans(new))
    because = causes(old, steps, plans, lambda a, b: plan_differences(Comparison.of(a, b)))
    planned = None if fleet.inputs.cluster.nodes else plans(old)
    compared = None
    if is_ready and (planned is None or planned.nodes):
        outlooks = cache(partial(fleet.outlook, planned=planned))
        compared = OutlookComparison.of(outlooks(old), outlooks(new))
        because |= causes(old, steps, outlooks, lambda a, b: outlook_differences(OutlookComparison.of(a, b)))
    return FleetUpgrade(
        comparison=comparison,
        outlook=compared,
        restampings=restampings(fleet.inputs, hashes),
        causes=because,
        is_planned=planned is not None,
    )
