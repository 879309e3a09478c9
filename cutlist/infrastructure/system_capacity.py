"""The capacity on which Karpenter itself runs: nodes that it does not manage, or Fargate (spec: aws-infrastructure 1.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist import catalog
from cutlist.api.account_limits import VOLUMES
from cutlist.core.errors import Place, Problem, Problems, nearest
from cutlist.infrastructure.arns import POLICY, check_arn
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.inputs import one_of
from cutlist.infrastructure.subnets import check_subnet_zones

SYSTEM_LABEL: Final = ("karpenter.sh/controller", "true")
"""The label of system nodes, by which the controller and CoreDNS find them."""
SYSTEM_TAINT: Final = "CriticalAddonsOnly"

FEWEST: Final = 2
"""How many system nodes there are at least: two controllers never share a node."""
_MOST: Final = 3
LEAST_VCPUS: Final = 2
LEAST_MEMORY_MIB: Final = 8 * 1024
SMALLEST_DISK: Final = 20
LARGEST_DISK: Final = VOLUMES["gp3"].gib[1]
"""The largest gp3 volume."""
NODES: Final = 450
"""How many nodes a managed node group can have: EKS's quota."""
_RELEASE: Final = re.compile(r"\d+\.\d+\.\d+-\w+", re.ASCII)

AMI_TYPES: Final = ("BOTTLEROCKET_ARM_64", "BOTTLEROCKET_x86_64", "AL2023_ARM_64_STANDARD", "AL2023_x86_64_STANDARD")
_TYPES: Final = {"arm64": ("m7g.large", "m6g.large"), "x86_64": ("m7i.large", "m6i.large")}
_ARM: Final = re.compile(r"(a1|[a-z]+[0-9]+[a-z]*g[a-z]*)\..+", re.ASCII)  # a g after the generation means Graviton


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
    region: str = ""

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
        return "arm64" if "ARM_64" in self.ami_type else "x86_64"

    @property
    def devices(self) -> dict[str, int | None]:
        """Return the disks by device name, with their sizes in GiB; None keeps the image's own size. All are encrypted."""
        if self.ami_type.startswith("BOTTLEROCKET"):
            return {"/dev/xvda": None, "/dev/xvdb": self.disk_gib}  # the system's volume, and the one for images and pods
        return {"/dev/xvda": self.disk_gib}


def problems(facts: SystemNodesFacts, at: Place, version: str) -> list[Problem]:
    """Return the problems that would leave Karpenter without two nodes in two zones, or that EKS would refuse for nodes of a
    `version` of Kubernetes."""
    mistakes = Problems()
    if facts.zones is not None:
        check_subnet_zones(facts.zones, facts.subnets, at.member("zones"), mistakes)
    mistakes.extend(one_of(facts.ami_type, AMI_TYPES, at.member("amiType")))
    mistakes.extend(_sizes(facts, at))
    mistakes.extend(_types(facts, at.member("instanceTypes")))
    if not SMALLEST_DISK <= facts.disk_gib <= LARGEST_DISK:
        mistakes.add(at.member("diskGib"), f"a disk of {facts.disk_gib} GiB", f"{SMALLEST_DISK} to {LARGEST_DISK}")
    if facts.release_version is not None:
        mistakes.extend(_release(facts.release_version, facts.ami_type, version, at.member("releaseVersion")))
    for index, arn in enumerate(facts.policy_arns):
        check_arn(arn, POLICY, facts.region, at.member("policyArns").item(index), mistakes)
    return mistakes.found


def _release(release: str, ami_type: str, version: str, place: Place) -> Iterable[Problem]:
    """Yield a problem if a release is not one of the images': those of Amazon Linux begin with the version of Kubernetes."""
    is_bottlerocket = ami_type.startswith("BOTTLEROCKET")
    allowed = "such as 1.49.0-1a2b3c4d" if is_bottlerocket else f"such as {version}.1-20251112"
    if not _RELEASE.fullmatch(release):
        yield Problem(place, f"{release!r} is not a release of images", allowed)
    elif release.startswith(f"{version}.") == is_bottlerocket:
        yield Problem(place, f"{release} is not a release of {ami_type} for Kubernetes {version}", allowed)


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
    """Yield a problem if a type has no room for a controller, or its family has no such size. Other families may be newer than
    the catalogue."""
    machines = catalog.all_machines()
    allowed = f"types of {LEAST_VCPUS} vCPU and {LEAST_MEMORY_MIB // 1024} GiB or more"
    if name in machines:
        machine = machines[name]
        if machine.vcpus < LEAST_VCPUS or machine.memory_mib < LEAST_MEMORY_MIB:
            memory = f"{machine.memory_mib / 1024:g} GiB"
            yield Problem(at, f"{name} has {machine.vcpus} vCPU and {memory}, too little for a controller", allowed)
    elif sizes := [other for other in machines if other.partition(".")[0] == name.partition(".")[0]]:
        yield Problem(at, f"{name} is not an instance type", allowed, nearest(name, sizes))


def _types(facts: SystemNodesFacts, at: Place) -> Iterable[Problem]:
    for name in facts.instance_types:
        yield from _small(name, at)
    if len(set(facts.instance_types)) == 1:
        yield Problem(at, f"only {facts.instance_types[0]}", "at least two types, because one may be out of stock")
    wrong = [t for t in facts.instance_types if bool(_ARM.fullmatch(t)) != (facts.architecture == "arm64")]
    if wrong:
        yield Problem(at, f"{', '.join(wrong)} cannot start images of {facts.ami_type}", f"types of {facts.architecture}")
