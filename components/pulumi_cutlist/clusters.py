"""The cluster that a stack asks for, if it asks for one: which component makes it, and what is wrong with its settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cutlist.errors import InputError, Place, Problem

if TYPE_CHECKING:
    from pulumi_cutlist.aws import AutoModeCluster, KarpenterCluster

KARPENTER: Final = "karpenterCluster"
AUTO_MODE: Final = "autoModeCluster"
KEYS: Final = (AUTO_MODE, KARPENTER)
NAME: Final = "eks"
"""What the component is called in the program of a stack, and what the names of its parts begin with."""


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """What a stack says of its cluster, under one of the KEYS; `region`, `zones` and `built_in_pools` it says elsewhere, for
    the plan needs them without a cluster too. `locate` tells where the stack file says a part of it."""

    key: str
    given: Mapping[str, Any]
    region: str
    zones: Sequence[str]
    built_in_pools: Sequence[str]
    locate: Callable[[str], Place]

    def problems(self, node_pools: Sequence[Any], node_classes: Sequence[Any]) -> Iterator[Problem]:
        """Every mistake in the settings, where the stack file has it; those in objects are told by what the objects are."""
        for key in ("region", "nodePools", "nodeClasses", "builtInPools"):
            if key in self.given:
                yield Problem(self.locate(f".{key}"), f"{key} is the stack's own setting", f"cutlist:{key}, beside {self.key}")
        try:
            self._check(self.inputs(node_pools, node_classes))
        except InputError as error:
            for problem in error.problems:
                inside = not problem.place.source
                yield replace(problem, place=self.locate(f".{problem.place.path}")) if inside else problem

    def inputs(self, node_pools: Sequence[Any], node_classes: Sequence[Any]) -> dict[str, Any]:
        """The inputs of the component."""
        own: dict[str, Any] = {"region": self.region, "node_pools": list(node_pools), "node_classes": list(node_classes)}
        if self.key == AUTO_MODE:
            own["built_in_pools"] = list(self.built_in_pools)
        return {**self._with_zones(), **own}

    def make(self, node_pools: Sequence[Any], node_classes: Sequence[Any]) -> KarpenterCluster | AutoModeCluster:
        """Register the cluster with everything in it."""
        from pulumi_cutlist import aws  # with the SDK of AWS, which stacks without a cluster do not need

        inputs: Any = self.inputs(node_pools, node_classes)
        return aws.AutoModeCluster(NAME, inputs) if self.key == AUTO_MODE else aws.KarpenterCluster(NAME, inputs)

    def _check(self, inputs: Mapping[str, Any]) -> None:
        from pulumi_cutlist.aws import auto_mode_cluster_checks, karpenter_cluster_checks

        (auto_mode_cluster_checks if self.key == AUTO_MODE else karpenter_cluster_checks).check(inputs)

    def _with_zones(self) -> dict[str, Any]:
        """The settings, with the zones of the stack for a network that is made and has none of its own."""
        network = self.given.get("network", {})
        own = network.get("own", {}) if isinstance(network, Mapping) else None
        if not self.zones or not isinstance(own, Mapping) or "adopted" in network or "zones" in own:
            return {**self.given}
        return {**self.given, "network": {**network, "own": {"zones": list(self.zones), **own}}}
