"""Karpenter's reboot controller on NodeClaims, in the form of the vectors (spec: karpenter-1.15 2.3; V15-58)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final

from cutlist.api.durations import nanoseconds
from cutlist.core.annotations import TERMINATION_TIMESTAMP
from cutlist.core.instants import instant, instant_text
from cutlist.state.pods import RunningPod, tolerates_disruption
from cutlist.state.scheduling_node import REBOOTING_TAINT
from tests.conformance.drain import first_tier, is_drainable
from tests.conformance.go_durations import parse_error
from tests.conformance.pod_events import pod_event
from tests.conformance.repair import go_duration, length

BOUND: Final = "karpenter.sh/reboot-termination-grace-period"
PRE_BOOT_ID: Final = "karpenter.sh/reboot-pre-boot-id"
OBSERVED_FOR: Final = 20 * 60.0
ASKED_FOR: Final = 5 * 60.0
SHORTEST_DRAIN: Final = 5.0
POLL: Final = 15.0
FORCEFUL: Final = "Forceful Termination"
REFUSALS: Final = {
    "notImplemented": "reboot not implemented by the cloud provider",
    "failed": "reboot rejected by the cloud provider: permission denied",
    "notFound": "reboot rejected by the cloud provider: nodeclaim not found, no instance",
}
NOT_ISSUED: Final = "reboot was not issued within the issuance timeout"
NOT_RECOVERED: Final = "node did not recover within the observation window"


@dataclass(slots=True)
class Condition:
    """A condition of the NodeClaim; its instant is in seconds since 1970."""

    status: str
    reason: str = ""
    message: str = ""
    since: float = 0

    @staticmethod
    def of(claim: Mapping[str, Any], kind: str) -> Condition | None:
        for c in (claim.get("status") or {}).get("conditions") or ():
            if c["type"] == kind:
                since = instant(c.get("lastTransitionTime")) or 0
                return Condition(c.get("status", ""), c.get("reason", ""), c.get("message", ""), since)
        return None

    @property
    def text(self) -> str:
        return f"{self.status} {self.reason}: {self.message}".strip()


@dataclass(slots=True)
class Reboot:
    """The world of one NodeClaim that reboots. `answer` is the provider's."""

    claim: Mapping[str, Any]
    node: Mapping[str, Any] | None
    pods: Sequence[RunningPod]
    answer: str
    now: float
    rebooting: Condition
    initialized: Condition
    annotations: dict[str, str]
    is_tainted: bool
    eviction_reason: str
    deleted: bool
    asked_since: float | None = None
    asked: int = 0
    queue: dict[str, float | None] = field(default_factory=dict)
    evicted: set[str] = field(default_factory=set)
    events: list[tuple[str, str, str]] = field(default_factory=list)
    error: str = ""

    @staticmethod
    def of(
        claim: Mapping[str, Any], node: Mapping[str, Any] | None, pods: Sequence[RunningPod], answer: str, now: float
    ) -> Reboot:
        """Return the world of a claim; a condition that it lacks counts as set when the claim was created."""
        metadata, disruption = claim["metadata"], Condition.of(claim, "DisruptionReason")
        missing = Condition(
            "Unknown",
            "AwaitingReconciliation",
            "object is awaiting reconciliation",
            instant(metadata.get("creationTimestamp")) or 0,
        )
        taints = ((node or {}).get("spec") or {}).get("taints") or ()
        return Reboot(
            claim,
            node,
            pods,
            answer,
            now,
            Condition.of(claim, "Rebooting") or missing,
            Condition.of(claim, "Initialized") or missing,
            dict(metadata.get("annotations") or {}),
            any((t["key"], t["effect"]) == (REBOOTING_TAINT.key, REBOOTING_TAINT.effect) for t in taints),
            disruption.reason if disruption is not None and disruption.status == "True" else FORCEFUL,
            bool(metadata.get("deletionTimestamp")),
        )

    @property
    def boot_id(self) -> str:
        return (((self.node or {}).get("status") or {}).get("nodeInfo") or {}).get("bootID") or ""

    @property
    def is_issued(self) -> bool:
        return self.rebooting.reason == "RebootIssued"

    @property
    def deadline(self) -> float | None:
        """Return when the present phase has to be over."""
        if self.is_issued:
            return self.initialized.since + OBSERVED_FOR if self.initialized.status == "Unknown" else None
        return None if self.asked_since is None else self.asked_since + ASKED_FOR

    def run(self) -> dict[str, Any]:
        """Run the controller once, and return the state after it."""
        self.events, self.error, self.asked = [], "", 0
        after = self._reconcile()
        self._work_queue()
        optional = {
            "tainted": self.is_tainted,
            "preBootID": self.annotations.get(PRE_BOOT_ID),
            "asked": self.asked,
            "evict": sorted(self.evicted),
            "deleted": self.deleted,
            "deadline": self.annotations.get(TERMINATION_TIMESTAMP),
            "after": go_duration(after) if after else "",
            "error": self.error,
            "events": [{"object": o, "reason": r, "message": m} for o, r, m in sorted(set(self.events))],
        }
        texts = {"rebooting": self.rebooting.text, "initialized": self.initialized.text}
        return dict(sorted({**texts, **{name: value for name, value in optional.items() if value}}.items()))

    def _reconcile(self) -> float:
        """Do one thing, and return in how many seconds the controller looks again, or 0."""
        if self.rebooting.status != "True" or self.deleted:
            return 0
        if self.node is None:
            deadline = self.deadline if self.deadline is not None else self.rebooting.since + ASKED_FOR
            return POLL if self.now <= deadline else self._fail(NOT_RECOVERED if self.is_issued else NOT_ISSUED)
        if self.deadline is not None and self.now > self.deadline:
            return self._fail(NOT_RECOVERED if self.is_issued else NOT_ISSUED)
        if self.is_issued:
            return self._observe()
        return self._request() if self.rebooting.reason == "RebootRequested" else 0

    def _request(self) -> float:
        problem = bound_problem(self.annotations.get(BOUND))
        if problem:
            self._end("RebootFailed", f"invalid reboot request: {problem}")
            return self._tell("RebootFailed", f"invalid reboot request: {problem}")
        self.is_tainted = True
        before = self.annotations.get(PRE_BOOT_ID)
        if before is None:
            after = self._drain()
            if after:
                return after
            self.annotations[PRE_BOOT_ID] = self.boot_id
        elif before != self.boot_id:
            return self._issued()
        self.asked_since = self.now if self.asked_since is None else self.asked_since
        self.asked = 1
        if self.answer in REFUSALS:
            return self._fail(REFUSALS[self.answer])
        if self.answer == "transient":
            self.error = "issuing reboot, try again"
            return 0
        return self._issued()

    def _drain(self) -> float:
        """Evict what may be evicted; return in how many seconds to look again, or 0 once the drain is over."""
        text = self.annotations.get(BOUND)
        bound = None if text is None else length(text)
        if bound == 0:
            return 0
        requested = self.rebooting.since
        deadline = None if bound is None else requested + max(bound, SHORTEST_DRAIN)
        waiting = [p for p in self.pods if not p.ended and is_drainable(p, self.now)]
        if not waiting:
            return max(0.0, requested + SHORTEST_DRAIN - self.now)
        self.queue |= {key(p): deadline for p in first_tier(waiting)}
        if deadline is None:
            return POLL
        return min(POLL, max(0.0, deadline - self.now))

    def _work_queue(self) -> None:
        by_key = {key(p): p for p in self.pods}
        for name, deadline in sorted(self.queue.items()):
            pod = by_key[name]
            if (deadline is not None and self.now > deadline) or not pod.active:
                del self.queue[name]
                continue
            if event := pod_event(pod, self.now):
                self.events.append((f"Pod/{name}", *event))
            if not (pod.held(self.now) or tolerates_disruption(pod) or "Node" in pod.owners):
                del self.queue[name]
                self.evicted.add(name)
                self.events.append((f"Pod/{name}", "Evicted", f"Evicted pod: {self.eviction_reason}"))

    def _issued(self) -> float:
        self.rebooting.reason = "RebootIssued"
        if self.initialized.status != "Unknown":
            self.initialized.since = inf  # Karpenter takes the real time here, which is long after a scenario's
        self.initialized = Condition("Unknown", "Rebooting", "node is rebooting", self.initialized.since)
        return POLL

    def _observe(self) -> float:
        if self.boot_id == self.annotations.get(PRE_BOOT_ID, ""):
            return POLL
        self.is_tainted = False
        self._tell("RebootObserved", "New boot observed (bootID changed); awaiting node readiness")
        conditions = ((self.node or {}).get("status") or {}).get("conditions") or ()
        if not any(c["type"] == "Ready" and c.get("status") == "True" for c in conditions):
            return POLL
        self._end("RebootSucceeded", "node rebooted and rejoined the cluster")
        return 0

    def _fail(self, message: str) -> float:
        """Delete the claim; the bound of its drain is its deadline, if it is not earlier already."""
        self.is_tainted = False
        text = self.annotations.get(BOUND)
        if text is not None and not bound_problem(text):
            at = self.now + length(text)
            earlier = instant(self.annotations.get(TERMINATION_TIMESTAMP))
            if earlier is None or earlier > at:
                self.annotations[TERMINATION_TIMESTAMP] = instant_text(at)
        self.deleted = True
        return self._tell("RebootFailed", message)

    def _end(self, reason: str, message: str) -> None:
        self.is_tainted = False
        self.annotations.pop(PRE_BOOT_ID, None)
        self.rebooting = Condition("False", reason, message, self.now)

    def _tell(self, reason: str, message: str) -> float:
        self.events.append((f"NodeClaim/{self.claim['metadata']['name']}", reason, message))
        return 0


def bound_problem(text: str | None) -> str:
    """Return what is wrong with the drain bound of a request, or an empty string."""
    if text is None:
        return ""
    if error := parse_error(text):
        return f'parsing reboot termination grace period "{text}": {error}'
    return f'reboot termination grace period must be non-negative, got "{text}"' if nanoseconds(text) < 0 else ""


def key(pod: RunningPod) -> str:
    return f"{pod.pod.namespace}/{pod.name}"
