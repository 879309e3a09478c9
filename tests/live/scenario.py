"""A scenario of the live cluster as plain data: what is put in, in which order, and with which settings of Karpenter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Object = Mapping[str, Any]
"""A Kubernetes object as it is sent to the API server."""

RELEASES: Final = {"1.14": "1.14.1", "1.15": "1.15.0"}
"""The release of Karpenter that is built of each minor."""
VERSIONS: Final = tuple(RELEASES)
GATES: Final = {
    "NodeRepair": False,
    "ReservedCapacity": True,
    "SpotToSpotConsolidation": False,
    "NodeOverlay": False,
    "StaticCapacity": False,
    "CapacityBuffer": False,
}
"""Karpenter's feature gates, as they are where a scenario says nothing."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The number of replicas of a Deployment, a StatefulSet or a static NodePool changes."""

    kind: str
    name: str
    replicas: int
    namespace: str = "default"


@dataclass(frozen=True, slots=True)
class Patch:
    """An object changes, by a merge patch; `subresource` is "status" where its status changes."""

    kind: str
    name: str
    patch: Mapping[str, Any]
    namespace: str = "default"
    subresource: str = ""


@dataclass(frozen=True, slots=True)
class PatchNodes:
    """The nodes that hold pods with the label `app` change, or with kind NodeClaim the NodeClaims behind these nodes.

    Names of nodes are random, so a scenario names them by what runs on them.
    """

    app: str
    patch: Mapping[str, Any]
    kind: Literal["Node", "NodeClaim"] = "Node"
    subresource: str = ""


@dataclass(frozen=True, slots=True)
class SetNodeCondition:
    """A condition of the nodes that hold pods with the label `app` is set, since so many seconds ago."""

    app: str
    type: str
    status: Literal["True", "False", "Unknown"]
    seconds_ago: int = 0


@dataclass(frozen=True, slots=True)
class Delete:
    """An object is deleted."""

    kind: str
    name: str
    namespace: str = "default"


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing changes for some seconds."""

    seconds: float


Change = Object | Scale | Patch | PatchNodes | SetNodeCondition | Delete | Pause
"""An object that is created, or something else that happens to the cluster."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happens to an empty cluster, and which of Karpenter's decisions is recorded.

    A scheduling scenario: `objects` are put in; each of `phases` is put in and waited for until its pods run; then Karpenter is
    stopped in its tracks, `then` is put in, the cluster is written down, and Karpenter's next pass is recorded.

    A disruption scenario: likewise, with the budgets of all NodePools closed; after `then` the cluster settles and is written
    down, the budgets become what they say, and Karpenter's next commands are recorded.
    """

    name: str
    about: str
    objects: Sequence[Change]
    """NodePools and everything else that is there before the first pod. A KWOKNodeClass `default` is always there."""
    then: Sequence[Change] = ()
    """What the recorded decision is about."""
    phases: Sequence[Sequence[Change]] = ()
    """What is in the cluster before, each phase settled before the next."""
    gates: Mapping[str, bool] = field(default_factory=dict)
    """Feature gates that differ from `GATES`."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Karpenter's settings by their environment variables, such as PREFERENCE_POLICY, BATCH_IDLE_DURATION."""
    instance_types: Sequence[Object] = ()
    """The instance types on offer, in the form of the KWOK provider's own file; left out: its 144 types."""
    versions: Sequence[str] = VERSIONS
    kind: Literal["scheduling", "disruption"] = "scheduling"
    free: str | None = None
    """Why Karpenter may answer otherwise next time: a tie that it breaks at random. A recording that differs is then
    kept, and not compared with Cutlist's answer."""
    nodes_join_late: bool = False
    """Scheduling: the nodes of `phases` are launched and not registered when `then` is put in."""
    is_lived_out: bool = False
    """Scheduling: besides the next pass, what the cluster comes to once no further pass changes anything is recorded."""
    waits_for: str | None = None
    """Disruption: a condition, such as Drifted, that some NodeClaim has before the cluster is written down."""
    while_held: Sequence[Change] = ()
    """Disruption: what happens while Karpenter is stopped in its tracks, after everything else. It learns of all at once."""
    is_quiet: bool = False
    """Disruption: no command is expected, so none is waited for at length."""
    commands: int = 1
    """Disruption: how many commands are waited for; 0 where NodeClaims are deleted without one, as by expiration."""
    symmetric_zones: bool | None = None
    """Whether zones may be exchanged with each other; left out: they may where no object names a zone."""

    def __post_init__(self) -> None:
        unknown = set(self.gates) - set(GATES)
        if unknown:
            raise ValueError(f"{self.name}: unknown feature gates {', '.join(sorted(unknown))}; known: {', '.join(GATES)}")
        if not set(self.versions) <= set(VERSIONS):
            raise ValueError(f"{self.name}: versions {self.versions}; known: {', '.join(VERSIONS)}")
