"""What is known of a service that runs Karpenter, as values: each fact with its source and its date."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.core.source import Source


@dataclass(frozen=True, slots=True)
class GateState:
    """Whether a service runs Karpenter with a feature gate on. `is_inferred` says that the source does not name the gate, and
    that its state follows from what the source says."""

    gate: str
    is_on: bool
    source: Source
    is_inferred: bool = False

    @property
    def state(self) -> str:
        """Return `on` or `off`."""
        return "on" if self.is_on else "off"


@dataclass(frozen=True, slots=True)
class BuiltInPool:
    """A NodePool that a service creates itself: the class that it refers to, and in words what it launches."""

    name: str
    class_name: str
    text: str


@dataclass(frozen=True, slots=True)
class BuiltInClass:
    """What the node classes have that a service creates in clusters of a kind, such as `Automatic`: their image family, and the
    mode of LocalDNS, empty without one."""

    sku: str
    image_family: str
    local_dns: str
    source: Source


@dataclass(frozen=True, slots=True)
class ClusterLimit:
    """A setting that a cluster of a service cannot have. `member` is its path in the service's API, `pools` says that it is one
    of each of its node pools. `refused` are the values that are not possible; without any, every value is but those that
    have one of the members in `possible`.

    `text` names the setting, `instead` is what is possible.
    """

    member: tuple[str, ...]
    text: str
    instead: str
    source: Source
    refused: tuple[Any, ...] = ()
    pools: bool = False

    possible: tuple[tuple[str, str], ...] = ()

    @property
    def path(self) -> str:
        """Return the path in the API."""
        return ".".join(self.member)

    @property
    def why(self) -> str:
        """Return in words what cannot be."""
        return f"{self.text} cannot be combined with node provisioning"

    @property
    def allowed(self) -> str:
        """Return what is possible instead, and where that is said."""
        return f"{self.instead} ({self.source})"

    def refuses(self, value: Any) -> bool:
        """Tell whether a value is not possible; a missing one always is. Words are compared without regard to case."""
        if value is None or (isinstance(value, Mapping) and any(value.get(key) == own for key, own in self.possible)):
            return False
        return not self.refused or any(_same(value, each) for each in self.refused)


def _same(value: Any, other: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_same(member, other) for member in value)
    if isinstance(value, str) and isinstance(other, str):
        return value.casefold() == other.casefold()
    return type(value) is type(other) and bool(value == other)


@dataclass(frozen=True, slots=True)
class Service:
    """A service that runs Karpenter. `group` is that of its node classes.

    `provider` is the release of its cloud's provider, and `core` that of Karpenter which this is built on; both are None where
    the service does not publish them. `gates` are the feature gates whose state is known, `unknown_gates` those that it may
    have in either state. `pools` are the NodePools and `classes` the node classes that it creates, `class_forms` what its
    classes have by the kind of a cluster, `limits` what its clusters cannot have. `has_legacy_node_repair` says that its
    NodeRepair is that of 1.14, before repair was a disruption method.
    """

    name: str
    group: str
    provider: KarpenterVersion | None
    core: KarpenterVersion | None
    version_from: Source
    gates: tuple[GateState, ...]
    pools: tuple[BuiltInPool, ...]
    classes: tuple[str, ...]
    pools_from: Source
    limits: tuple[ClusterLimit, ...] = ()
    class_forms: tuple[BuiltInClass, ...] = ()
    unknown_gates: tuple[str, ...] = ()
    has_legacy_node_repair: bool = True

    @property
    def gate_states(self) -> Mapping[str, GateState]:
        """Return the states of its gates, by their names."""
        return {state.gate: state for state in self.gates}

    @property
    def version_words(self) -> str:
        """Return in words which Karpenter it runs."""
        if self.provider is None or self.core is None:
            return f"which version of Karpenter {self.name} runs is not published ({self.version_from})"
        return (
            f"{self.name} runs Karpenter {self.core.line}: provider v{self.provider} on core v{self.core} ({self.version_from})"
        )
