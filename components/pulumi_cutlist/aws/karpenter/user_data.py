"""NodeUserData: the user data of nodes of an EC2NodeClass, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import base64
from collections.abc import Mapping
from typing import Any, Final, NotRequired, TypedDict

import pulumi

import cutlist
from cutlist.core.errors import Problems
from cutlist.core.setting import Edge
from cutlist.providers.aws.userdata import BootstrapCluster
from cutlist.settings.words import in_words_of
from cutlist.verbs.userdata.answer import UserDataMachines, node_group_user_data, node_user_data
from pulumi_cutlist.inputs.program_words import ProgramComponent
from pulumi_cutlist.inputs.shapes import shaped
from pulumi_cutlist.inputs.spelling import outputs_of

# Inputs that may become known only during an update; mistakes reported before do not depend on their values.
_CLUSTER: Final = {
    "cluster_name": "cluster",
    "endpoint": "https://cluster.example",
    "certificate_authority": "",
    "service_cidr": "10.100.0.0/16",
    "dns_ip": "10.100.0.10",
}


class NodeUserDataArgs(TypedDict):
    """Inputs of NodeUserData."""

    node_class: dict[str, Any]
    """The manifest of the EC2NodeClass, including its userData. Plain values."""
    cluster_name: pulumi.Input[str]
    """Name of the cluster."""
    endpoint: pulumi.Input[str]
    """Address of the cluster's API server."""
    certificate_authority: NotRequired[pulumi.Input[str]]
    """Certificate authority of the cluster in base64. Without it, nodes do not get one."""
    service_cidr: NotRequired[pulumi.Input[str]]
    """Address range of the cluster's services. Nodes of AL2023 need it."""
    dns_ip: NotRequired[pulumi.Input[str]]
    """Address of the cluster's DNS service. Without it, nodes do not get one."""
    node_pool: NotRequired[dict[str, Any]]
    """The NodePool whose labels and taints the nodes get. Plain values. Defaults to none."""
    instance_type: NotRequired[str]
    """Instance type of the nodes. Required if the number of pods depends on it, that is, without maxPods in the class's
    kubelet."""
    region: NotRequired[str]
    """Region to look the instance type up in."""
    capacity_type: NotRequired[str]
    """Capacity type of the nodes: spot, on-demand, reserved. Defaults to spot if the NodePool allows it."""


class NodeUserData(ProgramComponent):
    """The user data of the nodes of an EC2NodeClass, with your own userData merged in as Karpenter does.

    It creates nothing. Its recorded input is the text, so that a preview's diff shows what changes at the first boot. Raises
    InputError with every mistake found before any value of the cluster is known.
    """

    user_data: pulumi.Output[str]
    """What Karpenter passes to a node of the NodePool, as text."""
    node_group_user_data: pulumi.Output[str]
    """The same settings for nodes that Karpenter does not manage: without its labels and the taint that it removes, in base64
    as launch templates have it. The launch template must set the image, because the text has everything that a node needs to
    join."""

    def __init__(self, name: str, args: NodeUserDataArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        problems = Problems()
        inputs = shaped(args, NodeUserDataArgs, problems)
        problems.raise_if_any()
        writer = _Writer(inputs)
        settings = {key: inputs[key] for key in _CLUSTER if key in inputs}  # type: ignore[literal-required]
        writer.check({key: _CLUSTER[key] for key in settings})
        texts = pulumi.Output.all(**settings).apply(writer.texts)
        self.user_data = texts.apply(lambda pair: pair[0])
        self.node_group_user_data = texts.apply(lambda pair: base64.b64encode(pair[1].encode()).decode())
        super().__init__("cutlist:index:NodeUserData", name, {"userData": self.user_data}, opts)
        self.register_outputs(outputs_of(self))


class _Writer:
    """Writes both texts once the cluster is known."""

    def __init__(self, args: NodeUserDataArgs) -> None:
        self._node_class = cutlist.EC2NodeClass.from_manifest(args["node_class"])
        pool = args.get("node_pool")
        self._pool = cutlist.NodePool.from_manifest(pool) if pool is not None else None
        self._machines = UserDataMachines(args.get("instance_type"), args.get("region"))
        self._capacity_type = args.get("capacity_type")

    def texts(self, cluster: Mapping[str, str]) -> tuple[str, str]:
        """Return the texts for nodes of Karpenter, and for those of a node group."""
        facts = BootstrapCluster(
            cluster["cluster_name"],
            cluster["endpoint"],
            cluster.get("certificate_authority"),
            cluster.get("service_cidr"),
            cluster.get("dns_ip"),
        )
        boot = node_user_data(self._node_class, facts, self._machines, node_pool=self._pool, capacity_type=self._capacity_type)
        return boot.user_data, node_group_user_data(self._node_class, facts, self._machines)

    def check(self, cluster: Mapping[str, str]) -> None:
        """Raise InputError for mistakes that do not depend on the cluster, under the names of the inputs."""
        with in_words_of(Edge.COMPONENT):
            self.texts(cluster)
