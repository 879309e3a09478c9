"""What others than Karpenter left of a cluster: only shown, for it may hold data or traffic (spec: aws-infrastructure 8.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown import steps
from cutlist.infrastructure.teardown.leftovers import (
    Kind,
    Leftover,
    balancer_group_signatures,
    balancer_signatures,
    evidence,
)
from cutlist_live.sweep.calls import Calls
from cutlist_live.sweep.inventory import tags_of

_KINDS: Final = {
    "elasticloadbalancing:loadbalancer": Kind.LOAD_BALANCER,
    "elasticloadbalancing:targetgroup": Kind.TARGET_GROUP,
    "ec2:security-group": Kind.SECURITY_GROUP,
}


@dataclass(frozen=True, slots=True)
class Beyond:
    """Looks for load balancers with what belongs to them, and for the control plane's log."""

    facts: ClusterFacts
    calls: Calls

    def balancers(self) -> Iterator[Leftover]:
        """Load balancers, their target groups and security groups."""
        for resource, kind in _KINDS.items():
            of_group = kind is Kind.SECURITY_GROUP
            signatures = balancer_group_signatures(self.facts) if of_group else balancer_signatures(self.facts)
            found = {}
            for signature in signatures:
                filters = [{"Key": key, "Values": [value]} for key, value in signature.equal]
                for record in self.calls.all(
                    steps.TAGGED,
                    "get_resources",
                    "ResourceTagMappingList",
                    TagFilters=filters,
                    ResourceTypeFilters=[resource],
                ):
                    found[record["ResourceARN"]] = evidence(signatures, tags_of(record))
            yield from (Leftover(kind, arn, matched=matched) for arn, matched in sorted(found.items()) if matched)

    def log_groups(self) -> Iterator[Leftover]:
        """The control plane's log, which EKS keeps."""
        name = f"/aws/eks/{self.facts.cluster}/cluster"
        for record in self.calls.all(steps.LOG_GROUPS, "describe_log_groups", "logGroups", logGroupNamePrefix=name):
            if record["logGroupName"] == name:
                yield Leftover(Kind.LOG_GROUP, name, matched=("name",))
