"""AutoModeCluster: a cluster whose nodes EKS manages, from the network to the NodePools, as one resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import pulumi

from pulumi_cutlist.aws.auto_mode import AutoMode, AutoModeArgs
from pulumi_cutlist.aws.auto_mode_cluster_args import AutoModeClusterArgs
from pulumi_cutlist.aws.auto_mode_cluster_checks import check
from pulumi_cutlist.aws.control_plane import ControlPlane
from pulumi_cutlist.aws.interface_pass import InterfacePass
from pulumi_cutlist.aws.joined_extras import make_extras
from pulumi_cutlist.aws.kubernetes_provider import kubernetes_provider
from pulumi_cutlist.aws.network import Network
from pulumi_cutlist.aws.part_maker import PartMaker
from pulumi_cutlist.aws.spot_role import SpotServiceLinkedRole
from pulumi_cutlist.known import as_inputs
from pulumi_cutlist.kubernetes import NodeConfiguration
from pulumi_cutlist.protection import Protection


class AutoModeCluster(pulumi.ComponentResource):
    """Network, cluster in Auto Mode, and NodePools of your own, in the order that lets them go again.

    Raises InputError with every mistake in the inputs of all parts; nothing is registered then.
    """

    cluster_name: pulumi.Output[str]
    """Name of the cluster."""
    endpoint: pulumi.Output[str]
    """Where the API server is."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig that logs in anew each time by `aws eks get-token`. It holds no secret."""
    vpc_id: pulumi.Output[str]
    """Id of the VPC."""
    node_role_name: pulumi.Output[str]
    """Name of the role of nodes, for more NodeClasses."""
    node_pool_names: pulumi.Output[list[str]]
    """Names of the NodePools of your own. What uses them waits for the objects, and is deleted before them."""

    def __init__(self, name: str, args: AutoModeClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        checked = check(args)
        super().__init__("cutlist:index:AutoModeCluster", name, {**checked.given}, opts)
        parts, maker = checked.parts, PartMaker(name, self)
        vpc, cluster = checked.network, checked.cluster
        network = Network(maker.name_of("network"), vpc.args, maker.options(), plan=vpc)
        where = parts.last_interfaces(network.vpc_id)
        last = InterfacePass(maker.name_of("interfaces"), where, maker.options(network))
        control_plane: ControlPlane = {
            "subnet_ids": as_inputs(network.control_plane_subnet_ids),
            **cluster.args["control_plane"],
        }
        of_cluster: AutoModeArgs = {**cluster.args, "control_plane": control_plane}
        self.cluster = AutoMode(maker.name_of("cluster"), of_cluster, maker.options(last, network), plan=cluster)
        plan = checked.common.spot_role
        spot = SpotServiceLinkedRole(maker.name_of("spot"), plan.args, maker.options(), plan=plan)
        self.provider = kubernetes_provider(f"{name}-kubernetes", self.cluster, self)
        inside = PartMaker(name, self, self.provider)
        objects = checked.common.configuration
        options = inside.options(self.cluster, spot)
        configuration = NodeConfiguration(inside.name_of("nodes"), objects.args, options, plan=objects)
        extras = make_extras(inside, checked.common, self.cluster, configuration)
        ends = [self.cluster, spot, configuration, *extras]
        Protection(f"{name}-protection", protect=parts.is_protected, last=ends, parent=self)
        self.cluster_name, self.endpoint = self.cluster.cluster_name, self.cluster.endpoint
        self.kubeconfig, self.vpc_id = self.cluster.kubeconfig, network.vpc_id
        self.node_role_name, self.node_pool_names = self.cluster.node_role_name, configuration.node_pool_names
        self.register_outputs(
            {
                "clusterName": self.cluster_name,
                "endpoint": self.endpoint,
                "kubeconfig": self.kubeconfig,
                "vpcId": self.vpc_id,
                "nodeRoleName": self.node_role_name,
                "nodePoolNames": self.node_pool_names,
            }
        )
