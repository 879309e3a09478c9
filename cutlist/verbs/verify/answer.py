"""Compare a plan with what happened in a cluster: node by node as planned or not, and why."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from cutlist.catalog.regions import AnyRegion
from cutlist.core.errors import Place, Problems
from cutlist.core.labels import AWS, ON_DEMAND, SPOT
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.files import sources
from cutlist.documents.folders import PLAIN, Reading
from cutlist.logs import ended_claims, failed_launches, launched_nodes, read_records, running_version, unavailable_offerings
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.state.checks import check_cluster
from cutlist.state.cluster import Cluster
from cutlist.state.statuses import with_readable_statuses
from cutlist.verbs.verify.inputs import declared_of
from cutlist.verification.evidence import LogEvidence, PriceNow, no_prices
from cutlist.verification.live import LiveCluster
from cutlist.verification.situation import Situation
from cutlist.verification.verdicts import Verification, verdicts
from cutlist.workloads.inventory import Inventory

_SNAPSHOT: Final = "a cluster as `cutlist snapshot` writes it, or `kubectl get nodes,nodeclaims,nodepools,pods -A -o json`"


def verify(
    plan: Plan,
    cluster: Sequence[str | os.PathLike[str]],
    *,
    declared: PlanInputs | None = None,
    log: str = "",
    log_source: str = "log",
    since: float | None = None,
    sold: AnyRegion | None = None,
    stdin: str | bytes | None = None,
    allow_empty: bool = False,
    reading: Reading = PLAIN,
    notes: Notes | None = None,
) -> Verification:
    """Return what happened to a plan in the cluster that files, folders and `-` for standard input hold.

    `declared` are the inputs that the plan was made from, or the manifests that were applied; `log` is Karpenter's log or its
    events; `since` is when the plan was applied, in seconds since 1970; `sold` has the prices of today. Each of them allows
    more causes to be named. What of the files was not read is added to `notes`.

    Without any file of a cluster, the nodes are those whose launches the log reports: then their pods are not compared.

    Raises InputError with every mistake, for another cluster than the plan's, and, unless `allow_empty` is set, if there is
    nothing to compare: a plan without nodes, a cluster without NodeClaims, a log without a line of Karpenter.

    >>> from cutlist import plan, read_inputs, verify
    >>> inputs = read_inputs(["examples/shop/pools.yaml", "examples/shop/workloads.yaml"], region="us-west-2")
    >>> verified = verify(plan(inputs), ["examples/shop/after.yaml"], declared=inputs)
    >>> verified.summary, verified.causes
    ('0 of 1 planned nodes are as planned, 1 different, 1 unplanned', {'cloud-choice': 1, 'timing': 3})
    """
    problems = Problems(allow_empty=allow_empty)
    documents = with_readable_statuses(collect_documents(cluster, problems, stdin, reading, notes), notes)
    Inventory.take(documents, problems)
    check_cluster(documents, problems)
    evidence = evidence_of(log, log_source, problems)
    problems.raise_if_any()
    manifests, workloads = [document.data for document in documents], _workloads(plan)
    if cluster:
        live = LiveCluster.read(manifests, Cluster.read(manifests, registry=AWS), workloads)
    else:
        live = LiveCluster.of_log(evidence.launched)
    _require_same_cluster(plan, live, Place(sources(cluster) if cluster else log_source), problems)
    problems.raise_if_any()
    known = declared_of(declared, documents, workloads)
    situation = Situation.of(plan, live, log=evidence, declared=known, price_now=_prices(sold), since=since)
    return verdicts(situation)


def _workloads(plan: Plan) -> frozenset[str]:
    """Return the workloads of a plan, by name."""
    new = (share.workload for node in plan.nodes for share in node.pods)
    existing = (share.workload for node in plan.existing for share in node.pods)
    beside = (share.workload for group in plan.node_groups for share in group.pods)
    return frozenset((*new, *existing, *beside, *(pending.workload for pending in plan.pending)))


def evidence_of(log: str, source: str, problems: Problems) -> LogEvidence:
    """Return what the log says; one without a line of Karpenter is a problem."""
    if not log:
        return LogEvidence()
    records = read_records(log).records
    if not records:
        text = "contains no line of Karpenter's log and no event"
        problems.add_absence(Place(source), text, "the controller's log, or events as `kubectl get events -o json`")
    return LogEvidence(
        launched=launched_nodes(records),
        failed=failed_launches(records),
        unavailable=unavailable_offerings(records),
        ended=ended_claims(records),
        version=running_version(records),
    )


def _require_same_cluster(plan: Plan, live: LiveCluster, place: Place, problems: Problems) -> None:
    """Add a problem if plan and cluster have nothing in common: a verdict would be meaningless."""
    if not plan.nodes:
        problems.add_absence(Place("plan"), "the plan has no nodes", "a plan with nodes that Karpenter launches")
    if not live.nodes:
        problems.add_absence(place, "no node is in the input", _SNAPSHOT)
    elif not any(node.claim for node in live.nodes):
        problems.add_absence(place, "no NodeClaim is in the input, so no node is Karpenter's", _SNAPSHOT)
    if not plan.nodes or not live.nodes:
        return
    if live.regions and plan.region not in live.regions:
        problems.add(place, f"the nodes are in {', '.join(sorted(live.regions))}", f"a cluster in {plan.region}, as the plan")
        return
    pools = {node.node_pool for node in plan.nodes}
    live_pools = {node.node_pool for node in live.nodes if node.node_pool} | live.pools.keys()
    workloads = {share.workload for node in plan.nodes for share in node.pods}
    live_workloads = {workload for node in live.nodes for workload in node.pods} | live.waiting.keys()
    if not pools & live_pools and not workloads & live_workloads:
        text = f"neither a NodePool of the plan ({', '.join(sorted(pools))}) nor a pod of its workloads is in it"
        problems.add(place, f"this is another cluster: {text}", "the cluster that the plan is for")


def _prices(sold: AnyRegion | None) -> PriceNow:
    """Return the look-up of today's prices; without a catalogue none is known."""
    if sold is None:
        return no_prices

    def price_now(instance_type: str, capacity_type: str, zone: str) -> float | None:
        if capacity_type == SPOT:
            price = sold.spot_price(instance_type, zone)
        else:
            price = sold.on_demand_price(instance_type) if capacity_type == ON_DEMAND else None
        return None if price is None else price.usd_per_hour

    return price_now
