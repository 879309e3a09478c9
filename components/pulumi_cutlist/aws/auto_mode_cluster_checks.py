"""Whether an AutoModeCluster can be made: what each of its parts finds wrong, told together and under this call's inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from pulumi_cutlist.aws.auto_mode import AutoModeArgs, check_auto_mode
from pulumi_cutlist.aws.auto_mode_cluster_args import AutoModeClusterArgs
from pulumi_cutlist.aws.control_plane import ControlPlane
from pulumi_cutlist.aws.external_dns_identity import ExternalDnsIdentityArgs
from pulumi_cutlist.aws.joined_checks import OF_CLUSTER, Checks, CommonPlans, Moves
from pulumi_cutlist.aws.joined_parts import JoinedParts, Subnets
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
_TOP: Final = ("addOns", "builtInPools", "controlPlane")


@dataclass(frozen=True, slots=True)
class AutoModeParts(JoinedParts):
    """The inputs of every part of one AutoModeCluster."""

    def cluster(self, subnets: Subnets) -> dict[str, Any]:
        """Inputs of AutoMode."""
        own = {key: self.given[key] for key in ("built_in_pools", "add_ons") if key in self.given}
        return {"control_plane": self.control_plane(subnets), **own, **self.section("auto_mode")}


@dataclass(frozen=True, slots=True)
class Checked:
    """A cluster that can be made, with the zones of its subnets."""

    given: AutoModeClusterArgs
    parts: AutoModeParts
    zones: list[str]
    common: CommonPlans


def check(args: Mapping[str, Any]) -> Checked:
    """What the inputs ask for. Raises InputError with every mistake that any part finds in them."""
    checks = Checks(Problems())
    given = shaped(in_snake_case(plain_objects(args), AutoModeClusterArgs, _SECTIONS), AutoModeClusterArgs, checks.problems)
    parts = AutoModeParts(given)
    checks.sections(given, _SECTIONS)
    subnets = checks.network(parts)
    moves = Moves("autoMode", {**OF_CLUSTER.inputs, **{name: name for name in _TOP}})
    checks.run(check_auto_mode, parts.cluster(subnets), moves)
    common = checks.common(parts)
    checks.raise_if_any()
    return Checked(given, parts, subnets.zones, checks.planned(common))
