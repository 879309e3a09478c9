"""Answers of commands about objects, stacks and accounts, as JSON, each with something to tell in each of its parts."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

from cutlist.api.convert import convert_texts
from cutlist.api.external_classes import MissingClass
from cutlist.catalog.comparison import Comparison, Repriced, Rezoned
from cutlist.catalog.prices import Price
from cutlist.core.errors import Layer, Place, Problem
from cutlist.core.labels import SPOT
from cutlist.core.ledger import Inputs, OpenInput, PassedOver
from cutlist.core.notes import Note
from cutlist.core.records import json_of
from cutlist.core.services import AKS, EKS_AUTO, RunningService
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.edits import MemberEdit, ObjectEdit, Reach
from cutlist.disruption.spot_loss import SpotLoss, lose_spot
from cutlist.documents.files import SourceText
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.charts.upgrade import STOPS
from cutlist.infrastructure.costs import Bill, Charge, ChargeState, Component
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.cluster_state import ClusterState
from cutlist.infrastructure.teardown.leftovers import Leftover, LeftoverKind
from cutlist.infrastructure.teardown.report import Result, Stop, Stopped, SweepReport, SweptLeftover
from cutlist.planning.model import Plan, PodSize
from cutlist.planning.model.passes import FurtherPass, WaitedFor
from cutlist.planning.model.restrictions import PricedRestriction, RestrictionPrices
from cutlist.planning.model.scaling import RolloutNodes, ScaledPlan, Scaling
from cutlist.planning.model.settled import Settled
from cutlist.simulation.commitments import best_reservation, best_savings_plan
from cutlist.simulation.events import MINUTE
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.verbs.catalog.answer import CatalogChanges
from cutlist.verbs.catalog.paid import BillPart, PaidDiscount, PaidReport
from cutlist.verbs.history import answer as answers
from cutlist.verbs.history.answer import history_json
from cutlist.verbs.permissions.answer import UpdatePermissions, aks_permissions_of, permissions_of
from cutlist.verbs.preview.look_ups import Lacking, ShownLookUp
from cutlist.verbs.preview.record import ShownResource, preview_json
from cutlist.verbs.preview.since import PlanSince, ResourceSince, StackSince
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.commitments import CommitmentChoice
from cutlist.verbs.simulate.record import simulate_json, simulate_runs_json
from cutlist.verbs.suggest.record import suggest_json
from cutlist.verbs.suggest.running import Running
from cutlist.verbs.userdata.answer import NodeUserData, UserData
from cutlist.verbs.validate.answer import Validation
from cutlist.verbs.verify.bill import AsideOnBill, BillDifference, BillVerification, PoolOnBill
from cutlist.verification.evidence import LogEvidence
from tests.unit.disruption.builders import LARGE, cluster, node, pool, runs
from tests.unit.report.hostile import hostile_plan
from tests.unit.report.samples import LAUNCHED
from tests.unit.report.simulate.runs import simulation_runs, with_rates, with_unplaced
from tests.unit.report.suggestions import fleet, suggestions
from tests.unit.report.upgrade.samples import sample
from tests.unit.scheduling.builders import pod
from tests.unit.simulation.builders import group, inputs, replica, simulation
from tests.unit.verification.builders import cluster as compared
from tests.unit.verification.builders import live, plan, planned, verified

AT = "2026-01-05T12:00:00Z"


def loss() -> SpotLoss:
    """Of four pods two find room, one gets a new node and the last, which may run on spot alone, gets none."""
    only_spot = runs("batch", of=pod("1", "128Mi", node_selector={"karpenter.sh/capacity-type": "spot"}))
    there = [
        node("a", runs("web"), runs("web-2", "1500m"), kind=SPOT),
        node("b", runs("api"), of=LARGE),
        node("c", runs("db", "6"), only_spot, kind=SPOT, of=LARGE),
    ]
    return lose_spot(cluster(*there, pools=[pool(kinds=(SPOT, "on-demand"))]), region="us-west-2")


def verify() -> str:
    """A node with another machine and more memory, a missing one, one that nothing was planned for and one of others."""
    web = {"deployment/web": 2}
    there = compared(
        live("a", web, instance_type="m6i.large"),
        live("b", web, allocatable={**live("b").allocatable, "memory": 7600 * 2**20 * 10**9}),
        live("c", {"deployment/api": 1}),
        live("d", {}, claim="", node_pool=""),
    )
    return json_of(verified(plan(planned(web, 3)), there, LogEvidence(version="1.14.2")))


_OPEN = OpenInput("a.tpl", "template", "a template")
INPUTS = Inputs(3, 1, (PassedOver("templates", 1),), (PassedOver("others", 1),), 3, (_OPEN,))
"""An account with a file of each sort."""


def validation() -> Validation:
    """Return a mistake, a class that is elsewhere, an unknown value, an edit and a node that drifts by it."""
    place = Place("pools.yaml", 1, 7, "spec.limits.cpu")
    edit = ObjectEdit("NodePool", "general", place, (MemberEdit("spec.template.spec.taints", Reach.ALL, "all"),))
    drifted = DriftedNode("general-x", "general", "NodePoolDrifted", ("spec.template.spec.taints",))
    problem = Problem(place, "is negative", "a quantity", "1", Layer.LINT)
    missing = MissingClass("general", "EC2NodeClass", "defualt", place, ("default",))
    notes = (Note("foreign-file", "not read"),)
    warnings, classes = (Note("not-a-value", "no such family"),), (missing,)
    return Validation({"NodePool": 1}, (problem,), (edit,), (drifted,), {}, classes, notes, warnings, INPUTS)


_OLD = """\
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {name: general}
spec: {ttlSecondsAfterEmpty: 30, providerRef: {name: general}}
---
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: general}
spec: {subnetSelector: {team: a}, securityGroupSelector: {team: a}, amiFamily: AL2, instanceProfile: demo}
"""


def convert() -> str:
    """Return a pool and its class, from long before v1."""
    return json_of(convert_texts([SourceText("old.yaml", _OLD)]).conversion)


_NODE = {"Node": {"name": "node-a"}, "NodeClaim": {"name": "general-x"}, "instance-type": "m5.large", "capacity-type": SPOT}
_LOG = (
    {
        "message": "disrupting node(s)",
        "command": "Empty/0f5c: delete: nodepools=[general]: [node-a] (savings: $0.12)",
        "decision": "replace",
        "pod-count": 4,
        "disrupted-nodes": [_NODE],
        "replacement-nodes": [{"capacity-type": "on-demand", "instance-types": "m5.large and 3 other(s)"}],
    },
    {"message": "deleted node", **_NODE},
    {
        "kind": "Event",
        "lastTimestamp": AT,
        "reason": "InsufficientCapacityError",
        "message": "NodeClaim general-z nominated for this pod failed to launch: no capacity",
        "involvedObject": {"kind": "Pod", "name": "web-0"},
    },
)


def history() -> answers.History:
    """Return a command with a step and a replacement, and a launch that failed."""
    return answers.history("\n".join(json.dumps({"time": AT, **line}) for line in _LOG))


def a_bill() -> Bill:
    """Return the charge of a component, and what the nodes of a plan cost."""
    charge = Charge("an hour", ChargeState.KNOWN, Price(0.1, "list", "2026-01-01"))
    return Bill((Component("eks", "cutlist:index:Cluster", (charge,)),), 0.4)


def preview() -> str:
    """Return a resource, its charge, an export of any form, and a plan."""
    bill = a_bill()
    resource = ShownResource("urn:pulumi:dev::demo::aws:eks/cluster:Cluster::eks", "aws:eks/cluster:Cluster", "eks", "")
    lacking = Lacking("urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", "Bucket/logs", ("bucket",))
    look_up = ShownLookUp("function", "aws:ec2/getVpc:getVpc", "__main__.py", 3, "stand-in", "", ("vpc-01",), (lacking,))
    change = ResourceSince(
        "changed", "aws:eks/cluster:Cluster", "eks", "urn:pulumi:dev::demo::aws:eks/cluster:Cluster::eks", ("tags",)
    )
    plan = full_plan()
    since = StackSince("main", bill, (PlanSince("nodes", plan.totals, plan.totals, ("1 of 1 node is replaced.",)),), (change,))
    return preview_json([resource], {"anything": [{"at": {"all": None}}]}, bill, [plan], look_ups=[look_up], since=since)


def sweep() -> str:
    """Return a leftover that could not go, and why the sweep ended."""
    left = Leftover(LeftoverKind.INSTANCE, "i-1", "node-a", ("a=b",), datetime(2026, 11, 21, 12, tzinfo=UTC), 0.1)
    finding = SweptLeftover(left, Result.FAILED, "no")
    facts = ClusterFacts("shop", "eu-west-1", "111122223333")
    now = datetime(2026, 11, 21, 13, tzinfo=UTC)
    return json_of(SweepReport(facts, ClusterState.ALIVE, now, (finding,), ("tags: no",), Stopped(Stop.FAILED, "no")))


def permissions() -> str:
    """Return a policy and a role, each with a resource that it does not cover."""
    of_aws = permissions_of(ClusterFacts("shop", "eu-west-1", "111122223333"), ["aws:s3/bucket:Bucket"])
    aks = AksFacts("shop", "rg-shop", "japaneast", "0" * 36)
    of_aks = aks_permissions_of(aks, ["azure-native:storage:StorageAccount"], ())
    return json_of(UpdatePermissions((of_aws,), (of_aks,)))


def catalog_diff() -> str:
    """Return a region with something of each kind of change; a price that was not known before, and one that is no
    longer known."""
    price = Price(0.1, "list", "2026-01-01", True)
    prices = (Repriced("m5.large", "spot", None, price), Repriced("c5.large", "spot", price, None))
    zones = (Rezoned("m5.large", ("usw2-az1",), ("usw2-az2",)),)
    return json_of((Comparison("us-west-2", ("m8g.large",), ("m4.large",), zones, prices),), CatalogChanges)


def full_plan() -> Plan:
    """Return a plan with nodes, launches, pods that find room and pods that stay pending."""
    return replace(
        LAUNCHED,
        existing=hostile_plan("x").existing,
        node_groups=hostile_plan("x").node_groups,
        volumes=hostile_plan("x").volumes,
        subnets=hostile_plan("x").subnets,
        gangs=hostile_plan("x").gangs,
        miscounted_gpus=hostile_plan("x").miscounted_gpus,
        inputs=INPUTS,
        services=(RunningService.of(AKS, "AKS runs Karpenter 1.14"), RunningService.of(EKS_AUTO, "not published")),
        pod_sizes=(PodSize("shop/deployment/web", {"cpu": 10**9}),),
        restrictions=RestrictionPrices((PricedRestriction("zone spread of deployment/web", 0.5),), 1),
        drivers=(PricedRestriction("zone spread of deployment/web", 0.5, ("deployment/web",), "topologySpreadConstraints"),),
        scaling=Scaling(
            ScaledPlan(1, 0, 1, 0.1),
            ScaledPlan(9, 2, 3, 0.9, True),
            RolloutNodes(("deployment/web", "deployment/api"), 3, 1, 1, 0.1),
            RolloutNodes(("deployment/web",), 2, 0, 1, 0.1),
        ),
        settled=Settled(1.5, 1.2, 4, 3, 1, 2, 5, 195.0, "stable", True, 1_767_571_200.0),
        passes=2,
        further_passes=(FurtherPass(2, 3, 1, (WaitedFor("limits", 2), WaitedFor("topology", 1))),),
    )


def simulate() -> str:
    """Of two nodes one is consolidated, one launched for pods that wait; a pod waits to the end."""
    web = group(cpu="3")
    there = cluster(node("a", replica(web), of=LARGE))
    demand = [ReplicasSet(MINUTE, "deployment/web", 3), ReplicasSet(30 * MINUTE, "deployment/web", 1)]
    result = simulation(inputs(web, group("huge", 1, "100"), of=there), demand).result()
    result = replace(result, timeouts={"multi-node consolidation": 1})
    reserved = CommitmentChoice("1y", "m7i.large", best_reservation([2, 3], 100_000, 70_000), "windows", ("us, 2026",))
    plan = CommitmentChoice("1y", "", best_savings_plan([{"m7g": 100_000}], {"m7g": 200_000}))
    notes = ("curves of metrics are not followed: cpu",)
    return simulate_json(ClusterSimulation("us-west-2", (1, 1), result, notes, (plan, reserved)))


def paid() -> str:
    """Of a family without hours under a commitment, and one with both."""
    parts = (BillPart("contracted", 2, 1.5, 20.0), BillPart("left out: taxes", 1, 0.5, 0.0))
    discounts = (PaidDiscount("c7i", 0.1, None), PaidDiscount("m7i", 0.1, 0.4))
    days, total = ("October 2026", "2026-10-01", "2026-10-31"), BillPart("total", 3, 2.0, 20.0)
    return json_of(PaidReport(("FOCUS",), "USD", *days, total, parts, 2, 1, 1, discounts, 1, 5.0, "table", "rates"))


def verified_bill() -> str:
    """Of a NodePool whose hours are twice those that were expected."""
    pools = (PoolOnBill("general", 24.0, 48.0, 2.4, 4.8),)
    differences = (BillDifference("general", "hours", "", 2.4, "48 hours instead of 24 hours", 1),)
    aside, days = (AsideOnBill("taxes", 0.5, 0.0),), ("2026-10-01", "2026-10-01", "USD")
    return json_of(BillVerification("us-west-2", "plan", *days, 2.4, 4.8, pools, differences, aside, {}))


FULL = {
    "catalog-diff": catalog_diff(),
    "catalog-from-bill": paid(),
    "convert": convert(),
    "history": history_json(history()),
    "interrupt": json_of(loss()),
    "permissions": permissions(),
    "preview": preview(),
    "simulate": simulate(),
    "simulate-runs": simulate_runs_json(with_unplaced(with_rates(simulation_runs(1, 2)))),
    "suggest": suggest_json(replace(suggestions(), running=Running(30, 2))),
    "suggest-fleet": json_of(fleet()),
    "sweep": sweep(),
    "upgrade": json_of(replace(sample(), stops=(STOPS[0].version,))),
    "userdata": json_of(UserData((NodeUserData("web", "linux", "AL2023", "spot", "#!/bin/sh\n"),))),
    "validate": json_of(validation()),
    "verify": verify(),
    "verify-bill": verified_bill(),
}
"""Each by the name of its schema."""
