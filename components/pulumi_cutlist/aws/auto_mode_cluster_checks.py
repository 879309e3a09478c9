"""Whether an AutoModeCluster can be made: what each of its parts finds wrong, told together and under this call's inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from pulumi_cutlist.aws.auto_mode import AutoModeArgs, AutoModePlan, plan_auto_mode
from pulumi_cutlist.aws.auto_mode_cluster_args import AutoModeClusterArgs
from pulumi_cutlist.aws.control_plane import ControlPlane
from pulumi_cutlist.aws.external_dns_identity import ExternalDnsIdentityArgs
from pulumi_cutlist.aws.joined_checks import CLUSTER_LINKS, OF_AUTO_MODE, Checks, CommonPlans, zones_of
from pulumi_cutlist.aws.joined_parts import JoinedParts
from pulumi_cutlist.aws.network import VpcPlan
from pulumi_cutlist.kubernetes.node_configuration import plain_objects
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs
from pulumi_cutlist.shapes import shaped
from pulumi_cutlist.spelling import in_snake_case

_SECTIONS: Final = {
    "control_plane": ControlPlane,
    "auto_mode": AutoModeArgs,
    "external_dns_identity": ExternalDnsIdentityArgs,
    "observability": ObservabilityArgs,
}


@dataclass(frozen=True, slots=True)
class AutoModeParts(JoinedParts):
    """The inputs of every part of one AutoModeCluster."""

    def cluster(self, zones: list[str]) -> dict[str, Any]:
        """Return the inputs of AutoMode, but for subnets."""
        own = {key: self.given[key] for key in ("built_in_pools", "add_ons") if key in self.given}
        return {"control_plane": self.control_plane(zones), **own, **self.section("auto_mode")}


@dataclass(frozen=True, slots=True)
class Checked:
    """A cluster that can be made, with the plans of its parts."""

    given: AutoModeClusterArgs
    parts: AutoModeParts
    network: VpcPlan
    cluster: AutoModePlan
    common: CommonPlans


def check(args: Mapping[str, Any]) -> Checked:
    """What the inputs ask for. Raises InputError with every mistake that any part finds in them."""
    checks = Checks(Problems())
    given = shaped(in_snake_case(plain_objects(args), AutoModeClusterArgs, _SECTIONS), AutoModeClusterArgs, checks.problems)
    parts = AutoModeParts(given)
    checks.sections(given, _SECTIONS)
    network = checks.network(parts)
    cluster = checks.plan(plan_auto_mode, parts.cluster(zones_of(network)), OF_AUTO_MODE, CLUSTER_LINKS)
    common = checks.common(parts)
    checks.raise_if_any()
    return Checked(given, parts, checks.planned(network), checks.planned(cluster), checks.planned(common))
