"""The NodeClass of EKS Auto Mode: the part of a node's launch that Auto Mode leaves to the user (spec: api-objects 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar
from typing import TYPE_CHECKING, Any, ClassVar

from cutlist.api.autonodeclass_fields import API_VERSION, KIND, AutoNodeClassSpec, AutoNodeClassStatus
from cutlist.api.autonodeclass_rules import AUTO_NODE_CLASS, MANAGED_BY_EKS
from cutlist.api.ec2nodeclass_status import SecurityGroup, Subnet
from cutlist.api.fields import Field
from cutlist.api.model import Model
from cutlist.api.objects import NodeClassObject, discovered
from cutlist.api.validation import ObjectKind
from cutlist.core.labels import MANAGED_BY


class AutoNodeClass(NodeClassObject, AutoNodeClassSpec):
    """A NodeClass of EKS Auto Mode: network, identity, storage of the nodes. Absent fields have Auto Mode's defaults.

    `subnets` are what the controller found, empty for a class that no cluster has seen. Two classes are equal when their fields
    are, however they were written.

    Building one raises InputError with every reason for which it would be refused.

    - `role` (a bare name) or `instance_profile`: the identity of the nodes, not both of them. A role of your own needs an
    EKS access entry of type EC2 with the policy AmazonEKSAutoNodePolicy, else its nodes never register. - `discovery`: the
    value of the tag `karpenter.sh/discovery` on subnets and security groups, short for one entry of `subnet_selector_terms` and
    of `security_group_selector_terms`, where those are not given. - `pod_subnet_selector_terms` put pods into subnets of their
    own, which costs the node its first interface.
    """

    API_VERSION: ClassVar[str] = API_VERSION
    KIND: ClassVar[str] = KIND
    _VALIDATED_AS: ClassVar[ObjectKind] = AUTO_NODE_CLASS
    _SPEC: ClassVar[type[Model]] = AutoNodeClassSpec
    _SHORTHANDS: ClassVar[tuple[str, ...]] = ("discovery",)

    status: AutoNodeClassStatus = Field(default_factory=AutoNodeClassStatus, init=False)
    if TYPE_CHECKING:  # an argument that is not a field, which the model cannot express
        discovery: InitVar[str | None] = None

    @classmethod
    def _spelled_out(cls, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**arguments, **discovered(arguments)}

    @property
    def is_managed(self) -> bool:
        """Tell whether EKS made the class, together with its built-in NodePools."""
        return self.labels.get(MANAGED_BY) == MANAGED_BY_EKS

    @property
    def has_pod_subnets(self) -> bool:
        """Tell whether pods have subnets of their own and so leave the node's first interface unused."""
        return bool(self.pod_subnet_selector_terms)

    @property
    def max_pods(self) -> int | None:
        """Return the number of pods that `advancedCompute.kubelet.maxPods` allows a node, or None without one."""
        compute = self.advanced_compute
        kubelet = compute.get("kubelet") if isinstance(compute, Mapping) else None
        most = kubelet.get("maxPods") if isinstance(kubelet, Mapping) else None
        return most if isinstance(most, int) and not isinstance(most, bool) else None

    @property
    def has_open_settings(self) -> bool:
        """Tell whether `advancedCompute` says more than how many pods a node may have, of which no schema is published."""
        compute = self.advanced_compute
        if not isinstance(compute, Mapping):
            return False
        kubelet = compute.get("kubelet")
        others = kubelet.keys() - {"maxPods"} if isinstance(kubelet, Mapping) else ()
        return bool(others or compute.keys() - {"kubelet"})

    @property
    def subnets(self) -> Sequence[Subnet]:
        """Return the subnets that the controller found."""
        return self.status.subnets

    @property
    def security_groups(self) -> Sequence[SecurityGroup]:
        """Return the security groups that the controller found."""
        return self.status.security_groups
