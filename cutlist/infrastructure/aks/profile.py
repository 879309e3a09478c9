"""How pods of an AKS cluster get their addresses, and which options work with node provisioning (spec: azure 1.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.services import AKS, ClusterLimit
from cutlist.infrastructure.aks.notes import AksNotes

PLUGINS: Final = ("azure", "none", "kubenet")
MODES: Final = ("overlay", "none")
DATAPLANES: Final = ("cilium", "azure", "none")
POLICIES: Final = ("cilium", "azure", "calico", "none")
LOAD_BALANCERS: Final = ("standard", "basic")
OUTBOUND_TYPES: Final = (
    "loadBalancer",
    "userAssignedNATGateway",
    "userDefinedRouting",
    "managedNATGateway",
    "none",
)
_OF_A_GIVEN_NETWORK: Final = ("userAssignedNATGateway", "userDefinedRouting")
_PODS: Final = {("azure", "overlay"): 250, ("azure", ""): 30, ("none", ""): 250}
_OTHER_PODS: Final = 110


@dataclass(frozen=True, slots=True)
class NetworkProfile:
    """A cluster's network as requested; `none` means that the API's field is left out.

    The default is the overlay with Cilium, which is recommended. Each choice decides the defaults that depend on it: without
    the overlay there is no Cilium, and without a plugin neither.
    """

    plugin: str = "azure"
    chosen_mode: str | None = None
    chosen_dataplane: str | None = None
    chosen_policy: str | None = None
    load_balancer_sku: str = "standard"
    outbound_type: str = "loadBalancer"
    ip_families: Sequence[str] = ("IPv4",)

    @property
    def mode(self) -> str:
        """Return `overlay`, or `none` if pods have addresses of the nodes' subnet."""
        return self.chosen_mode or ("overlay" if self.plugin == "azure" else "none")

    @property
    def dataplane(self) -> str:
        """Return the data plane, which moves packets."""
        return self.chosen_dataplane or _first(
            ("none", self.plugin == "none"), ("cilium", self.plugin == "azure" and self.mode == "overlay"), ("azure", True)
        )

    @property
    def policy(self) -> str:
        """Return the engine that enforces network policies."""
        return self.chosen_policy or ("cilium" if self.dataplane == "cilium" else "none")

    @property
    def is_flat(self) -> bool:
        """Tell whether each pod gets an address of its node's subnet."""
        return self.plugin == "azure" and self.mode != "overlay"

    @property
    def pods_per_node(self) -> int:
        """Return how many pods a node may have if its class does not set it (spec: azure 4.4)."""
        return default_max_pods(self.plugin, "" if self.mode == "none" else self.mode)


def default_max_pods(plugin: str, mode: str) -> int:
    """Return how many pods a node accepts by default, for a plugin and its mode, which is empty without one (Z-40)."""
    return _PODS.get((plugin, "" if plugin == "none" else mode), _OTHER_PODS)


def check_profile(profile: NetworkProfile, *, provisioned: bool, given_network: bool, notes: AksNotes) -> None:
    """Report every setting that AKS does not have, and those that do not work with node provisioning.

    `provisioned` says whether AKS provisions nodes itself, `given_network` whether the cluster is in a network that AKS does
    not make.
    """
    before = len(notes.problems.found)
    for path, value, allowed in _closed_sets(profile):
        notes.one_of(f"network.{path}", value, allowed)
    if len(notes.problems.found) == before:  # it is unknown what a misspelt choice works with
        _check_together(profile, notes)
        _check_outbound(profile, given_network, notes)
    if provisioned:
        for path, limit in _refused(profile, given_network):
            notes.refuse(f"network.{path}", limit.why, limit.allowed)


def _closed_sets(profile: NetworkProfile) -> Iterator[tuple[str, str, Sequence[str]]]:
    yield "plugin", profile.plugin, PLUGINS
    yield "mode", profile.mode, MODES
    yield "dataplane", profile.dataplane, DATAPLANES
    yield "policy", profile.policy, POLICIES
    yield "loadBalancerSku", profile.load_balancer_sku, LOAD_BALANCERS
    yield "outboundType", profile.outbound_type, OUTBOUND_TYPES
    yield from ((f"ipFamilies[{n}]", family, ("IPv4", "IPv6")) for n, family in enumerate(profile.ip_families))


def _refused(profile: NetworkProfile, given_network: bool) -> Iterator[tuple[str, ClusterLimit]]:
    """Yield what AKS refuses of a network together with node provisioning: the path of the input, and the limit."""
    values = {
        "networkProfile.networkPlugin": ("plugin", profile.plugin),
        "networkProfile.networkPolicy": ("policy", profile.policy),
        "networkProfile.ipFamilies": ("ipFamilies", profile.ip_families),
        "networkProfile.loadBalancerSku": ("loadBalancerSku", profile.load_balancer_sku if given_network else None),
    }
    for limit in AKS.limits:
        key, value = values.get(limit.path, ("", None))
        if limit.refuses(value):
            yield key, limit


def _check_together(profile: NetworkProfile, notes: AksNotes) -> None:
    """Report settings that contradict each other, with or without node provisioning."""
    if profile.plugin == "none":
        for path, value in (("mode", profile.mode), ("dataplane", profile.dataplane), ("policy", profile.policy)):
            if value != "none":
                notes.refuse(f"network.{path}", f"{path} {value} with a CNI that you bring yourself", "none")
        notes.warn("network.plugin", "a CNI that you bring yourself is not covered by Azure's support")
        return
    if profile.policy == "cilium" and profile.dataplane != "cilium":
        notes.refuse("network.policy", f"policy cilium on the dataplane {profile.dataplane}", "dataplane cilium")
    if profile.is_flat and profile.dataplane == "cilium":
        text = "a Cilium dataplane without overlay, which older API versions refuse"
        notes.warn("network.dataplane", text, "mode overlay, or dataplane azure")


def _check_outbound(profile: NetworkProfile, given_network: bool, notes: AksNotes) -> None:
    """Report outbound types that need your own network: one that AKS makes has no other route or gateway."""
    outbound = profile.outbound_type
    if outbound in _OF_A_GIVEN_NETWORK and not given_network:
        notes.refuse("network.outboundType", f"{outbound} in a network that AKS makes", "loadBalancer, managedNATGateway")
    if outbound == "managedNATGateway" and given_network:
        allowed = ", ".join(("loadBalancer", *_OF_A_GIVEN_NETWORK))
        notes.refuse("network.outboundType", "managedNATGateway in your own network", allowed)


def _first(*choices: tuple[str, bool]) -> str:
    return next(choice for choice, holds in choices if holds)
