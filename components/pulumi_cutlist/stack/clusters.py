"""The cluster that a stack asks for, if it asks for one: which component makes it, and what is wrong with its settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import cutlist
from cutlist.api.read import NodeClass
from cutlist.core.errors import InputError, Place, Problem
from cutlist.core.setting import Edge
from cutlist.settings.words import spelled
from pulumi_cutlist.stack.cluster_figures import (
    of_aks,
    of_auto_mode,
    of_karpenter,
    of_network,
    of_node_groups,
    of_volumes,
)

if TYPE_CHECKING:
    from pulumi_cutlist.aws import AutoModeCluster, KarpenterCluster
    from pulumi_cutlist.azure import AksNodeProvisioning

    StackCluster = KarpenterCluster | AutoModeCluster | AksNodeProvisioning

KARPENTER: Final = "karpenterCluster"
AUTO_MODE: Final = "autoModeCluster"
AKS: Final = "aksCluster"
KEYS: Final = (AKS, AUTO_MODE, KARPENTER)
_OF_STACK: Final = {"nodePools": "", "nodeClasses": "nodePools", "builtInPools": "", "region": "", "workloads": ""}


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """What a stack says of its cluster, under one of the KEYS. `region`, `zones` and `built_in_pools` are elsewhere in it,
    because the plan needs them without a cluster too. `locate` returns where the stack file has a part of it."""

    key: str
    args: Mapping[str, Any]
    region: str
    zones: Sequence[str]
    built_in_pools: Sequence[str]
    locate: Callable[[str], Place]

    def problems(self, node_pools: Sequence[cutlist.NodePool], node_classes: Sequence[NodeClass]) -> Iterator[Problem]:
        """Yield every mistake in the settings, where the stack file has it; those in objects are reported where these
        are written. Without a region, which is a mistake of the stack, no more is checked."""
        for key, said_by in _OF_STACK.items():
            if key in self.args:
                elsewhere = f"cutlist:{said_by or key}, beside {self.key}"
                yield Problem(self.locate(f".{key}"), f"{key} is the stack's own setting", elsewhere)
        if not self.region:
            return
        try:
            self._check(self.inputs(node_pools, node_classes))
        except InputError as error:
            objects = {f"{item.KIND}/{item.name}": item for item in (*node_pools, *node_classes)}
            for problem in error.problems:
                if (at := objects.get(problem.place.source)) is not None:
                    yield replace(problem, place=at.at(problem.place.path))
                else:
                    yield self._placed(problem)

    @property
    def figures(self) -> dict[str, Any]:
        """Return what the plan needs to know of the cluster's nodes, as a document of kind Figures."""
        if self.key == AKS:
            return of_aks(self._on_azure())
        if self.key == KARPENTER:
            of_nodes = {
                **of_karpenter(self.args),
                **of_node_groups({**self.args, "region": self.region}),
                **of_volumes(self.args),
            }
            return {**of_nodes, **of_network(self._with_zones())}
        return of_auto_mode(self.args)

    def inputs(self, node_pools: Sequence[Any], node_classes: Sequence[Any]) -> dict[str, Any]:
        """Return the inputs of the component."""
        objects: dict[str, Any] = {"node_pools": list(node_pools), "node_classes": list(node_classes)}
        if self.key == AKS:
            return {**self._on_azure(), **objects}
        own = {"built_in_pools": list(self.built_in_pools)} if self.key == AUTO_MODE else {}
        return {**self._with_zones(), "region": self.region, **objects, **own}

    def make(self, node_pools: Sequence[Any], node_classes: Sequence[Any]) -> StackCluster:
        """Register the cluster with everything in it."""
        inputs: Any = self.inputs(node_pools, node_classes)
        try:
            return self._made(inputs)
        except InputError as error:  # who runs the update is known only now
            raise InputError(spelled(map(self._placed, error.problems), Edge.STACK)) from error

    def _placed(self, problem: Problem) -> Problem:
        """Return a mistake in the inputs where the stack file has them."""
        if problem.place.source:
            return problem
        return replace(problem, place=self.locate(f".{problem.place.path}"))

    def _made(self, inputs: Any) -> StackCluster:
        if self.key == AKS:
            from pulumi_cutlist import azure  # with the SDK of Azure, which other stacks do not need

            return azure.AksNodeProvisioning("aks", inputs)
        from pulumi_cutlist import aws  # with the SDK of AWS, which stacks without a cluster do not need

        return aws.AutoModeCluster("eks", inputs) if self.key == AUTO_MODE else aws.KarpenterCluster("eks", inputs)

    def _check(self, inputs: Mapping[str, Any]) -> None:
        if self.key == AKS:
            from pulumi_cutlist.azure.whole_cluster.provisioning_plan import plan_provisioning  # with the SDK of Azure

            plan_provisioning(inputs)
        else:
            # Both with the SDK of AWS.
            from pulumi_cutlist.aws.whole_cluster.auto_mode_cluster import plan_auto_mode_cluster
            from pulumi_cutlist.aws.whole_cluster.karpenter_cluster_plan import plan_karpenter_cluster

            (plan_auto_mode_cluster if self.key == AUTO_MODE else plan_karpenter_cluster)(inputs)

    def _on_azure(self) -> dict[str, Any]:
        """Return the settings, with the location of the stack, and with AKS's own NodePools as the stack switches them."""
        cluster, settings = self.args.get("cluster", {}), self.args.get("settings", {})
        placed = {**cluster, "location": self.region} if isinstance(cluster, Mapping) else cluster
        if self.built_in_pools and isinstance(settings, Mapping):
            settings = {"defaultNodePools": "Auto", **settings}
        return {**self.args, "cluster": placed, "settings": settings}

    def _with_zones(self) -> dict[str, Any]:
        """Return the settings, with the zones of the stack for a network that is made and has none of its own."""
        network = self.args.get("network", {})
        own = network.get("own", {}) if isinstance(network, Mapping) else None
        if not self.zones or not isinstance(own, Mapping) or "adopted" in network or "zones" in own:
            return {**self.args}
        return {**self.args, "network": {**network, "own": {"zones": list(self.zones), **own}}}
