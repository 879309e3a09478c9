"""DrainGate: no controller goes while nodes are left that only it can drain."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Final, NotRequired, TypedDict

import pulumi

from cutlist.errors import Place, Problems, nearest
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.drain import DrainMode
from pulumi_cutlist.aws.at_delete import DrainResource, child_options

MINUTES: Final = 30.0
_SPARE: Final = 10.0  # minutes between the end of the drain's patience and that of the engine's


class DrainGateArgs(TypedDict):
    """Inputs of DrainGate."""

    cluster_name: str
    """Name of the cluster."""
    region: str
    """Region of the cluster."""
    account: str
    """Account of the cluster, twelve digits. Credentials of another account are refused."""
    mode: NotRequired[str]
    """What becomes of NodePools made outside the stack: `fail` lists them and stops the destroy, `delete` deletes them and
    waits for their nodes, `ignore` leaves them. Defaults to `fail`, for nobody may have meant the nodes of others."""
    node_pools: NotRequired[list[str]]
    """The NodePools that the stack makes, by name. While one of them is in use, deleting the gate touches nothing: it then
    leaves a stack that stays. Defaults to none."""
    minutes: NotRequired[float]
    """How long nodes may take to drain. Defaults to 30; more than the longest terminationGracePeriod."""


class DrainGate(pulumi.ComponentResource):
    """Nothing at create; at delete it makes sure that no NodePool and no NodeClaim of Karpenter is left.

    Let it depend on the controller's release, and let NodeClasses depend on it. NodePools of EKS Auto Mode are never touched.
    Raises InputError for a mode that there is not, and for a wait that is no time.
    """

    cluster_name: pulumi.Output[str]
    """Name of the cluster. What uses it is deleted before the gate looks."""

    def __init__(self, name: str, args: DrainGateArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        facts = ClusterFacts(args["cluster_name"], args["region"], args["account"])
        mode, minutes = args.get("mode", DrainMode.FAIL.value), float(args.get("minutes", MINUTES))
        _check(mode, minutes)
        super().__init__("cutlist:index:DrainGate", name, {**args}, opts)
        properties = {
            "cluster": facts.cluster,
            "region": facts.region,
            "account": facts.account,
            "mode": mode,
            "node_pools": sorted(args.get("node_pools", [])),
            "minutes": minutes,
        }
        gate = DrainResource(f"{name}-gate", properties, child_options(self, opts, minutes + _SPARE))
        # By way of the URN, which even a preview knows: the name itself never becomes unknown, yet carries the dependency.
        self.cluster_name = gate.urn.apply(lambda _: facts.cluster)
        self.register_outputs({"clusterName": self.cluster_name})


def _check(mode: str, minutes: float) -> None:
    problems = Problems()
    modes = [known.value for known in DrainMode]
    if mode not in modes:
        problems.add(Place(path="mode"), f"there is no mode {mode!r}", ", ".join(modes), nearest(mode, modes))
    if not minutes > 0:
        problems.add(Place(path="minutes"), f"{minutes:g} minutes", "more than 0")
    problems.raise_if_any()
