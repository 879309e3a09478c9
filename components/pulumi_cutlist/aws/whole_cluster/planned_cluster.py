"""What the call that makes a whole cluster on AWS knows of its nodes, so that a plan of these needs no input for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cutlist.api.built_in import AUTO_POOLS
from cutlist.infrastructure.reservations import ReservationFacts, with_reservations
from pulumi_cutlist.aws.network.args import OwnNetworkArgs
from pulumi_cutlist.aws.network.network import VpcPlan
from pulumi_cutlist.aws.whole_cluster.args import AutoModeClusterArgs, ClusterNetwork, KarpenterClusterArgs, WholeClusterArgs
from pulumi_cutlist.inputs.late import as_planned
from pulumi_cutlist.node_plans.of_cluster import ClusterOfPlan
from pulumi_cutlist.stack.cluster_figures import of_auto_mode, of_karpenter, of_network, of_node_groups, of_volumes
from pulumi_cutlist.stack.karpenter import installed_karpenter


def of_karpenter_cluster(
    args: KarpenterClusterArgs, network: VpcPlan, reservations: Sequence[ReservationFacts] = ()
) -> ClusterOfPlan:
    """Return what a KarpenterCluster knows of its nodes. Its node classes have the reservations that they select, as their
    controller will find them."""
    classes, account = _manifests(args, "node_classes"), as_planned(args["account_id"])
    of_nodes = {} if "adopted_cluster" in args else {**of_node_groups(args), **of_volumes(args)}
    return ClusterOfPlan(
        region=args["region"],
        zones=network.zones,
        karpenter=installed_karpenter(args.get("karpenter_version")),
        node_pools=_manifests(args, "node_pools"),
        node_classes=tuple(with_reservations(manifest, reservations, account) for manifest in classes),
        figures={**of_karpenter(args), **of_nodes, **of_network(_with_zones(args, network))},
        identity=_identity(args),
    )


def of_auto_mode_cluster(args: AutoModeClusterArgs, network: VpcPlan) -> ClusterOfPlan:
    """Return what an AutoModeCluster knows of its nodes."""
    return ClusterOfPlan(
        region=args["region"],
        zones=network.zones,
        is_managed=True,
        built_in_pools=args.get("built_in_pools", AUTO_POOLS),
        node_pools=_manifests(args, "node_pools"),
        node_classes=_manifests(args, "node_classes"),
        figures=of_auto_mode(args),
        identity=_identity(args),
    )


def _identity(args: WholeClusterArgs) -> str:
    return f"EKS cluster {args['cluster_name']} in {args['region']} of account {args['account_id']}"


def _with_zones(args: KarpenterClusterArgs, network: VpcPlan) -> KarpenterClusterArgs:
    """Return the inputs with the zones of a new VPC, which need not be written."""
    if network.own is None:
        return args
    written = args.get("network", ClusterNetwork())
    own: OwnNetworkArgs = {**written.get("own", OwnNetworkArgs()), "zones": network.zones}
    return {**args, "network": {**written, "own": own}}


def _manifests(args: WholeClusterArgs, key: str) -> tuple[Mapping[str, Any], ...]:
    """Return the manifests of an input, as all are in inputs that were read."""
    listed: Mapping[str, Any] = args
    return tuple(listed.get(key, ()))
