"""Launches of the AWS provider: cases of kind `launch`, from a NodeClaim to the fleet request and the claim after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cutlist import EC2NodeClass
from cutlist.catalog.regions import RegionCatalog
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.quantity import NANO, amounts
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint
from cutlist.providers.aws import AwsSettings, Observed, instance_types
from cutlist.providers.aws.expressions import reserved_by_type
from cutlist.providers.aws.labels import PLACEMENT_PARTITION, RESERVATION_ID
from cutlist.providers.aws.launch.claim import Refusal
from cutlist.providers.aws.launch.fleet import FleetRequest
from cutlist.providers.aws.launch.request import LaunchSettings, launch
from cutlist.providers.aws.launch.templates import LaunchTemplate, Override
from cutlist.providers.aws.userdata import BootstrapCluster, NodeFacts, user_data
from cutlist.providers.instance_types import InstanceType, Offering
from tests.conformance.api_hash import gates_of, karpenter_of
from tests.conformance.aws_fleet_errors import FleetError, failure, reaction
from tests.conformance.aws_launched_node import ANNOTATIONS, LaunchedNode, launched_node
from tests.conformance.aws_template_data import template_request
from tests.conformance.aws_types import catalog, ec2, observed, settings
from tests.conformance.stored import stored_node_class

Case = Mapping[str, Any]
FREE_ADDRESSES = 1000  # of a subnet of which a case says nothing


@dataclass(frozen=True)
class StoredClaim:
    """A NodeClaim as a case has it."""

    requirements: tuple[Expression, ...]
    requests: Mapping[str, int]
    labels: Mapping[str, str]
    annotations: Mapping[str, str]

    @staticmethod
    def of(manifest: Mapping[str, Any]) -> StoredClaim:
        spec, metadata = manifest["spec"], manifest.get("metadata") or {}
        return StoredClaim(
            requirements=tuple(Expression.read(e) for e in spec.get("requirements") or ()),
            requests=amounts((spec.get("resources") or {}).get("requests") or {}),
            labels=metadata.get("labels") or {},
            annotations=metadata.get("annotations") or {},
        )


@dataclass(frozen=True)
class LaunchScenario:
    """What a case is about, put together; `types` are those of the NodeClass before the launch."""

    case: Case
    claim: StoredClaim
    node_class: EC2NodeClass
    region: RegionCatalog
    aws: AwsSettings
    options: LaunchSettings
    observed: Observed

    @staticmethod
    def of(case: Case, records: Mapping[str, Any]) -> LaunchScenario:
        node_class = stored_node_class(
            with_readiness(case["nodeClass"], case.get("notReady")), karpenter_of(case), gates_of(case)
        )
        return LaunchScenario(
            case=case,
            claim=StoredClaim.of(case["nodeClaim"]),
            node_class=node_class,
            region=catalog(case, records),
            aws=settings(case),
            options=launch_settings(case),
            observed=observed(case, node_class),
        )

    def types(self, state: Observed) -> tuple[InstanceType, ...]:
        if not self.node_class.status.subnets:
            return ()
        return instance_types(self.node_class, self.region, self.aws, observed=state)

    def launch(self, free: Mapping[str, int]) -> FleetRequest | Refusal:
        """Return the request, or why none is sent."""
        try:
            types = self.types(self.observed)
        except InputError as refused:
            return Refusal.create(refused.problems[0].message, "InstanceTypeResolutionFailed")
        reserved = reserved_by_type(self.node_class, self.region.machines, types, self.aws)
        return launch(
            self.claim, self.node_class, types, self.options, observed=self.observed, free_addresses=free, reserved=reserved
        )


def answer(path: Path) -> dict[str, Any]:
    """Return what comes of each launch."""
    document = json.loads(path.read_text())
    asked = {"karpenter": document.get("karpenter", "1.14.1")}
    return {case["name"]: outcome({**case["input"], **asked}, ec2(path, document["catalogue"])) for case in document["cases"]}


def outcome(case: Case, records: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to one case."""
    scenario = LaunchScenario.of(case, records)
    free = {s.id: (case.get("subnetFreeIPs") or {}).get(s.id, FREE_ADDRESSES) for s in scenario.node_class.status.subnets}
    found = scenario.launch(free)
    if isinstance(found, Refusal):
        return {"error": error(found), **after(scenario, scenario.observed)}
    errors = [fleet_error(e, scenario.node_class.karpenter) for e in case.get("fleetErrors") or ()]
    return {
        "fleet": {**found.to_dict(), "launchTemplateConfigs": len(found.templates)},
        "templates": [template(t, found, scenario) | own_text(t, found, scenario) for t in found.templates],
        **result(scenario, found, errors),
    }


def result(scenario: LaunchScenario, request: FleetRequest, errors: list[FleetError]) -> dict[str, Any]:
    """Return what EC2 answered and its outcome. Without errors to report, EC2 of the vectors takes the cheapest pool."""
    remembered = reaction(scenario.claim, request, errors, scenario.node_class.karpenter)
    left = dict(scenario.observed.reservations_remaining) | dict.fromkeys(remembered.exhausted_reservations, 0)
    out: dict[str, Any] = {}
    if scenario.case.get("noCapacity"):
        out["error"] = error(failure(errors))
    else:
        pool = request.overrides[0]
        used = next((t.reservation for t in request.templates if pool in t.overrides), None)
        if used is not None:
            left[used.id] = max(left.get(used.id, 0) - 1, 0)
        out["launched"] = launched(launched_node(scenario.claim, scenario.node_class, request, pool), pool)
    state = replace(
        scenario.observed,
        reservations_remaining=left,
        unavailable=(*scenario.observed.unavailable, *remembered.unavailable),
    )
    return {**out, **after(scenario, state)}


def node_facts(claim: Mapping[str, Any], template: LaunchTemplate, sold_as: str) -> NodeFacts:
    """Return what a NodeClaim says of its node."""
    spec = claim["spec"]
    return NodeFacts(
        max_pods=template.pods,
        reserved=template.reserved,
        capacity_type=sold_as,
        labels=claim["metadata"].get("labels") or {},
        taints=tuple(map(Taint.read, spec.get("taints") or ())),
        startup_taints=tuple(map(Taint.read, spec.get("startupTaints") or ())),
    )


def cluster(case: Case) -> BootstrapCluster:
    """Return the cluster of a case."""
    given = case.get("settings") or {}
    return BootstrapCluster(
        name=given.get("clusterName", ""),
        endpoint=given.get("clusterEndpoint", ""),
        ca_bundle=given.get("clusterCABundle"),
        service_cidr=given.get("clusterCIDR"),
        dns_ip=given.get("kubeDNSIP"),
    )


def own_text(found: LaunchTemplate, request: FleetRequest, scenario: LaunchScenario) -> dict[str, str]:
    """Return the user data where a case asks for it."""
    if "userData" not in scenario.case["view"]:
        return {}
    facts = node_facts(scenario.case["nodeClaim"], found, request.capacity_type)
    return {"userData": user_data(scenario.node_class, facts, cluster(scenario.case))}


def after(scenario: LaunchScenario, state: Observed) -> dict[str, Any]:
    """Return which offerings have become unavailable, and what is left of reservations."""
    if "unavailable" not in (scenario.case.get("view") or ()):
        return {}
    before, now = (availability(scenario.types(s)) for s in (scenario.observed, state))
    given = scenario.case.get("reservationsRemaining") or {}
    return {
        "unavailableAfter": sorted(name for name in before if before[name] and not now[name]),
        "reservationsRemainingAfter": {name: state.reservations_remaining[name] for name in given},
    }


def availability(types: tuple[InstanceType, ...]) -> dict[str, bool]:
    """By type, zone, capacity type and, where there are any, reservation and partition."""
    return {"/".join((t.name, *named(o))): o.available for t in types for o in t.offerings}


def named(offering: Offering) -> list[str]:
    """Return what tells an offering from the others of its type."""
    values = (offering.requirements.get_or_any(key).values for key in (RESERVATION_ID, PLACEMENT_PARTITION))
    return [offering.zone, offering.capacity_type, *(min(v) for v in values if v)]


def with_readiness(manifest: Mapping[str, Any], how: str | None) -> dict[str, Any]:
    """Return the NodeClass as a cluster has it that is ready, or is not for the reason that the case says."""
    condition = {
        None: {"status": "True"},
        "False": {"status": "False", "message": "SubnetsReady=False"},
        "Unknown": {"status": "Unknown", "message": "SubnetsReady=Unknown"},
        "Stale": {"status": "True"},
    }[how]
    conditions = [{"type": "Ready", "observedGeneration": 1, **condition}]
    generation = 2 if how == "Stale" else 1
    return {
        **manifest,
        "metadata": {**manifest["metadata"], "generation": generation},
        "status": {**(manifest.get("status") or {}), "conditions": conditions},
    }


def launch_settings(case: Case) -> LaunchSettings:
    """Return what the case says of cluster and controller."""
    given = case.get("settings") or {}
    return LaunchSettings(
        cluster_name=given.get("clusterName") or "demo",
        service_cidr=given.get("clusterCIDR") or "",
        dns_ip=given.get("kubeDNSIP") or "",
        strict_min_values=given.get("minValuesPolicy") != "BestEffort",
        reserved_capacity=(given.get("featureGates") or {}).get("reservedCapacity", True),
    )


def fleet_error(raw: Mapping[str, str], karpenter: Baseline) -> FleetError:
    """Return an error of EC2's answer."""
    return FleetError(raw["code"], raw.get("message", ""), raw["instanceType"], raw["zone"], raw.get("subnet", ""), karpenter)


def error(refusal: Refusal) -> dict[str, str]:
    """Return why there is no instance."""
    reason = {"reason": refusal.reason} if refusal.reason else {}
    return {"kind": str(refusal.kind), **reason, "message": refusal.message}


def template(found: LaunchTemplate, request: FleetRequest, scenario: LaunchScenario) -> dict[str, Any]:
    """Return a launch template with its pools."""
    overrides: dict[str, dict[str, float]] = {}
    for o in found.overrides:
        overrides.setdefault(o.instance_type, {})[o.zone] = o.price
    out = {
        "imageID": found.image_id,
        "subnets": {o.zone: o.subnet_id for o in found.overrides},
        "overrides": overrides,
        "data": template_request(found, request, scenario.node_class, scenario.options, scenario.region.region),
    }
    if found.reservation is not None and scenario.options.reserved_capacity:
        out["reservationID"] = found.reservation.id
    return out


def launched(node: LaunchedNode, pool: Override) -> dict[str, Any]:
    """Return the claim after the launch."""
    return {
        "cheapestOverride": node.instance_type,
        "zone": node.zone,
        "imageID": node.image_id,
        "labels": dict(node.labels),
        "annotationKeys": sorted(ANNOTATIONS),
        "capacity": texts(node.capacity),
        "allocatable": texts(node.allocatable),
        "providerID": f"aws:///{pool.zone}/i-0123456789abcdef0",
    }


def texts(of: Mapping[str, int]) -> dict[str, str]:
    """Return amounts as a NodeClaim has them."""
    return {name: str(amount // NANO) if amount % NANO == 0 else f"{amount}n" for name, amount in of.items()}
