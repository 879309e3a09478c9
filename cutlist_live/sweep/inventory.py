"""A cluster's resources in the account: everything is requested with exact filters, and each answer is checked again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown import steps
from cutlist.infrastructure.teardown.leftovers import (
    CREATED_TAG,
    INSTANCE_TAG,
    INTERFACE_DESCRIPTION,
    Leftover,
    LeftoverKind,
    Signature,
    Tags,
    balancer_group_signatures,
    balancer_signatures,
    claim_volume_signatures,
    evidence,
    interface_evidence,
    interface_signatures,
    is_profile_place,
    node_signatures,
    profile_evidence,
    profile_path,
    template_signatures,
)
from cutlist_live.sweep.calls import Calls

VALUES: Final = 200  # the most values that a filter of EC2 accepts
_PAGE: Final = {"PageSize": 200}
_GONE: Final = ("terminated",)
_KINDS_OF_BALANCERS: Final = {
    "elasticloadbalancing:loadbalancer": LeftoverKind.LOAD_BALANCER,
    "elasticloadbalancing:targetgroup": LeftoverKind.TARGET_GROUP,
    "ec2:security-group": LeftoverKind.SECURITY_GROUP,
}


@dataclass(frozen=True, slots=True)
class ClusterInstances:
    """Existing instances, and the ids of all former ones, since EC2 lists terminated ones for about an hour."""

    leftovers: tuple[Leftover, ...]
    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Inventory:
    """Searches the account for resources of a cluster. `vpc` narrows the search for interfaces; `prices` are USD per hour."""

    facts: ClusterFacts
    calls: Calls
    vpc: str | None
    prices: Mapping[str, float]

    def instances(self) -> ClusterInstances:
        """Return Karpenter's instances of the cluster."""
        signatures = node_signatures(self.facts)
        reservations = self._tagged(steps.INSTANCES, "describe_instances", "Reservations", signatures)
        records = [record for reservation in reservations for record in reservation["Instances"]]
        ours = {r["InstanceId"]: r for r in records if evidence(signatures, tags_of(r))}
        leftovers = (self._instance(r, signatures) for r in ours.values() if r["State"]["Name"] not in _GONE)
        return ClusterInstances(_ordered(leftovers), frozenset(ours))

    def _instance(self, record: Mapping[str, Any], signatures: Sequence[Signature]) -> Leftover:
        machine = record["InstanceType"]
        return Leftover(
            LeftoverKind.INSTANCE,
            record["InstanceId"],
            machine,
            evidence(signatures, tags_of(record)),
            record.get("LaunchTime"),
            self.prices.get(machine),
            managed_by=_operator(record),
        )

    def templates(self) -> tuple[Leftover, ...]:
        """Return Karpenter's launch templates of the cluster."""
        signatures = template_signatures(self.facts)
        operation, key = "describe_launch_templates", "LaunchTemplates"
        records = self._tagged(steps.TEMPLATES, operation, key, signatures, PaginationConfig=_PAGE)
        return _ordered(
            Leftover(
                LeftoverKind.LAUNCH_TEMPLATE,
                record["LaunchTemplateId"],
                record["LaunchTemplateName"],
                matched,
                record.get("CreateTime"),
                managed_by=_operator(record),
            )
            for record in records
            if (matched := evidence(signatures, tags_of(record)))
        )

    def profiles(self) -> tuple[Leftover, ...]:
        """Return Karpenter's instance profiles of the cluster. Lists do not contain tags, so each candidate is read."""
        operation, key = "list_instance_profiles", "InstanceProfiles"
        listed = [
            *self.calls.all(steps.PROFILES, operation, key, PathPrefix=profile_path(self.facts)),
            *self.calls.all(steps.PROFILES, operation, key),  # those of older versions, at the root
        ]
        names = {p["InstanceProfileName"] for p in listed if is_profile_place(self.facts, p["Path"], p["InstanceProfileName"])}
        return _ordered(leftover for name in sorted(names) if (leftover := self._profile(name)))

    def _profile(self, name: str) -> Leftover | None:
        answer = self.calls.one(steps.PROFILE, "get_instance_profile", InstanceProfileName=name)
        if answer is None:
            return None
        record = answer["InstanceProfile"]
        matched = profile_evidence(self.facts, record["Path"], name, tags_of(record))
        roles = tuple(role["RoleName"] for role in record.get("Roles", []))
        created = record.get("CreateDate")
        return (
            Leftover(LeftoverKind.INSTANCE_PROFILE, name, matched=matched, created=created, attached=roles) if matched else None
        )

    def interfaces(self, instances: Collection[str]) -> tuple[Leftover, ...]:
        """Return idle interfaces of the VPC CNI: by the cluster's tag, or by the instance that they were made for."""
        everywhere: list[Mapping[str, Any]] = [{"Name": "status", "Values": ["available"]}]
        if self.vpc:
            everywhere.append({"Name": "vpc-id", "Values": [self.vpc]})
        narrowed = [signature.filters() for signature in interface_signatures(self.facts)]
        for some in batches(sorted(instances), VALUES):
            narrowed.append([{"Name": f"tag:{INSTANCE_TAG}", "Values": some}])
            narrowed.append([{"Name": "description", "Values": [INTERFACE_DESCRIPTION + instance for instance in some]}])
        records = [
            record
            for filters in narrowed
            for record in self.calls.all(
                steps.INTERFACES, "describe_network_interfaces", "NetworkInterfaces", Filters=[*everywhere, *filters]
            )
        ]
        return _ordered(leftover for record in records if (leftover := self._interface(record, instances)))

    def _interface(self, record: Mapping[str, Any], instances: Collection[str]) -> Leftover | None:
        tags, description = tags_of(record), record.get("Description", "")
        matched = interface_evidence(self.facts, tags, description, instances)
        if not matched or record["Status"] != "available" or self.vpc not in (None, record["VpcId"]):
            return None
        created = _time(tags.get(CREATED_TAG, ""))
        id_ = record["NetworkInterfaceId"]
        return Leftover(LeftoverKind.INTERFACE, id_, description, matched, created, managed_by=_operator(record))

    def volumes(self) -> tuple[Leftover, ...]:
        """Return unused volumes: of nodes, and of the cluster's claims. The latter may hold data."""
        return _ordered(
            Leftover(kind, record["VolumeId"], f"{record['Size']} GiB", matched, record.get("CreateTime"))
            for kind, signatures in (
                (LeftoverKind.NODE_VOLUME, node_signatures(self.facts)),
                (LeftoverKind.CLAIM_VOLUME, claim_volume_signatures(self.facts)),
            )
            for record in self._tagged(steps.VOLUMES, "describe_volumes", "Volumes", signatures)
            if record["State"] == "available" and (matched := evidence(signatures, tags_of(record)))
        )

    def balancers(self) -> Iterator[Leftover]:
        """Yield load balancers, their target groups and security groups."""
        for resource, kind in _KINDS_OF_BALANCERS.items():
            of_group = kind is LeftoverKind.SECURITY_GROUP
            signatures = balancer_group_signatures(self.facts) if of_group else balancer_signatures(self.facts)
            evidence_by_arn = {}
            for signature in signatures:
                filters = [{"Key": key, "Values": [value]} for key, value in signature.equal]
                for record in self.calls.all(
                    steps.TAGGED,
                    "get_resources",
                    "ResourceTagMappingList",
                    TagFilters=filters,
                    ResourceTypeFilters=[resource],
                ):
                    evidence_by_arn[record["ResourceARN"]] = evidence(signatures, tags_of(record))
            yield from (Leftover(kind, arn, matched=matched) for arn, matched in sorted(evidence_by_arn.items()) if matched)

    def log_groups(self) -> Iterator[Leftover]:
        """Yield the control plane's log, which EKS keeps."""
        name = f"/aws/eks/{self.facts.cluster}/cluster"
        for record in self.calls.all(steps.LOG_GROUPS, "describe_log_groups", "logGroups", logGroupNamePrefix=name):
            if record["logGroupName"] == name:
                yield Leftover(LeftoverKind.LOG_GROUP, name, matched=("name",))

    def _tagged(
        self, step: steps.SweepStep, operation: str, key: str, signatures: Iterable[Signature], **more: Any
    ) -> Iterator[Mapping[str, Any]]:
        for signature in signatures:
            yield from self.calls.all(step, operation, key, Filters=signature.filters(), **more)


def tags_of(record: Mapping[str, Any]) -> Tags:
    """Return the tags of an answer: interfaces have them in `TagSet`."""
    return {tag["Key"]: tag["Value"] for tag in (*record.get("Tags", ()), *record.get("TagSet", ()))}


def batches(values: Sequence[str], size: int) -> Iterator[list[str]]:
    """Yield the values in parts of at most `size`."""
    for start in range(0, len(values), size):
        yield list(values[start : start + size])


def _operator(record: Mapping[str, Any]) -> str:
    operator = record.get("Operator") or {}
    return str(operator.get("Principal") or "an operator") if operator.get("Managed") else ""


def _time(text: str) -> datetime | None:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return instant if instant.tzinfo else None


def _ordered(leftovers: Iterable[Leftover]) -> tuple[Leftover, ...]:
    """Return each leftover once, by id, so that two runs report the same."""
    return tuple(leftover for _, leftover in sorted({leftover.id: leftover for leftover in leftovers}.items()))
