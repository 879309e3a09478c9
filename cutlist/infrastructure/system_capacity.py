"""The capacity on which Karpenter itself runs: nodes that it does not manage, or Fargate (spec: aws-infrastructure 1.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from cutlist.catalog import embedded
from cutlist.core.errors import Place, Problem, Problems
from cutlist.infrastructure.arns import POLICY, check_arn
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.inputs import one_of
from cutlist.infrastructure.node_images import (
    AMI_TYPES,
    architecture_of,
    devices_of,
    disk_problems,
    image_problems,
    release_problems,
    type_problems,
)
from cutlist.infrastructure.node_labels import label_problems
from cutlist.infrastructure.subnets import check_subnet_zones

SYSTEM: Final = "system"
"""How the name of the group of system nodes ends."""
SYSTEM_LABEL: Final = ("karpenter.sh/controller", "true")
"""The label of system nodes, by which the controller and CoreDNS find them."""
SYSTEM_TAINT: Final = "CriticalAddonsOnly"

FEWEST: Final = 2
"""How many system nodes there are at least: two controllers never share a node."""
_MOST: Final = 3
LEAST_VCPUS: Final = 2
LEAST_MEMORY_MIB: Final = 8 * 1024
NODES: Final = 450
"""How many nodes a managed node group can have: EKS's quota."""
_TYPES: Final = {"arm64": ("m7g.large", "m6g.large"), "x86_64": ("m7i.large", "m6i.large")}


class SystemCapacity(StrEnum):
    """The capacity for pods before Karpenter starts nodes."""

    TAINTED = "tainted"
    """System nodes for pods that tolerate their taint."""
    SHARED = "shared"
    """System nodes without a taint."""
    FARGATE = "fargate"
    """Fargate, only for the controller and CoreDNS."""


@dataclass(frozen=True, slots=True)
class SystemNodesFacts:
    """A managed node group for system pods. `disk_gib` is the size of the disk that images and pods use; `zones` is None for
    those of the control plane. Without `desired`, the group starts with the minimum; without `maximum`, it has at most three
    nodes, or as many as it starts with."""

    zones: Sequence[str] | None = None
    ami_type: str = "BOTTLEROCKET_ARM_64"
    instance_types: Sequence[str] = ()
    minimum: int = FEWEST
    desired: int | None = None
    maximum: int | None = None
    disk_gib: int = 20
    shared: bool = False
    autoscaled: bool = False
    subnets: int | None = None
    release_version: str | None = None
    policy_arns: Sequence[str] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    region: str = ""

    @property
    def all_labels(self) -> dict[str, str]:
        """Return the labels of the nodes: those requested, and the one by which the controller finds them."""
        label, value = SYSTEM_LABEL
        return {**self.labels, label: value}

    @property
    def types(self) -> tuple[str, ...]:
        """Return the instance types: those requested, or the two smallest on which a controller fits."""
        return tuple(self.instance_types) or _TYPES[self.architecture]

    @property
    def initial_size(self) -> int:
        """Return the number of nodes to begin with."""
        return self.minimum if self.desired is None else self.desired

    @property
    def maximum_size(self) -> int:
        """Return the largest number of nodes."""
        return max(_MOST, self.initial_size) if self.maximum is None else self.maximum

    @property
    def architecture(self) -> str:
        """Return `arm64` or `x86_64`, according to the images."""
        return architecture_of(self.ami_type)

    @property
    def devices(self) -> Mapping[str, int | None]:
        """Return the disks by device name, with their sizes in GiB; None keeps the image's own size. All are encrypted."""
        return devices_of(self.ami_type, self.disk_gib)


def problems(facts: SystemNodesFacts, at: Place, version: str) -> list[Problem]:
    """Return the problems that would leave Karpenter without two nodes in two zones, or that EKS would refuse for nodes of a
    `version` of Kubernetes."""
    mistakes = Problems()
    if facts.zones is not None:
        check_subnet_zones(facts.zones, facts.subnets, at.member("zones"), mistakes)
    mistakes.extend(one_of(facts.ami_type, AMI_TYPES, at.member("amiType")))
    mistakes.extend(_sizes(facts, at))
    mistakes.extend(_types(facts, at.member("instanceTypes")))
    mistakes.extend(label_problems(facts.labels, at.member("labels")))
    mistakes.extend(disk_problems(facts.disk_gib, at.member("diskGib")))
    if facts.release_version is not None:
        mistakes.extend(release_problems(facts.release_version, facts.ami_type, version, at.member("releaseVersion")))
    for index, arn in enumerate(facts.policy_arns):
        check_arn(arn, POLICY, facts.region, at.member("policyArns").item(index), mistakes)
    return mistakes.found


def identity_problems(identity: str, *, on_fargate: bool, at: Place) -> Iterable[Problem]:
    """Yield a problem if pods cannot get their roles this way where they run; `at` names the choice."""
    yield from one_of(identity, Credentials, at)
    if on_fargate and identity == Credentials.POD_IDENTITY:
        message = "Fargate has no Pod Identity agent, so that a controller there would get no role"
        yield Problem(at, message, Credentials.IRSA)


def fargate_selectors(namespace: str) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """Return namespaces and labels of the pods that run on Fargate, by profile: only Karpenter's controller and CoreDNS."""
    controller = (namespace, {"app.kubernetes.io/name": "karpenter"})
    return {"karpenter": [controller], "coredns": [("kube-system", {"k8s-app": "kube-dns"})]}


def _sizes(facts: SystemNodesFacts, at: Place) -> Iterable[Problem]:
    if facts.minimum < FEWEST:
        allowed = f"at least {FEWEST}: two controllers never share a node"
        yield Problem(at.member("minimum"), f"minimum of {facts.minimum}", allowed)
    if not facts.minimum <= facts.initial_size <= facts.maximum_size:
        message = f"minimum {facts.minimum}, desired {facts.initial_size}, maximum {facts.maximum_size}"
        yield Problem(at.member("maximum" if facts.desired is None else "desired"), message, "minimum <= desired <= maximum")
    if facts.maximum_size > NODES:
        place = at.member(next(name for name in ("maximum", "desired", "minimum") if getattr(facts, name) is not None))
        yield Problem(place, f"maximum of {facts.maximum_size}", f"at most {NODES} nodes in a managed node group")


def _small(name: str, at: Place) -> Iterable[Problem]:
    """Yield a problem if a type has no room for a controller, or its family has no such size."""
    allowed = f"types of {LEAST_VCPUS} vCPU and {LEAST_MEMORY_MIB // 1024} GiB or more"
    machine = embedded.all_machines().get(name)
    if machine is None:
        yield from type_problems(name, allowed, at)
    elif machine.vcpus < LEAST_VCPUS or machine.memory_mib < LEAST_MEMORY_MIB:
        memory = f"{machine.memory_mib / 1024:g} GiB"
        yield Problem(at, f"{name} has {machine.vcpus} vCPU and {memory}, too little for a controller", allowed)


def _types(facts: SystemNodesFacts, at: Place) -> Iterable[Problem]:
    for name in facts.instance_types:
        yield from _small(name, at)
    if len(set(facts.instance_types)) == 1:
        yield Problem(at, f"only {facts.instance_types[0]}", "at least two types, because one may be out of stock")
    yield from image_problems(facts.instance_types, facts.ami_type, at)
