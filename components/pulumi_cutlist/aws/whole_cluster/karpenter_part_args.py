"""The inputs of the parts of a cluster with a Karpenter of its own, each made from those of the call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final, cast

from cutlist.core.errors import Place
from cutlist.core.karpenter.feature_gates import gate_spelled
from cutlist.infrastructure.charts.check import value_at
from cutlist.infrastructure.charts.settings import AwsFeatureGates
from cutlist.infrastructure.control_plane import AuthenticationMode
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.teardown.drain import DrainMode
from cutlist.infrastructure.versions import BASELINE
from pulumi_cutlist.aws.cluster.adopted_cluster import AdoptedClusterArgs
from pulumi_cutlist.aws.cluster.cluster import ClusterArgs
from pulumi_cutlist.aws.cluster.node_groups import ManagedNodeGroupArgs
from pulumi_cutlist.aws.cluster.system_capacity import FargateSystem, SystemNodes
from pulumi_cutlist.aws.identity.controller_identity_plan import ControllerIdentityArgs
from pulumi_cutlist.aws.identity.node_identity import NodeIdentityArgs
from pulumi_cutlist.aws.karpenter.discovery import DiscoveryArgs
from pulumi_cutlist.aws.karpenter.interruption import InterruptionArgs
from pulumi_cutlist.aws.karpenter.reservations import ReservationTags
from pulumi_cutlist.aws.teardown.drain_gate import DrainGateArgs
from pulumi_cutlist.aws.whole_cluster.args import KarpenterClusterArgs
from pulumi_cutlist.aws.whole_cluster.part_args import CommonParts, with_section
from pulumi_cutlist.inputs.shapes import LATER
from pulumi_cutlist.kubernetes.charts_plan import AwsFeatureGatesArgs, KarpenterChartsArgs
from pulumi_cutlist.kubernetes.chosen_karpenter import rules_of_text
from pulumi_cutlist.kubernetes.node_configuration import NodeConfigurationArgs

_PROFILES: Final = "instance-profiles"
_ISOLATED: Final = (_PROFILES, "price-list")  # no VPC endpoint reaches what these are for


@dataclass(frozen=True, slots=True)
class KarpenterParts(CommonParts):
    """The inputs of every part of one KarpenterCluster."""

    args: KarpenterClusterArgs

    @property
    def karpenter_version(self) -> str:
        """Return the version of Karpenter that is installed: the default release where the call names none."""
        return self.args.get("karpenter_version", BASELINE)

    @property
    def karpenter_namespace(self) -> str | None:
        """Return the namespace of the controller, as far as the call names one."""
        return self.args.get("charts", {}).get("namespace")

    @property
    def credentials(self) -> Credentials:
        """Return how pods get their roles."""
        return Credentials.IRSA if self.args.get("identity") == Credentials.IRSA else Credentials.POD_IDENTITY

    @property
    def trust_source_arn(self) -> bool | None:
        """Tell whether roles of pods also trust the source of a request; None if the call does not say."""
        return self.args.get("trust_source_arn")

    @property
    def zonal_shift(self) -> bool | None:
        """Tell whether zones that traffic was shifted away from are avoided; None if the call does not say."""
        return self.args.get("zonal_shift")

    @property
    def is_adopted(self) -> bool:
        """Tell whether the cluster exists already."""
        return "adopted_cluster" in self.args

    @property
    def has_static_profile(self) -> bool:
        """Tell whether the instance profile of nodes is made here."""
        return self.args.get("static_profile", self.is_isolated)

    @property
    def has_queue_key(self) -> bool:
        """Tell whether the queue is encrypted by a key that the controller has to use."""
        return bool(self.args.get("interruption", {}).get("encryption", "managed") != "managed")

    @property
    def reboots_nodes(self) -> bool:
        """Tell whether the charts turn on reboots by node repair, for which the controller needs a permission."""
        return self.aws_feature_gates.get("reboot_for_repair") is True

    @property
    def aws_feature_gates(self) -> AwsFeatureGatesArgs:
        """Return the feature gates of the AWS provider that the charts turn on or off, by input or among their values."""
        charts = self.args.get("charts", {})
        values = value_at(charts.get("values", {}), "settings.awsFeatureGates")
        written = {gate_spelled(key): on for key, on in values.items()} if isinstance(values, Mapping) else {}
        inputs = {gate.name: written.get(gate_spelled(gate.name)) for gate in fields(AwsFeatureGates)}
        own: Mapping[str, object] = charts.get("aws_feature_gates", {})
        return cast("AwsFeatureGatesArgs", {**{name: on for name, on in inputs.items() if isinstance(on, bool)}, **own})

    def cluster(self, zones: list[str]) -> ClusterArgs:
        """Return the inputs of Cluster, except subnets."""
        args: ClusterArgs = {"control_plane": self.control_plane(zones)}
        if "fargate" in self.args:
            fargate: FargateSystem = {**self.args["fargate"]}
            if self.karpenter_namespace is not None:
                fargate.setdefault("namespace", self.karpenter_namespace)
            args["fargate"] = fargate
        else:
            system_nodes: SystemNodes = {"zones": zones, **self.args.get("system_nodes", {})}
            args["system_nodes"] = system_nodes
        if "node_groups" in self.args:
            args["node_groups"] = {name: _with_subnets(group) for name, group in self.args["node_groups"].items()}
        if "identity" in self.args:
            args["identity"] = self.args["identity"]
        self._trust(args)
        if "add_ons" in self.args:
            args["add_ons"] = self.args["add_ons"]
        return args

    def chosen_zones(self) -> Iterator[tuple[Place, list[str]]]:
        """Yield the zones by which the call chooses subnets of its network, with the place of each choice."""
        nodes, groups = self.args.get("system_nodes", SystemNodes()), self.args.get("node_groups", {})
        if "zones" in nodes and "subnet_ids" not in nodes:
            yield Place(path="systemNodes.zones"), nodes["zones"]
        for name, group in groups.items():
            if "zones" in group and "subnet_ids" not in group:
                yield Place(path="nodeGroups").member(name).member("zones"), group["zones"]

    def adopted_cluster(self) -> AdoptedClusterArgs:
        """Return the inputs of AdoptedCluster."""
        call = self.args
        args: AdoptedClusterArgs = {
            "cluster_name": call["cluster_name"],
            "region": call["region"],
            "account_id": call["account_id"],
            "karpenter_version": self.karpenter_version,
        }
        if "tags" in call:
            args["tags"] = {**call["tags"]}
        if "kubernetes_version" in call:
            args["version"] = call["kubernetes_version"]
        return with_section(args, call.get("adopted_cluster"))

    def node_identity(self) -> NodeIdentityArgs:
        """Return the inputs of NodeIdentity, except the cluster."""
        call = self.args
        adopted, made = call.get("adopted_cluster", {}), call.get("control_plane", {})
        mode = (adopted if self.is_adopted else made).get("authentication_mode", AuthenticationMode.API.value)
        args: NodeIdentityArgs = {
            "cluster_name": call["cluster_name"],
            "region": call["region"],
            "account_id": call["account_id"],
            "authentication_mode": mode,
            "ip_family": "ipv4" if self.is_adopted else made.get("ip_family", "ipv4"),
            "cni_has_identity": not self.is_adopted,  # nothing is known of an adopted cluster's
            "static_profile": self.has_static_profile,
        }
        self._tag(args)
        self._bound(args)
        return with_section(args, call.get("node_identity"))

    def interruption(self) -> InterruptionArgs:
        """Return the inputs of Interruption."""
        call = self.args
        args: InterruptionArgs = {
            "cluster_name": call["cluster_name"],
            "region": call["region"],
            "account_id": call["account_id"],
            "karpenter_version": self.karpenter_version,
        }
        self._tag(args)
        self._style(args)
        return with_section(args, call.get("interruption"))

    def controller_identity(self) -> ControllerIdentityArgs:
        """Return the inputs of ControllerIdentity, except those of cluster, nodes and queue."""
        call, charts = self.args, self.args.get("charts", {})
        profiles = (_PROFILES,) if self.has_static_profile else ()
        args: ControllerIdentityArgs = {
            "cluster_name": call["cluster_name"],
            "region": call["region"],
            "account_id": call["account_id"],
            "karpenter_version": self.karpenter_version,
            "credentials": self.credentials.value,
            "without": list(_ISOLATED if self.is_isolated else profiles),
            "zonal_shift": self.zonal_shift or False,
            "reboot_for_repair": self.reboots_nodes,
            "node_role_arns": LATER,
            "queue_arn": LATER,
        }
        self._tag(args)
        self._bound(args)
        self._trust(args)
        if "namespace" in charts:
            args["namespace"] = charts["namespace"]
        if "service_account" in charts:
            args["service_account"] = charts["service_account"]
        if self.has_queue_key:
            args["queue_key_arn"] = LATER
        if self.credentials is Credentials.IRSA:
            args["oidc_provider_arn"] = args["oidc_issuer"] = LATER
        return with_section(args, call.get("controller_identity"))

    def discovery(self) -> DiscoveryArgs:
        """Return the inputs of Discovery, except those of network and cluster."""
        args: DiscoveryArgs = {
            "cluster_name": self.args["cluster_name"],
            "region": self.args["region"],
            "cluster_security_group_id": LATER,
            "subnet_ids": LATER,
            "style": self.args.get("network", {}).get("discovery", "tag"),
        }
        self._tag(args)
        return with_section(args, self.args.get("discovery"))

    def reservation_tags(self, discovery: Mapping[str, str]) -> ReservationTags:
        """Return the tags of new capacity reservations, with those by which Karpenter finds them."""
        return ReservationTags({**self.args.get("tags", {})}, discovery)

    def configuration(self) -> NodeConfigurationArgs:
        """Return the inputs of NodeConfiguration, for the Karpenter that the charts install with its feature gates."""
        args = CommonParts.configuration(self)
        rules = rules_of_text(self.karpenter_version)
        if rules is not None:  # a version that is not known is reported by the charts
            args["karpenter_version"] = str(rules)
        if gates := self.aws_feature_gates:
            args["aws_feature_gates"] = gates
        return args

    def charts(self) -> KarpenterChartsArgs:
        """Return the inputs of KarpenterCharts, except those of cluster, queue and controller identity."""
        args: KarpenterChartsArgs = {
            "cluster_name": self.args["cluster_name"],
            "karpenter_version": self.karpenter_version,
            "isolated_vpc": self.is_isolated,
            "zonal_shift": self.zonal_shift or False,
            "adopt": self.is_adopted,
        }
        return with_section(args, self.args.get("charts"))

    def drain_gate(self, node_pools: list[str]) -> DrainGateArgs:
        """Return the inputs of DrainGate, with the names of the NodePools that are the stack's own."""
        call, usual = self.args, DrainMode.FAIL if self.is_adopted else DrainMode.DELETE
        return {
            "cluster_name": call["cluster_name"],
            "region": call["region"],
            "account_id": call["account_id"],
            "mode": call.get("foreign_node_pools", usual.value),
            "node_pools": node_pools,
        }


def _with_subnets(group: ManagedNodeGroupArgs) -> ManagedNodeGroupArgs:
    """Return the inputs of a node group, whose subnets come later unless the call has them."""
    return group if "subnet_ids" in group else {**group, "subnet_ids": LATER}
